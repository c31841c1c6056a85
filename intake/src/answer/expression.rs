//! A program that ends in an expression: its value, or what it gives when it
//! is called.

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

use super::declared::{Declared, FunctionLike, core};
use super::entry::arguments;
use super::{Answer, Given};
use crate::survey::Fault;

impl Answer<'_> {
    pub(super) fn expression(
        &mut self,
        it: &ExpressionStatement<'_>,
        effective: &[&Statement<'_>],
    ) -> Given {
        if let Some(function) = FunctionLike::of(&it.expression) {
            let call = format!(")({})", arguments(function.parameters()));
            self.edits.wrap(it.expression.span(), "return (", &self.closing(it, &call));
            return self.entry_body(&function);
        }
        match core(&it.expression) {
            Expression::ClassExpression(class) => Err(class_alone(class.span)),
            Expression::Identifier(name) => self.name(it, name, effective),
            Expression::UnaryExpression(unary) if unary.operator.is_void() => {
                // `void main()` hides the answer and would not be waited for.
                self.edits.over(Span::sized(unary.span.start, 4), "return");
                self.called(&unary.argument, effective)
            }
            expression => {
                self.edits.open(it.span, "return ");
                self.called(expression, effective)
            }
        }
    }

    /// A name alone: the function it stands for is called.
    fn name(
        &mut self,
        it: &ExpressionStatement<'_>,
        name: &IdentifierReference<'_>,
        effective: &[&Statement<'_>],
    ) -> Given {
        let named = effective
            .iter()
            .filter_map(|it| Declared::of(it))
            .find(|it| it.names().contains(&name.name.as_str()));
        self.edits.open(it.span, "return ");
        match named {
            Some(Declared::Class(_)) => Err(class_alone(name.span)),
            Some(declared) => match declared.callable() {
                Some(callable) => {
                    let call = format!("({})", arguments(callable.function.parameters()));
                    self.edits.close(it.expression.span(), &self.closing(it, &call));
                    self.entry_body(&callable.function)
                }
                None => Ok(()),
            },
            None => Ok(()),
        }
    }

    /// `(async () => { … })()` and `main()`: where the function called gives
    /// nothing and is called nowhere else, its last value is the answer.
    fn called(&mut self, expression: &Expression<'_>, effective: &[&Statement<'_>]) -> Given {
        match core(expression) {
            Expression::AwaitExpression(it) => self.called(&it.argument, effective),
            Expression::CallExpression(it) => match FunctionLike::of(&it.callee) {
                Some(function) => self.entry_body(&function),
                None => self.called_by_name(&it.callee, effective),
            },
            _ => Ok(()),
        }
    }

    fn called_by_name(&mut self, callee: &Expression<'_>, effective: &[&Statement<'_>]) -> Given {
        match core(callee) {
            Expression::Identifier(name) => {
                let named = effective
                    .iter()
                    .filter_map(|it| Declared::of(it)?.callable())
                    .find(|it| it.name == name.name);
                match named {
                    Some(callable) if self.uses(&callable) == 1 => {
                        self.entry_body(&callable.function)
                    }
                    _ => Ok(()),
                }
            }
            // `main().then(…)`, `main().catch(…)`
            Expression::StaticMemberExpression(it)
                if matches!(it.property.name.as_str(), "catch" | "finally") =>
            {
                self.called(&it.object, effective)
            }
            _ => Ok(()),
        }
    }

    /// What closes an expression that becomes a call: with a line end for its
    /// semicolon, the statement could now go on in the next line.
    pub(super) fn closing(&self, it: &ExpressionStatement<'_>, text: &str) -> String {
        let closed = self.slice(it.span).ends_with(';');
        format!("{text}{}", if closed { "" } else { ";" })
    }
}

fn class_alone(at: Span) -> Fault {
    let message = "a class is no answer; end the program with `return new …` or a call";
    Fault::lost(at, message.to_owned())
}
