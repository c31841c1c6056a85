//! The lines of an ignore file, in the terms of the matcher.

/// Every line as the matcher reads it.
pub(super) fn lines(text: &str) -> impl Iterator<Item = String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.split('\n').map(|line| plain(line.strip_suffix('\r').unwrap_or(line)))
}

/// A line with its braces escaped: they mean nothing to git, and alternatives to the
/// matcher.
fn plain(line: &str) -> String {
    let (mut plain, mut escaped, mut class) = (String::new(), false, Class::Outside);
    for letter in line.chars() {
        if matches!(letter, '{' | '}') && !escaped && class == Class::Outside {
            plain.push('\\');
        }
        plain.push(letter);
        escaped = letter == '\\' && !escaped && class == Class::Outside;
        class = class.after(letter, escaped);
    }
    plain
}

/// Whether one is within brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Outside,
    /// After `[`, where `!`, `^` and `]` have their own meanings.
    Begun,
    /// After `[!`, where `]` is a member still.
    Negated,
    Within,
}

impl Class {
    fn after(self, letter: char, escaped: bool) -> Self {
        match (self, letter) {
            (Self::Outside, '[') if !escaped => Self::Begun,
            (Self::Begun, '!' | '^') => Self::Negated,
            (Self::Within, ']') => Self::Outside,
            (Self::Outside, _) => Self::Outside,
            _ => Self::Within,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{lines, plain};

    #[test]
    fn braces_are_plain_outside_of_brackets() {
        for (line, expected) in [
            ("a{b,c}", "a\\{b,c\\}"),
            ("\\{a", "\\{a"),
            ("[{}]{", "[{}]\\{"),
            ("[]{]}", "[]{]\\}"),
            ("[!]{]}", "[!]{]\\}"),
            ("\\[{", "\\[\\{"),
        ] {
            assert_eq!(plain(line), expected, "{line}");
        }
    }

    #[test]
    fn a_byte_order_mark_and_line_endings_are_no_part_of_a_pattern() {
        assert_eq!(lines("\u{feff}a\r\nb\n").collect::<Vec<_>>(), ["a", "b", ""]);
    }
}
