//! What the tests of keywords share: a schema in, its type out.

use serde_json::Value;

use super::{declare, declare_document, inline as on_one_line};
use crate::schema::Schema;

/// The type on one line.
pub(super) fn inline(document: Value) -> String {
    let schema =
        Schema::new(document.clone()).unwrap_or_else(|error| panic!("{document}: {error}"));
    on_one_line(&schema, 10_000).unwrap_or_else(|| panic!("{document} has no type on one line"))
}

/// The statements that declare `T`.
pub(super) fn declared(document: Value) -> String {
    declare(&Schema::new(document).unwrap(), "T", 100_000).unwrap().text().to_owned()
}

/// The statements that declare `T` for what needn't be a schema.
pub(super) fn shown(document: &Value) -> String {
    declare_document(document, "T", 100_000).unwrap().text().to_owned()
}

/// Schemas and their types.
pub(super) fn table<const ROWS: usize>(rows: [(Value, &str); ROWS]) {
    for (document, expected) in rows {
        assert_eq!(inline(document.clone()), expected, "{document}");
    }
}
