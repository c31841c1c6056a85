//! Reads the text a model sent as a program, before any isolate is spent.
//!
//! A text becomes either a [`Program`], the ES module a guest isolate runs,
//! or a [`Refusal`] that names what is wrong, where, and the way out.
//!
//! ```
//! # #[cfg(feature = "reader")] {
//! use mycelium_intake::{RefusalCode, read};
//!
//! let program = read("const n: number = 20;\nn + 1").expect("a program");
//! assert_eq!(
//!     program.module,
//!     "export default async () => {\nconst n         = 20;\nreturn n + 1\n};\n",
//! );
//!
//! let refusal = read("import fs from 'fs';\nreturn 1").expect_err("no imports");
//! assert_eq!(refusal.code, RefusalCode::SyntaxError);
//! # }
//! ```
//!
//! The crate runs in two ways. As `intake.wasm` it is an instance of its own
//! without imports; what traps in it (text nested so deep that the parser
//! overflows its stack) loses that instance and nothing else. Natively
//! [`read_on_own_stack`] runs the same function on a thread whose stack no
//! text within the limit can overflow.

mod program;
mod refusal;

#[cfg(feature = "reader")]
mod answer;
#[cfg(feature = "reader")]
mod edits;
#[cfg(feature = "reader")]
mod lines;
#[cfg(feature = "reader")]
mod nesting;
#[cfg(feature = "reader")]
mod parse;
#[cfg(feature = "reader")]
mod reader;
#[cfg(feature = "reader")]
mod recover;
#[cfg(feature = "reader")]
mod survey;
#[cfg(feature = "reader")]
mod text;

#[cfg(all(feature = "reader", not(target_arch = "wasm32")))]
mod own_stack;

pub mod abi;

#[cfg(all(feature = "reader", not(target_arch = "wasm32")))]
pub use own_stack::read_on_own_stack;
pub use program::{Position, PositionMap, Program};
#[cfg(feature = "reader")]
pub use reader::read;
pub use refusal::{Refusal, RefusalCode};

/// Longest text read, in bytes: 256 KiB.
pub const CODE_LIMIT: usize = 256 * 1024;
