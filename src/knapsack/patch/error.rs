//! Why a patch is refused; nothing is changed then.

use std::fmt;

/// The most characters of a line that a message shows.
const LINE_CHARS: usize = 200;

/// Why a patch can't be applied.
///
/// Lines and hunks are counted from 1. The texts of lines are cut where they are long.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatchError {
    /// It isn't a patch.
    Parse {
        /// The line of the patch; 0 when it is the whole.
        line: usize,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The file doesn't hold the lines that a hunk keeps and removes.
    ContextNotFound {
        /// The file.
        file: String,
        /// Which hunk of the file.
        hunk: usize,
        /// The first line of the file that differs, where most of the hunk fits.
        file_line: usize,
        /// What the hunk has there.
        expected: String,
        /// What the file really holds there; none past its end.
        actual: Option<String>,
    },
    /// The file holds the lines more than once.
    AmbiguousContext {
        /// The file.
        file: String,
        /// Which hunk of the file.
        hunk: usize,
        /// Where each lookalike begins; the first ten.
        matches: Vec<usize>,
    },
    /// A file is to be added or moved to where there is one.
    FileExists {
        /// The file.
        file: String,
    },
    /// There is no such file.
    FileMissing {
        /// The file.
        file: String,
    },
    /// The file holds what isn't text.
    NotText {
        /// The file.
        file: String,
    },
    /// The path isn't one.
    PathRefused {
        /// The path as the patch has it.
        file: String,
        /// The rule it breaks.
        rule: &'static str,
    },
    /// The patch or the work it takes is over a bound.
    TooLarge {
        /// Which bound, and what to do.
        problem: String,
    },
}

impl PatchError {
    pub(super) fn parse(line: usize, problem: impl Into<String>) -> Self {
        Self::Parse { line, problem: problem.into() }
    }

    pub(super) fn missing(file: &str) -> Self {
        Self::FileMissing { file: file.to_owned() }
    }

    pub(super) fn exists(file: &str) -> Self {
        Self::FileExists { file: file.to_owned() }
    }

    /// The kind, in one word or several.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Parse { .. } => "parse",
            Self::ContextNotFound { .. } => "context-not-found",
            Self::AmbiguousContext { .. } => "ambiguous-context",
            Self::FileExists { .. } => "file-exists",
            Self::FileMissing { .. } => "file-missing",
            Self::NotText { .. } => "not-text",
            Self::PathRefused { .. } => "path-refused",
            Self::TooLarge { .. } => "too-large",
        }
    }
}

/// A line as a message shows it.
pub(super) fn shown(line: &str) -> String {
    let mut characters = line.chars();
    let mut shown: String = characters.by_ref().take(LINE_CHARS).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

impl fmt::Display for PatchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parse { line: 0, problem } => formatter.write_str(problem),
            Self::Parse { line, problem } => {
                write!(formatter, "line {line} of the patch: {problem}")
            }
            Self::ContextNotFound { file, hunk, file_line, expected, actual } => {
                write!(
                    formatter,
                    "{file}, hunk {hunk}: the patch has {expected:?} where line {file_line} of the file "
                )?;
                match actual {
                    Some(actual) => write!(formatter, "reads {actual:?}")?,
                    None => formatter.write_str("would be past its end")?,
                }
                formatter.write_str(": read the file and make the hunk of what it holds")
            }
            Self::AmbiguousContext { file, hunk, matches } => {
                let lines: Vec<_> = matches.iter().map(ToString::to_string).collect();
                let lines = lines.join(", ");
                write!(
                    formatter,
                    "{file}, hunk {hunk}: its lines stand in the file more than once, at lines {lines}: add lines around them, or an anchor (@@ and the line that begins the block)"
                )
            }
            Self::FileExists { file } => {
                write!(formatter, "{file} exists: update it, or choose another path")
            }
            Self::FileMissing { file } => {
                write!(formatter, "there is no file {file}: add it, or look up its path")
            }
            Self::NotText { file } => {
                write!(formatter, "{file} isn't UTF-8 text and can't be patched: write it whole")
            }
            Self::PathRefused { file, rule } => {
                write!(formatter, "the path {:?} is refused: {rule}", shown(file))
            }
            Self::TooLarge { problem } => formatter.write_str(problem),
        }
    }
}

impl std::error::Error for PatchError {}
