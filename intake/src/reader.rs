//! The whole reading of a text: measure, parse, walk, find the answer.

use oxc_allocator::Allocator;

use crate::CODE_LIMIT;
use crate::answer;
use crate::nesting::{self, HOPELESS};
use crate::parse::parse;
use crate::program::Program;
use crate::refusal::{Refusal, RefusalCode};
use crate::survey::Survey;
use crate::text::Text;

/// Reads what a model sent as a program.
///
/// Pure: the same text gives the same answer, natively and in wasm.
///
/// # Errors
///
/// A [`Refusal`] when the text is too large, nests too deep, does not parse,
/// uses what the guest does not have, or provably loses its answer.
///
/// # Stack
///
/// Parsing recurses. Natively call [`read_on_own_stack`](crate::read_on_own_stack)
/// for text from outside; in wasm an overflow traps, which the host answers
/// with `program-too-deep`.
pub fn read(source: &str) -> Result<Program, Refusal> {
    let whole = Text::whole(source);
    if source.len() > CODE_LIMIT {
        return Err(too_large(&whole));
    }
    read_text(&whole)
}

fn too_large(text: &Text<'_>) -> Refusal {
    let message = format!(
        "the program has {} bytes, the limit is {CODE_LIMIT}; send less code and fetch data inside the program",
        text.text.len()
    );
    Refusal {
        frame: String::new(),
        ..text.refuse(RefusalCode::ProgramTooLarge, CODE_LIMIT, &message)
    }
}

fn too_deep(text: &Text<'_>, offset: usize) -> Refusal {
    let message = "the program nests too deep here; split it into statements and functions";
    text.refuse(RefusalCode::ProgramTooDeep, offset, message)
}

fn read_text(text: &Text<'_>) -> Result<Program, Refusal> {
    let nesting = nesting::measure(&text.text);
    if nesting.depth > HOPELESS {
        return Err(too_deep(text, nesting.past_limit.unwrap_or(0)));
    }
    let allocator = Allocator::default();
    let program = parse(&allocator, &text.text).map_err(|error| match nesting.past_limit {
        Some(offset) => too_deep(text, offset),
        None => text.refuse(RefusalCode::SyntaxError, error.offset, &error.message),
    })?;
    let mut survey = Survey::of(&program, &text.text);
    let at = |offset: u32| usize::try_from(offset).unwrap_or(usize::MAX);
    if let Some(offset) = survey.too_deep {
        return Err(too_deep(text, at(offset)));
    }
    if let Some((offset, message)) = &survey.refused {
        return Err(text.refuse(RefusalCode::SyntaxError, at(*offset), message));
    }
    answer::give(&program, &mut survey.edits);
    Ok(survey.edits.apply(text))
}
