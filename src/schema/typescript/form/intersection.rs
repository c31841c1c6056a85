//! All of several types.

use std::collections::BTreeSet;

use super::{Form, Kinds, Object, Property, Rest, union};

/// The most alternatives of one intersection when its unions are multiplied out. TypeScript
/// refuses 100 000.
const ALTERNATIVES: usize = 2_000;

/// The intersection: what is any value is dropped, what is none swallows the rest, objects
/// become one object where their rests allow it, and enumerations what they share.
pub(in crate::schema::typescript) fn intersection<'a>(
    forms: impl IntoIterator<Item = Form<'a>>,
) -> Form<'a> {
    let mut members: Vec<Form<'a>> = Vec::new();
    for form in forms {
        match form {
            Form::Any => {}
            Form::Intersection(forms) => forms.into_iter().for_each(|form| add(&mut members, form)),
            form => add(&mut members, form),
        }
    }
    let kinds = members.iter().map(Form::kinds).fold(Kinds::ALL, Kinds::and);
    if kinds.is_empty() {
        return Form::Never;
    }
    // A kind by itself says nothing where another member says more of the same kind.
    let said: Vec<_> = members.iter().map(|form| said_by_others(form, &members)).collect();
    let mut said = said.into_iter();
    members.retain(|_| !said.next().unwrap_or(false));
    within_bounds(&mut members);
    match members.len() {
        0 => Form::Any,
        1 => members.pop().unwrap_or(Form::Any),
        _ => Form::Intersection(members),
    }
}

/// Drops the members with the most alternatives until TypeScript can multiply the rest out.
fn within_bounds(members: &mut Vec<Form<'_>>) {
    while members.iter().map(alternatives).fold(1, usize::saturating_mul) > ALTERNATIVES {
        let largest = members.iter().enumerate().max_by_key(|(_, form)| alternatives(form));
        let Some((largest, _)) = largest else { return };
        if members.len() == 1 {
            return;
        }
        members.swap_remove(largest);
    }
}

/// Of how many types without unions within them a form is the union.
fn alternatives(form: &Form<'_>) -> usize {
    match form {
        Form::Union(forms) => forms.iter().map(alternatives).fold(0, usize::saturating_add),
        Form::Intersection(forms) => forms.iter().map(alternatives).fold(1, usize::saturating_mul),
        Form::Documented(_, form) => alternatives(form),
        _ => 1,
    }
}

/// Whether `form` is nothing but kinds, and one of the others has no further kind.
fn said_by_others(form: &Form<'_>, members: &[Form<'_>]) -> bool {
    let other = |other: &&Form<'_>| !std::ptr::eq(*other, form);
    kinds_only(form).is_some_and(|kinds| {
        members
            .iter()
            .filter(other)
            .any(|other| kinds.has(other.kinds()) && kinds_only(other).is_none())
    })
}

fn kinds_only(form: &Form<'_>) -> Option<Kinds> {
    match form {
        Form::Kind(kinds) => Some(*kinds),
        Form::Union(forms) => {
            forms.iter().map(kinds_only).try_fold(Kinds::NONE, |all, kinds| Some(all.or(kinds?)))
        }
        _ => None,
    }
}

fn add<'a>(members: &mut Vec<Form<'a>>, form: Form<'a>) {
    if members.contains(&form) {
        return;
    }
    for member in members.iter_mut() {
        let taken = std::mem::replace(member, Form::Any);
        match both(taken, &form) {
            Ok(joined) => {
                *member = joined;
                return;
            }
            Err(taken) => *member = taken,
        }
    }
    members.push(form);
}

/// The two as one exact form; or the first again, when there is none.
fn both<'a>(one: Form<'a>, other: &Form<'a>) -> Result<Form<'a>, Form<'a>> {
    if let (Some(_), Some(values)) = (values(&one), values(other)) {
        return Ok(shared(one, &values));
    }
    match (one, other) {
        (Form::Object(one), Form::Object(other)) => {
            merged(one, other).map(Form::Object).map_err(Form::Object)
        }
        (one, _) => Err(one),
    }
}

/// The values of an enumeration.
fn values<'b, 'a>(form: &'b Form<'a>) -> Option<BTreeSet<&'b Form<'a>>> {
    match form {
        Form::Literal(_) => Some(BTreeSet::from([form])),
        Form::Union(forms) if forms.iter().all(|form| matches!(form, Form::Literal(_))) => {
            Some(forms.iter().collect())
        }
        _ => None,
    }
}

fn shared<'a>(one: Form<'a>, values: &BTreeSet<&Form<'a>>) -> Form<'a> {
    let forms = match one {
        Form::Union(forms) => forms,
        form => vec![form],
    };
    union(forms.into_iter().filter(|form| values.contains(form)))
}

fn merged<'a>(mut one: Object<'a>, other: &Object<'a>) -> Result<Object<'a>, Object<'a>> {
    if [&one.rest, &other.rest].into_iter().any(|rest| matches!(rest, Rest::Typed(_))) {
        return Err(one);
    }
    if other.rest == Rest::Closed {
        one.rest = Rest::Closed;
    }
    for (name, property) in &other.properties {
        let property = match one.properties.remove(name) {
            Some(first) => joined(first, property.clone()),
            None => property.clone(),
        };
        one.properties.insert(name, property);
    }
    Ok(one)
}

fn joined<'a>(mut one: Property<'a>, other: Property<'a>) -> Property<'a> {
    one.form = intersection([one.form, other.form]);
    one.required |= other.required;
    one.doc.0.extend(other.doc.0);
    one
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::intersection;
    use crate::schema::typescript::form::{
        Doc, Form, Kinds, Literal, Object, Property, Rest, union,
    };

    fn object(name: &str, form: Form<'static>, required: bool) -> Form<'static> {
        let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
        let property = Property { form, required, doc: Doc::default() };
        Form::Object(Object { properties: BTreeMap::from([(name, property)]), rest: Rest::Open })
    }

    #[test]
    fn json_schema_to_typescript_381_required_and_declared_apart_are_one_property() {
        let string = Form::Kind(Kinds::STRING);
        let joined =
            intersection([object("a", string.clone(), false), object("a", Form::Any, true)]);
        assert_eq!(joined, object("a", string, true));
    }

    #[test]
    fn enumerations_keep_what_they_share() {
        let values = ["a", "b", "c"].map(|word| json!(word));
        let [a, b, c] = [0, 1, 2].map(|at| Form::Literal(Literal(&values[at])));
        let first = union([a, b.clone()]);
        assert_eq!(intersection([first, union([b.clone(), c])]), b);
    }

    #[test]
    fn what_nothing_can_be_is_never() {
        let kinds = [Kinds::STRING, Kinds::NUMBER].map(Form::Kind);
        assert_eq!(intersection(kinds), Form::Never);
        assert_eq!(intersection([Form::Any, Form::Any]), Form::Any);
    }

    #[test]
    fn alternatives_that_multiply_are_dropped_before_typescript_refuses_them() {
        let names: Vec<_> = (0..8).map(|number| format!("p{number}")).collect();
        let choice = |name: &str| {
            union((0..10).map(|number| object(&format!("{name}{number}"), Form::Any, true)))
        };
        let joined = intersection(names.iter().map(|name| choice(name)));
        let Form::Intersection(members) = joined else { panic!("{joined:?}") };
        assert_eq!(members.len(), 3);
    }
}
