//! An error as JSON-RPC has it.

use serde_json::{Value, json};

use super::code;

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq)]
pub struct RpcError {
    /// The code.
    pub code: i32,
    /// What is wrong, and what to do.
    pub message: String,
    /// Further facts.
    pub data: Option<Value>,
}

impl RpcError {
    /// An error without further facts.
    #[must_use]
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// Parameters that the method doesn't take.
    #[must_use]
    pub fn params(message: impl Into<String>) -> Self {
        Self::new(code::INVALID_PARAMS, message)
    }

    /// A method that isn't there.
    #[must_use]
    pub fn no_method(method: &str) -> Self {
        let method = crate::failure::bounded(method, 100);
        Self::new(code::METHOD_NOT_FOUND, format!("there is no method {method:?}"))
    }

    /// Header fields that say other than the body.
    #[must_use]
    pub fn mismatch(message: impl Into<String>) -> Self {
        Self::new(code::HEADER_MISMATCH, message)
    }

    /// A capability that the client would have to declare.
    #[must_use]
    pub fn capability(capabilities: Value) -> Self {
        let message = "the call needs a client capability that was not declared";
        let data = Some(json!({ "requiredCapabilities": capabilities }));
        Self { data, ..Self::new(code::MISSING_CAPABILITY, message) }
    }

    /// With further facts.
    #[must_use]
    pub fn with(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    /// The error as an object.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let (Some(data), Some(error)) = (&self.data, error.as_object_mut()) {
            error.insert("data".to_owned(), data.clone());
        }
        error
    }
}
