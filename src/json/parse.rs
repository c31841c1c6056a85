//! Text to value, with every duplicate key and every excess refused.

use std::fmt;

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value, map::Entry};

/// Why a text isn't a value we take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    message: String,
}

impl fmt::Display for JsonError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for JsonError {}

/// Parses one JSON text.
///
/// Nesting beyond 128 levels (laws D21), a key that occurs twice in one object,
/// a lone surrogate and anything after the value are errors.
///
/// # Errors
///
/// A [`JsonError`] that names line and column.
///
/// ```
/// let value = mycelium::json::parse(r#"{"n": 42}"#).unwrap();
/// assert_eq!(value["n"], 42);
/// assert!(mycelium::json::parse(r#"{"n": 1, "n": 2}"#).is_err());
/// ```
pub fn parse(text: &str) -> Result<Value, JsonError> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Strict.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| JsonError { message: error.to_string() })
}

/// Builds a [`Value`] and refuses a key that is already there.
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("a number beyond the range of doubles"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(Strict)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            match object.entry(key) {
                Entry::Vacant(entry) => {
                    entry.insert(entries.next_value_seed(Strict)?);
                }
                Entry::Occupied(entry) => {
                    let problem = format_args!("the key {:?} occurs twice", entry.key());
                    return Err(A::Error::custom(problem));
                }
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_key_that_occurs_twice_is_refused_at_any_depth() {
        for text in [r#"{"a":1,"a":2}"#, r#"[{"b":{"a":1,"a":1}}]"#, r#"{"a":1,"\u0061":2}"#] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains("\"a\" occurs twice"), "{text}: {error}");
        }
    }

    #[test]
    fn nesting_beyond_128_levels_is_refused() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(127)).is_ok());
        assert!(parse(&nested(129)).is_err());
        assert!(parse(&nested(1_000_000)).is_err());
    }

    #[test]
    fn what_is_not_one_json_value_is_refused() {
        for text in ["", "{", "1 2", "{]", "\"\\ud800\"", "1e400", "NaN", "{'a':1}"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_value_survives() {
        let text = r#"{"a":[null,true,-1,18446744073709551615,1.5,"\ud83d\ude00"],"b":{}}"#;
        assert_eq!(parse(text).unwrap(), serde_json::from_str::<serde_json::Value>(text).unwrap());
    }
}
