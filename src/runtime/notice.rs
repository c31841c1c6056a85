//! Telling, once, which limits this host doesn't enforce.
//!
//! It reports a fact; it adds no policy. Spec: 000, "Sandbox admission".

use std::cell::RefCell;

use crate::port::Console;

/// A limit that local development doesn't enforce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnenforcedLimit {
    /// The isolate's CPU time.
    Cpu,
    /// The isolate's memory.
    Memory,
    /// The size of what the isolate sends.
    Output,
    /// Ending the isolate's work.
    Cancel,
}

impl UnenforcedLimit {
    /// Every limit with the name it has in configuration.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("cpu", Self::Cpu),
        ("memory", Self::Memory),
        ("output", Self::Output),
        ("cancel", Self::Cancel),
    ];

    fn line(self) -> &'static str {
        match self {
            Self::Cpu => "CPU limits are not enforced in local dev",
            Self::Memory => "Memory limits are not enforced in local dev",
            Self::Output => "Output limits are not enforced in local dev",
            Self::Cancel => "Cancellation is not enforced in local dev",
        }
    }
}

/// The notices of one runtime; every sandbox of that runtime shares them.
#[derive(Debug, Default)]
pub struct Notices {
    due: RefCell<Vec<UnenforcedLimit>>,
}

impl Notices {
    /// Notices for the limits that the host declares unenforced.
    #[must_use]
    pub fn new(limits: Vec<UnenforcedLimit>) -> Self {
        Self { due: RefCell::new(limits) }
    }

    /// Prints each notice that hasn't been printed.
    pub fn print(&self, console: &dyn Console) {
        let due = self.due.take();
        for limit in due {
            console.warn(limit.line());
        }
    }
}
