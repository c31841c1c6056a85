//! `not`: fewer kinds, or a property that isn't there; words otherwise.

use serde_json::{Map, Value};

use super::{dependent, is_inherited, types};
use crate::schema::typescript::{
    form::{Form, Kinds},
    place::Place,
    projection::Context,
};

pub(super) fn kinds(place: &Place<'_>) -> Kinds {
    let Some(refused) = place.keyword("not") else { return Kinds::ALL };
    match refused {
        Value::Bool(true) => Kinds::NONE,
        Value::Object(keywords) if keywords.is_empty() => Kinds::NONE,
        Value::Object(keywords) if is_kinds(keywords) => {
            Kinds::ALL.without(types::kinds(&place.within(refused)))
        }
        _ => Kinds::ALL,
    }
}

/// Whether a schema is of whole kinds, and nothing else.
fn is_kinds(keywords: &Map<String, Value>) -> bool {
    let names = match keywords.get("type") {
        Some(Value::Array(names)) => names.as_slice(),
        Some(name) => std::slice::from_ref(name),
        None => &[],
    };
    let whole = |name: &Value| name.as_str().is_some_and(|name| name != "integer");
    keywords.len() == 1 && !names.is_empty() && names.iter().all(whole)
}

pub(super) fn form<'a>(place: &Place<'a>, context: Context) -> Form<'a> {
    let name = place.keyword("not").and_then(Value::as_object).and_then(required_alone);
    match name {
        Some(name) if context.kinds == Kinds::OBJECT && !is_inherited(name) => {
            dependent::absent(name, context)
        }
        _ => Form::Any,
    }
}

/// The one property that a schema requires when it says nothing else.
fn required_alone(keywords: &Map<String, Value>) -> Option<&str> {
    let plain = |(name, value): (&String, &Value)| match name.as_str() {
        "required" => true,
        "type" => value == "object",
        _ => false,
    };
    match keywords.get("required")?.as_array()?.as_slice() {
        [Value::String(name)] if keywords.iter().all(plain) => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn what_can_be_said_of_a_refusal_is_said_and_nothing_more() {
        table([
            (json!({"not": {"type": "object"}}), "unknown[] | string | number | boolean | null"),
            (json!({"type": ["string", "null"], "not": {"type": "null"}}), "string"),
            (json!({"not": {}}), "never"),
            (json!({"not": {"type": "integer"}}), "unknown"),
            (json!({"type": "string", "not": {"const": "x"}}), "string"),
            (
                json!({"type": "object", "not": {"required": ["a"]}}),
                "{ a?: never; [key: string]: unknown }",
            ),
            (json!({"type": "object", "not": {"required": ["a", "b"]}}), "Record<string, unknown>"),
        ]);
    }
}
