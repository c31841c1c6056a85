//! `[connections]`: the providers that a deployment connects, each by the name that code says.
//!
//! One file a type. Each has the section as it is written, and the struct that the Worker
//! opens it from.

mod computer;
mod credential;
mod files;
mod mcp;
mod openapi;
mod pen;
mod ui;

use serde_json::{Value as Json, json};

pub use computer::{Computer, Reached};
pub use files::Files;
pub use mcp::Mcp;
pub use openapi::OpenApi;
pub use pen::{Pen, PenWriter};
pub use ui::Ui;

use super::{
    error::Errors,
    form::{Fields, Form, Row},
    node::{Node, Place, Value},
};

/// One provider; its name is the key it stands under, and its module's id too.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Connection {
    /// A server described by OpenAPI.
    OpenApi(OpenApi),
    /// Files in an R2 bucket.
    Files(Files),
    /// A computer that says itself what it can do.
    Computer(Computer),
    /// A server of the Model Context Protocol.
    Mcp(Mcp),
    /// The app that is open in a session's browser.
    Ui(Ui),
    /// The magic pen.
    Pen(Pen),
}

/// A type of connection: its word, how its keys are read, and what is said of them.
struct Type {
    word: &'static str,
    keys: &'static [&'static str],
    read: fn(&Fields<'_>, &Node, &Place<'_>, &mut Errors) -> Option<Connection>,
    schema: fn() -> Json,
    rows: fn(&str, &mut Vec<Row>),
}

const TYPES: &[Type] =
    &[openapi::TYPE, files::TYPE, computer::TYPE, mcp::TYPE, ui::TYPE, pen::TYPE];

fn words() -> impl Iterator<Item = &'static str> {
    TYPES.iter().map(|one| one.word)
}

impl Connection {
    /// The word that is its type.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::OpenApi(_) => openapi::TYPE.word,
            Self::Files(_) => files::TYPE.word,
            Self::Computer(_) => computer::TYPE.word,
            Self::Mcp(_) => mcp::TYPE.word,
            Self::Ui(_) => ui::TYPE.word,
            Self::Pen(_) => pen::TYPE.word,
        }
    }

    /// Where it leads, in a few words and without any secret.
    #[must_use]
    pub fn target(&self) -> String {
        match self {
            Self::OpenApi(openapi) => openapi.target(),
            Self::Files(files) => files.target(),
            Self::Computer(computer) => computer.target(),
            Self::Mcp(mcp) => mcp.target(),
            Self::Ui(_) => "the pages of each session".to_owned(),
            Self::Pen(pen) => pen.target(),
        }
    }

    /// What its owner should know of it.
    #[must_use]
    pub(in crate::config) fn note(&self) -> Option<&'static str> {
        match self {
            Self::Mcp(mcp) if mcp.server.trust_annotations => {
                Some("what its tools say of reading is believed")
            }
            _ => None,
        }
    }

    /// The secrets that it needs.
    #[must_use]
    pub fn secrets(&self) -> Vec<&str> {
        match self {
            Self::OpenApi(openapi) => openapi.credential.secret_name().into_iter().collect(),
            Self::Files(_) | Self::Ui(_) => Vec::new(),
            Self::Pen(pen) => pen.secret().into_iter().collect(),
            Self::Computer(computer) => {
                computer.credential.iter().filter_map(|one| one.secret_name()).collect()
            }
            Self::Mcp(mcp) => mcp.secrets(),
        }
    }
}

impl Form for Connection {
    fn accepted() -> String {
        let words: Vec<&str> = words().collect();
        format!("a table with the key type ({})", words.join(", "))
    }

    fn schema() -> Json {
        let typed = |one: &Type| {
            let mut schema = (one.schema)();
            if let Some(keys) = schema.pointer_mut("/properties").and_then(Json::as_object_mut) {
                keys.insert("type".to_owned(), json!({ "const": one.word }));
            }
            if let Some(required) = schema.pointer_mut("/required").and_then(Json::as_array_mut) {
                required.push("type".into());
            }
            schema
        };
        json!({ "oneOf": TYPES.iter().map(typed).collect::<Vec<_>>() })
    }

    fn keys(path: &str, rows: &mut Vec<Row>) {
        for one in TYPES {
            rows.push(Row {
                key: format!("{path}.type"),
                accepted: format!("{:?}", one.word),
                default: "",
                meaning: "The type of the connection, which decides the keys beside it.",
            });
            (one.rows)(path, rows);
        }
    }

    fn read(node: &Node, place: &Place<'_>, errors: &mut Errors) -> Option<Self> {
        let Value::Table(table) = &node.value else {
            errors.wrong(place, node, &Self::accepted());
            return None;
        };
        let at = place.of("type");
        let Some(written) = table.get("type") else {
            let words: Vec<&str> = words().collect();
            errors.missing(&at, node.line, &words.join(" or "));
            return None;
        };
        let word = match &written.value {
            Value::Text(word) => word.as_str(),
            _ => "",
        };
        let Some(found) = TYPES.iter().find(|one| one.word == word) else {
            if word.is_empty() {
                errors.wrong(&at, written, &words().collect::<Vec<_>>().join(" or "));
            } else {
                errors.unknown(&at.of(word), written.line, word, words());
            }
            return None;
        };
        let known: Vec<&'static str> = found.keys.iter().copied().chain(["type"]).collect();
        let fields = Fields::of(node, place, &known, errors)?;
        (found.read)(&fields, node, place, errors)
    }
}
