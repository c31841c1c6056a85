//! Lists: what the keywords about items say together.

use super::{items, max_items, prefix_items, unevaluated_items};
use crate::schema::typescript::{
    form::{Form, List},
    place::Place,
    projection::{Context, Projection},
};

/// The form of the lists; none when nothing is said about their items.
pub(super) fn form<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    context: Context,
) -> Option<Form<'a>> {
    let first = prefix_items::forms(projection, place, context);
    let rest = items::rest(projection, place, context)
        .or_else(|| unevaluated_items::rest(projection, place, context))
        .unwrap_or(Form::Any);
    let rest = (rest != Form::Never).then(|| Box::new(rest));
    let required = prefix_items::required(place, first.len());
    let list = max_items::cut(List { first, required, rest }, place);
    let says = !list.first.is_empty() || list.rest.as_deref() != Some(&Form::Any);
    says.then_some(Form::List(list))
}
