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
    /// How many isolates it took, where that is known.
    isolates: Option<u32>,
    /// A result that its tool has said itself.
    own: Option<Map<String, Value>>,
}

impl CallResult {
    /// One text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            texts: vec![text.into()],
            structured: None,
            is_error: false,
            isolates: None,
            own: None,
        }
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
        let isolates = Some(part.outcome.isolates);
        Self { texts: part.result.content, structured, is_error, isolates, own: None }
    }

    /// Whether it is a failure.
    #[must_use]
    pub fn is_error(&self) -> bool {
        let own = self.own.as_ref().and_then(|own| own.get("isError"));
        own.and_then(Value::as_bool).unwrap_or(self.is_error)
    }

    /// The result as JSON text. The revision without sessions says that it is complete:
    /// `complete` is what its `_meta` tells, as the text of members.
    #[must_use]
    pub fn write(&self, complete: Option<&str>) -> String {
        let kind = complete.map(|_| r#""resultType":"complete""#.to_owned());
        let isolates = self.isolates.map(|isolates| format!(r#""isolates":{isolates}"#));
        let told = members([isolates, complete.map(str::to_owned)]);
        let meta = (!told.is_empty()).then(|| format!(r#""_meta":{{{told}}}"#));
        joined(&self.body(), &members([kind, meta]))
    }

    fn body(&self) -> String {
        if let Some(own) = &self.own {
            return Value::Object(own.clone()).to_string();
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
        text
    }
}

/// The members that there are, as one text.
fn members(texts: [Option<String>; 2]) -> String {
    texts.into_iter().flatten().collect::<Vec<_>>().join(",")
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
        serde_json::from_str(&result.write(None)).unwrap()
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
        let ran = CallResult { isolates: Some(1), ..CallResult::text("x") };
        assert_eq!(read(&ran)["_meta"], json!({"isolates": 1}));
        for result in [ran, CallResult::own(serde_json::Map::new())] {
            let text = result.write(Some(r#""server":1"#));
            let said = crate::json::parse(&text).unwrap();
            assert_eq!(said["resultType"], json!("complete"));
            assert_eq!(said["_meta"]["server"], json!(1));
        }
    }
}
