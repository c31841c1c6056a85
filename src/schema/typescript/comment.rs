//! Text made safe within `/** … */`.

/// The most characters of one line; longer ones are broken.
const LINE: usize = 400;

/// `text` made safe within `/** … */`: no `*/` in it, no control characters but line breaks,
/// and no line of more than 400 characters. Nothing else of it is lost.
#[must_use]
pub fn comment(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut line = 0_usize;
    let mut last = '\n';
    for character in text.chars() {
        if character == '/' && last == '*' {
            safe.push('\\');
        }
        last = character;
        let shown = shown(character);
        if shown == '\n' || line >= LINE {
            safe.push('\n');
            line = 0;
        }
        if shown != '\n' {
            safe.push(shown);
            line = line.saturating_add(1);
        }
    }
    safe
}

/// Line breaks of every kind are one kind; what can't be seen is a space.
fn shown(character: char) -> char {
    match character {
        '\n' | '\u{2028}' | '\u{2029}' | '\u{85}' => '\n',
        unseen if unseen.is_control() || is_unseen(unseen) => ' ',
        seen => seen,
    }
}

/// Whether a character breaks, reorders or hides the text around it.
pub(super) fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{80}'..='\u{9f}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::{LINE, comment};

    #[test]
    fn a_comment_is_never_closed_by_its_text() {
        for (text, expected) in [
            ("a */ b", "a *\\/ b"),
            ("**/", "**\\/"),
            ("*/*/", "*\\/*\\/"),
            ("/* kept", "/* kept"),
            ("*\u{0}/", "* /"),
        ] {
            assert_eq!(comment(text), expected);
        }
    }

    #[test]
    fn what_cannot_be_seen_is_a_space_and_lines_stay_lines() {
        assert_eq!(comment("a\u{7}b\u{202e}c\u{2028}d\r\ne\tf"), "a b c\nd \ne f");
    }

    #[test]
    fn a_long_line_is_broken() {
        let broken = comment(&"x".repeat(LINE * 2 + 1));
        assert_eq!(broken.lines().map(str::len).collect::<Vec<_>>(), [LINE, LINE, 1]);
    }
}
