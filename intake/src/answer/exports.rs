//! `export` says what the answer is; the word itself goes.

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

use super::declared::{Callable, Declared, FunctionLike, without_export};
use super::entry::arguments;
use super::{Answer, Given, returns_value};
use crate::survey::Fault;

impl Answer<'_> {
    /// Takes the exports away. Whether one of them was the answer.
    pub(super) fn exported(&mut self, statements: &[Statement<'_>]) -> Result<bool, Fault> {
        let mut answered = false;
        let end = statements.last().map_or(Span::empty(0), GetSpan::span);
        for statement in statements {
            match statement {
                Statement::ExportDeclaration(it) => self.edits.blank(without_export(it)),
                Statement::ExportNamedDeclaration(it) if !it.export_kind.is_type() => {
                    self.edits.over(it.span, ";");
                    answered |= self.exported_name(it, statements, end)?;
                }
                Statement::ExportDefaultDeclaration(it) => {
                    answered |= self.default(it, statements, end)?
                }
                _ => {}
            }
        }
        Ok(answered)
    }

    /// `export { result as default }`, or the only name of the list.
    fn exported_name(
        &mut self,
        it: &ExportNamedDeclaration<'_>,
        statements: &[Statement<'_>],
        end: Span,
    ) -> Result<bool, Fault> {
        let named = it.specifiers.iter().find(|specifier| specifier.exported.name() == "default");
        let only = if let [only] = it.specifiers.as_slice() { Some(only) } else { None };
        match named.or(only) {
            Some(specifier) if !returns_value(statements) => {
                self.return_name(specifier.local.name().as_str(), statements, end)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn default(
        &mut self,
        it: &ExportDefaultDeclaration<'_>,
        statements: &[Statement<'_>],
        end: Span,
    ) -> Result<bool, Fault> {
        let words = Span::new(it.span.start, it.declaration.span().start);
        if let Some(name) = Declared::of_default(&it.declaration) {
            self.edits.blank(words);
            self.return_name(name, statements, end)?;
            return Ok(true);
        }
        // Evaluated where it stands, given when everything behind has run.
        let name = self.fresh_name();
        self.edits.over(words, &format!("const {name}="));
        self.edits.close(it.span, ";");
        match default_function(&it.declaration) {
            Some(function) => {
                let call = format!(";return {name}({});", arguments(function.parameters()));
                self.edits.close(Span::new(0, end.end), &call);
                self.entry_body(&function)?;
            }
            None if matches!(it.declaration, ExportDefaultDeclarationKind::Identifier(_)) => {
                let name = self.slice(it.declaration.span());
                self.return_name(name, statements, end)?;
            }
            None => self.edits.close(Span::new(0, end.end), &format!(";return {name};")),
        }
        Ok(true)
    }

    /// Returns what a name stands for; a function is called.
    fn return_name(&mut self, name: &str, statements: &[Statement<'_>], end: Span) -> Given {
        let end = Span::new(0, end.end);
        match named_function(name, statements) {
            Some(callable) => {
                let call =
                    format!(";return {name}({});", arguments(callable.function.parameters()));
                self.edits.close(end, &call);
                self.entry_body(&callable.function)
            }
            None => {
                self.edits.close(end, &format!(";return {name};"));
                Ok(())
            }
        }
    }
}

/// The function a name stands for at the top of a program.
pub(super) fn named_function<'s, 'a>(
    name: &str,
    statements: &'s [Statement<'a>],
) -> Option<Callable<'s, 'a>> {
    statements.iter().filter_map(|it| Declared::of(it)?.callable()).find(|it| it.name == name)
}

fn default_function<'s, 'a>(
    kind: &'s ExportDefaultDeclarationKind<'a>,
) -> Option<FunctionLike<'s, 'a>> {
    match kind {
        ExportDefaultDeclarationKind::FunctionDeclaration(it) if !it.generator => {
            Some(FunctionLike::Function(it))
        }
        _ => kind.as_expression().and_then(FunctionLike::of),
    }
}

impl<'s> Declared<'s, '_> {
    /// The name a default export declares.
    fn of_default(kind: &'s ExportDefaultDeclarationKind<'_>) -> Option<&'s str> {
        match kind {
            ExportDefaultDeclarationKind::FunctionDeclaration(it) => it.id.as_ref(),
            ExportDefaultDeclarationKind::ClassDeclaration(it) => it.id.as_ref(),
            _ => None,
        }
        .map(|id| id.name.as_str())
    }
}
