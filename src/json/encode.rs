//! Value to text, bounded while it is printed.

use std::io::{self, Write};

use serde_json::{Number, Value};

use super::{DEPTH, JsonError, MAX_SAFE_INTEGER, path::Path};

/// Prints `value` in at most `bytes` bytes.
///
/// # Errors
///
/// The value is nested more than [`DEPTH`] levels, or its text is longer; no
/// more than `bytes` bytes of it were printed then.
///
/// ```
/// use mycelium::json::encode;
/// use serde_json::json;
/// assert_eq!(encode(&json!({"a": [1]}), 9).unwrap(), r#"{"a":[1]}"#);
/// assert!(encode(&json!({"a": [1]}), 8).is_err());
/// ```
pub fn encode(value: &Value, bytes: usize) -> Result<String, JsonError> {
    inspect(value, Path::root(), &|_| true)?;
    print(value, bytes)
}

/// Prints what a program is given: as [`encode`], and every integer one that JavaScript keeps.
///
/// # Errors
///
/// As [`encode`], or an integer is beyond ±[`MAX_SAFE_INTEGER`]; the error names it.
///
/// ```
/// use mycelium::json::encode_output;
/// use serde_json::json;
/// let error = encode_output(&json!({"id": 9_007_199_254_740_992_u64}), 100).unwrap_err();
/// assert_eq!(error.path(), Some("/id"));
/// ```
pub fn encode_output(value: &Value, bytes: usize) -> Result<String, JsonError> {
    inspect(value, Path::root(), &is_safe)?;
    print(value, bytes)
}

/// Visits every part; the recursion is as deep as the levels that are allowed.
fn inspect(
    value: &Value,
    path: Path<'_>,
    number: &dyn Fn(&Number) -> bool,
) -> Result<(), JsonError> {
    match value {
        Value::Array(items) => {
            within_depth(&path)?;
            let mut items = items.iter().enumerate();
            items.try_for_each(|(index, item)| inspect(item, path.index(index), number))
        }
        Value::Object(entries) => {
            within_depth(&path)?;
            let mut entries = entries.iter();
            entries.try_for_each(|(key, item)| inspect(item, path.key(key), number))
        }
        Value::Number(found) if !number(found) => Err(unsafe_integer(&path)),
        _ => Ok(()),
    }
}

fn within_depth(path: &Path<'_>) -> Result<(), JsonError> {
    if path.depth() < DEPTH {
        return Ok(());
    }
    let problem = format!("lists and maps are nested more than {DEPTH} levels");
    Err(JsonError::new(problem).at_path(Some(path.pointer())))
}

/// Doubles pass: JavaScript's numbers are these.
fn is_safe(number: &Number) -> bool {
    match (number.as_u64(), number.as_i64()) {
        (Some(integer), _) => integer <= MAX_SAFE_INTEGER,
        (None, Some(integer)) => integer.unsigned_abs() <= MAX_SAFE_INTEGER,
        (None, None) => true,
    }
}

fn unsafe_integer(path: &Path<'_>) -> JsonError {
    let problem = "the integer is beyond ±(2^53 − 1), where JavaScript loses digits: \
                   give it as a string";
    JsonError::new(problem).at_path(Some(path.pointer()))
}

fn print(value: &Value, bytes: usize) -> Result<String, JsonError> {
    let mut text = Bounded { text: Vec::new(), bytes };
    let printed = serde_json::to_writer(&mut text, value);
    let printed = printed.ok().and_then(|()| String::from_utf8(text.text).ok());
    printed.ok_or_else(|| JsonError::new(format!("it has more than {bytes} bytes: return less")))
}

/// Takes no byte beyond its bound.
struct Bounded {
    text: Vec<u8>,
    bytes: usize,
}

impl Write for Bounded {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        if self.text.len().saturating_add(part.len()) > self.bytes {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.text.extend_from_slice(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Bounded, encode, encode_output};
    use crate::json::{DEPTH, MAX_SAFE_INTEGER, parse};

    fn nested(depth: usize) -> Value {
        (0..depth).fold(json!(1), |inner, _| json!([inner]))
    }

    #[test]
    fn an_integer_that_javascript_loses_is_refused_by_path() {
        let last = i64::try_from(MAX_SAFE_INTEGER).unwrap();
        for integer in [json!(last + 1), json!(-last - 1), json!(u64::MAX), json!(i64::MIN)] {
            let output = json!({"rows": [{"a/b": 1}, {"a/b": integer}]});
            let error = encode_output(&output, 1_000).unwrap_err();
            assert_eq!(error.path(), Some("/rows/1/a~1b"), "{output}");
            assert!(encode(&output, 1_000).is_ok(), "{output}");
        }
        for number in [json!(last), json!(-last), json!(1e20), json!(1e300)] {
            assert!(encode_output(&number, 100).is_ok(), "{number}");
        }
    }

    #[test]
    fn a_text_stops_at_its_bound() {
        let output = json!({"a": "x".repeat(1_000_000)});
        assert!(encode(&output, 1_000_007).is_err());
        assert_eq!(encode(&output, 1_000_008).unwrap().len(), 1_000_008);
        let mut bounded = Bounded { text: Vec::new(), bytes: 1_000 };
        let rows = vec![json!(1); 1_000_000];
        assert!(serde_json::to_writer(&mut bounded, &rows).is_err());
        assert!(bounded.text.len() <= 1_000);
    }

    #[test]
    fn what_prints_can_be_read_again() {
        assert!(parse(&encode_output(&nested(DEPTH), 1_000).unwrap()).is_ok());
        for print in [encode, encode_output] {
            let error = print(&nested(DEPTH + 1), 1_000).unwrap_err().to_string();
            assert!(error.contains("nested more than 128 levels"), "{error}");
        }
    }

    #[test]
    fn a_prototype_key_is_kept() {
        let mut output = json!({});
        output["__proto__"] = json!({"a": 1});
        assert_eq!(encode_output(&output, 100).unwrap(), r#"{"__proto__":{"a":1}}"#);
    }
}
