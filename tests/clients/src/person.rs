//! The person at the client, who does what the last order said.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rmcp::{
    ClientHandler, ErrorData,
    model::{
        ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
        ElicitationCapability, Implementation,
    },
    service::{RequestContext, RoleClient},
};
use serde_json::json;

/// What is done when a question comes, and the file that is waited for before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Person(Arc<Mutex<(String, String)>>);

impl Person {
    /// From now on gives `answer`, as soon as there is a file `until`; at once where that is empty.
    pub(crate) fn will(&self, answer: &str, until: &str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) =
            (answer.to_owned(), until.to_owned());
    }

    fn intent(&self) -> (String, String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(ElicitationCapability::default());
        ClientConfig::new(capabilities, Implementation::new("tests", "0"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            return Err(ErrorData::invalid_params("only a form can be filled in", None));
        };
        super::say(&json!({ "asked": message }));
        let (answer, until) = self.intent();
        while !until.is_empty() && !Path::new(&until).exists() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(match answer.as_str() {
            "accept" => ElicitResult::new(ElicitationAction::Accept)
                .with_content(json!({ "approve": true })),
            "cancel" => ElicitResult::new(ElicitationAction::Cancel),
            _ => ElicitResult::new(ElicitationAction::Decline),
        })
    }
}
