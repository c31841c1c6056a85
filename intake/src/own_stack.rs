//! The native way in: the reader on a thread of its own.

use std::thread;

use crate::program::Program;
use crate::reader::read;
use crate::refusal::{Refusal, RefusalCode};

const STACK: usize = 512 * 1024 * 1024;

/// Reads what a model sent as a program, on a thread whose stack no text
/// within [`CODE_LIMIT`](crate::CODE_LIMIT) overflows. Blocks until it is
/// done.
///
/// # Errors
///
/// As [`read`]; also `program-too-deep` when the thread can't be had.
pub fn read_on_own_stack(source: &str) -> Result<Program, Refusal> {
    thread::scope(|scope| {
        let reader = thread::Builder::new().name("intake".to_owned()).stack_size(STACK);
        let running = reader.spawn_scoped(scope, || read(source));
        match running.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(answer)) => answer,
            _ => Err(no_stack()),
        }
    })
}

fn no_stack() -> Refusal {
    Refusal {
        code: RefusalCode::ProgramTooDeep,
        message: "the program could not be read; make it simpler".to_owned(),
        line: 1,
        column: 1,
        frame: String::new(),
    }
}
