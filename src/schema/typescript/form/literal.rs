//! A value that a type names exactly.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::Kinds;

/// A value of a schema's `const` or `enum`, in an order of its own.
#[derive(Clone, Copy, Debug)]
pub(in crate::schema::typescript) struct Literal<'a>(pub(in crate::schema::typescript) &'a Value);

impl Literal<'_> {
    pub(in crate::schema::typescript) fn kinds(self) -> Kinds {
        Kinds::of(self.0)
    }
}

impl Ord for Literal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(self.0, other.0)
    }
}

impl PartialOrd for Literal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Literal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Literal<'_> {}

/// By kind, then by content; numbers by what JavaScript makes of them, so that 1 equals 1.0.
fn compare(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
        (Value::Number(one), Value::Number(other)) => {
            // Adding zero makes the negative zero a positive one.
            let [one, other] = [one, other].map(|number| number.as_f64().unwrap_or(0.0) + 0.0);
            one.total_cmp(&other)
        }
        (Value::String(one), Value::String(other)) => one.cmp(other),
        (Value::Array(one), Value::Array(other)) => {
            one.iter().map(Literal).cmp(other.iter().map(Literal))
        }
        (Value::Object(one), Value::Object(other)) => entries(one).cmp(entries(other)),
        _ => Kinds::of(one).cmp(&Kinds::of(other)),
    }
}

fn entries(map: &Map<String, Value>) -> impl Iterator<Item = (&String, Literal<'_>)> {
    map.iter().map(|(name, value)| (name, Literal(value)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Literal;

    #[test]
    fn equal_values_are_equal_literals() {
        for (one, other, equal) in [
            (json!(1), json!(1.0), true),
            (json!(0), json!(-0.0), true),
            (json!("1"), json!(1), false),
            (json!([1, {"a": null}]), json!([1.0, {"a": null}]), true),
            (json!([1]), json!([1, 2]), false),
            (json!({"a": 1}), json!({"b": 1}), false),
            (json!(null), json!(false), false),
        ] {
            assert_eq!(Literal(&one) == Literal(&other), equal, "{one} {other}");
        }
    }
}
