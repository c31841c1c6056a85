//! The bounds of an answer, whatever sandbox it comes from.

use serde::de::IgnoredAny;

use crate::{
    failure::{Failure, bounded},
    sandbox::{Ended, Limits},
};

/// Bytes kept of an answer that is too large, as its outline.
const OUTLINE_BYTES: usize = 1_024;

/// Holds an answer to the budget and to JSON. A sandbox isn't trusted with either.
pub(super) fn checked(mut ended: Ended, limits: &Limits) -> Ended {
    ended.answer = ended.answer.and_then(|answer| match answer {
        Some(text) => within(text, limits).map(Some),
        None => Ok(None),
    });
    ended
}

fn within(text: String, limits: &Limits) -> Result<String, Failure> {
    let limit = limits.result_bytes;
    if text.len() > limit {
        let outline = bounded(&text, OUTLINE_BYTES);
        return Err(Failure::ResultTooLarge { bytes: text.len(), limit, outline });
    }
    match serde_json::from_str::<IgnoredAny>(&text) {
        Ok(_) => Ok(text),
        Err(error) => Err(Failure::ResultInvalid {
            path: "/".to_owned(),
            found: format!("no JSON text: {error}"),
            remedy: "return a value that JSON can say".to_owned(),
        }),
    }
}
