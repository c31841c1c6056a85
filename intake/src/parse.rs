//! One parse: a text as TypeScript, with `await` and `return` at its top.

use oxc_allocator::Allocator;
use oxc_ast::ast;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

/// Why a text does not parse.
#[derive(Clone, Debug)]
pub(crate) struct ParseError {
    /// Byte offset in the text.
    pub(crate) offset: usize,
    /// What the parser says, and its hint.
    pub(crate) message: String,
}

/// Parses a whole text. Anything the parser complains about is an error, also
/// what it could recover from.
pub(crate) fn parse<'a>(
    allocator: &'a Allocator,
    text: &'a str,
) -> Result<ast::Program<'a>, ParseError> {
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(allocator, text, SourceType::ts()).with_options(options).parse();
    let first = parsed.diagnostics.into_vec().into_iter().map(|diagnostic| {
        let offset = diagnostic.labels.iter().map(|label| label.offset()).min();
        let hint = diagnostic.help.as_deref().map(|help| format!(" ({help})")).unwrap_or_default();
        ParseError {
            offset: usize::try_from(offset.unwrap_or(0)).unwrap_or(usize::MAX),
            message: format!("{}{hint}", diagnostic.message),
        }
    });
    match first.min_by_key(|error| error.offset) {
        Some(error) => Err(error),
        None => Ok(parsed.program),
    }
}
