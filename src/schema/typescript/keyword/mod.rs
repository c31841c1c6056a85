//! The keywords, one file each: what each says of a value's kinds, and of its form.
//!
//! A keyword answers [`Form::Any`] when it isn't there, or when what it says can't be
//! said in TypeScript; [`annotation`] then says it in words.

mod additional_properties;
mod all_of;
pub(super) mod annotation;
mod any_of;
mod conditional;
mod dependent;
mod dynamic_reference;
mod enumeration;
mod items;
mod list;
mod max_items;
mod not;
pub(super) mod nullable;
mod object;
mod pattern_properties;
mod prefix_items;
mod properties;
mod property_names;
mod reference;
mod required;
mod types;
mod unevaluated_items;
mod unevaluated_properties;

pub(super) use dynamic_reference::anchors;
pub(super) use object::is_inherited;

use super::{
    form::{Form, Kinds, union},
    place::Place,
    projection::{Context, Projection},
};

/// What a schema says by itself of a value.
pub(super) struct Own<'a> {
    pub(super) form: Form<'a>,
    /// Whether it lists every property that an object can have.
    pub(super) seals: bool,
}

/// What the keywords say that apply to a value's parts.
pub(super) fn own<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    context: Context,
) -> Own<'a> {
    if let Some(values) = enumeration::values(place) {
        let values = values.into_iter().filter(|value| context.kinds.has(value.kinds()));
        return Own { form: union(values.map(Form::Literal)), seals: false };
    }
    let list = said(Kinds::LIST, context, || list::form(projection, place, context));
    let object = said(Kinds::OBJECT, context, || object::form(projection, place, context));
    if list.is_none() && object.is_none() {
        return Own { form: Form::Any, seals: false };
    }
    let seals = object.as_ref().is_some_and(|object| object.seals);
    let mut object = object.map(|object| object.form);
    let mut list = list;
    let forms = context.kinds.each().map(|kind| {
        let said = match kind {
            Kinds::LIST => list.take(),
            Kinds::OBJECT => object.take(),
            _ => None,
        };
        said.unwrap_or(Form::Kind(kind))
    });
    Own { form: union(forms), seals }
}

fn said<T>(kind: Kinds, context: Context, form: impl FnOnce() -> Option<T>) -> Option<T> {
    if context.kinds.has(kind) { form() } else { None }
}

/// What the keywords say that hold schemas for the value itself.
pub(super) fn in_place<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    context: Context,
    forms: &mut Vec<Form<'a>>,
) {
    forms.push(reference::form(projection, place, context));
    forms.push(dynamic_reference::form(projection, place, context));
    forms.push(all_of::form(projection, place, context));
    for keyword in any_of::KEYWORDS {
        forms.push(any_of::form(projection, place, keyword, context));
    }
    forms.push(conditional::form(projection, place, context));
    forms.push(dependent::form(projection, place, context));
    forms.push(not::form(place, context));
}

/// The kinds that a schema's keywords allow together.
pub(super) fn kinds<'a>(projection: &mut Projection<'a>, place: &Place<'a>) -> Kinds {
    if place.keywords().is_none() {
        let never = place.schema == &serde_json::Value::Bool(false);
        return if never { Kinds::NONE } else { Kinds::ALL };
    }
    let mut kinds = types::kinds(place)
        .and(enumeration::kinds(place))
        .and(not::kinds(place))
        .and(reference::kinds(projection, place))
        .and(dynamic_reference::kinds(projection, place))
        .and(all_of::kinds(projection, place))
        .and(conditional::kinds(projection, place));
    for keyword in any_of::KEYWORDS {
        kinds = kinds.and(any_of::kinds(projection, place, keyword));
    }
    if nullable::applies(place) { kinds.or(Kinds::NULL) } else { kinds }
}
