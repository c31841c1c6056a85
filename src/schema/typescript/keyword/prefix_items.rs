//! `prefixItems`, and draft-07's list of `items`: the first items by position.

use serde_json::Value;

use crate::schema::typescript::{
    form::Form,
    place::Place,
    projection::{Context, Projection},
};

pub(super) fn forms<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    context: Context,
) -> Vec<Form<'a>> {
    let listed = |keyword: &&str| place.keyword(keyword).is_some_and(Value::is_array);
    let Some(keyword) = ["prefixItems", "items"].into_iter().find(listed) else {
        return Vec::new();
    };
    let members = place.inner(keyword);
    members.iter().map(|member| projection.documented(member, context.part())).collect()
}

/// How many of the first items must be there.
pub(super) fn required(place: &Place<'_>, first: usize) -> usize {
    let least = place.keyword("minItems").and_then(Value::as_f64).unwrap_or(0.0);
    (1..=first)
        .take_while(|count| u32::try_from(*count).is_ok_and(|count| f64::from(count) <= least))
        .count()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    const SEVENTH: &str = "http://json-schema.org/draft-07/schema#";

    #[test]
    fn the_first_items_have_types_of_their_own_and_the_rest_is_kept() {
        let (string, number) = (json!({"type": "string"}), json!({"type": "number"}));
        table([
            (
                json!({"type": "array", "prefixItems": [string, number]}),
                "[string?, number?, ...unknown[]]",
            ),
            (
                json!({"type": "array", "prefixItems": [string], "items": number}),
                "[string?, ...number[]]",
            ),
            (
                json!({"type": "array", "prefixItems": [string, number], "items": false, "minItems": 1}),
                "[string, number?]",
            ),
            (
                json!({"$schema": SEVENTH, "type": "array", "items": [string, number], "additionalItems": false, "minItems": 2}),
                "[string, number]",
            ),
            (json!({"$schema": SEVENTH, "type": "array", "prefixItems": [string]}), "unknown[]"),
        ]);
    }
}
