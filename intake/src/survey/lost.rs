//! Values that are provably lost, wherever in a program they are, and fences
//! that happen to be JavaScript.

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

use super::types::is_type_only;
use super::{Fault, Survey};

impl Survey<'_> {
    /// Code after a bare `return`. One that a line end closed was meant to
    /// have the next line as its value; one with its semicolon may stand in a
    /// callback on purpose.
    pub(super) fn bare_return(&mut self, statements: &[Statement<'_>]) {
        let mut rest = statements;
        while let [first, after @ ..] = rest {
            rest = after;
            let Statement::ReturnStatement(it) = first else {
                continue;
            };
            let Some(next) = after.iter().find(|next| runs(next)) else {
                continue;
            };
            if it.argument.is_none()
                && (self.functions == 0 || self.line_end_closed(it.span, next.span()))
            {
                let message = "the answer is lost: this `return` ends here, and what follows never runs; \
                               put the value on the same line, `return (…)`";
                self.fault(Fault::lost(it.span, message.to_owned()));
            }
        }
    }

    fn line_end_closed(&self, statement: Span, next: Span) -> bool {
        !self.slice(statement.start, statement.end).ends_with(';')
            && self.slice(statement.end, next.start).contains(['\n', '\r'])
    }

    /// `x => { id: x }` never gives an object.
    pub(super) fn label_body(&mut self, it: &ArrowFunctionExpression<'_>) {
        if let ArrowFunctionBody::FunctionBody(body) = &it.body
            && body.directives.is_empty()
            && let [Statement::LabeledStatement(label)] = body.statements.as_slice()
            && matches!(label.body, Statement::ExpressionStatement(_))
        {
            let name = label.label.name.as_str();
            let message = format!(
                "the answer is lost: after `=>` these braces are a block and `{name}:` is a label; \
                 write `=> ({{ {name}: … }})`"
            );
            self.fault(Fault::lost(body.span, message));
        }
    }

    /// An empty template as the tag of the next one: three back quotes.
    pub(super) fn fence_in_code(&mut self, it: &TaggedTemplateExpression<'_>) {
        let quote = it.quasi.span.start;
        if self.slice(quote.saturating_sub(2), quote) == "``" {
            self.fenced.get_or_insert(Span::empty(quote.saturating_sub(2)));
        }
    }

    /// `~~~js` alone on its line.
    pub(super) fn tilde_fence(&mut self, it: &UnaryExpression<'_>) {
        if it.span == self.statement && self.slice(it.span.start, it.span.end).starts_with("~~~") {
            self.fenced.get_or_insert(it.span);
        }
    }
}

/// Whether a statement does something where it stands.
fn runs(statement: &Statement<'_>) -> bool {
    !matches!(statement, Statement::EmptyStatement(_) | Statement::FunctionDeclaration(_))
        && !is_type_only(statement)
}
