//! What a request of the revision without sessions says of itself.

use serde_json::{Map, Value, json};

use super::{MODERN, RpcError, SUPPORTED, code};
use crate::failure::bounded;

/// The key of the revision that a request is made in.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The key of what the client can do.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The key under which a client names itself.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// The key under which this server names itself.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// Whether parameters are those of the revision without sessions.
#[must_use]
pub fn is_modern(params: &Map<String, Value>) -> bool {
    let meta = params.get("_meta").and_then(Value::as_object);
    meta.is_some_and(|meta| meta.contains_key(PROTOCOL_VERSION))
}

/// The parts of `_meta` that count.
#[derive(Clone, Debug, PartialEq)]
pub struct Meta {
    /// What the client can do.
    pub capabilities: Map<String, Value>,
    /// Where progress is wanted: a string or a whole number.
    pub progress_token: Option<Value>,
}

impl Meta {
    /// Reads `_meta`, beside the revision that the header field says.
    ///
    /// # Errors
    ///
    /// What is missing, what the header field says otherwise, or that the revision
    /// isn't served.
    pub fn read(params: &Map<String, Value>, header: Option<&str>) -> Result<Self, RpcError> {
        let Some(Value::Object(meta)) = params.get("_meta") else {
            return Err(RpcError::params("_meta is missing: it is an object"));
        };
        let Some(Value::String(version)) = meta.get(PROTOCOL_VERSION) else {
            return Err(RpcError::params(format!("_meta has no {PROTOCOL_VERSION}, a string")));
        };
        let Some(Value::Object(capabilities)) = meta.get(CLIENT_CAPABILITIES) else {
            return Err(RpcError::params(format!("_meta has no {CLIENT_CAPABILITIES}, an object")));
        };
        if header.map(str::trim) != Some(version) {
            let message = "MCP-Protocol-Version and the revision in _meta are not the same";
            return Err(RpcError::mismatch(message));
        }
        if version != MODERN {
            return Err(unsupported(version));
        }
        let progress_token = progress_token(meta)?;
        Ok(Self { capabilities: capabilities.clone(), progress_token })
    }

    /// Whether the client can put a form to a person.
    #[must_use]
    pub fn asks_by_form(&self) -> bool {
        asks_by_form(&self.capabilities)
    }
}

fn unsupported(version: &str) -> RpcError {
    let message = "this revision is not served: use one of those supported";
    RpcError::new(code::UNSUPPORTED_VERSION, message)
        .with(json!({ "supported": SUPPORTED, "requested": bounded(version, 100) }))
}

/// Where progress is wanted.
pub(in crate::mcp) fn progress_token(meta: &Map<String, Value>) -> Result<Option<Value>, RpcError> {
    match meta.get("progressToken") {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(Value::from(text.as_str()))),
        Some(Value::Number(number)) if number.is_i64() || number.is_u64() => {
            Ok(Some(Value::Number(number.clone())))
        }
        Some(_) => Err(RpcError::params("progressToken is a string or a whole number")),
    }
}

/// Whether capabilities say that a person can be asked by form: an empty object does,
/// one that has other ways only doesn't.
pub(in crate::mcp) fn asks_by_form(capabilities: &Map<String, Value>) -> bool {
    match capabilities.get("elicitation") {
        Some(Value::Object(ways)) => {
            ways.is_empty() || ways.get("form").is_some_and(Value::is_object)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Meta, asks_by_form};

    fn read(params: Value, header: Option<&str>) -> Result<Meta, i32> {
        let Value::Object(params) = params else { panic!("params are an object") };
        Meta::read(&params, header).map_err(|error| error.code)
    }

    fn meta(version: &str) -> Value {
        json!({"_meta": {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        }})
    }

    #[test]
    fn what_is_missing_in_meta_is_a_wrong_parameter() {
        let cases = [
            json!({}),
            json!({"_meta": null}),
            json!({"_meta": {}}),
            json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}),
            json!({"_meta": {"io.modelcontextprotocol/clientCapabilities": {}}}),
            json!({"_meta": {
                "io.modelcontextprotocol/protocolVersion": 1,
                "io.modelcontextprotocol/clientCapabilities": {},
            }}),
            json!({"_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "progressToken": 1.5,
            }}),
        ];
        for case in cases {
            assert_eq!(read(case.clone(), Some("2026-07-28")), Err(-32_602), "{case}");
        }
    }

    #[test]
    fn the_header_field_says_the_same_revision_or_it_is_a_mismatch() {
        assert!(read(meta("2026-07-28"), Some("2026-07-28")).is_ok());
        assert!(read(meta("2026-07-28"), Some(" 2026-07-28 ")).is_ok());
        for header in [None, Some("2025-11-25"), Some("")] {
            assert_eq!(read(meta("2026-07-28"), header), Err(-32_020), "{header:?}");
        }
    }

    #[test]
    fn a_revision_that_is_not_served_is_answered_with_those_that_are() {
        let Value::Object(params) = meta("2027-01-01") else { panic!() };
        let error = Meta::read(&params, Some("2027-01-01")).unwrap_err();
        assert_eq!(error.code, -32_022);
        let supported = json!(["2026-07-28", "2025-11-25", "2025-06-18"]);
        assert_eq!(error.data, Some(json!({"supported": supported, "requested": "2027-01-01"})));
    }

    #[test]
    fn an_empty_elicitation_is_form_and_url_alone_is_not() {
        let cases = [
            (json!({}), false),
            (json!({"elicitation": {}}), true),
            (json!({"elicitation": {"form": {}}}), true),
            (json!({"elicitation": {"form": {}, "url": {}}}), true),
            (json!({"elicitation": {"url": {}}}), false),
            (json!({"elicitation": {"form": true}}), false),
            (json!({"elicitation": true}), false),
        ];
        for (capabilities, expected) in cases {
            let Value::Object(map) = capabilities.clone() else { panic!() };
            assert_eq!(asks_by_form(&map), expected, "{capabilities}");
        }
    }
}
