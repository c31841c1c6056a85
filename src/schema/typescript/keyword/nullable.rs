//! `nullable`, from OpenAPI 3.0: null too. Validators don't know it, so the type is wider.

use serde_json::Value;

use crate::schema::typescript::place::Place;

pub(in crate::schema::typescript) fn applies(place: &Place<'_>) -> bool {
    place.keywords().and_then(|keywords| keywords.get("nullable")) == Some(&Value::Bool(true))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn null_is_added_to_whatever_stands_beside() {
        table([
            (json!({"type": "string", "nullable": true}), "string | null"),
            (json!({"type": "string", "nullable": false}), "string"),
            (json!({"nullable": true, "allOf": [{"type": "string"}]}), "string | null"),
            (json!({"nullable": true}), "unknown"),
            (json!({"nullable": true, "enum": ["a", null]}), "\"a\" | null"),
        ]);
    }
}
