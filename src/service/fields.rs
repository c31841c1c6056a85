//! One object of a request, read strictly: every key is one that it may have.

use serde_json::{Map, Value};

use super::{Functions, RequestError, remote::Remote};
use crate::failure::bounded;

/// The fields of one object, taken one by one.
pub(super) struct Fields {
    path: String,
    entries: Map<String, Value>,
}

impl Fields {
    /// The object at `path`, which has no key but `keys`.
    pub(super) fn of(path: &str, value: Value, keys: &[&str]) -> Result<Self, RequestError> {
        let Value::Object(entries) = value else {
            let problem = format!("give an object with {}", keys.join(", "));
            return Err(RequestError::new(path, problem));
        };
        match entries.keys().find(|key| !keys.contains(&key.as_str())) {
            None => Ok(Self { path: path.to_owned(), entries }),
            Some(unknown) => {
                let unknown = bounded(unknown, 64);
                let problem =
                    format!("there is no key {unknown:?}: the keys are {}", keys.join(", "));
                Err(RequestError::new(path, problem))
            }
        }
    }

    /// The path of `key` in it.
    pub(super) fn at(&self, key: &str) -> String {
        at(&self.path, key)
    }

    /// What is wrong with `key`.
    pub(super) fn wrong(&self, key: &str, problem: impl Into<String>) -> RequestError {
        RequestError::new(&self.at(key), problem)
    }

    pub(super) fn take(&mut self, key: &str) -> Option<Value> {
        self.entries.remove(key)
    }

    /// A text, if there is one.
    pub(super) fn text(&mut self, key: &str) -> Result<Option<String>, RequestError> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.wrong(key, "give a string")),
        }
    }

    /// A text that must be there.
    pub(super) fn required(&mut self, key: &str) -> Result<String, RequestError> {
        self.text(key)?.ok_or_else(|| self.wrong(key, "it is missing: give a string"))
    }

    /// A whole number, if there is one.
    pub(super) fn number(&mut self, key: &str) -> Result<Option<u64>, RequestError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let number = value.as_u64().filter(|number| *number <= crate::json::MAX_SAFE_INTEGER);
        number.map(Some).ok_or_else(|| self.wrong(key, "give a whole number from 0"))
    }

    /// Texts, if there are any.
    pub(super) fn texts(&mut self, key: &str) -> Result<Vec<String>, RequestError> {
        let texts = match self.take(key) {
            None => return Ok(Vec::new()),
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| item.as_str().map(str::to_owned))
                .collect::<Option<Vec<_>>>(),
            Some(_) => None,
        };
        texts.ok_or_else(|| self.wrong(key, "give a list of strings"))
    }

    /// A function, if there is one.
    pub(super) fn function(
        &mut self,
        key: &str,
        functions: &mut Functions,
    ) -> Result<Option<std::rc::Rc<dyn Remote>>, RequestError> {
        let found = functions.take(&self.at(key));
        match (self.take(key), found) {
            (None, None) => Ok(None),
            (_, Some(function)) => Ok(Some(function)),
            (Some(_), None) => Err(self.wrong(key, "give a function")),
        }
    }
}

/// The JSON pointer of `key` under `path`.
pub(super) fn at(path: &str, key: &str) -> String {
    format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))
}
