//! Why a search can't tell what it may see.

use std::fmt;

use crate::{
    failure::bounded,
    limits::{IGNORE_BYTES, IGNORE_FILES, IGNORE_TOTAL_BYTES},
};

/// The most bytes of a path that a message shows.
const SHOWN_BYTES: usize = 256;

/// Why a search can't tell what it may see, and so sees nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisibilityError {
    message: String,
}

impl VisibilityError {
    pub(super) fn path(path: &str, rule: &str) -> Self {
        Self::about(path, rule)
    }

    pub(super) fn unusable(path: &str, problem: &dyn fmt::Display) -> Self {
        Self::about(path, &format!("its patterns can't be used together, simplify them: {problem}"))
    }

    pub(super) fn too_large(path: &str) -> Self {
        let rule = format!(
            "an ignore file has at most {IGNORE_BYTES} bytes, and all of them {IGNORE_TOTAL_BYTES}: \
             shorten it, or search a folder that has none above it"
        );
        Self::about(path, &rule)
    }

    pub(super) fn too_many() -> Self {
        let message = format!(
            "a search reads at most {IGNORE_FILES} ignore files: search a folder with fewer"
        );
        Self { message }
    }

    fn about(path: &str, problem: &str) -> Self {
        let problem = bounded(problem, 2 * SHOWN_BYTES);
        Self { message: format!("{:?}: {problem}", bounded(path, SHOWN_BYTES)) }
    }
}

impl fmt::Display for VisibilityError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for VisibilityError {}
