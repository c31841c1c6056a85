//! The platform's texts that mean something, and nothing else does.
//!
//! This list is closed, and looked at only for errors that the loader or the
//! dispatch raised on the host: a guest can't say any of them to us.

use wasm_bindgen::{JsCast, JsValue};

use crate::{
    failure::{Failure, Place},
    program::{Program, sent_place},
    sandbox::LoadError,
};

/// How the platform begins a refusal of a module that its parser doesn't take.
const SYNTAX_ERROR: &str = "Failed to start Worker:\nUncaught SyntaxError: ";

/// What an error of the loader or of the dispatch means.
pub(super) fn load_error(error: JsValue, program: &Program) -> LoadError {
    let text = error
        .dyn_ref::<js_sys::Error>()
        .map_or_else(|| format!("{error:?}"), |error| String::from(error.message()));
    match text.strip_prefix(SYNTAX_ERROR) {
        Some(rest) => LoadError::Refused(syntax_error(rest, program)),
        None => LoadError::Platform(text),
    }
}

/// `message`, then a line `at program.js:line:column`, the column counted from 0.
fn syntax_error(text: &str, program: &Program) -> Failure {
    let (problem, trace) = text.split_once('\n').unwrap_or((text, ""));
    let place = trace
        .split_once("program.js:")
        .and_then(|(_, place)| place.split_once(':'))
        .and_then(|(line, rest)| Some((line.parse::<u32>().ok()?, leading_number(rest)?)))
        .map_or_else(Place::default, |(line, column)| {
            sent_place(program, line, column.saturating_add(1))
        });
    Failure::SyntaxError { problem: problem.to_owned(), place }
}

fn leading_number(text: &str) -> Option<u32> {
    text.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
}
