//! A token taken apart, before anything of it is believed.

use data_encoding::BASE64URL_NOPAD;
use serde_json::{Map, Value};

use super::Algorithm;
use crate::json;

/// The most bytes of a token.
const TOKEN_BYTES: usize = 16 * 1_024;

/// A token's parts.
pub(super) struct Token {
    pub(super) algorithm: Algorithm,
    /// The key that it says it is signed with.
    pub(super) key_id: Option<String>,
    pub(super) claims: Map<String, Value>,
    pub(super) signed: Vec<u8>,
    pub(super) signature: Vec<u8>,
}

impl Token {
    /// The parts of `text`, if it is a token of an algorithm that is taken.
    pub(super) fn read(text: &str) -> Option<Self> {
        if text.len() > TOKEN_BYTES {
            return None;
        }
        let (signed, signature) = text.rsplit_once('.')?;
        let (header, claims) =
            signed.split_once('.').filter(|(_, claims)| !claims.contains('.'))?;
        let header = object(header)?;
        // What must be understood to be taken, isn't.
        if header.contains_key("crit") {
            return None;
        }
        Some(Self {
            algorithm: Algorithm::named(header.get("alg")?.as_str()?)?,
            key_id: header.get("kid").and_then(Value::as_str).map(str::to_owned),
            claims: object(claims)?,
            signed: signed.as_bytes().to_vec(),
            signature: BASE64URL_NOPAD.decode(signature.as_bytes()).ok()?,
        })
    }
}

fn object(text: &str) -> Option<Map<String, Value>> {
    let text = String::from_utf8(BASE64URL_NOPAD.decode(text.as_bytes()).ok()?).ok()?;
    match json::parse(&text) {
        Ok(Value::Object(object)) => Some(object),
        _ => None,
    }
}
