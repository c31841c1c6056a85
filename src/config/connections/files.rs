//! `type = "files"`: files in an R2 bucket.

use super::{Connection, Type};
use crate::config::{
    error::Errors,
    form::{Fields, Form, Rule, Text, section},
    node::{Node, Place},
    rule::BindingName,
};

section! {
    /// As it is written.
    pub(in crate::config) struct Written {
        bucket: BindingName, "", "The binding of the bucket in `wrangler.toml`, under `r2_buckets`.";
        prefix: Option<Text<IsPrefix>>, "the whole bucket", "Where the files lie in the bucket; nothing outside is reached.";
        patch: Option<bool>, "true", "Whether `apply_patch` is offered.";
    }
}

/// Of a folder in a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::config) struct IsPrefix;

/// The most bytes of a prefix: half a key's, so that paths have the other half.
const PREFIX_BYTES: usize = 512;

impl Rule for IsPrefix {
    const ACCEPTED: &'static str =
        "a path such as agents/7, without empty, . or .. parts and of at most 512 bytes,";
    const PATTERN: &'static str = "^[^/]+(/[^/]+)*/?$";

    fn holds(text: &str) -> bool {
        let parts = text.strip_suffix('/').unwrap_or(text);
        let plain = |part: &str| !matches!(part, "" | "." | "..");
        text.len() <= PREFIX_BYTES
            && !text.contains(char::is_control)
            && parts.split('/').all(plain)
    }
}

/// Files in an R2 bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The binding of the bucket.
    pub bucket: String,
    /// Where the files lie in it; the whole bucket when empty.
    pub prefix: String,
    /// Whether patches are applied.
    pub patch: bool,
}

pub(super) const TYPE: Type =
    Type { word: "files", keys: Written::KEYS, read, schema: Written::schema, rows: Written::keys };

fn read(fields: &Fields<'_>, _: &Node, _: &Place<'_>, errors: &mut Errors) -> Option<Connection> {
    Some(Connection::Files(Written::read_fields(fields, errors)?.into()))
}

impl From<Written> for Files {
    fn from(written: Written) -> Self {
        Self {
            bucket: written.bucket.0,
            prefix: written.prefix.map(|prefix| prefix.0).unwrap_or_default(),
            patch: written.patch.unwrap_or(true),
        }
    }
}

impl Files {
    pub(super) fn target(&self) -> String {
        match self.prefix.as_str() {
            "" => format!("R2 bucket {}", self.bucket),
            prefix => format!("R2 bucket {} below {prefix}", self.bucket),
        }
    }
}
