//! Why a text is not run: one typed refusal, with the place and the way out.
//!
//! Owns the closed list of codes and the shape a refusal has on the wire. It
//! does not decide anything: the modules that read the text do.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What kind of refusal it is; its text is a stable kebab-case code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalCode {
    /// The text is not a program this host can run: it does not parse, or it
    /// uses what the guest does not have (imports, `require`, namespaces).
    SyntaxError,
    /// The program parses, but its answer is provably lost.
    NoAnswer,
    /// The text is longer than [`CODE_LIMIT`](crate::CODE_LIMIT) bytes.
    ProgramTooLarge,
    /// The program nests deeper than it can be read safely.
    ProgramTooDeep,
}

impl RefusalCode {
    /// The code as it travels: `syntax-error`, `no-answer`,
    /// `program-too-large` or `program-too-deep`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SyntaxError => "syntax-error",
            Self::NoAnswer => "no-answer",
            Self::ProgramTooLarge => "program-too-large",
            Self::ProgramTooDeep => "program-too-deep",
        }
    }
}

/// A refusal to run a text, known before any isolate is spent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Refusal {
    /// Which refusal it is.
    pub code: RefusalCode,
    /// What is wrong and what to do next, at most 600 bytes.
    pub message: String,
    /// The line it is about, from 1.
    pub line: u32,
    /// The column it is about, from 1, in UTF-16 units.
    pub column: u32,
    /// The lines around the place with a caret under it; may be empty.
    pub frame: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, message, line, column, frame } = self;
        write!(f, "{}: {message} (line {line}, column {column})", code.as_str())?;
        if !frame.is_empty() {
            write!(f, "\n{frame}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}
