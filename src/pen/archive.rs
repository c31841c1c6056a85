//! Where pens lie that are kept, shared and accepted.
//!
//! Owns the keys of their objects and what is in them. Objects are written before a pen's
//! state moves, and writing them again changes nothing. An object that is there stays as it
//! is: another content under its key is refused, for two connections may share a bucket.
//!
//! Spec: 002, §3: the two paths are the specification's, to the letter.

use std::{fmt, rc::Rc};

use serde::Serialize;

use super::{
    Action, Lang, PenId,
    hash::sha256,
    ledger::{Pen, Record},
};
use crate::{
    knapsack::files::{ByteRange, Condition, ObjectStore, StoreError},
    limits::FILE_BYTES,
};

/// The program as it ran.
const OUTPUT: &str = "pen.json";
/// What is said of a shared pen.
const MANIFEST: &str = "manifest.json";

/// A store of objects, and where in it accepted pens go.
#[derive(Clone)]
pub struct Archive {
    store: Rc<dyn ObjectStore>,
    shared_lib: String,
}

impl Archive {
    /// Over `store`; accepted pens are copied below `shared_lib`, which ends without `/`.
    #[must_use]
    pub fn new(store: Rc<dyn ObjectStore>, shared_lib: &str) -> Self {
        Self { store, shared_lib: shared_lib.trim_matches('/').to_owned() }
    }

    /// Writes the objects of a pen that is to be kept or shared; their keys.
    ///
    /// # Errors
    ///
    /// The store failed, an object is too large, or another one is there; some of them may be
    /// there.
    pub async fn write(&self, pen: &Pen, action: Action) -> Result<Vec<String>, ArchiveError> {
        let id = &pen.record.pen_id;
        let Some(folder) = folder(id, action) else { return Ok(Vec::new()) };
        let output = pen.output().map_err(|problem| broken(&problem))?;
        let output = output.ok_or_else(|| broken("the pen has no output"))?;
        let mut objects = vec![
            (code_name(output.lang), output.code.clone().into_bytes()),
            (OUTPUT, text(OUTPUT, &output)?),
        ];
        if action == Action::Share {
            let manifest = pen.contents.as_ref().and_then(|contents| contents.manifest.as_ref());
            let manifest = manifest.ok_or_else(|| broken("there is no manifest"))?;
            objects.push((MANIFEST, text(MANIFEST, manifest)?));
        }
        let mut keys = Vec::new();
        for (name, content) in objects {
            let key = format!("{folder}{name}");
            self.put(&key, content).await?;
            keys.push(key);
        }
        Ok(keys)
    }

    /// Copies a shared pen into the shared library, if its program is the one that ran; the
    /// keys of the copies.
    ///
    /// # Errors
    ///
    /// The store failed, the inbox doesn't have the pen any more or has another one, or the
    /// library has another one.
    pub async fn accept(&self, record: &Record) -> Result<Vec<String>, ArchiveError> {
        let id = &record.pen_id;
        let inbox = folder(id, Action::Share).unwrap_or_default();
        let code = code_name(record.lang);
        let mut copies = Vec::new();
        for name in [code, OUTPUT, MANIFEST] {
            let from = format!("{inbox}{name}");
            let content = self.whole(&from).await?;
            let content = content.ok_or_else(|| broken(&format!("{from} is gone")))?;
            if name == code && record.code_hash.as_ref() != Some(&sha256(&content)) {
                return Err(ArchiveError::Altered { key: from });
            }
            copies.push((format!("{}/{id}/{name}", self.shared_lib), content));
        }
        let mut keys = Vec::new();
        for (key, content) in copies {
            self.put(&key, content).await?;
            keys.push(key);
        }
        Ok(keys)
    }

    /// The whole of an object, if there is one.
    async fn whole(&self, key: &str) -> Result<Option<Vec<u8>>, ArchiveError> {
        let range = ByteRange { offset: 0, length: FILE_BYTES };
        let Some(object) = self.store.get(key.to_owned(), range).await? else { return Ok(None) };
        if object.total > object.bytes.len() as u64 {
            return Err(ArchiveError::TooLarge { key: key.to_owned(), bytes: object.total });
        }
        Ok(Some(object.bytes))
    }

    /// Stores what isn't there yet. What is there already is there because the same was
    /// written before, or it is another's.
    async fn put(&self, key: &str, content: Vec<u8>) -> Result<(), ArchiveError> {
        let hash = sha256(&content);
        if self.store.put(key.to_owned(), content, Condition::Absent).await? {
            return Ok(());
        }
        match self.whole(key).await {
            Ok(Some(there)) if sha256(&there) == hash => Ok(()),
            Ok(Some(_)) | Err(ArchiveError::TooLarge { .. }) => {
                Err(ArchiveError::Taken { key: key.to_owned() })
            }
            Ok(None) => Err(broken(&format!("{key} went while it was written"))),
            Err(error) => Err(error),
        }
    }
}

/// Why the objects of a pen aren't where they belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveError {
    /// The store failed; the same may be tried again.
    Store(StoreError),
    /// An object has more bytes than are written and read.
    TooLarge {
        /// The object, or its name.
        key: String,
        /// How many it has.
        bytes: u64,
    },
    /// The program in the inbox isn't the one that ran.
    Altered {
        /// The object.
        key: String,
    },
    /// Another content is there already, and stays.
    Taken {
        /// The object.
        key: String,
    },
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(_) => f.write_str("the objects can't be reached"),
            Self::TooLarge { key, bytes } => {
                write!(f, "{key} has {bytes} bytes, and at most {FILE_BYTES} are kept")
            }
            Self::Altered { key } => {
                write!(f, "{key} is not the program that ran, and isn't accepted")
            }
            Self::Taken { key } => {
                write!(f, "{key} is there already with another content, and stays as it is")
            }
        }
    }
}

impl std::error::Error for ArchiveError {}

impl From<StoreError> for ArchiveError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The folder in which an action leaves a pen, with its last `/`.
fn folder(id: &PenId, action: Action) -> Option<String> {
    match action {
        Action::Erase => None,
        Action::Keep => Some(format!(".github/persona-brain/{}/pen-private/{id}/", id.persona())),
        Action::Share => Some(format!("factory/module-registry/inbox/{id}/")),
    }
}

fn code_name(lang: Lang) -> &'static str {
    match lang {
        Lang::Python => "code.py",
        Lang::Node => "code.mjs",
        Lang::Shell => "code.sh",
    }
}

/// A value as it is stored: indented, what is nested deep would be many times as long.
fn text(name: &str, value: &impl Serialize) -> Result<Vec<u8>, ArchiveError> {
    let text = serde_json::to_vec(value).map_err(|error| broken(&error.to_string()))?;
    if text.len() > FILE_BYTES {
        return Err(ArchiveError::TooLarge { key: name.to_owned(), bytes: text.len() as u64 });
    }
    Ok(text)
}

fn broken(evidence: &str) -> ArchiveError {
    ArchiveError::Store(StoreError { evidence: evidence.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::{ArchiveError, FILE_BYTES, text};

    #[test]
    fn an_object_that_is_too_large_is_refused_by_its_name() {
        let fits = "x".repeat(FILE_BYTES - 2);
        assert_eq!(text("pen.json", &fits).unwrap().len(), FILE_BYTES);
        let over = text("pen.json", &format!("{fits}x")).unwrap_err();
        let bytes = FILE_BYTES as u64 + 1;
        assert_eq!(over, ArchiveError::TooLarge { key: "pen.json".to_owned(), bytes });
        assert!(over.to_string().starts_with("pen.json has "), "{over}");
    }
}
