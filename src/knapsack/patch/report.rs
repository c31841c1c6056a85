//! What is asked of a patch engine, and what it tells.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A patch to apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchInput {
    /// The patch: `*** Begin Patch` … `*** End Patch`, or a unified diff. Either all of
    /// its files are changed or none is.
    pub patch: String,
}

/// What a patch has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchReport {
    /// Each file that the patch names, in the patch's order.
    pub files: Vec<FileChange>,
}

/// What a patch has done to one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileChange {
    /// The file's path now; for a removed one, the path it had.
    pub path: String,
    /// What was done.
    pub change: Change,
    /// The path it was moved from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<String>,
    /// How many hunks were applied.
    pub hunks: usize,
    /// How the loosest of its hunks was found; only where there are hunks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<Match>,
}

/// What was done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// It is new.
    Added,
    /// It holds something else.
    Updated,
    /// It is gone.
    Removed,
    /// It has another path, and perhaps holds something else.
    Moved,
}

/// How the lines of a hunk were found in a file.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Match {
    /// Each character is the same.
    Exact,
    /// All but the white space at the ends of lines.
    TrailingSpace,
    /// All but the white space at the beginnings and ends of lines; added lines were
    /// indented as the lines around them.
    Indentation,
}

impl fmt::Display for Match {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Exact => "exact",
            Self::TrailingSpace => "trailing-space",
            Self::Indentation => "indentation",
        })
    }
}
