//! What a store of objects must do so that files can be kept in it.

use futures::future::LocalBoxFuture;

use super::ByteRange;

/// A store of objects by key, as R2 is one.
pub trait ObjectStore {
    /// A part of an object; none when there is none.
    fn get(
        &self,
        key: String,
        range: ByteRange,
    ) -> LocalBoxFuture<'static, Result<Option<Object>, StoreError>>;

    /// Stores an object if the condition holds, atomically; whether it was stored.
    fn put(
        &self,
        key: String,
        content: Vec<u8>,
        condition: Condition,
    ) -> LocalBoxFuture<'static, Result<bool, StoreError>>;

    /// Takes an object away; one that isn't there is no error.
    fn delete(&self, key: String) -> LocalBoxFuture<'static, Result<(), StoreError>>;

    /// One page of the keys with a prefix.
    fn list(&self, objects: Objects) -> LocalBoxFuture<'static, Result<ObjectPage, StoreError>>;
}

/// A part of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The bytes that were asked for, as far as there are any.
    pub bytes: Vec<u8>,
    /// The length of the whole.
    pub total: u64,
    /// Another one for each content.
    pub etag: String,
}

/// When an object is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Whatever there is.
    Always,
    /// If there is none.
    Absent,
    /// If the one there has this etag.
    Etag(String),
}

/// Which keys are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objects {
    /// What they begin with.
    pub prefix: String,
    /// Whether keys with a `/` after the prefix are listed as one folder.
    pub folders: bool,
    /// Where the page before ended.
    pub cursor: Option<String>,
    /// The most keys, up to 1 000.
    pub limit: usize,
}

/// One page of keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectPage {
    /// Keys, each with its object's length in bytes.
    pub objects: Vec<(String, u64)>,
    /// Beginnings of keys, each ending with `/`.
    pub folders: Vec<String>,
    /// Where the next page begins; none after the last.
    pub cursor: Option<String>,
}

/// The store failed; what it was asked to change may have been changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreError {
    /// For the operator alone.
    pub evidence: String,
}
