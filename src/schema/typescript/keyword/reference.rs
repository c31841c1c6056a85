//! `$ref`: what it refers to, written out or by name.

use serde_json::Value;

use crate::schema::typescript::{
    form::{Form, Kinds},
    place::Place,
    projection::{Context, Projection},
};

/// The target, and how the reference reads; none when it can't be found.
pub(super) fn target<'a>(place: &Place<'a>) -> Option<(Place<'a>, &'a str)> {
    let Some(Value::String(reference)) = place.keyword("$ref") else { return None };
    Some((place.follow(reference)?, reference))
}

pub(super) fn kinds<'a>(projection: &mut Projection<'a>, place: &Place<'a>) -> Kinds {
    target(place).map_or(Kinds::ALL, |(target, _)| projection.kinds(&target))
}

pub(super) fn form<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    context: Context,
) -> Form<'a> {
    let Some((target, reference)) = target(place) else { return Form::Any };
    to(projection, &target, reference, context)
}

/// The form of a reference's target.
pub(super) fn to<'a>(
    projection: &mut Projection<'a>,
    target: &Place<'a>,
    reference: &str,
    context: Context,
) -> Form<'a> {
    if !projection.definitions.is_named(target) {
        return projection.form(target, context);
    }
    // A type that is made of itself alone doesn't compile, and says nothing.
    if context.body.is_some_and(|body| projection.leads_to(target, body)) {
        return Form::Any;
    }
    match projection.definitions.number(target, reference) {
        Some(number) => Form::Named(number, projection.kinds(target)),
        None => Form::Any,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::{declared, inline, shown};

    #[test]
    fn fastmcp_3242_mutual_recursion_is_declared_by_name() {
        let document = json!({
            "$defs": {
                "A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}, "additionalProperties": false},
                "B": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "additionalProperties": false},
            },
            "$ref": "#/$defs/A",
        });
        assert_eq!(
            declared(document),
            "type T = T$A;\ntype T$A = {\n  b?: {\n    a?: T$A;\n  };\n};"
        );
    }

    #[test]
    fn the_whole_document_is_its_alias() {
        assert_eq!(declared(json!({"type": "array", "items": {"$ref": "#"}})), "type T = T[];");
    }

    #[test]
    fn what_is_made_of_itself_alone_says_nothing() {
        for (document, expected) in [
            (json!({"$ref": "#"}), "type T = unknown;"),
            (
                json!({"type": "string", "anyOf": [{"$ref": "#"}, {"const": "x"}]}),
                "type T = string;",
            ),
        ] {
            assert_eq!(shown(&document), expected);
        }
        let ring = json!({
            "$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}},
            "properties": {"x": {"$ref": "#/$defs/a"}}, "type": "object",
        });
        assert_eq!(
            shown(&ring),
            "type T = {\n  x?: T$a;\n  [key: string]: unknown;\n};\ntype T$a = unknown;"
        );
    }

    #[test]
    fn siblings_of_a_reference_count_in_2020_12_and_not_in_draft_07() {
        let document = json!({
            "$defs": {"S": {"type": ["string", "null"]}}, "$ref": "#/$defs/S", "type": "string",
        });
        assert_eq!(inline(document.clone()), "string");
        let mut seventh = document;
        seventh["$schema"] = json!("http://json-schema.org/draft-07/schema#");
        assert_eq!(inline(seventh), "string | null");
    }

    #[test]
    fn two_siblings_may_share_a_target() {
        let document = json!({
            "$defs": {"S": {"type": "string"}}, "type": "object", "additionalProperties": false,
            "properties": {"a": {"$ref": "#/$defs/S"}, "b": {"$ref": "#/$defs/S"}},
        });
        assert_eq!(inline(document), "{ a?: string; b?: string }");
    }
}
