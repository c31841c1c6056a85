//! Where a list goes on.
//!
//! A cursor says how many operations were given, of which stamp and which namespace, and
//! has a check over all of it. It is no secret and no right: it leads only to a position in
//! the view that the asker has anyway.

use std::fmt;

use serde_json::json;

use crate::json::Digest;

/// Hexadecimal digits of each digest in a cursor.
const DIGITS: usize = 16;
/// Hexadecimal digits of the position.
const POSITION: usize = 8;

/// Why a cursor doesn't go on with a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CursorFault {
    /// No list gave it.
    Forged,
    /// The catalog, or what this view shows of it, isn't what it was.
    Catalog,
    /// It belongs to another namespace.
    Namespace,
}

impl fmt::Display for CursorFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            Self::Forged => "the cursor is none that a list gave",
            Self::Catalog => "the cursor belongs to another catalog, or to another view of it",
            Self::Namespace => "the cursor belongs to a list of another namespace",
        };
        write!(formatter, "{what}: begin again with a list without a cursor")
    }
}

/// The cursor after `given` operations of this list.
pub(super) fn write(stamp: Digest, namespace: Option<&str>, given: usize) -> String {
    let body = format!("{given:0POSITION$x}{}{}", short(stamp), short(space(namespace)));
    let check = short(Digest::of(&json!(["cursor", body])));
    format!("{body}{check}")
}

/// How many operations were given before `cursor`.
pub(super) fn read(
    cursor: &str,
    stamp: Digest,
    namespace: Option<&str>,
) -> Result<usize, CursorFault> {
    let part = |from: usize, length: usize| cursor.get(from..from.saturating_add(length));
    let given = part(0, POSITION).and_then(|digits| usize::from_str_radix(digits, 16).ok());
    let given = given.ok_or(CursorFault::Forged)?;
    let theirs = part(POSITION, DIGITS).ok_or(CursorFault::Forged)?;
    let space_of = part(POSITION.saturating_add(DIGITS), DIGITS).ok_or(CursorFault::Forged)?;
    let body = format!("{given:0POSITION$x}{theirs}{space_of}");
    let check = short(Digest::of(&json!(["cursor", body])));
    if cursor.strip_prefix(&body) != Some(&check) {
        return Err(CursorFault::Forged);
    }
    if theirs != short(stamp) {
        return Err(CursorFault::Catalog);
    }
    if space_of != short(space(namespace)) {
        return Err(CursorFault::Namespace);
    }
    Ok(given)
}

fn space(namespace: Option<&str>) -> Digest {
    Digest::of(&json!(["namespace", namespace]))
}

fn short(digest: Digest) -> String {
    let mut text = digest.to_string();
    text.truncate(DIGITS);
    text
}
