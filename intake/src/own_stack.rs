//! The native way in: the reader on a thread of its own.

use std::thread;

use crate::CODE_LIMIT;
use crate::program::Program;
use crate::reader::read;
use crate::refusal::{Refusal, RefusalCode};

/// Stack a byte of text can cost. The dearest is `(`: 1.5 KB in a release
/// build, 2.9 KB in a debug build. Stack that is not touched costs nothing.
const STACK_PER_BYTE: usize = 4096;

/// Stack for everything that does not depend on the text.
const STACK_BASE: usize = 8 * 1024 * 1024;

/// Reads what a model sent as a program, on a thread whose stack no text
/// within [`CODE_LIMIT`] overflows. Blocks until it is
/// done.
///
/// # Errors
///
/// As [`read`]; also `program-too-deep` when the thread can't be had.
pub fn read_on_own_stack(source: &str) -> Result<Program, Refusal> {
    thread::scope(|scope| {
        let reader = thread::Builder::new().name("intake".to_owned()).stack_size(stack(source));
        let running = reader.spawn_scoped(scope, || read(source));
        match running.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(answer)) => answer,
            _ => Err(no_stack()),
        }
    })
}

fn stack(source: &str) -> usize {
    source.len().min(CODE_LIMIT).saturating_mul(STACK_PER_BYTE).saturating_add(STACK_BASE)
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
