//! One of several types.

use std::collections::BTreeSet;

use super::{Form, Kinds};

/// The union: what is any value swallows the rest, what is none is dropped, and what is said
/// twice, or by its kind already, is said once.
pub(in crate::schema::typescript) fn union<'a>(
    forms: impl IntoIterator<Item = Form<'a>>,
) -> Form<'a> {
    let mut members = Vec::new();
    forms.into_iter().for_each(|form| flatten(form, &mut members));
    if members.iter().any(is_any) {
        return Form::Any;
    }
    let kinds = members.iter().filter_map(whole_kind).fold(Kinds::NONE, Kinds::or);
    let mut seen = BTreeSet::new();
    members.retain(|form| {
        whole_kind(form).is_some() && seen.insert(form.clone())
            || whole_kind(form).is_none() && !kinds.has(form.kinds()) && seen.insert(form.clone())
    });
    match members.len() {
        0 => Form::Never,
        1 => members.pop().unwrap_or(Form::Never),
        _ => Form::Union(members),
    }
}

fn flatten<'a>(form: Form<'a>, members: &mut Vec<Form<'a>>) {
    match form {
        Form::Never => {}
        Form::Union(forms) => members.extend(forms),
        form => members.push(form),
    }
}

fn is_any(form: &Form<'_>) -> bool {
    match form {
        Form::Any => true,
        Form::Documented(_, form) => is_any(form),
        _ => false,
    }
}

/// The kind of which the form is every value.
fn whole_kind(form: &Form<'_>) -> Option<Kinds> {
    match form {
        Form::Kind(kind) => Some(*kind),
        Form::Documented(_, form) => whole_kind(form),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::union;
    use crate::schema::typescript::form::{Form, Kinds, Literal};

    #[test]
    fn a_union_says_nothing_twice() {
        let string = Form::Kind(Kinds::STRING);
        let null = Form::Kind(Kinds::NULL);
        let word = json!("x");
        let word = Form::Literal(Literal(&word));
        for (forms, expected) in [
            (vec![], Form::Never),
            (vec![string.clone(), Form::Any], Form::Any),
            (vec![string.clone(), Form::Never, string.clone()], string.clone()),
            (vec![word, string.clone()], string.clone()),
            (
                vec![Form::Union(vec![string.clone(), null.clone()]), null.clone()],
                Form::Union(vec![string.clone(), null.clone()]),
            ),
        ] {
            assert_eq!(union(forms), expected);
        }
    }
}
