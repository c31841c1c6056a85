//! JSON, whose extent is known before a value is built.

use serde_json::Value;

use super::{Refusal, bounds::Extent};
use crate::json;

/// The document that is the JSON in `text`.
pub(super) fn read(text: &str) -> Result<Value, Refusal> {
    extent(text).admit()?;
    json::parse(text).map_err(|error| Refusal::Syntax { problem: error.to_string() })
}

/// The extent of valid JSON; of anything else it only promises to end.
fn extent(text: &str) -> Extent {
    let mut extent = Extent { nodes: 1, depth: 1 };
    let (mut level, mut fresh) = (1_usize, false);
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => continue,
            b'}' | b']' => level = level.saturating_sub(1),
            _ if fresh => extent.at(level),
            b',' => extent.at(level),
            _ => {}
        }
        fresh = matches!(byte, b'{' | b'[');
        match byte {
            b'{' | b'[' => level = level.saturating_add(1),
            b'"' => skip_string(&mut bytes),
            _ => {}
        }
    }
    extent
}

fn skip_string(bytes: &mut std::str::Bytes<'_>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::extent;
    use crate::forage::openapi::document::bounds::Extent;

    fn walked(value: &Value, level: usize, found: &mut Extent) {
        found.at(level);
        match value {
            Value::Array(items) => {
                items.iter().for_each(|item| walked(item, level.saturating_add(1), found))
            }
            Value::Object(map) => {
                map.values().for_each(|item| walked(item, level.saturating_add(1), found))
            }
            _ => {}
        }
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<i64>().prop_map(Value::from),
            "[a-z\"\\\\,\\[{]{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(6, 64, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map("[a-z,\"{]{0,4}", inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_extent_of_a_text_is_that_of_its_value(value in values(), pretty: bool) {
            let mut found = Extent { nodes: 0, depth: 0 };
            walked(&value, 1, &mut found);
            let text = if pretty { format!("{value:#}") } else { value.to_string() };
            prop_assert_eq!(extent(&text), found);
        }
    }
}
