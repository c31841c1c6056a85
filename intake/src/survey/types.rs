//! Types become spaces, so that every line and column stays.
//!
//! A few places need more than spaces, because a line end or a bracket means
//! something else once the type is gone; each says which.

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

use super::Survey;
use crate::lines::floor;

impl Survey<'_> {
    /// A statement that leaves no trace in JavaScript.
    pub(super) fn is_type_only(&self, statement: &Statement<'_>) -> bool {
        is_type_only(statement)
    }

    /// `x as T`, `x satisfies T`. The type ended the statement before an
    /// opening bracket on the next line; without it the two lines would join.
    pub(super) fn cast_after(&mut self, whole: Span, expression: Span) {
        self.edits.blank(Span::new(expression.end, whole.end));
        let next = self.byte(self.skip_trivia(whole.end));
        if self.statement.end == whole.end && matches!(next, Some(b'(' | b'[' | b'`')) {
            self.edits.terminate(self.statement);
        }
    }

    /// `<T>x` becomes `(x)`: bare, an object literal would turn into a block
    /// and a type of several lines would cut a `return` off its value.
    pub(super) fn cast_before(&mut self, whole: Span, expression: Span) {
        self.edits.over(Span::new(whole.start, expression.start), "(");
        self.edits.close(whole, ")");
    }

    /// `this: T` is no parameter; its comma goes with it.
    pub(super) fn this_parameter(&mut self, it: &TSThisParameter<'_>) {
        let after = self.skip_trivia(it.span.end);
        let comma = u32::from(self.byte(after) == Some(b','));
        self.edits.blank(Span::new(it.span.start, it.span.end));
        self.edits.blank(Span::new(after, after.saturating_add(comma)));
    }

    pub(super) fn parameter(&mut self, it: &FormalParameter<'_>) {
        self.type_words(it.span, it.pattern.span().start, "");
        if it.optional {
            self.blank_token(it.pattern.span().end, b'?');
        }
    }

    /// A line end may stand neither between `async` or `return` and `(`, nor
    /// between `)` and `=>`. When the type that goes held one, the parenthesis
    /// moves to the other end of it.
    pub(super) fn arrow_lines(&mut self, it: &ArrowFunctionExpression<'_>) {
        if let Some(types) = &it.type_parameters {
            let open = Span::new(it.params.span.start, it.params.span.start.saturating_add(1));
            let moves = self.has_line_end(types.span.start, open.start);
            self.edits.over(types.span, if moves { "(" } else { "" });
            if moves {
                self.edits.blank(open);
            }
        }
        if let Some(result) = &it.return_type {
            let close = it.params.span.end.saturating_sub(1);
            if self.has_line_end(close, result.span.end) {
                let last = self.floor(result.span.end.saturating_sub(1));
                self.edits.blank(Span::new(close, last));
                self.edits.over(Span::new(last, result.span.end), ")");
            } else {
                self.edits.blank(result.span);
            }
        }
    }

    fn floor(&self, offset: u32) -> u32 {
        u32::try_from(floor(self.text, index(offset))).unwrap_or(offset)
    }

    fn has_line_end(&self, start: u32, end: u32) -> bool {
        self.slice(start, end).contains(['\n', '\r', '\u{2028}', '\u{2029}'])
    }

    pub(super) fn slice(&self, start: u32, end: u32) -> &str {
        self.text.get(index(start)..index(end)).unwrap_or("")
    }

    pub(super) fn byte(&self, offset: u32) -> Option<u8> {
        self.text.as_bytes().get(index(offset)).copied()
    }

    /// Blanks a one-character token if it is the next one.
    pub(super) fn blank_token(&mut self, offset: u32, token: u8) {
        let at = self.skip_trivia(offset);
        if self.byte(at) == Some(token) {
            self.edits.blank(Span::new(at, at.saturating_add(1)));
        }
    }

    /// The offset of the next token: past white space and comments.
    pub(super) fn skip_trivia(&self, offset: u32) -> u32 {
        let mut rest = self.text.get(index(offset)..).unwrap_or("");
        loop {
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
            rest = if let Some(comment) = trimmed.strip_prefix("//") {
                comment.trim_start_matches(|c| !matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}'))
            } else if let Some(comment) = trimmed.strip_prefix("/*") {
                comment.split_once("*/").map_or("", |(_, after)| after)
            } else {
                let passed = self.text.len().saturating_sub(trimmed.len());
                return u32::try_from(passed).unwrap_or(u32::MAX);
            };
        }
    }
}

fn index(offset: u32) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

/// Whether a statement is only types: nothing of it runs.
pub(crate) fn is_type_only(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::TSTypeAliasDeclaration(_)
        | Statement::TSInterfaceDeclaration(_)
        | Statement::TSExternalModuleDeclaration(_)
        | Statement::TSGlobalDeclaration(_)
        | Statement::TSNamespaceExportDeclaration(_) => true,
        Statement::TSNamespaceDeclaration(it) => it.declare || has_only_types(&it.body),
        Statement::TSEnumDeclaration(it) => it.declare,
        Statement::VariableDeclaration(it) => it.declare,
        Statement::FunctionDeclaration(it) => it.declare || it.body.is_none(),
        Statement::ClassDeclaration(it) => it.declare,
        Statement::ImportDeclaration(it) => imports_only_types(it),
        Statement::TSImportEqualsDeclaration(it) => it.import_kind.is_type(),
        Statement::ExportNamedDeclaration(it) => it.export_kind.is_type(),
        Statement::ExportFromDeclaration(it) => it.export_kind.is_type(),
        Statement::ExportAllDeclaration(it) => it.export_kind.is_type(),
        Statement::ExportDeclaration(it) => is_type_only_declaration(&it.declaration),
        Statement::ExportDefaultDeclaration(it) => {
            matches!(it.declaration, ExportDefaultDeclarationKind::TSInterfaceDeclaration(_))
        }
        _ => false,
    }
}

fn is_type_only_declaration(declaration: &Declaration<'_>) -> bool {
    match declaration {
        Declaration::TSTypeAliasDeclaration(_)
        | Declaration::TSInterfaceDeclaration(_)
        | Declaration::TSExternalModuleDeclaration(_)
        | Declaration::TSGlobalDeclaration(_) => true,
        Declaration::TSNamespaceDeclaration(it) => it.declare || has_only_types(&it.body),
        Declaration::TSEnumDeclaration(it) => it.declare,
        Declaration::VariableDeclaration(it) => it.declare,
        Declaration::FunctionDeclaration(it) => it.declare || it.body.is_none(),
        Declaration::ClassDeclaration(it) => it.declare,
        Declaration::TSImportEqualsDeclaration(it) => it.import_kind.is_type(),
    }
}

fn imports_only_types(it: &ImportDeclaration<'_>) -> bool {
    it.import_kind.is_type()
        || it.specifiers.as_ref().is_some_and(|specifiers| {
            !specifiers.is_empty()
                && specifiers.iter().all(|specifier| {
                    matches!(specifier, ImportDeclarationSpecifier::ImportSpecifier(it) if it.import_kind.is_type())
                })
        })
}

fn has_only_types(body: &TSNamespaceDeclarationBody<'_>) -> bool {
    match body {
        TSNamespaceDeclarationBody::TSModuleBlock(block) => block.body.iter().all(is_type_only),
        TSNamespaceDeclarationBody::TSNamespaceDeclaration(_) => false,
    }
}
