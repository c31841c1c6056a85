//! The lines of an ignore file, in the terms of the matcher.

/// Every line as the matcher reads it.
pub(super) fn lines(text: &str) -> impl Iterator<Item = String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    // No path has two slashes in a row.
    let matches = |line: &&str| !ends_with_escaped_slash(line) && !line.contains("//");
    lines.filter(matches).map(plain)
}

/// Git takes the slash away first, and what ends with half an escape matches nothing.
fn ends_with_escaped_slash(line: &str) -> bool {
    let Some(before) = line.trim_end_matches(' ').strip_suffix('/') else { return false };
    let backslashes = before.len().saturating_sub(before.trim_end_matches('\\').len());
    !backslashes.is_multiple_of(2)
}

/// A line with its braces escaped, which mean nothing to git, and alternatives to the
/// matcher; and with no more than two stars in a row, for git takes more as two.
fn plain(line: &str) -> String {
    let (mut plain, mut escaped, mut class) = (String::new(), false, Class::Outside);
    let mut stars = 0_usize;
    for letter in line.chars() {
        let means_itself = escaped || class != Class::Outside;
        stars = if letter == '*' && !means_itself { stars.saturating_add(1) } else { 0 };
        if stars > 2 {
            continue;
        }
        if matches!(letter, '{' | '}') && !means_itself {
            plain.push('\\');
        }
        plain.push(letter);
        class = if escaped { class } else { class.after(letter) };
        escaped = letter == '\\' && !means_itself;
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
    fn after(self, letter: char) -> Self {
        match (self, letter) {
            (Self::Outside, '[') => Self::Begun,
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
            ("a/****/b", "a/**/b"),
            ("\\***", "\\***"),
            ("[***]", "[***]"),
        ] {
            assert_eq!(plain(line), expected, "{line}");
        }
    }

    #[test]
    fn a_slash_at_the_end_can_not_be_escaped() {
        assert_eq!(lines("a\\/\nb\\\\/\n\\/ \nc/").collect::<Vec<_>>(), ["b\\\\/", "c/"]);
    }

    #[test]
    fn a_byte_order_mark_and_line_endings_are_no_part_of_a_pattern() {
        assert_eq!(lines("\u{feff}a\r\nb\n").collect::<Vec<_>>(), ["a", "b", ""]);
    }
}
