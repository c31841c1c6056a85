//! A schema and the validator that is made of it when the first value comes.

use std::{cell::OnceCell, fmt, rc::Rc};

use jsonschema::{Draft, Retrieve, Uri, Validator};
use serde_json::Value;

/// How many of a value's faults are told.
const FAULTS_TOLD: usize = 3;

/// A schema that can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    message: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for SchemaError {}

/// A JSON Schema, draft 2020-12 unless its `$schema` says otherwise.
///
/// Its validator is made once, when the first value is validated: making one
/// takes longer than a millisecond in the Worker.
///
/// ```
/// use mycelium::schema::Schema;
/// let schema = Schema::new(serde_json::json!({"type": "object"}));
/// assert!(schema.validate(&serde_json::json!({})).is_ok());
/// assert!(schema.validate(&serde_json::json!(1)).is_err());
/// ```
#[derive(Clone)]
pub struct Schema {
    shared: Rc<Shared>,
}

struct Shared {
    document: Value,
    validator: OnceCell<Result<Validator, SchemaError>>,
}

impl Schema {
    /// A schema from its document; a fault in it shows when the first value comes.
    #[must_use]
    pub fn new(document: Value) -> Self {
        let validator = OnceCell::new();
        Self { shared: Rc::new(Shared { document, validator }) }
    }

    /// The document as it was given.
    #[must_use]
    pub fn document(&self) -> &Value {
        &self.shared.document
    }

    /// Whether `value` is what the schema describes.
    ///
    /// # Errors
    ///
    /// The first faults with their paths, or what is wrong with the schema itself.
    pub fn validate(&self, value: &Value) -> Result<(), SchemaError> {
        let compiled = self.shared.validator.get_or_init(|| compile(&self.shared.document));
        let validator = compiled.as_ref().map_err(Clone::clone)?;
        if validator.is_valid(value) {
            return Ok(());
        }
        Err(faults(validator, value))
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Schema").field(&self.shared.document).finish()
    }
}

fn compile(document: &Value) -> Result<Validator, SchemaError> {
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_retriever(NoNetwork)
        .build(document)
        .map_err(|error| SchemaError { message: format!("the schema is wrong: {error}") })
}

/// Runs only for a value that is known to be wrong, and stops early.
fn faults(validator: &Validator, value: &Value) -> SchemaError {
    let mut message = String::new();
    for fault in validator.iter_errors(value).take(FAULTS_TOLD) {
        if !message.is_empty() {
            message.push_str("; ");
        }
        let path = fault.instance_path().to_string();
        let path = if path.is_empty() { "/" } else { path.as_str() };
        message.push_str(&format!("at {path}: {}", fault.masked()));
    }
    SchemaError { message }
}

/// Refuses every reference that leaves the document.
struct NoNetwork;

impl Retrieve for NoNetwork {
    fn retrieve(
        &self,
        uri: &Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("{uri} is outside the document: copy it under $defs").into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Schema;

    #[test]
    fn a_fault_names_its_path_and_not_the_value() {
        let schema = Schema::new(json!({"properties": {"a": {"items": {"type": "string"}}}}));
        let error = schema.validate(&json!({"a": ["x", 31_337]})).unwrap_err().to_string();
        assert!(error.starts_with("at /a/1: "), "{error}");
        assert!(!error.contains("31337"), "{error}");
    }

    #[test]
    fn a_reference_out_of_the_document_is_refused() {
        let schema = Schema::new(json!({"$ref": "https://schemas.example/a.json"}));
        let error = schema.validate(&json!(1)).unwrap_err().to_string();
        assert!(error.contains("outside the document"), "{error}");
    }

    #[test]
    fn a_wrong_schema_says_so_each_time() {
        let schema = Schema::new(json!({"type": 7}));
        for _ in 0..2 {
            let error = schema.validate(&json!(1)).unwrap_err().to_string();
            assert!(error.contains("the schema is wrong"), "{error}");
        }
    }
}
