//! What is wrong with a value, in words, within bounds.

use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use super::{SchemaError, effort::Effort, extent::Extent};

/// How many of a value's faults are told.
const TOLD: usize = 3;

/// The most faults that are collected at once; each takes some hundred bytes.
const COLLECTED: usize = 20_000;

/// The most steps until the first fault is found.
const STEPS: usize = 1_000_000;

/// How the faults of a value are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Search {
    /// Every one.
    All,
    /// Up to the first.
    First,
    /// Not at all: it could take for ever.
    None,
}

/// The first faults of `value`, which is known to have some.
pub(super) fn faults(
    validator: &Validator,
    extent: Extent,
    document: &Value,
    value: &Value,
) -> SchemaError {
    let told: Vec<_> = match search(extent, document, value) {
        Search::All => validator.iter_errors(value).take(TOLD).map(|fault| tell(&fault)).collect(),
        Search::First => validator.validate(value).err().iter().map(tell).collect(),
        Search::None => Vec::new(),
    };
    if told.is_empty() {
        let problem = "the value isn't what the schema describes, and the schema has too many \
                       branches to say where: send a smaller or simpler value";
        return SchemaError::value(&[(String::new(), problem.to_owned())]);
    }
    SchemaError::value(&told)
}

fn search(extent: Extent, document: &Value, value: &Value) -> Search {
    if !extent.plain {
        let steps = nodes(value).saturating_mul(extent.expanded);
        return if extent.cyclic || steps > COLLECTED { Search::None } else { Search::All };
    }
    match Effort::of(document, value, STEPS) {
        Some(effort) if effort.steps <= COLLECTED => Search::All,
        Some(effort) if effort.at_once <= COLLECTED => Search::First,
        _ => Search::None,
    }
}

fn nodes(value: &Value) -> usize {
    let inner: usize = match value {
        Value::Array(items) => items.iter().map(nodes).fold(0, usize::saturating_add),
        Value::Object(map) => map.values().map(nodes).fold(0, usize::saturating_add),
        _ => 0,
    };
    inner.saturating_add(1)
}

/// The fault's path and problem, without the value itself.
fn tell(fault: &ValidationError<'_>) -> (String, String) {
    (fault.instance_path().to_string(), fault.masked().to_string())
}
