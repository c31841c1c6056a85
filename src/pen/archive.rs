//! Where pens lie that are kept, shared and accepted.
//!
//! Owns the keys of their objects and what is in them. Objects are written before a pen's
//! state moves, and writing them again changes nothing.
//!
//! Spec: 002, §3: the two paths are the specification's, to the letter.

use std::rc::Rc;

use serde::Serialize;

use super::{Action, Lang, PenId, ledger::Pen};
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
    /// The store failed; some of them may be there.
    pub async fn write(&self, pen: &Pen, action: Action) -> Result<Vec<String>, StoreError> {
        let id = &pen.record.pen_id;
        let Some(folder) = folder(id, action) else { return Ok(Vec::new()) };
        let output = pen.output().ok_or_else(|| broken("the pen has no output"))?;
        let mut objects = vec![
            (code_name(output.lang), output.code.clone().into_bytes()),
            (OUTPUT, text(&output)?),
        ];
        if action == Action::Share {
            let manifest = pen.contents.as_ref().and_then(|contents| contents.manifest.as_ref());
            objects
                .push((MANIFEST, text(manifest.ok_or_else(|| broken("there is no manifest"))?)?));
        }
        let mut keys = Vec::new();
        for (name, content) in objects {
            let key = format!("{folder}{name}");
            self.store.put(key.clone(), content, Condition::Always).await?;
            keys.push(key);
        }
        Ok(keys)
    }

    /// Copies a shared pen into the shared library; the keys of the copies.
    ///
    /// # Errors
    ///
    /// The store failed, or the inbox doesn't have the pen any more.
    pub async fn accept(&self, id: &PenId, lang: Lang) -> Result<Vec<String>, StoreError> {
        let inbox = folder(id, Action::Share).unwrap_or_default();
        let mut keys = Vec::new();
        for name in [code_name(lang), OUTPUT, MANIFEST] {
            let from = format!("{inbox}{name}");
            let range = ByteRange { offset: 0, length: FILE_BYTES };
            let found = self.store.get(from.clone(), range).await?;
            let object = found.ok_or_else(|| broken(&format!("{from} is gone")))?;
            let key = format!("{}/{id}/{name}", self.shared_lib);
            self.store.put(key.clone(), object.bytes, Condition::Always).await?;
            keys.push(key);
        }
        Ok(keys)
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

fn text(value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec_pretty(value).map_err(|error| broken(&error.to_string()))
}

fn broken(evidence: &str) -> StoreError {
    StoreError { evidence: evidence.to_owned() }
}
