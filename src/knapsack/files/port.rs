//! What a store of files must do.

use std::rc::Rc;

use futures::future::LocalBoxFuture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FileError, Found, PatchEngine};
use crate::operation::Context;

/// What a port answers, later.
pub type FileFuture<T> = LocalBoxFuture<'static, Result<T, FileError>>;

/// A store of files below one root that it alone knows and enforces.
///
/// Paths are relative, without empty, `.` or `..` parts. The context says for whom and
/// until when; a port that looks at its signal is let end by itself, any other is dropped.
pub trait FilesPort {
    /// One page of what is in a folder. A folder that holds nothing is not there:
    /// [`FileError::Missing`], except for the root.
    fn list(&self, listing: Listing, context: Context) -> FileFuture<Page>;

    /// A part of a file: at most what is asked for, less only at the file's end.
    fn read(&self, path: String, range: ByteRange, context: Context) -> FileFuture<Part>;

    /// Writes a whole file, whatever there was.
    fn write(&self, path: String, content: Vec<u8>, context: Context) -> FileFuture<()>;

    /// Writes a whole file if there is what is expected, atomically; else
    /// [`FileError::Conflict`], [`FileError::Exists`] or [`FileError::Missing`], and
    /// nothing is changed.
    fn replace(
        &self,
        path: String,
        expected: Expected,
        content: Vec<u8>,
        context: Context,
    ) -> FileFuture<()>;

    /// Removes a file, if it holds what is expected. It must be there.
    fn remove(&self, path: String, expected: Option<Vec<u8>>, context: Context) -> FileFuture<()>;

    /// Looks through the files that a search may see:
    /// [`SearchVisibility`](crate::knapsack::visibility::SearchVisibility).
    fn search(&self, search: Search, context: Context) -> FileFuture<Found>;

    /// What applies patches to these files, if anything does.
    fn patch_engine(&self) -> Option<Rc<dyn PatchEngine>> {
        None
    }
}

/// Which page of which folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The folder; the root is empty.
    pub folder: String,
    /// Whether the files of all folders in it are listed, and no folders.
    pub recursive: bool,
    /// Where the page before ended.
    pub cursor: Option<String>,
    /// The most entries, at least 1.
    pub limit: usize,
}

/// One page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The entries.
    pub entries: Vec<Entry>,
    /// Where the next page begins; none after the last.
    pub cursor: Option<String>,
}

/// What there is at a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The path from the root.
    pub path: String,
    /// What it is.
    pub kind: EntryKind,
    /// A file's length in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EntryKind {
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// Bytes of a file, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRange {
    /// The first byte.
    pub offset: u64,
    /// How many, at least 1 and at most
    /// [`FILE_READ_BYTES`](crate::limits::FILE_READ_BYTES).
    pub length: usize,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The length of the whole file.
    pub total: u64,
    /// Another text whenever the file holds something else.
    pub version: String,
}

/// What must be there for a write to be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Nothing.
    Absent,
    /// A file that holds exactly this.
    Content(Vec<u8>),
}

/// What is looked for, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// A text within one line.
    pub query: String,
    /// The folder or file; the root is empty.
    pub path: String,
    /// Whether small and capital letters are the same.
    pub ignore_case: bool,
    /// The most matches, at least 1.
    pub limit: usize,
}
