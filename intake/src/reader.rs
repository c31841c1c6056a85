//! The whole reading of a text: measure, parse, walk, find the answer.

use oxc_allocator::Allocator;
use oxc_ast::ast;

use crate::CODE_LIMIT;
use crate::answer;
use crate::lines;
use crate::nesting::{self, HOPELESS};
use crate::parse::{check, parse};
use crate::program::{Position, PositionMap, Program};
use crate::recover::{Recovery, recover};
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
    read_text(&whole, WRAPPINGS)
}

/// How many wrappings a program may be in: JSON in a fence, a fence in JSON.
const WRAPPINGS: u32 = 3;

fn too_large(text: &Text<'_>) -> Refusal {
    let message = format!(
        "the program has {} bytes, the limit is {CODE_LIMIT}; send less code and fetch data inside the program",
        text.text.len()
    );
    let place = text.position(CODE_LIMIT);
    Refusal {
        code: RefusalCode::ProgramTooLarge,
        message,
        line: place.line,
        column: place.column,
        frame: String::new(),
    }
}

fn too_deep(text: &Text<'_>, offset: usize) -> Refusal {
    let message = "the program nests too deep here; split it into statements and functions";
    text.refuse(RefusalCode::ProgramTooDeep, offset, message)
}

/// How one text turned out.
enum Reading {
    Program(Program),
    /// It parses, or nests too deep to: that is what it is.
    Refused(Refusal),
    /// It does not parse, or only because a fence happens to: perhaps it
    /// holds a program.
    Unparsed(Refusal),
}

fn read_text(text: &Text<'_>, wrappings: u32) -> Result<Program, Refusal> {
    match read_once(text) {
        Reading::Program(program) => Ok(program),
        Reading::Refused(refusal) => Err(refusal),
        Reading::Unparsed(refusal) => recovered(text, wrappings).unwrap_or(Err(refusal)),
    }
}

/// What the program inside a text gives; `None` when there is none.
fn recovered(text: &Text<'_>, wrappings: u32) -> Option<Result<Program, Refusal>> {
    let wrappings = wrappings.checked_sub(1)?;
    match recover(text) {
        Recovery::Part(part) => Some(read_text(&part, wrappings)),
        Recovery::Parts(second) => {
            Some(Err(text.refuse(RefusalCode::NoAnswer, second, TWO_PROGRAMS)))
        }
        Recovery::Perhaps(tries) => tries.iter().find_map(|text| match read_once(text) {
            Reading::Program(program) => Some(Ok(program)),
            Reading::Refused(refusal) => Some(Err(refusal)),
            Reading::Unparsed(_) => None,
        }),
    }
}

const TWO_PROGRAMS: &str =
    "which program to run is open: there is a second block of code here; send one program";

fn read_once(text: &Text<'_>) -> Reading {
    let nesting = nesting::measure(&text.text);
    if nesting.depth > HOPELESS {
        return Reading::Refused(too_deep(text, nesting.past_limit.unwrap_or(0)));
    }
    let allocator = Allocator::default();
    match (parse(&allocator, &text.text), nesting.past_limit) {
        (Ok(program), _) => read_program(&program, text),
        (Err(_), Some(offset)) => Reading::Refused(too_deep(text, offset)),
        (Err(error), None) => {
            Reading::Unparsed(text.refuse(RefusalCode::SyntaxError, error.offset, &error.message))
        }
    }
}

fn read_program(program: &ast::Program<'_>, text: &Text<'_>) -> Reading {
    let mut survey = Survey::of(program, &text.text);
    if let Some(offset) = survey.too_deep {
        return Reading::Refused(too_deep(text, as_index(offset)));
    }
    if let Some(fence) = survey.fenced {
        return Reading::Unparsed(text.refuse(
            RefusalCode::SyntaxError,
            as_index(fence.start),
            NO_PROGRAM,
        ));
    }
    let answer = match survey.refused.take() {
        Some(fault) => Err(fault),
        None => answer::give(program, &text.text, &mut survey),
    };
    let answer = answer
        .map_err(|fault| text.refuse(fault.code, as_index(fault.at), &fault.message))
        .and_then(|()| checked(survey.edits.apply(text), text));
    answer.map_or_else(Reading::Refused, Reading::Program)
}

const NO_PROGRAM: &str = "this is Markdown without a block of JavaScript; send the code alone";

/// A program whose module is JavaScript to an engine.
fn checked(program: Program, text: &Text<'_>) -> Result<Program, Refusal> {
    let Err(error) = check(&program.module) else {
        return Ok(program);
    };
    let place = lines::position(&program.module, error.offset);
    let own = PositionMap { line: 0, column: 0, ..program.map };
    let place = own.sent(place).unwrap_or(Position { line: own.lines, column: u32::MAX });
    Err(text.refuse_at(RefusalCode::SyntaxError, place, &error.message))
}

fn as_index(offset: u32) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}
