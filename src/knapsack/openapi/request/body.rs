//! The body of a request, and its media type.

use data_encoding::BASE64;
use serde_json::Value;

use super::{Unsayable, form, multipart};
use crate::forage::openapi::{Body, Form};

/// The media type and the bytes of a body; none when none was given.
pub(super) fn write(
    body: &Body,
    value: Option<&Value>,
) -> Result<Option<(String, Vec<u8>)>, Unsayable> {
    let Some(value) = value else { return Ok(None) };
    let wrong = |rule: &str| Unsayable::new(&body.input, rule);
    let media = body.media.clone();
    Ok(Some(match body.form {
        Form::Json => (media, value.to_string().into_bytes()),
        Form::Text => {
            let text = value.as_str().ok_or_else(|| wrong("the body is a text: give one"))?;
            (media, text.as_bytes().to_vec())
        }
        Form::Base64 => (media, bytes(value).map_err(wrong)?),
        Form::Urlencoded => {
            let pairs = form::write(&body.parts, value);
            (media, pairs.map_err(|problem| problem.under(&body.input))?.into_bytes())
        }
        Form::Multipart => {
            let (boundary, bytes) = multipart::write(&body.parts, value)
                .map_err(|problem| problem.under(&body.input))?;
            (format!("{media}; boundary={boundary}"), bytes)
        }
    }))
}

/// The bytes whose base64 was given.
pub(super) fn bytes(value: &Value) -> Result<Vec<u8>, &'static str> {
    let rule = "it is a file: give its base64";
    BASE64.decode(value.as_str().ok_or(rule)?.as_bytes()).map_err(|_| rule)
}

/// Why a part of a form can't be said.
pub(super) struct Problem {
    pub(super) part: String,
    pub(super) rule: &'static str,
}

impl Problem {
    fn under(&self, input: &str) -> Unsayable {
        let part = self.part.replace('~', "~0").replace('/', "~1");
        let Unsayable(at) = Unsayable::new(input, "");
        let at = at.trim_end_matches(": ");
        let slash = if self.part.is_empty() { "" } else { "/" };
        Unsayable(format!("{at}{slash}{part}: {}", self.rule))
    }
}
