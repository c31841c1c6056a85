//! The outline of a text: where its code starts and ends, and its last braces.

use std::ops::Range;

use super::Scan;
use super::tokens::{Regex, Token, Tokens};

/// The outline of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Offset of the first token.
    pub(crate) first: usize,
    /// Offset behind the last token, closing semicolons apart.
    pub(crate) end: usize,
    /// Braces that are in no others, start a statement's place and end the
    /// text.
    pub(crate) last_braces: Option<Range<usize>>,
}

impl Shape {
    /// The outline of a text that has tokens.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let mut scan = Scan::default();
        let mut tokens = Tokens::new(text);
        let mut shape: Option<Self> = None;
        let mut opened = 0;
        while let Some(token) = tokens.next(scan.regex() == Regex::Yes, scan.in_template()) {
            let start = tokens.start();
            let shape = shape.get_or_insert(Self { first: start, end: start, last_braces: None });
            if token == Token::Semicolon {
                scan.take(token);
                continue;
            }
            shape.end = tokens.at();
            shape.last_braces = None;
            if scan.outer.is_empty() && scan.may_start_statement() {
                opened = start;
            }
            scan.take(token);
            let is_brace = text.as_bytes().get(opened) == Some(&b'{');
            if token == Token::CloseBrace && scan.outer.is_empty() && is_brace {
                shape.last_braces = Some(opened..tokens.at());
            }
        }
        shape
    }
}

/// Offsets of a byte outside of strings, templates and comments.
pub(crate) fn outside_strings(text: &str, wanted: u8) -> Vec<usize> {
    let mut found = Vec::new();
    let mut tokens = Tokens::new(text);
    while let Some(token) = tokens.next(false, false) {
        let range = tokens.start()..tokens.at();
        let quoted = matches!(text.as_bytes().get(range.start), Some(b'"' | b'\'' | b'`'));
        if !quoted && !matches!(token, Token::Template | Token::OpenTemplate) {
            found.extend(range.filter(|at| text.as_bytes().get(*at) == Some(&wanted)));
        }
    }
    found
}
