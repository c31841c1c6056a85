//! Constraints that are kept as words: the reader is told, and no value is refused by them.

use serde_json::{Map, Value};

use super::keyword::{Holds, Rules, holds};

/// Under which name a regular expression is kept.
const PATTERN: &str = "x-pattern";

/// Renames every `pattern` in a checked document, which is nested within bounds.
pub(super) fn set_aside(schema: &mut Value, rules: Rules) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| set_aside(item, rules)),
        Value::Object(keywords) => {
            rename(keywords);
            for (name, value) in keywords {
                inner(name, value, rules);
            }
        }
        _ => {}
    }
}

fn inner(name: &str, value: &mut Value, rules: Rules) {
    match (holds(name, rules), value) {
        (Ok(Holds::Schemas), value) => set_aside(value, rules),
        (Ok(Holds::Properties | Holds::Definitions), Value::Object(map)) => {
            map.values_mut().for_each(|schema| set_aside(schema, rules));
        }
        _ => {}
    }
}

fn rename(keywords: &mut Map<String, Value>) {
    let Some(pattern) = keywords.remove("pattern") else { return };
    let kept = match keywords.remove(PATTERN) {
        Some(theirs) => Value::Array(vec![theirs, pattern]),
        None => pattern,
    };
    keywords.insert(PATTERN.to_owned(), kept);
}
