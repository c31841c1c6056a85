//! One line, and how it ends.

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Lf,
    CrLf,
    /// The text ends without one.
    None,
}

impl Ending {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::None => "",
        }
    }
}

/// A line without its ending, and the ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) ending: Ending,
}

impl<'a> Line<'a> {
    /// A line from what stands up to and with its newline.
    pub(super) fn of(whole: &'a str) -> Self {
        if let Some(text) = whole.strip_suffix("\r\n") {
            return Self { text, ending: Ending::CrLf };
        }
        match whole.strip_suffix('\n') {
            Some(text) => Self { text, ending: Ending::Lf },
            None => Self { text: whole, ending: Ending::None },
        }
    }
}

/// The lines of a text; joined with their endings they are the text again.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.split_inclusive('\n').map(Line::of)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::lines;

    proptest! {
        #[test]
        fn the_lines_of_a_text_are_the_text(text in "[a\r\n\u{feff} ]{0,40}") {
            let joined: String =
                lines(&text).flat_map(|line| [line.text, line.ending.as_str()]).collect();
            prop_assert_eq!(joined, text);
        }
    }
}
