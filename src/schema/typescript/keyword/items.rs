//! `items`, and beside draft-07's list of items `additionalItems`: what follows the first.

use crate::schema::typescript::{
    form::Form,
    place::Place,
    projection::{Context, Projection},
};

pub(super) fn rest<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    context: Context,
) -> Option<Form<'a>> {
    let items = place.keyword("items");
    let keyword = if items?.is_array() { "additionalItems" } else { "items" };
    let schema = place.keyword(keyword)?;
    Some(projection.documented(&place.within(schema), context.part()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn every_item_has_its_type() {
        table([
            (json!({"type": "array", "items": {"type": "string"}}), "string[]"),
            (json!({"type": "array", "items": {}}), "unknown[]"),
            (json!({"type": "array", "items": false}), "[]"),
            (
                json!({"type": "array", "items": {"type": "array", "items": {"type": ["string", "null"]}}}),
                "(string | null)[][]",
            ),
            (
                json!({"type": "array", "items": {"allOf": [
                    {"type": "object", "additionalProperties": {"type": "string"}},
                    {"type": "object", "required": ["b"]},
                ]}}),
                "({ [key: string]: string } & { b: unknown; [key: string]: unknown })[]",
            ),
        ]);
    }
}
