//! A declaration that breaks a rule.

use std::fmt;

/// Which module, which key in it, which rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DefinitionError {
    module: String,
    key: String,
    rule: String,
}

impl DefinitionError {
    /// `key` of `module` breaks `rule`; an empty key is the module itself.
    #[must_use]
    pub fn new(module: &str, key: &str, rule: &str) -> Self {
        Self { module: module.to_owned(), key: key.to_owned(), rule: rule.to_owned() }
    }

    /// The id of the module.
    #[must_use]
    pub fn module(&self) -> &str {
        &self.module
    }

    /// The key in it; empty when the module itself is wrong.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What is wrong, and what to do.
    #[must_use]
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// The same fault, seen from the module that has this one under `key`.
    pub(super) fn under(self, module: &str, key: &str) -> Self {
        let key = if self.key.is_empty() { key.to_owned() } else { format!("{key}.{}", self.key) };
        Self { module: module.to_owned(), key, rule: self.rule }
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "module {:?}", self.module)?;
        if !self.key.is_empty() {
            write!(formatter, ", key {:?}", self.key)?;
        }
        write!(formatter, ": {}", self.rule)
    }
}

impl std::error::Error for DefinitionError {}
