//! One operation in a catalog, and what is made of it once.

use std::cell::OnceCell;

use super::{ForageError, definition::Defined, describe::Rendering};
use crate::{
    json::Digest,
    operation::{Entry, Labels},
    schema::Schema,
};

/// Where an operation's facts are.
#[derive(Debug)]
enum Facts {
    Defined(Box<Defined>),
    /// An operation of a runtime, which may refuse a call.
    Bound(Entry),
}

/// An operation with what was made of it so far.
#[derive(Debug)]
pub(super) struct Item {
    facts: Facts,
    pub(super) digest: OnceCell<Digest>,
    pub(super) rendering: OnceCell<Box<Result<Rendering, ForageError>>>,
    pub(super) sample: OnceCell<Option<String>>,
    pub(super) signature: OnceCell<String>,
}

impl From<Defined> for Item {
    fn from(defined: Defined) -> Self {
        Self::of(Facts::Defined(Box::new(defined)))
    }
}

impl From<Entry> for Item {
    fn from(entry: Entry) -> Self {
        Self::of(Facts::Bound(entry))
    }
}

impl Item {
    fn of(facts: Facts) -> Self {
        let (digest, rendering, sample, signature) = Default::default();
        Self { facts, digest, rendering, sample, signature }
    }

    pub(super) fn path(&self) -> &str {
        match &self.facts {
            Facts::Defined(defined) => &defined.path,
            Facts::Bound(entry) => entry.path(),
        }
    }

    /// The path's last name.
    pub(super) fn name(&self) -> &str {
        self.path().rsplit('.').next().unwrap_or_default()
    }

    /// The id of the module whose authority it stands under; none when no runtime has it.
    pub(super) fn module(&self) -> Option<&str> {
        match &self.facts {
            Facts::Defined(_) => None,
            Facts::Bound(entry) => Some(entry.module()),
        }
    }

    pub(super) fn description(&self) -> &str {
        match &self.facts {
            Facts::Defined(defined) => &defined.description,
            Facts::Bound(entry) => entry.operation().description(),
        }
    }

    pub(super) fn notes(&self) -> &[String] {
        match &self.facts {
            Facts::Defined(defined) => &defined.notes,
            Facts::Bound(entry) => entry.operation().notes(),
        }
    }

    pub(super) fn instructions(&self) -> Option<&str> {
        match &self.facts {
            Facts::Defined(defined) => defined.instructions.as_deref(),
            Facts::Bound(entry) => entry.operation().instructions(),
        }
    }

    pub(super) fn input(&self) -> &Schema {
        match &self.facts {
            Facts::Defined(defined) => &defined.input,
            Facts::Bound(entry) => entry.operation().input_schema(),
        }
    }

    pub(super) fn output(&self) -> Option<&Schema> {
        match &self.facts {
            Facts::Defined(defined) => defined.output.as_ref(),
            Facts::Bound(entry) => entry.operation().output_schema(),
        }
    }

    pub(super) fn labels(&self) -> Labels {
        match &self.facts {
            Facts::Defined(defined) => defined.labels,
            Facts::Bound(entry) => entry.operation().labels(),
        }
    }

    pub(super) fn is_third_party(&self) -> bool {
        match &self.facts {
            Facts::Defined(defined) => defined.third_party,
            Facts::Bound(entry) => entry.operation().is_third_party(),
        }
    }

    /// Whether a call's answer may be an access refusal.
    pub(super) fn may_refuse(&self) -> bool {
        matches!(self.facts, Facts::Bound(_))
    }
}
