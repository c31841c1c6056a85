//! One message from its text.

use std::fmt;

use serde_json::{Map, Number, Value};

use super::code;
use crate::json;

/// A request's id: a string or a whole number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Id {
    /// A whole number.
    Number(i64),
    /// A string.
    Text(String),
}

impl Id {
    /// The id in `value`, if it is one.
    #[must_use]
    pub fn read(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Number(number) => number.as_i64().map(Self::Number),
            _ => None,
        }
    }

    /// The id as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self {
            Self::Number(number) => Value::Number(Number::from(*number)),
            Self::Text(text) => Value::String(text.clone()),
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(formatter),
            Self::Text(text) => formatter.write_str(text),
        }
    }
}

/// A text that isn't a message, with the error code it is answered with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The JSON-RPC error code.
    pub code: i32,
    /// What is wrong.
    pub message: String,
    /// The id of the request, when it could be read.
    pub id: Option<Id>,
}

impl Fault {
    fn new(code: i32, message: impl fmt::Display, id: Option<Id>) -> Self {
        Self { code, message: message.to_string(), id }
    }
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Wants an answer.
    Request {
        /// Names the answer.
        id: Id,
        /// What to do.
        method: String,
        /// With what.
        params: Map<String, Value>,
    },
    /// Wants none.
    Notification {
        /// What happened.
        method: String,
        /// With what.
        params: Map<String, Value>,
    },
    /// Answers a request of ours.
    Response {
        /// The request it answers.
        id: Id,
        /// The result, or the error that came in its place.
        outcome: Result<Value, Value>,
    },
}

impl Message {
    /// Reads one message.
    ///
    /// # Errors
    ///
    /// A [`Fault`] with the code and, where there was one, the id to answer with.
    pub fn read(text: &str) -> Result<Self, Fault> {
        let value =
            json::parse(text).map_err(|error| Fault::new(code::PARSE_ERROR, error, None))?;
        match value {
            Value::Object(message) => Self::from_object(message),
            Value::Array(_) => Err(invalid("batches are not part of this revision", None)),
            _ => Err(invalid("a message is an object", None)),
        }
    }

    fn from_object(mut message: Map<String, Value>) -> Result<Self, Fault> {
        let given = message.remove("id");
        let id = given.as_ref().and_then(Id::read);
        if message.get("jsonrpc") != Some(&Value::from("2.0")) {
            return Err(invalid("jsonrpc is \"2.0\"", id));
        }
        if given.is_some() && id.is_none() {
            return Err(invalid("id is a string or a whole number", None));
        }
        let Some(method) = message.remove("method") else {
            return response(message, id);
        };
        let Value::String(method) = method else {
            return Err(invalid("method is a string", id));
        };
        let params = match message.remove("params") {
            None => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return Err(invalid("params is an object", id)),
        };
        Ok(match id {
            Some(id) => Self::Request { id, method, params },
            None => Self::Notification { method, params },
        })
    }
}

fn response(mut message: Map<String, Value>, id: Option<Id>) -> Result<Message, Fault> {
    match (id, message.remove("result"), message.remove("error")) {
        (Some(id), Some(result), None) => Ok(Message::Response { id, outcome: Ok(result) }),
        (Some(id), None, Some(error)) => Ok(Message::Response { id, outcome: Err(error) }),
        (id, ..) => Err(invalid("a message has a method, or an id and a result or an error", id)),
    }
}

fn invalid(message: &str, id: Option<Id>) -> Fault {
    Fault::new(code::INVALID_REQUEST, message, id)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Id, Message};

    #[test]
    fn every_fault_has_its_code_and_keeps_a_readable_id() {
        let one = Some(Id::Number(1));
        let cases = [
            ("{", -32_700, None),
            ("", -32_700, None),
            (r#"{"id":1,"id":2}"#, -32_700, None),
            ("[]", -32_600, None),
            ("1", -32_600, None),
            (r#"{"id":1,"method":"ping"}"#, -32_600, one.clone()),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600, one.clone()),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600, None),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600, None),
            (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32_600, one.clone()),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32_600, one.clone()),
            (r#"{"jsonrpc":"2.0","id":1}"#, -32_600, one.clone()),
            (r#"{"jsonrpc":"2.0","id":1,"result":1,"error":1}"#, -32_600, one),
            (r#"{"jsonrpc":"2.0"}"#, -32_600, None),
        ];
        for (text, code, id) in cases {
            let fault = Message::read(text).unwrap_err();
            assert_eq!((fault.code, fault.id), (code, id), "{text}");
        }
    }

    #[test]
    fn the_three_kinds_are_told_apart() {
        let request = Message::read(r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#);
        assert!(matches!(request, Ok(Message::Request { id: Id::Text(_), .. })));
        let notification = Message::read(r#"{"jsonrpc":"2.0","method":"x","params":{"a":1}}"#);
        assert!(
            matches!(notification, Ok(Message::Notification { params, .. }) if params.len() == 1)
        );
        let response = Message::read(r#"{"jsonrpc":"2.0","id":-3,"result":{}}"#);
        assert_eq!(response, Ok(Message::Response { id: Id::Number(-3), outcome: Ok(json!({})) }));
    }
}
