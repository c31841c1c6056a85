//! `unevaluatedItems`: as `items`, where no other schema looks at the same list.

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
    let schema = place.keyword("unevaluatedItems")?;
    if place.keyword("contains").is_some() || !place.in_place().is_empty() {
        return None;
    }
    Some(projection.documented(&place.within(schema), context.part()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn what_another_schema_may_have_looked_at_is_left_alone() {
        let string = json!({"type": "string"});
        table([
            (
                json!({"type": "array", "prefixItems": [string], "unevaluatedItems": false}),
                "[string?]",
            ),
            (json!({"type": "array", "unevaluatedItems": string}), "string[]"),
            (json!({"type": "array", "contains": string, "unevaluatedItems": false}), "unknown[]"),
            (
                json!({"type": "array", "allOf": [{"prefixItems": [string]}], "unevaluatedItems": false}),
                "[string?, ...unknown[]]",
            ),
        ]);
    }
}
