//! A session's grants as a host keeps them, beyond the process.

use std::{fmt, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::Value;

use super::{Grants, Moment, SessionGrants, Unreadable};
use crate::port::{Storage, StorageError};

/// The row that they are kept in.
const ROW: &str = "session-grants";

/// Grants in a storage that is the session owner's alone.
pub struct StoredGrants {
    storage: Rc<dyn Storage>,
}

impl StoredGrants {
    /// Those in `storage`.
    #[must_use]
    pub fn new(storage: Rc<dyn Storage>) -> Self {
        Self { storage }
    }

    /// What stands; nothing when nobody has said anything.
    ///
    /// # Errors
    ///
    /// [`Unreadable`] when the storage can't be read, or what it has is no grants: then
    /// nothing is known to be granted.
    pub fn standing(&self) -> Result<Grants, Unreadable> {
        let unreadable = |cause: &dyn fmt::Display| Unreadable::new(cause.to_string());
        let row = self.storage.get(ROW).map_err(|error| unreadable(&error))?;
        let Some(text) = row else { return Ok(Grants::default()) };
        let value: Value = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
        Grants::parse(&value).map_err(|error| unreadable(&error))
    }

    /// Puts `grants` in the place of whatever stood. None at all leave no row.
    ///
    /// # Errors
    ///
    /// [`StorageError`] when the storage can't be written; then what stood stands.
    pub fn replace(&self, grants: &Grants) -> Result<(), StorageError> {
        if grants.is_empty() {
            return self.storage.delete(ROW);
        }
        self.storage.put(ROW, &grants.to_json().to_string())
    }
}

impl SessionGrants for StoredGrants {
    fn read(&self, _: Moment) -> LocalBoxFuture<'static, Result<Rc<Grants>, Unreadable>> {
        let standing = self.standing().map(Rc::new);
        async move { standing }.boxed_local()
    }
}
