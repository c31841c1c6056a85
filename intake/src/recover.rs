//! Programs inside of something else: what to try when a whole text does not
//! parse.
//!
//! Nothing here runs for a text that parses. A fence or a JSON wrapper says
//! clearly where the program is; the other forms are tries, and only one that
//! parses is taken.

use crate::nesting::Shape;
use crate::text::Text;

mod escapes;
mod fences;
mod json;

/// What a text that does not parse may be.
#[derive(Debug)]
pub(crate) enum Recovery<'s> {
    /// The program is this part, also if that does not parse either.
    Part(Text<'s>),
    /// More than one part could be the program: their offsets.
    Parts(usize),
    /// It may be one of these, the first that parses.
    Perhaps(Vec<Text<'s>>),
}

/// What to try instead of a text.
pub(crate) fn recover<'s>(text: &Text<'s>) -> Recovery<'s> {
    if let Some(code) = json::code(&text.text) {
        return Recovery::Part(Text::decoded(code));
    }
    match fences::programs(&text.text).as_slice() {
        [] => Recovery::Perhaps(perhaps(text)),
        [only] => Recovery::Part(text.part(only.clone())),
        [_, second, ..] => Recovery::Parts(second.start),
    }
}

fn perhaps<'s>(text: &Text<'s>) -> Vec<Text<'s>> {
    let source = text.text.as_ref();
    let mut tries = Vec::new();
    if let Some(shape) = Shape::of(source) {
        // An object, a nameless function: values, but not statements.
        tries.push(text.with(&[(shape.first, "("), (shape.end, ")")]));
        tries.extend(
            shape
                .last_braces
                .map(|braces| text.with(&[(braces.start, "return ("), (braces.end, ")")])),
        );
    }
    tries.extend(escapes::line_ends(source).map(Text::decoded));
    tries.extend(escapes::all(source).map(Text::decoded));
    tries.extend(hashbang(text));
    tries
}

/// A `#!` line that is not the first.
fn hashbang<'s>(text: &Text<'s>) -> Option<Text<'s>> {
    let source = text.text.as_ref();
    let start = source.len().saturating_sub(source.trim_start().len());
    let line = source.get(start..).filter(|rest| rest.starts_with("#!"))?;
    let length = line.find('\n').unwrap_or(line.len());
    Some(text.part(start.saturating_add(length)..source.len()))
}
