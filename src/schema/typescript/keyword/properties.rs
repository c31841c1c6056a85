//! `properties`: each by its name.

use std::collections::BTreeMap;

use serde_json::Value;

use super::is_inherited;
use crate::schema::typescript::{
    form::{Form, Property},
    place::Place,
    projection::{Context, Projection},
};

pub(super) fn declared<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    context: Context,
) -> BTreeMap<&'a str, Property<'a>> {
    let Some(Value::Object(schemas)) = place.keyword("properties") else { return BTreeMap::new() };
    let declared = schemas.iter().map(|(name, schema)| {
        let schema = place.within(schema);
        let form = match is_inherited(name) {
            true => Form::Any,
            false => projection.form(&schema, context.part()),
        };
        let doc = projection.doc(&schema);
        (name.as_str(), Property { form, required: false, doc })
    });
    declared.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::{declared, table};

    #[test]
    fn a_property_has_its_type_and_its_words() {
        let document = json!({
            "type": "object", "required": ["a"], "additionalProperties": false,
            "properties": {"a": {"type": "string", "description": "The first."}, "b": {"type": "number"}},
        });
        assert_eq!(
            declared(document),
            "type T = {\n  /** The first. */\n  a: string;\n  b?: number;\n};"
        );
    }

    #[test]
    fn a_property_that_cannot_be_is_never() {
        table([(
            json!({"type": "object", "properties": {"a": false}}),
            "{ a?: never; [key: string]: unknown }",
        )]);
    }

    #[test]
    fn without_a_type_other_kinds_are_possible() {
        table([(
            json!({"properties": {"a": {"type": "string"}}, "required": ["a"]}),
            "{ a: string; [key: string]: unknown } | unknown[] | string | number | boolean | null",
        )]);
    }
}
