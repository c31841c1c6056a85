//! The tools of real MCP servers as operations.

use mycelium::forage::OperationDefinition;
use serde_json::Value;

use crate::schema::suite::{corpus, documents};

/// A tool and its server.
pub(super) struct Tool {
    pub(super) server: String,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) input: Value,
}

impl Tool {
    pub(super) fn path(&self) -> String {
        format!("{}.{}", said(&self.server), said(&self.name))
    }

    pub(super) fn definition(&self) -> OperationDefinition {
        OperationDefinition::new(self.path(), self.input.clone()).describe(&self.description)
    }

    /// All that is said of it, as plain text.
    pub(super) fn text(&self) -> String {
        let Self { server, name, description, input } = self;
        format!("{server} {name} {description} {}", parameters(input))
    }
}

/// A name as code can say it.
fn said(name: &str) -> String {
    name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_")
}

fn parameters(schema: &Value) -> String {
    let mut text = String::new();
    if let Some(properties) = schema["properties"].as_object() {
        for (name, schema) in properties {
            let description = schema["description"].as_str().unwrap_or_default();
            text.push_str(&format!("{name} {description} {} ", parameters(schema)));
        }
    }
    if schema["items"].is_object() {
        text.push_str(&parameters(&schema["items"]));
    }
    text
}

/// Every tool there is; none when the corpus isn't.
pub(super) fn tools() -> Option<Vec<Tool>> {
    let mut tools = Vec::new();
    for (server, record) in documents(&corpus("mcp-tools")?) {
        for page in record["pages"].as_array().unwrap() {
            for tool in page["tools"].as_array().unwrap() {
                tools.push(Tool {
                    server: server.clone(),
                    name: tool["name"].as_str().unwrap().to_owned(),
                    description: tool["description"].as_str().unwrap_or_default().to_owned(),
                    input: tool["inputSchema"].clone(),
                });
            }
        }
    }
    assert_eq!(tools.len(), 328);
    Some(tools)
}
