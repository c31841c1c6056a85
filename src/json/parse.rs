//! Text to value, with every duplicate key and every excess refused.

use std::{cell::RefCell, fmt};

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::{DEPTH, JsonError, number::keeps_its_integers, path::Path};
use crate::failure::bounded;

/// The most bytes of a key that a message shows.
const KEY_BYTES: usize = 64;

/// Parses one JSON text, whose length its reader has bounded.
///
/// More than [`DEPTH`] levels, a key that occurs twice in one map, a lone
/// surrogate, a number beyond the range of doubles, an integer whose digits no
/// number keeps, and anything after the value are errors. Nothing is altered.
///
/// # Errors
///
/// A [`JsonError`] that names path, line and column.
///
/// ```
/// let value = mycelium::json::parse(r#"{"n": 42}"#).unwrap();
/// assert_eq!(value["n"], 42);
/// let error = mycelium::json::parse(r#"{"n": 1, "n": 2}"#).unwrap_err();
/// assert_eq!(error.path(), Some("/n"));
/// ```
pub fn parse(text: &str) -> Result<Value, JsonError> {
    read(text, Keys::All)
}

/// Parses the input of an operation: at most `bytes` long, and as strict as [`parse`].
///
/// The key `__proto__` is refused too: JavaScript that copies such a
/// map key by key sets a prototype.
///
/// # Errors
///
/// A [`JsonError`] that names path, line and column.
///
/// ```
/// let error = mycelium::json::parse_input(r#"{"a":{"__proto__":1}}"#, 100).unwrap_err();
/// assert_eq!(error.path(), Some("/a/__proto__"));
/// ```
pub fn parse_input(text: &str, bytes: usize) -> Result<Value, JsonError> {
    if text.len() > bytes {
        let problem = format!("it has {} bytes, the limit is {bytes}: send less", text.len());
        return Err(JsonError::new(problem));
    }
    read(text, Keys::NoPrototype)
}

/// Parses a text that is known to be what [`parse_input`] takes.
///
/// # Errors
///
/// It isn't JSON after all. Keys that occur twice, and the like, aren't looked for again.
pub(crate) fn parse_known(text: &str) -> Result<Value, JsonError> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    Known.deserialize(&mut reader).map_err(|error| refusal(&error))
}

fn read(text: &str, keys: Keys) -> Result<Value, JsonError> {
    let mut reader = serde_json::Deserializer::from_str(text);
    // `Strict` counts the levels itself, to name the path.
    reader.disable_recursion_limit();
    let failed = RefCell::new(None);
    let strict = Strict { path: Path::root(), keys, failed: &failed };
    let value = strict.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    let value = value.map_err(|error| refusal(&error).at_path(failed.take()))?;
    keeps_its_integers(text)?;
    Ok(value)
}

fn refusal(error: &serde_json::Error) -> JsonError {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let problem = message.strip_suffix(&format!(" at line {line} column {column}"));
    let problem = match problem.unwrap_or(&message) {
        "lone leading surrogate in hex escape" | "unexpected end of hex escape" => {
            "a \\u escape is half a surrogate pair: send whole characters"
        }
        problem => problem,
    };
    JsonError::new(problem).at_place(line, column)
}

/// Which keys a map may have.
#[derive(Clone, Copy)]
enum Keys {
    All,
    NoPrototype,
}

/// Builds a [`Value`], and notes the innermost path at which that failed.
#[derive(Clone, Copy)]
struct Strict<'a> {
    path: Path<'a>,
    keys: Keys,
    failed: &'a RefCell<Option<String>>,
}

impl Strict<'_> {
    fn at<'a>(&'a self, path: Path<'a>) -> Strict<'a> {
        Strict { path, keys: self.keys, failed: self.failed }
    }

    fn note<E>(&self, error: E) -> E {
        self.failed.borrow_mut().get_or_insert_with(|| self.path.pointer());
        error
    }

    fn within_depth<E: serde::de::Error>(&self) -> Result<(), E> {
        if self.path.depth() < DEPTH {
            return Ok(());
        }
        Err(self
            .note(E::custom(format_args!("lists and maps are nested more than {DEPTH} levels"))))
    }

    fn admits<E: serde::de::Error>(&self, key: &str) -> Result<(), E> {
        match self.keys {
            Keys::NoPrototype if key == "__proto__" => {
                let problem = "the key __proto__ is refused: use another name";
                Err(self.at(self.path.key(key)).note(E::custom(problem)))
            }
            Keys::All | Keys::NoPrototype => Ok(()),
        }
    }

    fn twice<E: serde::de::Error>(&self, key: &str) -> E {
        let problem = format_args!("the key {:?} occurs twice", bounded(key, KEY_BYTES));
        self.at(self.path.key(key)).note(E::custom(problem))
    }
}

/// How a reader of values takes what is neither a list nor a map.
macro_rules! scalars {
    () => {
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
    };
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self).map_err(|error| self.note(error))
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    scalars!();

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        self.within_depth()?;
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self.at(self.path.index(array.len())))? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        self.within_depth()?;
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            self.admits(&key)?;
            if object.contains_key(&key) {
                return Err(self.twice(&key));
            }
            let value = entries.next_value_seed(self.at(self.path.key(&key)))?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

/// Builds a [`Value`] of what was looked at already. The library's own would take a key of its
/// own for a value that isn't to be read.
#[derive(Clone, Copy)]
struct Known;

impl<'de> DeserializeSeed<'de> for Known {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Known {
    type Value = Value;

    scalars!();

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            object.insert(key, entries.next_value_seed(self)?);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::{parse, parse_input};
    use crate::json::DEPTH;

    #[test]
    fn a_key_that_occurs_twice_is_refused_at_any_depth() {
        for (text, path) in [
            (r#"{"a":1,"a":2}"#, "/a"),
            (r#"[{"b":{"a":1,"a":1}}]"#, "/0/b/a"),
            (r#"{"a":1,"\u0061":2}"#, "/a"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.path(), Some(path), "{text}");
            assert!(error.to_string().contains("\"a\" occurs twice"), "{text}: {error}");
        }
    }

    #[test]
    fn nesting_beyond_128_levels_is_refused() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(DEPTH)).is_ok());
        for depth in [DEPTH + 1, 1_000_000] {
            let error = parse(&nested(depth)).unwrap_err().to_string();
            assert!(error.contains("nested more than 128 levels"), "{error}");
        }
        assert!(parse(&"[".repeat(1_000_000)).is_err());
        assert!(parse(&"{\"a\":".repeat(1_000_000)).is_err());
    }

    #[test]
    fn what_is_not_one_json_value_is_refused() {
        for text in ["", "{", "1 2", "{]", "\"\\ud800\"", "1e400", "NaN", "{'a':1}"] {
            let error = parse(text).unwrap_err();
            assert!(error.place().is_some(), "{text}: {error}");
        }
    }

    #[test]
    fn a_fault_names_its_path_and_its_place() {
        for (text, expected) in [
            (r#"{"a":["x",{"b":"\ud800"}]}"#, "at /a/1/b: a \\u escape is half a surrogate pair"),
            (r#"["\udc00\ud800"]"#, "at /0: a \\u escape is half a surrogate pair"),
            ("{\"a\":[1,\n1e400]}", "at /a/1: number out of range (line 2, column 5)"),
            (r#"{"a":tru}"#, "at /a: expected ident (line 1, column 9)"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn every_value_survives() {
        let text = r#"{"a":[null,true,-1,18446744073709551615,1.5,"\ud83d\ude00"],"b":{}}"#;
        assert_eq!(parse(text).unwrap(), serde_json::from_str::<serde_json::Value>(text).unwrap());
    }

    #[test]
    fn an_integer_never_loses_digits() {
        let error = parse("[18446744073709551617]").unwrap_err().to_string();
        assert!(error.contains("more digits than a number keeps"), "{error}");
    }

    #[test]
    fn a_double_reads_back_as_itself() {
        // A walk over the doubles by their bits, from a fixed seed.
        let mut bits = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..20_000 {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            let double = f64::from_bits(bits);
            if double.is_finite() {
                let text = serde_json::to_string(&double).unwrap();
                assert_eq!(parse(&text).unwrap().as_f64(), Some(double), "{text}");
            }
        }
    }

    #[test]
    fn an_input_takes_no_prototype_and_no_excess() {
        let text = r#"[{"a":{"__proto__":{}}}]"#;
        assert!(parse(text).is_ok());
        assert_eq!(parse_input(text, 100).unwrap_err().path(), Some("/0/a/__proto__"));
        assert!(parse_input(r#"{"\u005f_proto__":1}"#, 100).is_err());
        assert!(parse_input(r#"["__proto__"]"#, 100).is_ok());
        assert!(parse_input("[1,2]", 5).is_ok());
        let error = parse_input("[1,22]", 5).unwrap_err().to_string();
        assert_eq!(error, "it has 6 bytes, the limit is 5: send less");
    }
}
