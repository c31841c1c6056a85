//! What it would take to tell every fault of a value.
//!
//! Deciding about a value is quick. Telling its faults isn't: the validator then
//! goes into every branch of `anyOf` and `oneOf` without remembering where it has
//! been, so a schema that refers to itself from two branches takes 2^n steps for n
//! levels of a value. This walk takes the same ways without looking at the values,
//! and gives up at its bound.

use serde_json::Value;

use super::{
    keyword::{self, Target},
    reference::Scope,
};

/// The steps to tell faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effort {
    /// In all.
    pub(super) steps: usize,
    /// In the worst single `anyOf` or `oneOf`, all of whose faults are collected at once.
    pub(super) at_once: usize,
}

impl Effort {
    /// The effort of telling every fault of `value`; none when it is over `bound` steps.
    pub(super) fn of(document: &Value, value: &Value, bound: usize) -> Option<Self> {
        let mut walk = Walk { effort: Self::default(), bound, within_choice: false };
        walk.schema(document, value, &Scope::Root(document))?;
        Some(walk.effort)
    }
}

struct Walk {
    effort: Effort,
    bound: usize,
    within_choice: bool,
}

impl Walk {
    /// None when the bound is reached, which also ends references that go in a circle.
    fn schema<'a>(&mut self, schema: &'a Value, value: &Value, scope: &Scope<'a>) -> Option<()> {
        self.spend(1)?;
        for (name, held) in schema.as_object().into_iter().flatten() {
            if let (true, Some(reference)) = (keyword::is_reference(name), held.as_str()) {
                let (target, scope) = scope.follow(reference).ok()?;
                self.schema(target, value, &scope)?;
            } else if matches!(name.as_str(), "anyOf" | "oneOf") && !self.within_choice {
                self.choice(held, value, scope)?;
            } else {
                self.keyword(name, held, value, scope)?;
            }
        }
        Some(())
    }

    fn choice<'a>(&mut self, held: &'a Value, value: &Value, scope: &Scope<'a>) -> Option<()> {
        let before = self.effort.steps;
        self.within_choice = true;
        self.keyword("anyOf", held, value, scope)?;
        self.within_choice = false;
        let steps = self.effort.steps.saturating_sub(before);
        self.effort.at_once = self.effort.at_once.max(steps);
        Some(())
    }

    fn keyword<'a>(
        &mut self,
        name: &str,
        held: &'a Value,
        value: &Value,
        scope: &Scope<'a>,
    ) -> Option<()> {
        match (keyword::target(name, held), value) {
            (None, _) => self.spend(held.as_array().map_or(1, Vec::len)),
            (Some(Target::Itself), _) => self.each(name, held, &mut [value].into_iter(), scope),
            (Some(Target::Named), Value::Object(map)) => {
                let named = held.as_object()?;
                let mut pairs =
                    named.iter().filter_map(|(key, schema)| Some((schema, map.get(key)?)));
                pairs.try_for_each(|(schema, entry)| self.schema(schema, entry, scope))
            }
            (Some(Target::Positioned), Value::Array(items)) => {
                let mut pairs = keyword::schemas(name, held).zip(items);
                pairs.try_for_each(|(schema, item)| self.schema(schema, item, scope))
            }
            (Some(Target::Entries), Value::Object(map)) => {
                self.each(name, held, &mut map.values(), scope)
            }
            (Some(Target::Items), Value::Array(items)) => {
                self.each(name, held, &mut items.iter(), scope)
            }
            (Some(Target::Keys), Value::Object(map)) => {
                self.each(name, held, &mut map.keys().map(|_| &Value::Null), scope)
            }
            (Some(_), _) => Some(()),
        }
    }

    fn each<'a>(
        &mut self,
        name: &str,
        held: &'a Value,
        values: &mut dyn Iterator<Item = &Value>,
        scope: &Scope<'a>,
    ) -> Option<()> {
        for value in values {
            for schema in keyword::schemas(name, held) {
                self.schema(schema, value, scope)?;
            }
        }
        Some(())
    }

    fn spend(&mut self, steps: usize) -> Option<()> {
        self.effort.steps = self.effort.steps.saturating_add(steps);
        (self.effort.steps <= self.bound).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Effort;

    fn nested(depth: usize) -> Value {
        (0..depth).fold(json!(1), |inner, _| json!({ "a": inner }))
    }

    #[test]
    fn the_effort_follows_the_value() {
        let list = json!({"type": "array", "items": {"type": "string"}});
        let steps = |count: usize| Effort::of(&list, &json!(vec![1; count]), 10_000).unwrap().steps;
        assert_eq!(steps(100) - steps(50), 50 * (steps(1) - steps(0)));
        let within = json!({"properties": {"a": {"anyOf": [{"type": "string"}, true]}}});
        let effort = Effort::of(&within, &nested(1), 100).unwrap();
        assert!(effort.at_once > 0 && effort.at_once < effort.steps, "{effort:?}");
    }

    #[test]
    fn branches_that_multiply_are_over_any_bound() {
        for choice in ["anyOf", "allOf", "oneOf"] {
            let schema = json!({"properties": {"a": {choice: [{"$ref": "#"}, {"$ref": "#"}]}}});
            assert!(Effort::of(&schema, &nested(5), 100_000).is_some(), "{choice}");
            assert_eq!(Effort::of(&schema, &nested(100), 100_000), None, "{choice}");
        }
    }

    #[test]
    fn a_circle_without_a_step_into_the_value_is_over_any_bound() {
        let schema =
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}});
        assert_eq!(Effort::of(&schema, &json!(1), 1_000), None);
    }
}
