//! References that lead out of the document.

use serde_json::{Map, Value};

use super::Refusal;
use crate::{failure::bounded, forage::openapi::pointer::Pointer};

/// The most bytes of a reference that a message shows.
const SHOWN_BYTES: usize = 200;

/// Refuses a document with a reference that leads out of it.
///
/// The recursion is as deep as a document may be.
pub(super) fn admit(root: &Value) -> Result<(), Refusal> {
    let mut search = Search { first: None, count: 0 };
    search.value(root, &Pointer::root(), Keys::Meant);
    match search.first {
        None => Ok(()),
        Some((pointer, reference)) => {
            Err(Refusal::ExternalReference { pointer, reference, count: search.count })
        }
    }
}

/// What the keys of a map are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    /// OpenAPI's own, or JSON Schema's.
    Meant,
    /// Names that the author chose.
    Names,
    /// Names of examples that the author chose.
    Examples,
    /// An example's own.
    Example,
}

struct Search {
    first: Option<(String, String)>,
    count: usize,
}

impl Search {
    fn value(&mut self, value: &Value, pointer: &Pointer, keys: Keys) {
        match value {
            Value::Object(map) => self.map(map, pointer, keys),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.value(item, &pointer.index(index), Keys::Meant);
                }
            }
            _ => {}
        }
    }

    fn map(&mut self, map: &Map<String, Value>, pointer: &Pointer, keys: Keys) {
        if keys != Keys::Names {
            self.reference(map, pointer);
        }
        for (key, value) in map {
            let inner = match keys {
                Keys::Meant if is_data(key, value) => continue,
                Keys::Example if key == "value" => continue,
                Keys::Meant => keys_under(key),
                Keys::Names | Keys::Example => Keys::Meant,
                Keys::Examples => Keys::Example,
            };
            self.value(value, &pointer.key(key), inner);
        }
    }

    fn reference(&mut self, map: &Map<String, Value>, pointer: &Pointer) {
        let Some(Value::String(reference)) = map.get("$ref") else { return };
        if reference.starts_with('#') {
            return;
        }
        self.count = self.count.saturating_add(1);
        let found = || (pointer.to_string(), bounded(reference, SHOWN_BYTES));
        self.first.get_or_insert_with(found);
    }
}

/// Whether what stands under `key` is somebody's data and no part of the description.
fn is_data(key: &str, value: &Value) -> bool {
    matches!(key, "example" | "default" | "enum" | "const")
        || key.starts_with("x-")
        || key == "examples" && value.is_array()
}

/// What the keys are of the map under a key that OpenAPI or JSON Schema means.
fn keys_under(key: &str) -> Keys {
    match key {
        "examples" => Keys::Examples,
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions"
        | "paths" | "webhooks" | "responses" | "callbacks" | "content" | "headers" | "links"
        | "encoding" | "schemas" | "parameters" | "requestBodies" | "securitySchemes"
        | "pathItems" | "variables" | "mapping" | "scopes" => Keys::Names,
        _ => Keys::Meant,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Refusal, admit};

    #[test]
    fn the_first_external_reference_is_named_and_all_are_counted() {
        let document = json!({
            "components": {"schemas": {"A": {"$ref": "other.yaml#/A"}}},
            "paths": {"/a": {"get": {"responses": {"default": {"$ref": "https://a.example/r"}}}}},
        });
        let expected = Refusal::ExternalReference {
            pointer: "/components/schemas/A".to_owned(),
            reference: "other.yaml#/A".to_owned(),
            count: 2,
        };
        assert_eq!(admit(&document), Err(expected));
    }

    #[test]
    fn a_reference_in_data_is_data() {
        let reference = json!({"$ref": "other.yaml"});
        for document in [
            json!({"components": {"schemas": {"A": {"example": reference}}}}),
            json!({"components": {"schemas": {"A": {"examples": [reference]}}}}),
            json!({"components": {"schemas": {"A": {"enum": [reference], "default": reference}}}}),
            json!({"components": {"examples": {"A": {"value": reference}}}}),
            json!({"x-b": reference}),
            json!({"components": {"schemas": {"A": {"properties": {"$ref": {"type": "string"}}}}}}),
        ] {
            assert!(admit(&document).is_ok(), "{document}");
        }
    }

    #[test]
    fn a_name_that_looks_like_data_hides_nothing() {
        let reference = json!({"$ref": "other.yaml"});
        for name in ["example", "default", "enum", "const", "examples", "x-a"] {
            for document in [
                json!({"components": {"schemas": {"A": {"properties": {name: reference}}}}}),
                json!({"components": {"schemas": {name: reference}}}),
                json!({"components": {"responses": {name: reference}}}),
            ] {
                assert!(admit(&document).is_err(), "{document}");
            }
        }
        let document = json!({"components": {"examples": {"A": reference}}});
        assert!(admit(&document).is_err());
    }
}
