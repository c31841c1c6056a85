//! `allOf`: every one of several schemas.

use crate::schema::typescript::{
    form::{Form, Kinds, intersection},
    place::Place,
    projection::{Context, Projection},
};

pub(super) fn kinds<'a>(projection: &mut Projection<'a>, place: &Place<'a>) -> Kinds {
    let members = place.inner("allOf");
    members.iter().map(|member| projection.kinds(member)).fold(Kinds::ALL, Kinds::and)
}

pub(super) fn form<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    context: Context,
) -> Form<'a> {
    let members = place.inner("allOf");
    intersection(members.iter().map(|member| projection.form(member, context)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn an_intersection_of_a_union_has_parentheses() {
        table([(
            json!({"allOf": [
                {"anyOf": [
                    {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                    {"type": "object", "properties": {"c": {"type": "string"}}, "required": ["c"]},
                ]},
                {"type": "object", "properties": {"b": {"type": "number"}}, "required": ["b"]},
            ]}),
            "({ a: string; [key: string]: unknown } | { c: string; [key: string]: unknown }) \
             & { b: number; [key: string]: unknown }",
        )]);
    }

    #[test]
    fn properties_beside_it_are_kept() {
        table([(
            json!({
                "$defs": {"Base": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}},
                "properties": {"own": {"type": "number"}}, "allOf": [{"$ref": "#/$defs/Base"}],
            }),
            "{ id: string; own?: number; [key: string]: unknown }",
        )]);
    }

    #[test]
    fn what_contradicts_itself_is_never() {
        table([(json!({"allOf": [{"type": "string"}, {"type": "number"}]}), "never")]);
    }
}
