//! Files as objects of a store: R2, and whatever has etags.

use std::rc::Rc;

use futures::FutureExt;

use super::{
    ByteRange, Condition, Entry, EntryKind, Expected, FileError, FileFuture, FilesPort, Found,
    Listing, Object, ObjectStore, Objects, Page, Part, PatchEngine, Search, StoreError,
    TextPatches, search_by_reading,
};
use crate::{limits::FILE_READ_BYTES, operation::Context};

/// The most bytes of a key (R2's bound).
const KEY_BYTES: usize = 1_024;

/// Files whose root is a prefix of a store's keys.
///
/// A replacement is atomic: what is there is compared, and stored over only while it has
/// the etag that was compared. A removal is not: R2 has no conditional one, so a file
/// written between the comparison and the removal is lost with it.
#[derive(Clone)]
pub struct StoredFiles {
    store: Rc<dyn ObjectStore>,
    root: Rc<str>,
    patches: bool,
}

impl StoredFiles {
    /// Files below `root`, such as `agents/7/`; an empty one is the whole store. Nothing
    /// outside of it is reached.
    #[must_use]
    pub fn new(store: Rc<dyn ObjectStore>, root: &str) -> Self {
        let root = root.trim_matches('/');
        let root = if root.is_empty() { String::new() } else { format!("{root}/") };
        Self { store, root: root.into(), patches: true }
    }

    /// Whether patches are applied to them, which they are unless this says otherwise.
    #[must_use]
    pub fn patches(mut self, applied: bool) -> Self {
        self.patches = applied;
        self
    }

    fn key(&self, path: &str) -> Result<String, FileError> {
        let key = format!("{}{path}", self.root);
        if key.len() > KEY_BYTES {
            let rule = "with its root the path has more than 1024 bytes: choose a shorter one";
            return Err(FileError::Path { path: path.to_owned(), rule: rule.to_owned() });
        }
        Ok(key)
    }

    async fn get(&self, path: &str, range: ByteRange) -> Result<Object, FileError> {
        let object = self.store.get(self.key(path)?, range).await.map_err(unavailable)?;
        object.ok_or_else(|| FileError::missing(path))
    }

    /// The etag of the object at `path`, if it holds exactly `expected`.
    async fn etag_of(&self, path: &str, expected: &[u8]) -> Result<String, FileError> {
        let conflict = || FileError::Conflict { path: path.to_owned() };
        let mut etag: Option<String> = None;
        let mut rest = expected;
        let mut offset = 0_u64;
        loop {
            let part = self.get(path, ByteRange { offset, length: FILE_READ_BYTES }).await?;
            let same_length =
                u64::try_from(expected.len()).is_ok_and(|length| length == part.total);
            let same_etag = etag.get_or_insert_with(|| part.etag.clone()) == &part.etag;
            let after = rest.strip_prefix(part.bytes.as_slice());
            let (true, true, Some(after)) = (same_length, same_etag, after) else {
                return Err(conflict());
            };
            if after.is_empty() {
                return Ok(part.etag);
            }
            if part.bytes.is_empty() {
                let evidence = "the store gave less of an object than it has".to_owned();
                return Err(FileError::Unavailable { evidence });
            }
            offset = offset.saturating_add(u64::try_from(part.bytes.len()).unwrap_or(u64::MAX));
            rest = after;
        }
    }

    async fn put(
        &self,
        path: &str,
        content: Vec<u8>,
        condition: Condition,
    ) -> Result<bool, FileError> {
        self.store.put(self.key(path)?, content, condition).await.map_err(unknown)
    }

    async fn replace_now(
        &self,
        path: String,
        expected: Expected,
        content: Vec<u8>,
    ) -> Result<(), FileError> {
        let (condition, refused) = match expected {
            Expected::Absent => (Condition::Absent, FileError::Exists { path: path.clone() }),
            Expected::Content(expected) => {
                let etag = self.etag_of(&path, &expected).await?;
                (Condition::Etag(etag), FileError::Conflict { path: path.clone() })
            }
        };
        if self.put(&path, content, condition).await? { Ok(()) } else { Err(refused) }
    }

    async fn page(&self, listing: Listing) -> Result<Page, FileError> {
        let Listing { folder, recursive, cursor, limit } = listing;
        let within = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let first = cursor.is_none();
        let objects = Objects { prefix: self.key(&within)?, folders: !recursive, cursor, limit };
        let page = self.store.list(objects).await.map_err(unavailable)?;
        let path = |key: &str| key.strip_prefix(&*self.root).map(str::to_owned);
        let files = page.objects.iter().filter_map(|(key, bytes)| {
            // An object that only marks a folder is no file.
            let path = path(key).filter(|path| !path.is_empty() && !path.ends_with('/'))?;
            Some(Entry { path, kind: EntryKind::File, bytes: Some(*bytes) })
        });
        let folders = page.folders.iter().filter_map(|key| {
            let path = path(key)?.trim_end_matches('/').to_owned();
            Some(Entry { path, kind: EntryKind::Folder, bytes: None })
        });
        let mut entries: Vec<Entry> = files.chain(folders).collect();
        entries.sort_by(|one, other| one.path.cmp(&other.path));
        if entries.is_empty() && page.cursor.is_none() && first && !folder.is_empty() {
            return Err(FileError::missing(&folder));
        }
        Ok(Page { entries, cursor: page.cursor })
    }
}

/// Nothing was to be changed.
fn unavailable(error: StoreError) -> FileError {
    FileError::Unavailable { evidence: error.evidence }
}

/// Something was to be changed.
fn unknown(error: StoreError) -> FileError {
    FileError::Unknown { evidence: error.evidence }
}

impl FilesPort for StoredFiles {
    fn list(&self, listing: Listing, _: Context) -> FileFuture<Page> {
        let files = self.clone();
        async move { files.page(listing).await }.boxed_local()
    }

    fn read(&self, path: String, range: ByteRange, _: Context) -> FileFuture<Part> {
        let files = self.clone();
        async move {
            let Object { bytes, total, etag } = files.get(&path, range).await?;
            Ok(Part { bytes, total, version: etag })
        }
        .boxed_local()
    }

    fn write(&self, path: String, content: Vec<u8>, _: Context) -> FileFuture<()> {
        let files = self.clone();
        async move { files.put(&path, content, Condition::Always).await.map(drop) }.boxed_local()
    }

    fn replace(
        &self,
        path: String,
        expected: Expected,
        content: Vec<u8>,
        _: Context,
    ) -> FileFuture<()> {
        let files = self.clone();
        async move { files.replace_now(path, expected, content).await }.boxed_local()
    }

    fn remove(&self, path: String, expected: Option<Vec<u8>>, _: Context) -> FileFuture<()> {
        let files = self.clone();
        async move {
            match expected {
                Some(expected) => drop(files.etag_of(&path, &expected).await?),
                None => drop(files.get(&path, ByteRange { offset: 0, length: 1 }).await?),
            }
            files.store.delete(files.key(&path)?).await.map_err(unknown)
        }
        .boxed_local()
    }

    fn search(&self, search: Search, context: Context) -> FileFuture<Found> {
        let files = self.clone();
        async move { search_by_reading(&files, search, context).await }.boxed_local()
    }

    fn patch_engine(&self) -> Option<Rc<dyn PatchEngine>> {
        self.patches
            .then(|| Rc::new(TextPatches::new(Rc::new(self.clone()))) as Rc<dyn PatchEngine>)
    }
}
