//! `additionalProperties`: what an object may hold beside its properties.

use super::object::typed;
use crate::schema::typescript::{
    form::Rest,
    place::Place,
    projection::{Context, Projection},
};

pub(super) fn rest<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    context: Context,
) -> Option<Rest<'a>> {
    let schema = place.keyword("additionalProperties")?;
    Some(typed(projection.documented(&place.within(schema), context.part())))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn an_object_is_closed_open_or_of_a_type() {
        table([
            (json!({"type": "object", "additionalProperties": false}), "Record<string, never>"),
            (json!({"type": "object", "additionalProperties": true}), "Record<string, unknown>"),
            (
                json!({"type": "object", "additionalProperties": {"type": "string"}}),
                "{ [key: string]: string }",
            ),
            (
                json!({"type": "object", "properties": {"a": {"type": "string"}}}),
                "{ a?: string; [key: string]: unknown }",
            ),
            (
                json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}),
                "{ a?: string }",
            ),
        ]);
    }
}
