//! Bytes: blanks, strings, and their length.

use super::{Pass, node::Node};

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// The top bit of each byte of `word` that ends a run; above the first, of others too.
fn ends(word: u64) -> u64 {
    let equal = |byte: u8| {
        let zeros = word ^ ONES.wrapping_mul(u64::from(byte));
        zeros.wrapping_sub(ONES) & !zeros
    };
    let control = word.wrapping_sub(ONES.wrapping_mul(0x20)) & !word;
    (equal(b'"') | equal(b'\\') | control) & TOPS
}

impl Pass<'_> {
    /// The byte here; 0, which no text has there, at the end.
    pub(super) fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or_default()
    }

    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let here = self.bytes.get(self.at) == Some(&byte);
        self.at = self.at.wrapping_add(usize::from(here));
        here
    }

    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at = self.at.wrapping_add(1);
        }
    }

    /// Goes on to a quote, a backslash, a control character or the end.
    pub(super) fn run(&mut self) {
        while let Some(word) = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk::<8>) {
            let ends = ends(u64::from_le_bytes(*word));
            if ends != 0 {
                let bytes = ends.trailing_zeros() / 8;
                self.at = self.at.wrapping_add(usize::try_from(bytes).unwrap_or_default());
                return;
            }
            self.at = self.at.wrapping_add(8);
        }
        while self.bytes.get(self.at).is_some_and(|byte| *byte >= 0x20 && !b"\"\\".contains(byte)) {
            self.at = self.at.wrapping_add(1);
        }
    }

    pub(super) fn string(&mut self, node: &Node) -> bool {
        self.at = self.at.wrapping_add(1);
        let start = self.at;
        // Bytes that escapes have more than what they mean has characters.
        let mut more = 0_usize;
        self.run();
        while self.peek() == b'\\' {
            let Some(bytes) = self.escape() else { return false };
            more = more.wrapping_add(bytes);
            self.run();
        }
        let Some(text) = self.bytes.get(start..self.at) else { return false };
        self.eat(b'"')
            && node.length.is_none_or(|(least, most)| fits(text, more, least, most))
            && node.listed.as_ref().is_none_or(|listed| {
                more == 0 && listed.strings.iter().any(|string| **string == *text)
            })
    }

    /// Goes over an escape that means a whole character; how many bytes it has beyond one.
    fn escape(&mut self) -> Option<usize> {
        let bytes: usize = match self.bytes.get(self.at.wrapping_add(1))? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => 2,
            b'u' => {
                let digits = self.bytes.get(self.at.wrapping_add(2)..self.at.wrapping_add(6))?;
                let surrogate =
                    matches!(digits, [b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', ..]);
                if surrogate || !digits.iter().all(u8::is_ascii_hexdigit) {
                    return None;
                }
                6
            }
            _ => return None,
        };
        self.at = self.at.wrapping_add(bytes);
        Some(bytes.wrapping_sub(1))
    }
}

/// Whether the text, `more` of whose bytes count for nothing, has characters within bounds.
fn fits(text: &[u8], more: usize, least: usize, most: usize) -> bool {
    // A character has at most four bytes.
    if more == 0 && text.len() <= most && text.len().div_ceil(4) >= least {
        return true;
    }
    let begun = text.iter().filter(|byte| (**byte & 0xc0) != 0x80).count();
    (least..=most).contains(&begun.wrapping_sub(more))
}
