//! `if`, `then` and `else`: a union when both branches say something, words otherwise.

use crate::schema::typescript::{
    form::{Form, Kinds, intersection, union},
    place::Place,
    projection::{Context, Projection},
};

/// The condition and its two branches.
fn branches<'a>(place: &Place<'a>) -> Option<[Place<'a>; 3]> {
    let one = |keyword| place.keyword(keyword).map(|schema| place.within(schema));
    Some([one("if")?, one("then")?, one("else")?])
}

pub(super) fn kinds<'a>(projection: &mut Projection<'a>, place: &Place<'a>) -> Kinds {
    branches(place).map_or(Kinds::ALL, |branches| {
        let [condition, then, other] = branches.map(|branch| projection.kinds(&branch));
        condition.and(then).or(other)
    })
}

pub(super) fn form<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    context: Context,
) -> Form<'a> {
    branches(place).map_or(Form::Any, |branches| {
        let [condition, then, other] = branches.map(|branch| projection.form(&branch, context));
        union([intersection([condition, then]), other])
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn two_branches_are_a_union_and_one_is_left_to_words() {
        table([
            (
                json!({
                    "type": "object", "properties": {"k": {}, "a": {}, "b": {}}, "additionalProperties": false,
                    "if": {"properties": {"k": {"const": 1}}}, "then": {"required": ["a"]}, "else": {"required": ["b"]},
                }),
                "{ a?: unknown; b?: unknown; k?: unknown } & ({ a: unknown; k?: 1 } | { b: unknown })",
            ),
            (json!({"type": "string", "if": {"const": "a"}, "then": {"maxLength": 3}}), "string"),
            (json!({"then": {"type": "string"}, "else": {"type": "string"}}), "unknown"),
        ]);
    }
}
