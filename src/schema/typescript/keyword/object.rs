//! Objects: what the keywords about properties say together.

use super::{
    Own, additional_properties, pattern_properties, properties, property_names, required,
    unevaluated_properties,
};
use crate::schema::typescript::{
    form::{Form, Object, Rest, union},
    place::Place,
    projection::{Context, Projection},
};

/// The form of the objects; none when nothing is said about their properties.
pub(super) fn form<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    context: Context,
) -> Option<Own<'a>> {
    let rest = additional_properties::rest(projection, place, context)
        .or_else(|| unevaluated_properties::rest(projection, place, context));
    let rest = rest.unwrap_or(Rest::Open);
    let patterns = pattern_properties::forms(projection, place, context);
    let properties = properties::declared(projection, place, context);
    let mut object = Object { properties, rest: joined(rest, patterns) };
    required::require(place, &mut object);
    unevaluated_properties::list(place, &mut object);
    property_names::list(place, &mut object);
    let object = compatible(object);
    let seals = object.rest == Rest::Closed;
    let says = seals || object.rest != Rest::Open || !object.properties.is_empty();
    says.then(|| Own { form: Form::Object(sealed(object, context)), seals })
}

/// What an object holds beside its properties, when some of it goes by patterns.
fn joined<'a>(rest: Rest<'a>, patterns: Vec<Form<'a>>) -> Rest<'a> {
    if patterns.is_empty() {
        return rest;
    }
    match rest {
        Rest::Open => Rest::Open,
        Rest::Closed => typed(union(patterns)),
        Rest::Typed(form) => typed(union(patterns.into_iter().chain([*form]))),
    }
}

/// Entries of a type.
pub(super) fn typed(form: Form<'_>) -> Rest<'_> {
    match form {
        Form::Any => Rest::Open,
        Form::Never => Rest::Closed,
        form => Rest::Typed(Box::new(form)),
    }
}

/// TypeScript demands of every property that it is of the type of the rest: so the rest takes
/// their types too, or, when those are large, any.
fn compatible(mut object: Object<'_>) -> Object<'_> {
    let Rest::Typed(form) = object.rest else { return object };
    let forms = object.properties.values().map(|property| &property.form);
    object.rest = if forms.clone().all(Form::is_small) {
        typed(union(std::iter::once(*form).chain(forms.cloned())))
    } else {
        Rest::Open
    };
    object
}

/// Within a closed object nothing needs to say that others may be there.
fn sealed(mut object: Object<'_>, context: Context) -> Object<'_> {
    if context.sealed && object.rest == Rest::Open {
        object.rest = Rest::Closed;
    }
    object
}

/// Whether every object has a property of that name in TypeScript, set or not, so that no type
/// can be given to it.
pub(in crate::schema::typescript) fn is_inherited(name: &str) -> bool {
    matches!(
        name,
        "constructor"
            | "toString"
            | "toLocaleString"
            | "valueOf"
            | "hasOwnProperty"
            | "isPrototypeOf"
            | "propertyIsEnumerable"
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn json_schema_to_typescript_299_properties_beside_typed_entries_compile() {
        table([
            (
                json!({"type": "object", "properties": {"s": {"type": "string"}}, "additionalProperties": {"type": "number"}}),
                "{ s?: string; [key: string]: number | string | undefined }",
            ),
            (
                json!({
                    "type": "object", "additionalProperties": {"type": "number"}, "required": ["s"],
                    "properties": {"s": {"type": "object", "properties": {"a": {"type": "string"}}}},
                }),
                "{ s: { a?: string; [key: string]: unknown }; [key: string]: unknown }",
            ),
        ]);
    }

    #[test]
    fn executor_175_properties_may_be_called_like_keywords() {
        table([
            (
                json!({"type": "object", "properties": {"$ref": {"type": "string"}}, "required": ["$ref"], "additionalProperties": false}),
                "{ $ref: string }",
            ),
            (
                json!({"type": "object", "properties": {"type": {"type": "string"}, "items": {"type": "number"}, "properties": {}}, "additionalProperties": false}),
                "{ items?: number; properties?: unknown; type?: string }",
            ),
        ]);
    }

    #[test]
    fn names_are_quoted_where_they_must_be() {
        table([(
            json!({"type": "object", "properties": {"a-b": {}, "": {}, "c\"d": {}, "class": {}, "é": {}, "1": {}}, "additionalProperties": false}),
            "{ \"\"?: unknown; \"1\"?: unknown; \"a-b\"?: unknown; \"c\\\"d\"?: unknown; class?: unknown; \"é\"?: unknown }",
        )]);
    }

    #[test]
    fn what_every_object_inherits_takes_any_value() {
        table([(
            json!({"type": "object", "properties": {"toString": {"type": "number"}}, "additionalProperties": false}),
            "{ toString?: unknown }",
        )]);
    }
}
