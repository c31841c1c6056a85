//! `type`: one kind of value, or several.

use serde_json::Value;

use crate::schema::typescript::{form::Kinds, place::Place};

pub(super) fn kinds(place: &Place<'_>) -> Kinds {
    match place.keyword("type") {
        Some(Value::String(name)) => Kinds::named(name),
        Some(Value::Array(names)) if !names.is_empty() => {
            let kinds = names.iter().map(|name| name.as_str().map_or(Kinds::ALL, Kinds::named));
            kinds.fold(Kinds::NONE, Kinds::or)
        }
        _ => Kinds::ALL,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::{inline, table};

    #[test]
    fn each_name_is_its_type() {
        table([
            (json!({"type": "string"}), "string"),
            (json!({"type": "integer"}), "number"),
            (json!({"type": "array"}), "unknown[]"),
            (json!({"type": "object"}), "Record<string, unknown>"),
            (json!({"type": ["integer", "null"]}), "number | null"),
            (json!({"type": ["number", "integer"]}), "number"),
            (json!({}), "unknown"),
            (json!(true), "unknown"),
            (json!(false), "never"),
        ]);
    }

    #[test]
    fn null_beside_a_list_or_an_object_is_kept() {
        table([
            (json!({"type": ["array", "null"], "items": {"type": "string"}}), "string[] | null"),
            (
                json!({"type": ["object", "null"], "properties": {"a": {"type": "string"}}, "required": ["a"]}),
                "{ a: string; [key: string]: unknown } | null",
            ),
        ]);
    }

    #[test]
    fn keywords_of_other_kinds_leave_those_kinds_alone() {
        assert_eq!(
            inline(json!({"items": {"type": "string"}})),
            "Record<string, unknown> | string[] | string | number | boolean | null"
        );
    }
}
