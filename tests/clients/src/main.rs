//! Drives rmcp: `clients MODE URL`, a line of JSON in and a line out.
//!
//! It is told `{"do": "connect" | "list" | "call", "code"?, "answer"?}`; `answer` is
//! what its person does when asked.

use std::{
    io::{self, BufRead as _, Write as _},
    sync::{Arc, Mutex},
    time::Duration,
};

use rmcp::{
    ClientHandler, ClientServiceExt as _, RoleClient,
    model::{
        CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
        ElicitationAction, ElicitationCapability, ErrorData, Implementation, ProtocolVersion,
    },
    service::{ClientLifecycleMode, RequestContext, RunningService},
    transport::StreamableHttpClientTransport,
};
use serde_json::{Value, json};

/// The person at the client.
#[derive(Clone, Default)]
struct Person(Arc<Mutex<String>>);

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(ElicitationCapability::default());
        ClientConfig::new(capabilities, Implementation::new("tests", "0"))
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let answer = self.0.lock().expect("nobody panics with it").clone();
        if answer == "late" {
            tokio::time::sleep(Duration::from_millis(4_500)).await;
        }
        Ok(match answer.as_str() {
            "decline" => ElicitResult::new(ElicitationAction::Decline),
            "cancel" => ElicitResult::new(ElicitationAction::Cancel),
            _ => ElicitResult::new(ElicitationAction::Accept)
                .with_content(json!({ "approve": true })),
        })
    }
}

type Client = RunningService<RoleClient, Person>;

type Failure = Box<dyn std::error::Error>;

async fn connected(mode: &str, url: &str, person: &Person) -> Result<Client, Failure> {
    let transport = StreamableHttpClientTransport::from_uri(url);
    let mode = match mode {
        "auto" => ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: None,
        },
        "discover" => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        },
        _ => ClientLifecycleMode::Initialize,
    };
    Ok(person.clone().serve_with_lifecycle(transport, mode).await?)
}

async fn done(client: &Client, person: &Person, order: &Value) -> Result<Value, Failure> {
    if order["do"] == "list" {
        let tools = client.list_all_tools().await?;
        return Ok(tools.iter().map(|tool| json!(tool.name)).collect());
    }
    let answer = order["answer"].as_str().unwrap_or("accept").to_owned();
    *person.0.lock().expect("nobody panics with it") = answer;
    let arguments = json!({ "code": order["code"] });
    let call = CallToolRequestParams::new("execute")
        .with_arguments(arguments.as_object().expect("it is one").clone());
    let result = serde_json::to_value(client.call_tool(call).await?)?;
    let is_error = result["isError"].as_bool().unwrap_or(false);
    Ok(json!({ "isError": is_error, "text": result["content"][0]["text"] }))
}

fn say(said: Result<Value, Failure>) -> Result<(), Failure> {
    let line = match said {
        Ok(said) => json!({ "said": said }),
        Err(failure) => json!({ "failed": failure.to_string() }),
    };
    writeln!(io::stdout(), "{line}")?;
    Ok(io::stdout().flush()?)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let (mode, url) = (arguments.next().ok_or("a mode")?, arguments.next().ok_or("a URL")?);
    let (person, mut open) = (Person::default(), None);
    loop {
        let line = tokio::task::spawn_blocking(|| io::stdin().lock().lines().next()).await?;
        let Some(line) = line else { return Ok(()) };
        let order: Value = serde_json::from_str(&line?)?;
        match &open {
            None => {
                let connecting = connected(&mode, &url, &person).await;
                say(connecting.map(|client| {
                    open = Some(client);
                    json!("connected")
                }))?;
            }
            Some(client) => say(done(client, &person, &order).await)?,
        }
    }
}
