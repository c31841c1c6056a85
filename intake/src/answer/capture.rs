//! Completion values that arise in many places: each is kept in a variable,
//! and the variable is returned.
//!
//! This follows ECMA-262's completion records. A loop, `if`, `switch` or
//! `try` has a value of its own, undefined at first, so the variable is reset
//! where one begins; a block, a label and a declaration pass on what was. A
//! jump carries the value so far. What `finally` completes with counts only
//! when it jumps.

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

use super::tail::{Place, bodies, has_value};
use super::{Answer, Given};

impl Answer<'_> {
    /// Keeps the value of a statement and returns it behind `region`.
    pub(super) fn captured(
        &mut self,
        statement: &Statement<'_>,
        region: Span,
        place: Place,
    ) -> Given {
        let name = self.fresh_name();
        self.around(region, &name, place);
        self.capture_inner(statement, &name);
        Ok(())
    }

    pub(super) fn captured_label(&mut self, it: &LabeledStatement<'_>, place: Place) -> Given {
        let name = self.fresh_name();
        self.around(it.span, &name, place);
        self.capture_inner(&it.body, &name);
        Ok(())
    }

    fn around(&mut self, region: Span, name: &str, place: Place) {
        let (open, close) = if place == Place::Alone { ("{", "}") } else { ("", "") };
        self.edits.wrap(region, &format!("{open}let {name};"), &format!(";return {name};{close}"));
    }

    /// Keeps a statement's value. One that has a value of its own first
    /// forgets the last.
    fn capture(&mut self, statement: &Statement<'_>, name: &str, place: Place) {
        if resets(statement) {
            let (open, close) = if place == Place::Alone { ("{", "}") } else { ("", "") };
            self.edits.wrap(statement.span(), &format!("{open}{name}=void 0;"), close);
        }
        self.capture_inner(statement, name);
    }

    fn capture_inner(&mut self, statement: &Statement<'_>, name: &str) {
        match statement {
            Statement::ExpressionStatement(it) => {
                let close = self.closing(it, ")");
                self.edits.wrap(it.expression.span(), &format!("{name}=("), &close);
            }
            Statement::BlockStatement(it) => self.capture_list(&it.body, name),
            Statement::LabeledStatement(it) => self.capture_inner(&it.body, name),
            Statement::SwitchStatement(it) => {
                it.cases.iter().for_each(|case| self.capture_list(&case.consequent, name))
            }
            Statement::TryStatement(it) => self.capture_try(it, name),
            _ => bodies(statement)
                .into_iter()
                .flatten()
                .for_each(|body| self.capture(body, name, Place::Alone)),
        }
    }

    fn capture_list(&mut self, statements: &[Statement<'_>], name: &str) {
        for statement in statements.iter().filter(|it| has_value(it)) {
            self.capture(statement, name, Place::List);
        }
    }

    fn capture_try(&mut self, it: &TryStatement<'_>, name: &str) {
        self.capture_list(&it.block.body, name);
        if let Some(handler) = &it.handler {
            self.edits.enter(handler.body.span, &format!("{name}=void 0;"));
            self.capture_list(&handler.body.body, name);
        }
        if let Some(finalizer) = it.finalizer.as_ref().filter(|it| jumps(&it.body)) {
            let kept = format!("{name}kept");
            self.edits.enter(finalizer.span, &format!("const {kept}={name};{name}=void 0;"));
            self.capture_list(&finalizer.body, name);
            self.edits.leave(finalizer.span, &format!(";{name}={kept};"));
        }
    }
}

/// Whether a statement has a value of its own from its start.
fn resets(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::LabeledStatement(it) => resets(&it.body),
        Statement::SwitchStatement(_) | Statement::TryStatement(_) => true,
        _ => bodies(statement).into_iter().flatten().next().is_some(),
    }
}

/// Whether a list may jump out of itself.
fn jumps(statements: &[Statement<'_>]) -> bool {
    statements.iter().any(|it| match it {
        Statement::BreakStatement(_) | Statement::ContinueStatement(_) => true,
        Statement::BlockStatement(it) => jumps(&it.body),
        Statement::SwitchStatement(it) => it.cases.iter().any(|case| jumps(&case.consequent)),
        Statement::TryStatement(_) => true,
        _ => bodies(it).into_iter().flatten().any(|body| jumps(std::slice::from_ref(body))),
    })
}
