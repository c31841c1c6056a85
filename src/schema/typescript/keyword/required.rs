//! `required`: names that must be there, declared or not.

use serde_json::Value;

use crate::schema::typescript::{
    form::{Doc, Form, Object, Property, Rest},
    place::Place,
};

pub(super) fn require<'a>(place: &Place<'a>, object: &mut Object<'a>) {
    let Some(Value::Array(names)) = place.keyword("required") else { return };
    let undeclared = match &object.rest {
        Rest::Closed => Form::Never,
        Rest::Open => Form::Any,
        Rest::Typed(form) => (**form).clone(),
    };
    for name in names.iter().filter_map(Value::as_str) {
        let property = object.properties.entry(name);
        let property = property.or_insert_with(|| Property {
            form: undeclared.clone(),
            required: true,
            doc: Doc::default(),
        });
        property.required = true;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn a_name_that_is_not_declared_is_required_all_the_same() {
        table([
            (
                json!({"type": "object", "properties": {}, "required": ["tok"]}),
                "{ tok: unknown; [key: string]: unknown }",
            ),
            (
                json!({"type": "object", "required": ["tok"], "additionalProperties": {"type": "string"}}),
                "{ tok: string; [key: string]: string }",
            ),
            (
                json!({"type": "object", "required": ["tok"], "additionalProperties": false}),
                "{ tok: never }",
            ),
        ]);
    }
}
