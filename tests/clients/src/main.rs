//! Drives the client of the official Rust SDK: `mycelium-clients MODE URL`, where MODE says how
//! it comes to an agreement with a server, and what follows `Bearer` in AUTHORIZATION is its key. Orders and answers are lines of JSON, as
//! `miniflare-tests/clients/driver.mjs` tells.

mod person;

use std::error::Error;

use rmcp::{
    ClientServiceExt, ServiceExt,
    model::{CallToolRequestParams, ProtocolVersion},
    service::{ClientLifecycleMode, RoleClient, RunningService},
    transport::{
        StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, stdin};

use person::Person;

type Client = RunningService<RoleClient, Person>;
type Outcome<T> = Result<T, Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mode, url] = arguments.as_slice() else { return Err("mycelium-clients MODE URL".into()) };
    let mut orders = BufReader::new(stdin()).lines();
    let person = Person::default();
    let mut open = None;
    while let Some(line) = orders.next_line().await? {
        say(&match obey(&line, &mut open, &person, (mode, url)).await {
            Ok(said) => json!({ "said": said }),
            Err(error) => json!({ "failed": format!("{error:?}") }),
        });
    }
    Ok(())
}

/// Prints one line.
fn say(what: &Value) {
    println!("{what}");
}

async fn obey(
    line: &str,
    open: &mut Option<Client>,
    person: &Person,
    (mode, url): (&str, &str),
) -> Outcome<Value> {
    let order: Value = serde_json::from_str(line)?;
    let text = |key: &str| order.get(key).and_then(Value::as_str).unwrap_or_default();
    if text("do") == "connect" {
        let client = open.insert(connected(mode, url, person.clone()).await?);
        return Ok(json!(client.peer_info().map(|info| info.protocol_version.to_string())));
    }
    let client = open.as_ref().ok_or("not connected")?;
    if text("do") == "list" {
        let tools = client.list_tools(None).await?.tools;
        return Ok(tools.iter().map(|tool| tool.name.to_string()).collect());
    }
    person.will(text("answer"), text("until"));
    called(client, text("code")).await
}

async fn connected(mode: &str, url: &str, person: Person) -> Outcome<Client> {
    let mut config = StreamableHttpClientTransportConfig::with_uri(url);
    let authorization = std::env::var("AUTHORIZATION").ok();
    if let Some(key) = authorization.as_ref().and_then(|value| value.strip_prefix("Bearer ")) {
        config = config.auth_header(key);
    }
    let transport = StreamableHttpClientTransport::from_config(config);
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    let lifecycle = match mode {
        "default" => return Ok(person.serve(transport).await?),
        "auto" => ClientLifecycleMode::Auto { preferred_versions, legacy_version: None },
        "discover" => ClientLifecycleMode::Discover { preferred_versions },
        _ => return Err(format!("no mode {mode}").into()),
    };
    Ok(person.serve_with_lifecycle(transport, lifecycle).await?)
}

async fn called(client: &Client, code: &str) -> Outcome<Value> {
    let arguments = Map::from_iter([("code".to_owned(), json!(code))]);
    let params = CallToolRequestParams::new("execute").with_arguments(arguments);
    let result = client.call_tool(params).await?;
    let first = result.content.first().and_then(|content| content.as_text());
    Ok(json!({
        "isError": result.is_error.unwrap_or_default(),
        "text": first.map(|content| content.text.as_str()),
    }))
}
