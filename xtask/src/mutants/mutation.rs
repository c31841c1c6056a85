//! One way to break the sources.

use super::trial::Suite;
use crate::failure::Failure;

/// A law broken, and the test that has to notice.
#[derive(Debug)]
pub(super) struct Mutation {
    /// What it does, in words.
    pub(super) name: &'static str,
    /// The file, from the top of the checkout.
    pub(super) file: &'static str,
    /// Texts that are there exactly once, each with what takes its place.
    pub(super) edits: &'static [(&'static str, &'static str)],
    /// Where the test is.
    pub(super) suite: Suite,
    /// The test's whole path.
    pub(super) test: &'static str,
}

impl Mutation {
    /// The broken text of its file.
    ///
    /// A text that isn't there exactly once is an error: then the sources have moved on,
    /// and nobody knows what would be broken.
    pub(super) fn apply(&self, text: &str) -> Result<String, Failure> {
        self.edits.iter().try_fold(text.to_owned(), |text, (from, to)| {
            match text.matches(from).count() {
                1 => Ok(text.replace(from, to)),
                found => Err(Failure::verdict(format!(
                    "{}: the mutation `{}` finds its text {found} times, not once: follow the \
                     sources in xtask/src/mutants/list.rs\n{from}",
                    self.file, self.name,
                ))),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Mutation, Suite};

    const MUTATION: Mutation = Mutation {
        name: "m",
        file: "f.rs",
        edits: &[("a + b", "a"), ("c();\n", "")],
        suite: Suite::Unit,
        test: "t",
    };

    #[test]
    fn every_edit_is_made() {
        assert_eq!(MUTATION.apply("x = a + b;\nc();\ny").ok().as_deref(), Some("x = a;\ny"));
    }

    #[test]
    fn a_text_that_is_not_there_exactly_once_is_an_error() {
        for text in ["", "a + b", "c();\n", "a + b, a + b, c();\n"] {
            let error = MUTATION.apply(text).err().map(|error| error.to_string());
            assert!(error.is_some_and(|error| error.contains("f.rs: the mutation `m`")), "{text}");
        }
    }
}
