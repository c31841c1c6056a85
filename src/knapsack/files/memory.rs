//! Files in memory.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use futures::FutureExt;

use super::{
    ByteRange, Entry, EntryKind, Expected, FileError, FileFuture, FilesPort, Found, Listing, Page,
    Part, PatchEngine, Search, TextPatches, search_by_reading,
};
use crate::operation::Context;

/// Files that go away with the last clone.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    held: Rc<RefCell<Held>>,
}

#[derive(Debug, Default)]
struct Held {
    files: BTreeMap<String, (Vec<u8>, u64)>,
    writes: u64,
}

impl Held {
    fn put(&mut self, path: String, content: Vec<u8>) {
        self.writes = self.writes.saturating_add(1);
        self.files.insert(path, (content, self.writes));
    }

    fn holds(&self, path: &str, content: &[u8]) -> Result<(), FileError> {
        match self.files.get(path) {
            None => Err(FileError::missing(path)),
            Some((held, _)) if held == content => Ok(()),
            Some(_) => Err(FileError::Conflict { path: path.to_owned() }),
        }
    }

    fn page(&self, listing: &Listing) -> Result<Page, FileError> {
        let Listing { folder, recursive, cursor, limit } = listing;
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let below = self.files.range(prefix.clone()..);
        let below = below.take_while(|(path, _)| path.starts_with(&prefix));
        let mut entries: Vec<Entry> = Vec::new();
        for (path, (content, _)) in below {
            let rest = path.get(prefix.len()..).unwrap_or_default();
            let entry = match rest.split_once('/').filter(|_| !recursive) {
                Some((name, _)) => {
                    Entry { path: format!("{prefix}{name}"), kind: EntryKind::Folder, bytes: None }
                }
                None => {
                    let bytes = u64::try_from(content.len()).ok();
                    Entry { path: path.clone(), kind: EntryKind::File, bytes }
                }
            };
            if entries.last() != Some(&entry) {
                entries.push(entry);
            }
        }
        if entries.is_empty() && !folder.is_empty() {
            return Err(FileError::missing(folder));
        }
        // A folder sorts as what is in it: with the slash after its name.
        let place = |entry: &Entry| match entry.kind {
            EntryKind::Folder => format!("{}/", entry.path),
            EntryKind::File => entry.path.clone(),
        };
        let after = |entry: &Entry| cursor.as_ref().is_none_or(|cursor| place(entry) > *cursor);
        entries.retain(after);
        let more = entries.len() > *limit;
        entries.truncate(*limit);
        let cursor = entries.last().filter(|_| more).map(place);
        Ok(Page { entries, cursor })
    }
}

impl MemoryFiles {
    /// No files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What there is, by path.
    #[must_use]
    pub fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let held = self.held.borrow();
        held.files.iter().map(|(path, (content, _))| (path.clone(), content.clone())).collect()
    }

    /// Puts a file there, whatever there was.
    pub fn put(&self, path: &str, content: &[u8]) {
        self.held.borrow_mut().put(path.to_owned(), content.to_owned());
    }

    fn now<T: 'static>(
        &self,
        work: impl FnOnce(&mut Held) -> Result<T, FileError>,
    ) -> FileFuture<T> {
        let done = work(&mut self.held.borrow_mut());
        async move { done }.boxed_local()
    }
}

impl FilesPort for MemoryFiles {
    fn list(&self, listing: Listing, _: Context) -> FileFuture<Page> {
        self.now(|held| held.page(&listing))
    }

    fn read(&self, path: String, range: ByteRange, _: Context) -> FileFuture<Part> {
        self.now(|held| {
            let (content, version) =
                held.files.get(&path).ok_or_else(|| FileError::missing(&path))?;
            let from = usize::try_from(range.offset).unwrap_or(usize::MAX);
            let bytes = content.iter().skip(from).take(range.length).copied().collect();
            let total = u64::try_from(content.len()).unwrap_or(u64::MAX);
            Ok(Part { bytes, total, version: version.to_string() })
        })
    }

    fn write(&self, path: String, content: Vec<u8>, _: Context) -> FileFuture<()> {
        self.now(|held| {
            held.put(path, content);
            Ok(())
        })
    }

    fn replace(
        &self,
        path: String,
        expected: Expected,
        content: Vec<u8>,
        _: Context,
    ) -> FileFuture<()> {
        self.now(|held| {
            match expected {
                Expected::Absent if held.files.contains_key(&path) => {
                    return Err(FileError::Exists { path });
                }
                Expected::Absent => {}
                Expected::Content(expected) => held.holds(&path, &expected)?,
            }
            held.put(path, content);
            Ok(())
        })
    }

    fn remove(&self, path: String, expected: Option<Vec<u8>>, _: Context) -> FileFuture<()> {
        self.now(|held| {
            if let Some(expected) = expected {
                held.holds(&path, &expected)?;
            }
            held.files.remove(&path).map(drop).ok_or_else(|| FileError::missing(&path))
        })
    }

    fn search(&self, search: Search, context: Context) -> FileFuture<Found> {
        let port = self.clone();
        async move { search_by_reading(&port, search, context).await }.boxed_local()
    }

    fn patch_engine(&self) -> Option<Rc<dyn PatchEngine>> {
        Some(Rc::new(TextPatches::new(Rc::new(self.clone()))))
    }
}
