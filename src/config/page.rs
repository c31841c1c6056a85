//! What a page and an editor are told of the keys there are.

use serde_json::{Value as Json, json};

use super::{
    form::{Form, Row},
    settings::Written,
    variables::VARIABLES,
};

/// Every key, in the order of the file.
#[must_use]
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    Written::keys("", &mut rows);
    rows
}

/// Every variable that stands over a key, and the key.
#[must_use]
pub fn variables() -> Vec<(&'static str, String)> {
    VARIABLES.iter().map(|(variable, path)| (*variable, path.join("."))).collect()
}

/// The JSON Schema of the file.
#[must_use]
pub fn schema() -> Json {
    let mut schema = Written::schema();
    if let Some(keys) = schema.as_object_mut() {
        keys.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
        keys.insert("title".to_owned(), json!("mycelium.toml"));
    }
    schema
}
