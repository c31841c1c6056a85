//! What a search may see of a tree of files.
//!
//! Owns one search's policy: ignore files as git reads them, nested ones included, and
//! the folder `.git`. Doesn't own reading those files, which the store does within
//! [`IGNORE_BYTES`] each, nor anything but searching: a file is read by its exact path
//! whether a search may see it or not.
//!
//! The grammar of a line is the `ignore` crate's; where git differs from it (braces, and
//! `/` in a class), the line is brought into the crate's terms first, in `pattern`.
//!
//! Spec: 004, `files-search`.

mod error;
mod pattern;

use std::{cell::RefCell, collections::BTreeMap};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

pub use error::VisibilityError;

use super::patch::checked_path;
use crate::limits::{IGNORE_BYTES, IGNORE_FILES, IGNORE_TOTAL_BYTES};

/// The name of an ignore file.
pub const IGNORE_FILE: &str = ".gitignore";

/// What a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// What one search may see.
///
/// Made for one search and given up with it: what it has read of ignore files is never
/// used for another.
///
/// ```
/// use mycelium::knapsack::visibility::{Kind, SearchVisibility};
///
/// let mut visibility = SearchVisibility::new();
/// visibility.add(".gitignore", "*.log\n!keep.log\n")?;
/// assert!(!visibility.shows("a/x.log", Kind::File)?);
/// assert!(visibility.shows("a/keep.log", Kind::File)?);
/// assert!(!visibility.shows("a/.git/config", Kind::File)?);
/// # Ok::<(), mycelium::knapsack::visibility::VisibilityError>(())
/// ```
#[derive(Debug, Default)]
pub struct SearchVisibility {
    /// By the folder whose ignore file it is; the root is empty.
    rules: BTreeMap<String, Gitignore>,
    bytes: usize,
    folders: RefCell<BTreeMap<String, bool>>,
}

impl SearchVisibility {
    /// A policy that hides `.git` alone.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in the ignore file at `path`, which ends with [`IGNORE_FILE`]. Lines that
    /// are no pattern hide nothing, as in git.
    ///
    /// # Errors
    ///
    /// The path isn't one of an ignore file, or a bound of
    /// [`limits`](crate::limits) is reached.
    pub fn add(&mut self, path: &str, text: &str) -> Result<(), VisibilityError> {
        let folder = folder_of(path)?;
        self.bound(path, text)?;
        let mut builder = GitignoreBuilder::new("");
        builder.allow_unclosed_class(false);
        for line in pattern::lines(text) {
            // Not a pattern: git lets it match nothing.
            let _ = builder.add_line(None, &line);
        }
        let rules = builder.build().map_err(|error| VisibilityError::unusable(path, &error))?;
        self.rules.insert(folder.to_owned(), rules);
        self.folders.get_mut().clear();
        Ok(())
    }

    /// Whether a search may see what is at `path`; the root is the empty path.
    ///
    /// What is below a hidden folder is hidden, whatever any pattern says.
    ///
    /// # Errors
    ///
    /// The path isn't canonical.
    pub fn shows(&self, path: &str, kind: Kind) -> Result<bool, VisibilityError> {
        if path.is_empty() {
            return Ok(true);
        }
        checked_path(path).map_err(|rule| VisibilityError::path(path, rule))?;
        for (at, _) in path.match_indices('/') {
            let folder = path.get(..at).unwrap_or_default();
            if !self.shows_folder(folder) {
                return Ok(false);
            }
        }
        Ok(match kind {
            Kind::File => self.shows_alone(path, false),
            Kind::Folder => self.shows_folder(path),
        })
    }

    /// A folder by itself; asked once.
    fn shows_folder(&self, folder: &str) -> bool {
        if let Some(known) = self.folders.borrow().get(folder) {
            return *known;
        }
        let shows = self.shows_alone(folder, true);
        self.folders.borrow_mut().insert(folder.to_owned(), shows);
        shows
    }

    /// By its own name and the patterns about it: those of the nearest ignore file that
    /// has one decide.
    fn shows_alone(&self, path: &str, is_folder: bool) -> bool {
        let mut above = path;
        if path.rsplit('/').next() == Some(".git") {
            return false;
        }
        loop {
            above = above.rsplit_once('/').map_or("", |(above, _)| above);
            if let Some(rules) = self.rules.get(above) {
                let relative = path.get(above.len()..).unwrap_or(path).trim_start_matches('/');
                let matched = rules.matched(relative, is_folder);
                if !matched.is_none() {
                    return matched.is_whitelist();
                }
            }
            if above.is_empty() {
                return true;
            }
        }
    }

    fn bound(&mut self, path: &str, text: &str) -> Result<(), VisibilityError> {
        let bytes = self.bytes.saturating_add(text.len());
        if text.len() > IGNORE_BYTES || bytes > IGNORE_TOTAL_BYTES {
            return Err(VisibilityError::too_large(path));
        }
        if self.rules.len() >= IGNORE_FILES {
            return Err(VisibilityError::too_many());
        }
        self.bytes = bytes;
        Ok(())
    }
}

/// The folder whose ignore file is at `path`.
fn folder_of(path: &str) -> Result<&str, VisibilityError> {
    checked_path(path).map_err(|rule| VisibilityError::path(path, rule))?;
    let folder = path.strip_suffix(IGNORE_FILE);
    let folder = folder.filter(|folder| folder.is_empty() || folder.ends_with('/'));
    folder
        .map(|folder| folder.trim_end_matches('/'))
        .ok_or_else(|| VisibilityError::path(path, "an ignore file is called .gitignore"))
}
