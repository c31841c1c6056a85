//! The WebAssembly ABI: bytes in, bytes out, no imports.
//!
//! The module exports `memory` and two functions:
//!
//! * `reserve(len) -> ptr`: room for `len` bytes of UTF-8, or 0 when `len` is
//!   over [`ROOM_LIMIT`]. Room is reserved once per reading; reserving again
//!   drops what was reserved or answered before.
//! * `read(ptr, len) -> packed`: reads the bytes that were written to the room
//!   as what a model sent. `packed` is an `i64` (a `BigInt` in JavaScript):
//!   the address of the answer in its high 32 bits, its length in bytes in the
//!   low 32. The answer stays until the next call of `reserve` or `read`.
//!
//! The answer is compact JSON in UTF-8, an [`Answer`]:
//!
//! * `{"program":{"module":"…","map":{"line":0,"column":0,"lines":1,"inserted":[[2,1,7]]}}}`
//! * `{"refusal":{"code":"syntax-error","message":"…","line":1,"column":1,"frame":"…"}}`
//!
//! A call that traps has overflowed its stack: the host throws the instance
//! away and answers `program-too-deep`. Nothing else traps. Memory never
//! shrinks, so a host may also throw away an instance that has grown.

use serde::{Deserialize, Serialize};

use crate::program::Program;
use crate::refusal::Refusal;
#[cfg(feature = "reader")]
use crate::refusal::RefusalCode;

/// Most bytes `reserve` gives room for: 16 MiB, so that text over the code
/// limit is still answered with its size.
pub const ROOM_LIMIT: usize = 16 * 1024 * 1024;

/// What a reading gives, as it travels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The text is a program.
    Program(Program),
    /// The text is not run.
    Refusal(Refusal),
}

impl Answer {
    /// The answer as a result.
    ///
    /// # Errors
    ///
    /// The refusal, when it is one.
    pub fn into_result(self) -> Result<Program, Refusal> {
        match self {
            Self::Program(program) => Ok(program),
            Self::Refusal(refusal) => Err(refusal),
        }
    }
}

/// The answer, as JSON, to bytes that should be a program.
#[cfg(feature = "reader")]
#[must_use]
pub fn answer(bytes: &[u8]) -> String {
    let answer = match std::str::from_utf8(bytes) {
        Ok(source) => crate::read(source).map_or_else(Answer::Refusal, Answer::Program),
        Err(error) => Answer::Refusal(not_utf8(bytes, error.valid_up_to())),
    };
    serde_json::to_string(&answer).unwrap_or_default()
}

#[cfg(feature = "reader")]
fn not_utf8(bytes: &[u8], valid: usize) -> Refusal {
    let before = bytes.get(..valid).and_then(|head| std::str::from_utf8(head).ok()).unwrap_or("");
    let place = crate::lines::position(before, before.len());
    Refusal {
        code: RefusalCode::SyntaxError,
        message: "the program is not valid UTF-8 here; send it as a JSON string".to_owned(),
        line: place.line,
        column: place.column,
        frame: String::new(),
    }
}

#[cfg(all(feature = "reader", target_arch = "wasm32"))]
mod exports {
    use std::cell::RefCell;

    thread_local! {
        static ROOM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
        static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }

    #[allow(unsafe_code, reason = "an export needs its plain name")]
    #[unsafe(no_mangle)]
    extern "C" fn reserve(len: usize) -> *mut u8 {
        ANSWER.take();
        if len > super::ROOM_LIMIT {
            ROOM.take();
            return std::ptr::null_mut();
        }
        ROOM.with_borrow_mut(|room| {
            *room = vec![0; len.max(1)];
            room.as_mut_ptr()
        })
    }

    #[allow(unsafe_code, reason = "an export needs its plain name")]
    #[unsafe(no_mangle)]
    extern "C" fn read(ptr: usize, len: usize) -> u64 {
        let room = ROOM.take();
        let reserved = ptr == room.as_ptr().addr();
        let sent = room.get(..len).filter(|_| reserved).unwrap_or(&[0xFF]);
        ANSWER.with_borrow_mut(|answer| {
            *answer = super::answer(sent).into_bytes();
            packed(answer.as_ptr().addr(), answer.len())
        })
    }

    fn packed(ptr: usize, len: usize) -> u64 {
        let wide = |half: usize| u64::try_from(half).unwrap_or(0);
        (wide(ptr) << 32) | wide(len)
    }
}
