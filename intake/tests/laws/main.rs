//! The laws of the intake, as one binary.
#![cfg(feature = "reader")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test says what it expected"
)]

mod abi;
mod answers;
mod corpus;
mod depth;
mod positions;
mod refusals;
mod texts;
mod types;

use mycelium_intake::{Refusal, read};

/// The program's lines of the module a text becomes.
fn body(source: &str) -> String {
    let module = read(source).unwrap_or_else(|refusal| panic!("{source:?}: {refusal}")).module;
    let inside = module.strip_prefix("export default async () => {\n").expect("the head");
    inside.strip_suffix("\n};\n").expect("the tail").to_owned()
}

fn refusal(source: &str) -> Refusal {
    match read(source) {
        Ok(program) => panic!("{source:?} was read as {}", program.module),
        Err(refusal) => refusal,
    }
}

/// Whether a text is an ES module of JavaScript.
fn is_module(text: &str) -> bool {
    let allocator = oxc_allocator::Allocator::default();
    let parsed = oxc_parser::Parser::new(&allocator, text, oxc_span::SourceType::mjs()).parse();
    parsed.diagnostics.into_vec().is_empty()
}
