//! `unevaluatedProperties`: as `additionalProperties`, where every name that the schemas
//! beside it look at can be listed.

use std::collections::BTreeSet;

use serde_json::Value;

use super::object::typed;
use crate::schema::typescript::{
    form::{Doc, Form, Object, Property, Rest},
    place::Place,
    projection::{Context, Projection},
};

/// What an object may hold beside its properties, and beside those that [`list`] adds.
pub(super) fn rest<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    context: Context,
) -> Option<Rest<'a>> {
    let schema = place.keyword("unevaluatedProperties")?;
    names(place)?;
    let alone = place.in_place().is_empty();
    if !alone && place.keyword("patternProperties").is_some() {
        return None;
    }
    match typed(projection.documented(&place.within(schema), context.part())) {
        Rest::Typed(_) if !alone => None,
        rest => Some(rest),
    }
}

/// Adds the names that schemas beside it look at to a closed object.
pub(super) fn list<'a>(place: &Place<'a>, object: &mut Object<'a>) {
    let decides = place.keyword("unevaluatedProperties").is_some()
        && place.keyword("additionalProperties").is_none();
    if object.rest != Rest::Closed || !decides {
        return;
    }
    for name in names(place).into_iter().flatten() {
        let property = Property { form: Form::Any, required: false, doc: Doc::default() };
        object.properties.entry(name).or_insert(property);
    }
}

/// Every name that schemas for the same value look at; none when they can't be listed.
fn names<'a>(place: &Place<'a>) -> Option<BTreeSet<&'a str>> {
    let mut names = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut waiting = place.in_place();
    while let Some(place) = waiting.pop() {
        if !seen.insert(place.address()) {
            continue;
        }
        let more = ["additionalProperties", "unevaluatedProperties", "patternProperties"];
        let unlisted =
            |keyword| place.keyword(keyword).is_some_and(|schema| schema != &Value::Bool(false));
        if more.into_iter().any(unlisted) || !is_followed(&place) {
            return None;
        }
        if let Some(Value::Object(declared)) = place.keyword("properties") {
            names.extend(declared.keys().map(String::as_str));
        }
        waiting.extend(place.in_place());
    }
    is_followed(place).then_some(names)
}

/// Whether where its references lead is known.
fn is_followed(place: &Place<'_>) -> bool {
    let found = match place.keyword("$ref") {
        Some(Value::String(reference)) => place.follow(reference).is_some(),
        _ => true,
    };
    found && place.keyword("$dynamicRef").is_none()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn what_schemas_beside_it_declare_is_known() {
        let a = json!({"properties": {"a": {"type": "string"}}});
        table([
            (
                json!({"type": "object", "allOf": [a], "unevaluatedProperties": false}),
                "{ a?: string }",
            ),
            (json!({"type": "object", "if": a, "unevaluatedProperties": false}), "{ a?: unknown }"),
            (
                json!({"type": "object", "anyOf": [a, true], "unevaluatedProperties": false}),
                "{ a?: unknown }",
            ),
            (
                json!({"type": "object", "allOf": [{"additionalProperties": true}], "unevaluatedProperties": false}),
                "Record<string, unknown>",
            ),
            (
                json!({"type": "object", "unevaluatedProperties": {"type": "string"}}),
                "{ [key: string]: string }",
            ),
        ]);
    }
}
