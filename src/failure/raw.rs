//! The answer that an operation gave and that isn't what it declares.

use std::{fmt, rc::Rc};

use serde_json::Value;

/// An answer as it came, kept beside the failure that it makes: what was done isn't
/// done again to see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Raw(Option<Rc<Value>>);

impl Raw {
    /// The answer `value`.
    #[must_use]
    pub fn new(value: Value) -> Self {
        Self(Some(Rc::new(value)))
    }

    /// The answer, if it was kept.
    #[must_use]
    pub fn value(&self) -> Option<&Value> {
        self.0.as_deref()
    }
}

/// Where a program finds it, for the end of a message.
impl fmt::Display for Raw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(_) => formatter.write_str(
                "; the answer as it came is the error's own `value`: catch the error to read it",
            ),
            None => Ok(()),
        }
    }
}
