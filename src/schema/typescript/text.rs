//! Text that is bounded while it is written.

/// Text, and how much of it there may be.
pub(super) struct Text {
    text: String,
    bound: usize,
    level: usize,
    /// Whether types are written on one line and without comments.
    pub(super) inline: bool,
}

/// There is more to write than the bound allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

impl Text {
    pub(super) fn new(bound: usize, inline: bool) -> Self {
        Self { text: String::new(), bound, level: 0, inline }
    }

    pub(super) fn push(&mut self, part: &str) -> Result<(), Full> {
        if self.text.len().saturating_add(part.len()) > self.bound {
            return Err(Full);
        }
        self.text.push_str(part);
        Ok(())
    }

    /// A new line, or a space when there is only one.
    pub(super) fn line(&mut self) -> Result<(), Full> {
        if self.inline {
            return self.push(" ");
        }
        self.push("\n")?;
        (0..self.level).try_for_each(|_| self.push("  "))
    }

    /// The next lines are one level further in.
    pub(super) fn deepen(&mut self) {
        self.level = self.level.saturating_add(1);
    }

    /// The next lines are one level further out.
    pub(super) fn rise(&mut self) {
        self.level = self.level.saturating_sub(1);
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::{Full, Text};

    #[test]
    fn nothing_is_written_over_the_bound() {
        let mut text = Text::new(3, false);
        assert_eq!(text.push("abc"), Ok(()));
        assert_eq!(text.push("d"), Err(Full));
        assert_eq!(text.finish(), "abc");
    }
}
