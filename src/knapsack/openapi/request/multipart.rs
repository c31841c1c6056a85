//! `multipart/form-data`: RFC 7578.

use serde_json::Value;

use super::{
    body::{Problem, bytes},
    value::{EMPTY, scalar},
};
use crate::{forage::openapi::Part, json::Digest};

/// The boundary and the bytes of a form: a map's entries, a list as one part per item, a
/// map as JSON, a file as the bytes whose base64 was given.
pub(super) fn write(parts: &[Part], value: &Value) -> Result<(String, Vec<u8>), Problem> {
    let Some(map) = value.as_object() else {
        return Err(Problem { part: String::new(), rule: "the body is a form: give a map" });
    };
    let mut written = Vec::new();
    for (name, value) in map {
        let said = parts.iter().find(|part| part.name == *name);
        let items = match value {
            Value::Array(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        let wrong = |rule| Problem { part: name.clone(), rule };
        if items.is_empty() {
            return Err(wrong(EMPTY));
        }
        for item in items {
            written.push(part(name, said, item).map_err(wrong)?);
        }
    }
    let boundary = boundary(value, &written);
    let mut body = Vec::new();
    for (head, content) in written {
        body.extend_from_slice(format!("--{boundary}\r\n{head}\r\n").as_bytes());
        body.extend_from_slice(&content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Ok((boundary, body))
}

/// The head and the content of one part.
fn part(name: &str, said: Option<&Part>, value: &Value) -> Result<(String, Vec<u8>), &'static str> {
    let name = quoted(name);
    let media = said.and_then(|part| part.media.as_deref());
    let file = said.is_some_and(|part| part.base64);
    let (content, usual) = match value {
        _ if file => (bytes(value)?, Some("application/octet-stream")),
        Value::Array(_) | Value::Object(_) => {
            (value.to_string().into_bytes(), Some("application/json"))
        }
        one => (scalar(one)?.into_bytes(), None),
    };
    let filename = if file { format!("; filename=\"{name}\"") } else { String::new() };
    let mut head = format!("Content-Disposition: form-data; name=\"{name}\"{filename}\r\n");
    if let Some(media) = media.or(usual) {
        head.push_str(&format!("Content-Type: {media}\r\n"));
    }
    Ok((head, content))
}

/// A name as browsers write it.
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

/// A line that is in no part.
fn boundary(value: &Value, parts: &[(String, Vec<u8>)]) -> String {
    let digest = Digest::of(value).to_string();
    let mut boundary = format!("mycelium-{}", digest.get(..32).unwrap_or_default());
    let is_in = |boundary: &str| {
        let has =
            |bytes: &[u8]| bytes.windows(boundary.len()).any(|part| part == boundary.as_bytes());
        parts.iter().any(|(head, content)| has(head.as_bytes()) || has(content))
    };
    // The digest of what holds its own digest isn't found by chance, nor by trying.
    while is_in(&boundary) {
        boundary.push('x');
    }
    boundary
}
