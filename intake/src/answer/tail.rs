//! Statements in last place: the value they complete with is returned where
//! it arises.

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

use super::declared::{Declared, leaves_no_value};
use super::{Answer, Given};
use crate::survey::Fault;

/// Where a statement stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In a list: others can stand beside it.
    List,
    /// Alone, as the body of another statement.
    Alone,
}

impl Answer<'_> {
    pub(super) fn tail(&mut self, statement: &Statement<'_>, place: Place) -> Given {
        match statement {
            Statement::ExpressionStatement(it) => {
                self.edits.open(it.span, "return ");
                Ok(())
            }
            Statement::BlockStatement(it) if self.is_object(it) => {
                self.edits.wrap(it.span, "return (", ");");
                Ok(())
            }
            Statement::BlockStatement(it) => self.tail_list(&it.body),
            Statement::IfStatement(it) => {
                self.tail(&it.consequent, Place::Alone)?;
                it.alternate.as_ref().map_or(Ok(()), |it| self.tail(it, Place::Alone))
            }
            Statement::TryStatement(it) => {
                self.tail_list(&it.block.body)?;
                it.handler.as_ref().map_or(Ok(()), |it| self.tail_list(&it.body.body))
            }
            Statement::LabeledStatement(it) => self.labeled(it, place),
            _ if runs_again(statement) => self.captured(statement, statement.span(), place),
            _ => Ok(()),
        }
    }

    fn labeled(&mut self, it: &LabeledStatement<'_>, place: Place) -> Given {
        let inner = innermost(&it.body);
        if matches!(inner, Statement::ExpressionStatement(_)) {
            return Err(label_alone(it));
        }
        self.captured_label(it, place)
    }

    pub(super) fn tail_list(&mut self, statements: &[Statement<'_>]) -> Given {
        let statements: Vec<_> = statements.iter().collect();
        self.tail_of(&statements)
    }

    /// The last statement of a list that has a value. Declarations behind it
    /// still run: then the value is kept until they have.
    pub(super) fn tail_of(&mut self, statements: &[&Statement<'_>]) -> Given {
        let Some(at) = statements.iter().rposition(|it| has_value(it)) else {
            return Ok(());
        };
        let (Some(it), Some(end)) = (statements.get(at), statements.last()) else {
            return Ok(());
        };
        let behind = statements.get(at.saturating_add(1)..).unwrap_or(&[]);
        if behind.iter().any(|it| declares_by_running(it)) {
            return self.captured(it, Span::new(it.span().start, end.span().end), Place::List);
        }
        self.tail(it, Place::List)
    }

    /// A block that was meant as an object: `{ a: 1 }`, `{ a: 1, b }`,
    /// `{ a, b }`. Nobody writes these as blocks.
    fn is_object(&self, it: &BlockStatement<'_>) -> bool {
        let (expression, least) = match it.body.as_slice() {
            [Statement::LabeledStatement(label)] => match &label.body {
                Statement::ExpressionStatement(body) => (body, 1),
                _ => return false,
            },
            [Statement::ExpressionStatement(body)] => (body, 2),
            _ => return false,
        };
        let names = match &expression.expression {
            Expression::SequenceExpression(it) => it.expressions.as_slice(),
            only => std::slice::from_ref(only),
        };
        let shorthand = names.get(usize::from(least == 1)..).unwrap_or(&[]);
        names.len() >= least
            && !self.slice(expression.span).ends_with(';')
            && shorthand.iter().all(|name| matches!(name, Expression::Identifier(_)))
    }
}

fn label_alone(it: &LabeledStatement<'_>) -> Fault {
    let name = it.label.name.as_str();
    let message = format!(
        "the answer is lost: `{name}:` is a label here, not a property; write `return {{ {name}: … }}`"
    );
    Fault::lost(it.span, message)
}

/// A statement without the labels before it.
fn innermost<'s, 'a>(mut statement: &'s Statement<'a>) -> &'s Statement<'a> {
    while let Statement::LabeledStatement(it) = statement {
        statement = &it.body;
    }
    statement
}

/// Whether a statement's value can come from many places: loops, `switch`,
/// labelled blocks.
pub(super) fn runs_again(statement: &Statement<'_>) -> bool {
    match innermost(statement) {
        Statement::ForStatement(_)
        | Statement::ForInStatement(_)
        | Statement::ForOfStatement(_)
        | Statement::WhileStatement(_)
        | Statement::DoWhileStatement(_)
        | Statement::SwitchStatement(_) => true,
        inner => matches!(statement, Statement::LabeledStatement(_)) && has_value(inner),
    }
}

/// Whether the language gives a statement a value. A block has the value of
/// what is in it.
pub(super) fn has_value(statement: &Statement<'_>) -> bool {
    match innermost(statement) {
        Statement::BlockStatement(it) => it.body.iter().any(has_value),
        Statement::DebuggerStatement(_) => false,
        inner => !leaves_no_value(inner) && Declared::of(inner).is_none(),
    }
}

/// Whether a statement without a value runs something all the same.
fn declares_by_running(statement: &Statement<'_>) -> bool {
    matches!(innermost(statement), Statement::BlockStatement(it) if !it.body.is_empty())
        || matches!(Declared::of(statement), Some(Declared::Variables(_) | Declared::Class(_)))
}

/// The statements that are the bodies of another.
pub(super) fn bodies<'s, 'a>(statement: &'s Statement<'a>) -> [Option<&'s Statement<'a>>; 2] {
    match statement {
        Statement::IfStatement(it) => [Some(&it.consequent), it.alternate.as_ref()],
        Statement::ForStatement(it) => [Some(&it.body), None],
        Statement::ForInStatement(it) => [Some(&it.body), None],
        Statement::ForOfStatement(it) => [Some(&it.body), None],
        Statement::WhileStatement(it) => [Some(&it.body), None],
        Statement::DoWhileStatement(it) => [Some(&it.body), None],
        Statement::LabeledStatement(it) => [Some(&it.body), None],
        Statement::WithStatement(it) => [Some(&it.body), None],
        _ => [None, None],
    }
}
