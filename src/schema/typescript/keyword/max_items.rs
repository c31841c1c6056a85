//! `maxItems`: where a list of positions ends.

use serde_json::Value;

use crate::schema::typescript::{form::List, place::Place};

pub(super) fn cut<'a>(mut list: List<'a>, place: &Place<'_>) -> List<'a> {
    let Some(most) = place.keyword("maxItems").and_then(Value::as_f64) else { return list };
    let fits = |count: usize| u32::try_from(count).is_ok_and(|count| f64::from(count) <= most);
    let next = list.first.len().saturating_add(1);
    if fits(next) || list.first.is_empty() && most >= 1.0 {
        return list;
    }
    let kept = (1..next).take_while(|count| fits(*count)).count();
    list.first.truncate(kept);
    list.required = list.required.min(kept);
    list.rest = None;
    list
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::typescript::tests::table;

    #[test]
    fn a_list_of_positions_ends_where_it_must() {
        let string = json!({"type": "string"});
        table([
            (json!({"type": "array", "maxItems": 0}), "[]"),
            (json!({"type": "array", "items": string, "maxItems": 3}), "string[]"),
            (
                json!({"type": "array", "prefixItems": [string, true], "maxItems": 2}),
                "[string?, unknown?]",
            ),
            (json!({"type": "array", "prefixItems": [string, true], "maxItems": 1}), "[string?]"),
            (
                json!({"type": "array", "prefixItems": [string], "maxItems": 2}),
                "[string?, ...unknown[]]",
            ),
        ]);
    }
}
