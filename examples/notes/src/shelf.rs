//! Reaching the notebook from where it is asked for.

use mycelium::operation::OperationError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use worker::{Env, Method, Request, RequestInit};

/// The binding in `wrangler.toml`.
const NOTEBOOK: &str = "NOTEBOOK";

/// One note.
#[derive(Deserialize, Serialize, JsonSchema)]
pub(crate) struct Note {
    id: u32,
    topic: String,
    text: String,
}

/// What the notebook is asked.
#[derive(Deserialize, Serialize)]
pub(crate) enum Order {
    /// Keeps a note.
    Add { topic: String, text: String },
    /// The notes of a topic.
    List { topic: String },
    /// Removes a note; gives how many there were.
    Remove { id: u32 },
    /// The topics there are.
    Topics,
}

/// The notebook, by the bindings of one context.
#[derive(Clone)]
pub(crate) struct Shelf {
    env: Env,
}

impl Shelf {
    pub(crate) fn new(env: Env) -> Self {
        Self { env }
    }

    /// Asks the notebook. Why it has no answer is for the operator alone.
    pub(crate) async fn ask<T: DeserializeOwned>(&self, order: Order) -> Result<T, OperationError> {
        let asked = async {
            let notebook = self.env.durable_object(NOTEBOOK)?.get_by_name("notebook")?;
            let mut init = RequestInit::new();
            init.with_method(Method::Post).with_body(Some(serde_json::to_string(&order)?.into()));
            let request = Request::new_with_init("https://notebook.invalid/", &init)?;
            notebook.fetch_with_request(request).await?.json().await
        };
        asked.await.map_err(|error: worker::Error| {
            OperationError::new("the notebook can't be reached: try again later")
                .with_evidence(error.to_string())
        })
    }
}
