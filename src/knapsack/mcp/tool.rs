//! One tool as its server lists it.

use serde_json::{Map, Value, json};

use super::UpstreamError;
use crate::{
    failure::bounded,
    limits::MCP_SCHEMA_BYTES,
    schema::{
        Schema,
        subset::{self, Formats},
        typescript::declare_document,
    },
};

/// One tool.
#[derive(Clone, Debug)]
pub struct Tool {
    /// The server's own name for it, by which it is called.
    pub name: String,
    /// What it does, in the server's words; may be empty.
    pub description: String,
    /// What it takes.
    pub input: Schema,
    /// What the server says of its input where that is outside of the subset, and why it is.
    pub outside: Option<Outside>,
    /// What `structuredContent` is, where the server says so and it can be checked.
    pub output: Option<Schema>,
    /// What it says of itself.
    pub hints: Hints,
}

/// A schema outside of the subset, which the server alone checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// Where it leaves the subset, and why.
    pub why: String,
    /// What TypeScript can say of it, or the schema itself.
    pub shown: String,
}

/// What a tool says of itself; nobody checks it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// It changes nothing.
    pub read_only: bool,
    /// It may destroy something.
    pub destructive: bool,
}

impl Tool {
    /// Reads a tool. A schema that can't be kept is none to fail by; a tool without a name is.
    ///
    /// # Errors
    ///
    /// It isn't an object with a name.
    pub(super) fn read(listed: &Value) -> Result<Self, UpstreamError> {
        let object = listed.as_object();
        let name = object.and_then(|tool| tool.get("name")?.as_str());
        let (Some(tool), Some(name)) = (object, name) else {
            let evidence = "a tool that it lists isn't an object with a name";
            return Err(UpstreamError::unusable(evidence));
        };
        let (input, outside) = input(tool.get("inputSchema"));
        Ok(Self {
            name: name.to_owned(),
            description: described(tool),
            input,
            outside,
            output: tool.get("outputSchema").and_then(|output| Schema::new(output.clone()).ok()),
            hints: hints(tool),
        })
    }
}

/// Any object, which the server checks.
fn any_object() -> Schema {
    // Written here, it is a schema.
    #[allow(clippy::unwrap_used, reason = "a constant that a test reads")]
    Schema::new(json!({"type": "object"})).unwrap()
}

fn input(declared: Option<&Value>) -> (Schema, Option<Outside>) {
    let Some(declared) = declared else {
        let (why, shown) = ("the server declares none".to_owned(), String::new());
        return (any_object(), Some(Outside { why, shown }));
    };
    match subset::decode(declared.clone(), Formats::Annotate) {
        Ok(schema) => (schema, None),
        Err(error) => {
            let (why, shown) = (error.to_string(), shown(declared));
            (any_object(), Some(Outside { why, shown }))
        }
    }
}

/// A schema outside of the subset as a model can read it: the widest type that is true of it,
/// and the schema.
fn shown(declared: &Value) -> String {
    let projected = declare_document(declared, "Input", MCP_SCHEMA_BYTES);
    let projected = projected.map(|declaration| format!("{}\n", declaration.text()));
    let raw = bounded(&declared.to_string(), MCP_SCHEMA_BYTES);
    format!("{}JSON Schema: {raw}", projected.unwrap_or_default())
}

fn described(tool: &Map<String, Value>) -> String {
    let text = |from: Option<&Value>| from.and_then(Value::as_str).unwrap_or_default().to_owned();
    let annotated = tool.get("annotations").and_then(|annotations| annotations.get("title"));
    let title = text(tool.get("title").or(annotated));
    let description = text(tool.get("description"));
    let mut said = vec![title, description];
    said.retain(|text| !text.trim().is_empty());
    said.dedup();
    said.join("\n\n")
}

fn hints(tool: &Map<String, Value>) -> Hints {
    let hint = |name: &str| {
        let annotations = tool.get("annotations")?;
        annotations.get(name)?.as_bool()
    };
    let read_only = hint("readOnlyHint") == Some(true);
    Hints { read_only, destructive: !read_only && hint("destructiveHint") == Some(true) }
}
