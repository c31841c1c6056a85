//! `anyOf` and `oneOf`: one of several schemas. That only one may match is said in words.

use crate::schema::typescript::{
    form::{Form, Kinds, union},
    place::Place,
    projection::{Context, Projection},
};

pub(super) const KEYWORDS: [&str; 2] = ["anyOf", "oneOf"];

pub(super) fn kinds<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    keyword: &str,
) -> Kinds {
    let members = place.inner(keyword);
    if members.is_empty() {
        return Kinds::ALL;
    }
    members.iter().map(|member| projection.kinds(member)).fold(Kinds::NONE, Kinds::or)
}

pub(super) fn form<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    keyword: &str,
    context: Context,
) -> Form<'a> {
    let members = place.inner(keyword);
    if members.is_empty() {
        return Form::Any;
    }
    union(members.iter().map(|member| projection.documented(member, context)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn agents_2308_an_array_of_a_union_has_parentheses() {
        table([
            (
                json!({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}),
                "(string | null)[]",
            ),
            (
                json!({"type": "object", "additionalProperties": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}}),
                "{ [key: string]: (number | string)[] }",
            ),
        ]);
    }

    #[test]
    fn properties_beside_alternatives_that_only_require_are_kept() {
        table([(
            json!({
                "type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
                "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
            }),
            "{ a?: string; b?: string; [key: string]: unknown } \
             & ({ a: unknown; [key: string]: unknown } | { b: unknown; [key: string]: unknown })",
        )]);
    }

    #[test]
    fn within_a_closed_object_the_alternatives_stay_closed() {
        table([(
            json!({
                "type": "object", "properties": {"a": {}, "b": {}}, "additionalProperties": false,
                "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
            }),
            "{ a?: unknown; b?: unknown } & ({ a: unknown } | { b: unknown })",
        )]);
    }

    #[test]
    fn labs_oo_agents_367_an_optional_value_keeps_its_null() {
        table([
            (
                json!({"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null}),
                "number | null",
            ),
            (json!({"oneOf": [{}, {"type": "string"}]}), "unknown"),
            (json!({"anyOf": [{"type": "string"}, {"const": "x"}]}), "string"),
        ]);
    }
}
