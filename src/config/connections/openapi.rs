//! `type = "openapi"`: a server, by a table that was made of its document beforehand.

use super::{Connection, Type};
use crate::{
    config::{
        error::Errors,
        form::{Fields, Form, Whole, section, words},
        node::{Node, Place, Value},
        rule::Said,
    },
    knapsack::openapi::{BigIntegers, Credential, Server},
    limits::{LONGEST_TIMEOUT_MS, OPENAPI_TIMEOUT_MS},
};

section! {
    /// As it is written.
    pub(in crate::config) struct Written {
        server: Server, "", "Where every request goes, with the path before every path. The document is never asked.";
        table: Option<Said>, "tables/NAME.json", "The table of operations, made by `make openapi`, in the folder `tables`.";
        credential: Option<Credential>, "none", "What every request carries.";
        timeout_ms: Option<Whole<1, LONGEST_TIMEOUT_MS>>, "30000", "Milliseconds that the server has for one answer.";
        big_integers: Option<Integers>, "refuse", "What becomes of integers beyond 2^53 - 1 in an answer: it is refused, or a program gets them as strings.";
    }
}

words! {
    /// What becomes of integers that JavaScript would lose digits of.
    Integers(BigIntegers) {
        "refuse" => BigIntegers::Refuse,
        "string" => BigIntegers::Text,
    }
}

/// A server described by OpenAPI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenApi {
    /// The name of the table in the bundle.
    pub table: String,
    /// Where requests go.
    pub server: Server,
    /// What they carry.
    pub credential: Credential,
    /// Milliseconds for one answer.
    pub timeout_ms: u64,
    /// What becomes of integers beyond 2^53 − 1.
    pub big_integers: BigIntegers,
}

pub(super) const TYPE: Type = Type {
    word: "openapi",
    keys: Written::KEYS,
    read,
    schema: Written::schema,
    rows: Written::keys,
};

fn read(
    fields: &Fields<'_>,
    _: &Node,
    place: &Place<'_>,
    errors: &mut Errors,
) -> Option<Connection> {
    let written = Written::read_fields(fields, errors)?;
    let table =
        written.table.map_or_else(|| format!("tables/{}.json", place.name()), |said| said.0);
    Some(Connection::OpenApi(OpenApi {
        table,
        server: written.server,
        credential: written.credential.unwrap_or_default(),
        timeout_ms: written.timeout_ms.map_or(OPENAPI_TIMEOUT_MS, |Whole(ms)| ms),
        big_integers: written.big_integers.map_or(BigIntegers::Refuse, |Integers(said)| said),
    }))
}

impl OpenApi {
    pub(super) fn target(&self) -> String {
        self.server.to_string()
    }
}

const SERVER: &str = "a server's URL such as https://api.example/v1 (http on this machine only; no query, no fragment)";

impl Form for Server {
    fn accepted() -> String {
        SERVER.to_owned()
    }

    fn schema() -> serde_json::Value {
        serde_json::json!({ "type": "string", "pattern": "^https?://[^\\s?#]+$" })
    }

    fn read(node: &Node, place: &Place<'_>, errors: &mut Errors) -> Option<Self> {
        let server = match &node.value {
            Value::Text(url) => Self::new(url).ok(),
            _ => None,
        };
        if server.is_none() {
            errors.wrong(place, node, SERVER);
        }
        server
    }
}
