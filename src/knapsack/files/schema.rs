//! What the operations over files take and give.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Encoding, Entry};

/// Takes a page of a folder.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListInput {
    /// The folder; without it the root.
    #[serde(default)]
    pub(super) path: String,
    /// Whether to list the files of all folders in it, and no folders.
    #[serde(default)]
    pub(super) recursive: bool,
    /// The cursor that the page before gave.
    #[serde(default)]
    pub(super) cursor: Option<String>,
    /// The most entries; 200 without it.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1_000))]
    pub(super) limit: Option<u32>,
}

/// A page of a folder.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct ListOutput {
    /// The files and folders.
    pub(super) entries: Vec<Entry>,
    /// There is more: list again with this cursor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cursor: Option<String>,
}

/// Takes a part of a file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadInput {
    /// The file.
    pub(super) path: String,
    /// The first byte to read, from 0.
    #[serde(default)]
    #[schemars(range(max = 9_007_199_254_740_991_u64))]
    pub(super) offset: u64,
    /// The most bytes to read; 1048576 without it.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1_048_576))]
    pub(super) length: Option<u32>,
}

/// A part of a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct ReadOutput {
    /// The file.
    pub(super) path: String,
    /// The content, as the encoding says.
    pub(super) content: String,
    /// `text`, or `base64` for what isn't text.
    pub(super) encoding: Encoding,
    /// The first byte that was read.
    pub(super) offset: u64,
    /// How many bytes were read.
    pub(super) bytes: u64,
    /// How many the whole file has.
    pub(super) total_bytes: u64,
    /// There is more: read again from this offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next_offset: Option<u64>,
    /// Another text whenever the file holds something else.
    pub(super) version: String,
}

/// Takes a whole file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WriteInput {
    /// The file.
    pub(super) path: String,
    /// All that it holds then.
    pub(super) content: String,
    /// How the content is written; `text` without it.
    #[serde(default)]
    pub(super) encoding: Encoding,
    /// Whether to refuse when there is a file.
    #[serde(default)]
    pub(super) only_new: bool,
}

/// Takes a whole file and what it held.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplaceInput {
    /// The file.
    pub(super) path: String,
    /// All that it holds now; if it holds anything else, nothing is changed.
    pub(super) expected: String,
    /// All that it holds then.
    pub(super) content: String,
    /// How both are written; `text` without it.
    #[serde(default)]
    pub(super) encoding: Encoding,
}

/// Takes a text that occurs once in a file, and another one.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EditInput {
    /// The file.
    pub(super) path: String,
    /// The text to replace; it must occur exactly once.
    #[schemars(length(min = 1))]
    pub(super) old: String,
    /// The text to put in its place.
    pub(super) new: String,
}

/// Takes a file away.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RemoveInput {
    /// The file.
    pub(super) path: String,
}

/// What was done to a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Done {
    /// The file.
    pub(super) path: String,
    /// How many bytes it has now; none when it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bytes: Option<u64>,
}

/// Looks through files.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchInput {
    /// A text within one line.
    #[schemars(length(min = 1, max = 1_000))]
    pub(super) query: String,
    /// The folder or file; without it all that there is.
    #[serde(default)]
    pub(super) path: String,
    /// Whether small and capital letters are the same.
    #[serde(default)]
    pub(super) ignore_case: bool,
    /// The most matches; 100 without it.
    #[serde(default)]
    #[schemars(range(min = 1, max = 500))]
    pub(super) limit: Option<u32>,
}

/// What a search has found, and what it left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    /// The lines, in the order of their paths.
    pub matches: Vec<FoundLine>,
    /// How many files were looked through.
    pub searched: u64,
    /// How many files ignore files and `.git` hide; each is read by its exact path.
    pub hidden: u64,
    /// How many files aren't text.
    pub not_text: u64,
    /// How many files are too large to be searched.
    pub too_large: u64,
    /// Why the search ended before it had seen everything: search a smaller folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// A line that has what was looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundLine {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: u64,
    /// The first character that matches, from 1.
    pub column: u64,
    /// The line; cut where it is long.
    pub text: String,
}
