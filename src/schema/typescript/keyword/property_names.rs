//! `propertyNames`: a list of names is the properties themselves; words otherwise.

use super::{enumeration, is_inherited};
use crate::schema::typescript::{
    form::{Doc, Form, Object, Property, Rest},
    place::Place,
};

/// Declares every name that an object can have, when they are listed.
pub(super) fn list<'a>(place: &Place<'a>, object: &mut Object<'a>) {
    let names = place.keyword("propertyNames").map(|schema| place.within(schema));
    let Some(names) = names.and_then(|names| enumeration::values(&names)) else { return };
    if place.keyword("patternProperties").is_some() {
        return;
    }
    let form = match std::mem::replace(&mut object.rest, Rest::Closed) {
        Rest::Closed => return,
        Rest::Open => Form::Any,
        Rest::Typed(form) => *form,
    };
    for name in names.into_iter().filter_map(|name| name.0.as_str()) {
        let form = if is_inherited(name) { Form::Any } else { form.clone() };
        let property = Property { form, required: false, doc: Doc::default() };
        object.properties.entry(name).or_insert(property);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn listed_names_are_properties() {
        table([
            (
                json!({"type": "object", "propertyNames": {"enum": ["a", "b"]}, "additionalProperties": {"type": "number"}}),
                "{ a?: number; b?: number }",
            ),
            (
                json!({"type": "object", "propertyNames": {"enum": ["a"]}, "required": ["a"]}),
                "{ a: unknown }",
            ),
            (
                json!({"type": "object", "propertyNames": {"maxLength": 3}}),
                "Record<string, unknown>",
            ),
        ]);
    }
}
