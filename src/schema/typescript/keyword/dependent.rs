//! `dependentRequired`, `dependentSchemas` and draft-07's `dependencies`: either the
//! property isn't there, or what depends on it is.

use std::collections::BTreeMap;

use serde_json::Value;

use super::is_inherited;
use crate::schema::typescript::{
    form::{Doc, Form, Kinds, Object, Property, Rest, intersection, union},
    place::Place,
    projection::{Context, Projection},
};

/// The most of a schema's dependencies that become types: each doubles the alternatives.
const SAID: usize = 6;

pub(super) fn form<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    context: Context,
) -> Form<'a> {
    if context.kinds != Kinds::OBJECT {
        return Form::Any;
    }
    let keywords = ["dependentRequired", "dependentSchemas", "dependencies"];
    let maps = keywords.into_iter().filter_map(|keyword| place.keyword(keyword)?.as_object());
    let dependencies = maps.flatten().filter(|(name, _)| !is_inherited(name)).take(SAID);
    let forms = dependencies.map(|(name, dependency)| {
        let follows = match dependency {
            Value::Array(names) => {
                facet(names.iter().filter_map(Value::as_str), Form::Any, true, context)
            }
            schema => projection.form(&place.within(schema), context),
        };
        union([absent(name, context), follows])
    });
    intersection(forms.collect::<Vec<_>>())
}

/// An object without the property.
pub(super) fn absent<'a>(name: &'a str, context: Context) -> Form<'a> {
    facet([name], Form::Never, false, context)
}

fn facet<'a>(
    names: impl IntoIterator<Item = &'a str>,
    form: Form<'a>,
    required: bool,
    context: Context,
) -> Form<'a> {
    let property = |name| (name, Property { form: form.clone(), required, doc: Doc::default() });
    let properties: BTreeMap<_, _> = names.into_iter().map(property).collect();
    if properties.is_empty() {
        return Form::Any;
    }
    let rest = if context.sealed { Rest::Closed } else { Rest::Open };
    Form::Object(Object { properties, rest })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn a_property_brings_those_that_it_needs() {
        let expected = "{ addr?: string; card?: string } & ({ card?: never } | { addr: unknown })";
        let base = json!({
            "type": "object", "properties": {"card": {"type": "string"}, "addr": {"type": "string"}},
            "additionalProperties": false,
        });
        let with = |keyword: &str, draft: &str, value| {
            let mut document = base.clone();
            document["$schema"] = json!(draft);
            document[keyword] = value;
            document
        };
        let (seventh, latest) = (
            "http://json-schema.org/draft-07/schema#",
            "https://json-schema.org/draft/2020-12/schema",
        );
        table([
            (with("dependentRequired", latest, json!({"card": ["addr"]})), expected),
            (with("dependentSchemas", latest, json!({"card": {"required": ["addr"]}})), expected),
            (with("dependencies", seventh, json!({"card": ["addr"]})), expected),
            (
                with("dependencies", latest, json!({"card": ["addr"]})),
                "{ addr?: string; card?: string }",
            ),
        ]);
    }
}
