//! What a program printed, up to a bound.

use super::Limits;

/// One printed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// `debug`, `log`, `info`, `warn` or `error`.
    pub level: String,
    /// The text.
    pub text: String,
}

/// The lines of one execution. What is over the bound is counted, not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Logs {
    lines: Vec<Line>,
    bytes: usize,
    dropped: usize,
}

impl Logs {
    /// Adds a line, or counts it when there is no room for it.
    pub fn push(&mut self, line: Line, limits: &Limits) {
        let bytes = self.bytes.saturating_add(line.text.len());
        if self.lines.len() >= limits.log_lines || bytes > limits.log_bytes {
            self.dropped = self.dropped.saturating_add(1);
            return;
        }
        self.bytes = bytes;
        self.lines.push(line);
    }

    /// The lines that were kept.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Bytes of the lines that were kept.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many lines there was no room for.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::{Limits, Line, Logs};

    #[test]
    fn what_is_over_the_bound_is_counted() {
        let limits = Limits { log_bytes: 10, log_lines: 3, ..Limits::default() };
        let line = |text: &str| Line { level: "log".into(), text: text.into() };
        let mut logs = Logs::default();
        for text in ["1234", "567890", "1", "", ""] {
            logs.push(line(text), &limits);
        }
        assert_eq!(logs.lines(), [line("1234"), line("567890"), line("")]);
        assert_eq!(logs.dropped(), 2);
    }
}
