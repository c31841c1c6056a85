//! `patternProperties`: types of entries, which name they are for is said in words.

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
    let members = place.inner("patternProperties");
    members.iter().map(|member| projection.documented(member, context.part())).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn entries_are_of_any_of_the_types_unless_others_may_be_there() {
        let patterns = json!({"^x-": {"type": "string"}, "^n-": {"type": "number"}});
        table([
            (
                json!({"type": "object", "patternProperties": patterns, "additionalProperties": false}),
                "{ [key: string]: number | string }",
            ),
            (
                json!({"type": "object", "patternProperties": patterns, "additionalProperties": {"type": "null"}}),
                "{ [key: string]: number | string | null }",
            ),
            (json!({"type": "object", "patternProperties": patterns}), "Record<string, unknown>"),
        ]);
    }
}
