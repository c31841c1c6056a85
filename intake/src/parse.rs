//! Parses: a text as TypeScript, and the module that comes of it as the
//! JavaScript an engine will see.

use oxc_allocator::Allocator;
use oxc_ast::ast;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;

/// Why a text does not parse.
#[derive(Clone, Debug)]
pub(crate) struct ParseError {
    /// Byte offset in the text.
    pub(crate) offset: usize,
    /// What the parser says, and its hint.
    pub(crate) message: String,
}

/// Parses a whole text, with `await` and `return` at its top. Anything the
/// parser complains about is an error, also what it could recover from.
pub(crate) fn parse<'a>(
    allocator: &'a Allocator,
    text: &'a str,
) -> Result<ast::Program<'a>, ParseError> {
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    parse_as(allocator, text, SourceType::ts().with_module(true), options)
}

/// Checks that a module is JavaScript: its grammar and its early errors (a
/// name declared twice, a `break` outside of a loop, a broken regular
/// expression), for which an engine would refuse the whole module.
pub(crate) fn check(module: &str) -> Result<(), ParseError> {
    let allocator = Allocator::default();
    let options = ParseOptions { ..ParseOptions::default() };
    let program = parse_as(&allocator, module, SourceType::mjs(), options)?;
    let checked = SemanticBuilder::new()
        .with_check_syntax_error(true)
        .with_build_nodes(false)
        .with_enum_eval(false)
        .build(&program);
    first(checked.diagnostics.into_vec()).map_or(Ok(()), Err)
}

fn parse_as<'a>(
    allocator: &'a Allocator,
    text: &'a str,
    kind: SourceType,
    options: ParseOptions,
) -> Result<ast::Program<'a>, ParseError> {
    let parsed = Parser::new(allocator, text, kind).with_options(options).parse();
    first(parsed.diagnostics.into_vec()).map_or(Ok(parsed.program), Err)
}

/// The first error by place.
fn first(diagnostics: Vec<oxc_diagnostics::OxcDiagnostic>) -> Option<ParseError> {
    let errors = diagnostics.into_iter().map(|diagnostic| {
        let offset = diagnostic.labels.iter().map(|label| label.offset()).min();
        let hint = diagnostic.help.as_deref().map(|help| format!(" ({help})")).unwrap_or_default();
        ParseError {
            offset: usize::try_from(offset.unwrap_or(0)).unwrap_or(usize::MAX),
            message: format!("{}{hint}", diagnostic.message),
        }
    });
    errors.min_by_key(|error| error.offset)
}
