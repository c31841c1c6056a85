//! A tool's result, as the protocol has it.

use std::fmt::Write as _;

use serde_json::{Map, Value, value::RawValue};

use crate::runtime::LastPart;

/// What a tool call gives.
///
/// The result always has text. It has `structuredContent` only when it succeeded and
/// the answer is an object: a failure's would be validated as if it were an answer,
/// and older clients take nothing but objects.
#[derive(Clone, Debug)]
pub struct CallResult {
    texts: Vec<String>,
    structured: Option<Box<RawValue>>,
    is_error: bool,
    /// A result that its tool has said itself.
    own: Option<Map<String, Value>>,
}

impl CallResult {
    /// One text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { texts: vec![text.into()], structured: None, is_error: false, own: None }
    }

    /// One text that says what failed.
    #[must_use]
    pub fn failure(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }

    /// An answer, as text and where it is an object as itself.
    #[must_use]
    pub fn value(value: &Value) -> Self {
        let text = value.to_string();
        Self { structured: object(&text), ..Self::text(text) }
    }

    /// A result in the tool's own words, whose `content` it says itself.
    #[must_use]
    pub fn own(result: Map<String, Value>) -> Self {
        Self { own: Some(result), ..Self::text("") }
    }

    /// The last part of an executed call.
    #[must_use]
    pub fn part(part: LastPart) -> Self {
        let structured = match &part.outcome.answer {
            Ok(Some(answer)) => object(answer),
            _ => None,
        };
        let is_error = part.result.is_error;
        Self { texts: part.result.content, structured, is_error, own: None }
    }

    /// Whether it is a failure.
    #[must_use]
    pub fn is_error(&self) -> bool {
        let own = self.own.as_ref().and_then(|own| own.get("isError"));
        own.and_then(Value::as_bool).unwrap_or(self.is_error)
    }

    /// The result as JSON text, with the members of `more` too.
    #[must_use]
    pub fn write(&self, more: &str) -> String {
        if let Some(own) = &self.own {
            let text = Value::Object(own.clone()).to_string();
            return joined(&text, more);
        }
        let mut text = String::from(r#"{"content":["#);
        for (place, said) in self.texts.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            // Writing to a string can't fail.
            let _ =
                write!(text, r#"{comma}{{"type":"text","text":{}}}"#, Value::from(said.as_str()));
        }
        let _ = write!(text, r#"],"isError":{}"#, self.is_error);
        if let Some(structured) = &self.structured {
            let _ = write!(text, r#","structuredContent":{}"#, structured.get());
        }
        text.push('}');
        joined(&text, more)
    }
}

/// An object's text with more members before its end.
fn joined(object: &str, more: &str) -> String {
    match (object.strip_suffix('}'), more.is_empty()) {
        (Some("{"), false) => format!("{{{more}}}"),
        (Some(open), false) => format!("{open},{more}}}"),
        _ => object.to_owned(),
    }
}

/// The object that `text` is, unparsed.
fn object(text: &str) -> Option<Box<RawValue>> {
    let is_object = text.trim_start().starts_with('{');
    is_object.then(|| RawValue::from_string(text.to_owned()).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::CallResult;

    fn read(result: &CallResult) -> Value {
        serde_json::from_str(&result.write("")).unwrap()
    }

    #[test]
    fn an_object_is_structured_and_nothing_else_is() {
        let object = json!({"a": [1, "é\u{2028}"]});
        let said = read(&CallResult::value(&object));
        assert_eq!(said["structuredContent"], object);
        assert_eq!(said["content"][0]["text"], json!(object.to_string()));
        for value in [json!([1]), json!("{}"), json!(1), json!(null), json!(true)] {
            let said = read(&CallResult::value(&value));
            assert_eq!(said.get("structuredContent"), None, "{value}");
            assert_eq!(said["content"][0]["text"], json!(value.to_string()));
            assert_eq!(said["isError"], json!(false));
        }
    }

    #[test]
    fn a_failure_is_text_and_says_that_it_is_one() {
        let said = read(&CallResult::failure("no"));
        assert_eq!(said, json!({"content": [{"type": "text", "text": "no"}], "isError": true}));
    }

    #[test]
    fn more_members_stand_beside_the_others() {
        let more = r#""resultType":"complete""#;
        for result in [CallResult::text("x"), CallResult::own(serde_json::Map::new())] {
            let said: Value = serde_json::from_str(&result.write(more)).unwrap();
            assert_eq!(said["resultType"], json!("complete"));
        }
    }
}
