//! `const` and `enum`: the values themselves.

use serde_json::Value;

use crate::schema::typescript::{
    form::{Kinds, Literal},
    place::Place,
};

/// The values; none when there is neither keyword.
pub(super) fn values<'a>(place: &Place<'a>) -> Option<Vec<Literal<'a>>> {
    let listed = match place.keyword("enum") {
        Some(Value::Array(values)) => Some(values.iter().map(Literal).collect::<Vec<_>>()),
        _ => None,
    };
    match (place.keyword("const").map(Literal), listed) {
        (None, listed) => listed,
        (Some(value), Some(listed)) if !listed.contains(&value) => Some(Vec::new()),
        (Some(value), _) => Some(vec![value]),
    }
}

pub(super) fn kinds(place: &Place<'_>) -> Kinds {
    values(place).map_or(Kinds::ALL, |values| {
        values.into_iter().map(Literal::kinds).fold(Kinds::NONE, Kinds::or)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn quicktype_3123_literals_of_every_kind() {
        table([
            (json!({"enum": [-1, 1.5, true, null, "x"]}), "-1 | 1.5 | true | null | \"x\""),
            (json!({"const": {"a": 1}}), "{ a: 1 }"),
            (json!({"const": {}}), "Record<string, never>"),
            (json!({"enum": [[1, 2], "x"]}), "[1, 2] | \"x\""),
            (json!({"const": []}), "[]"),
            (json!({"enum": []}), "never"),
            (json!({"enum": [0, -0.0, 0.0]}), "0"),
            (json!({"const": "\u{2028}\n\""}), "\"\\u2028\\n\\\"\""),
        ]);
    }

    #[test]
    fn values_of_another_type_are_left_out() {
        table([
            (json!({"type": "integer", "enum": [1, 2, "x"]}), "1 | 2"),
            (json!({"const": 1, "enum": [2]}), "never"),
            (json!({"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}), "\"b\""),
        ]);
    }

    #[test]
    fn agents_2308_an_array_of_an_enumeration_has_parentheses() {
        table([(json!({"type": "array", "items": {"enum": ["a", "b"]}}), "(\"a\" | \"b\")[]")]);
    }
}
