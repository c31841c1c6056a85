//! `$dynamicRef`: what it refers to when only one part of the document can be meant.

use std::collections::BTreeMap;

use serde_json::Value;

use super::reference;
use crate::schema::typescript::{
    form::{Form, Kinds},
    place::Place,
    projection::{Context, Projection},
};

/// How often each `$dynamicAnchor` stands in a document.
pub(in crate::schema::typescript) fn anchors(document: &Value) -> BTreeMap<&str, usize> {
    let mut anchors = BTreeMap::new();
    let mut waiting = vec![document];
    while let Some(value) = waiting.pop() {
        if let Some(Value::String(name)) = value.get("$dynamicAnchor") {
            let count: &mut usize = anchors.entry(name.as_str()).or_default();
            *count = count.saturating_add(1);
        }
        match value {
            Value::Array(items) => waiting.extend(items),
            Value::Object(map) => waiting.extend(map.values()),
            _ => {}
        }
    }
    anchors
}

/// The target; none when the way to the reference decides which one it is.
fn target<'a>(projection: &Projection<'a>, place: &Place<'a>) -> Option<(Place<'a>, &'a str)> {
    let Some(Value::String(reference)) = place.keyword("$dynamicRef") else { return None };
    let target = place.follow(reference)?;
    let name = reference.rsplit('#').next().unwrap_or_default();
    (projection.anchors.get(name).copied().unwrap_or(0) <= 1).then_some((target, reference))
}

pub(super) fn kinds<'a>(projection: &mut Projection<'a>, place: &Place<'a>) -> Kinds {
    target(projection, place).map_or(Kinds::ALL, |(target, _)| projection.kinds(&target))
}

pub(super) fn form<'a>(
    projection: &mut Projection<'a>,
    place: &Place<'a>,
    context: Context,
) -> Form<'a> {
    let Some((target, reference)) = target(projection, place) else { return Form::Any };
    reference::to(projection, &target, reference, context)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::inline;

    #[test]
    fn one_anchor_is_followed_and_of_two_none() {
        let once = json!({
            "type": "array", "items": {"$dynamicRef": "#s"},
            "$defs": {"a": {"$dynamicAnchor": "s", "type": "string"}},
        });
        assert_eq!(inline(once), "string[]");
        let twice = json!({
            "$id": "https://a.example/root", "type": "array", "items": {"$dynamicRef": "#s"},
            "$defs": {
                "a": {"$dynamicAnchor": "s", "type": "string"},
                "b": {"$id": "b", "$dynamicAnchor": "s", "type": "number"},
            },
        });
        assert_eq!(inline(twice), "unknown[]");
    }

    #[test]
    fn an_anchor_is_found() {
        let document = json!({"$defs": {"S": {"$anchor": "s", "type": "string"}}, "$ref": "#s"});
        assert_eq!(inline(document), "string");
    }
}
