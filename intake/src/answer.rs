//! Which value a program gives, and the edits that make it return that value.
//!
//! A program is the body of a function. What it returns is its answer; where
//! it ends without returning, the answer is the value JavaScript gives the
//! last statement (`tail`, `capture`), the function it declares (`entry`), or
//! the name it declares last. A program whose answer is provably lost is
//! refused before it runs. Edits are made by the spans of the tree, never by
//! searching the text.

use std::collections::BTreeMap;

use oxc_ast::ast::{Directive, Program, Statement};
use oxc_span::{GetSpan, Span};

use crate::edits::Edits;
use crate::survey::{Fault, Survey};

mod capture;
mod declared;
mod entry;
mod exports;
mod expression;
mod tail;

use declared::Declared;

/// Whether the answer was given, or is lost.
type Given = Result<(), Fault>;

/// Makes a program return its answer.
pub(crate) fn give(program: &Program<'_>, text: &str, survey: &mut Survey<'_>) -> Given {
    let mut answer = Answer { text, edits: &mut survey.edits, uses: BTreeMap::new() };
    for at in std::mem::take(&mut survey.references) {
        answer.uses.entry(answer.slice(at)).or_default().push(at);
    }
    if answer.exported(&program.body)? {
        return Ok(());
    }
    if program.body.iter().all(declared::leaves_no_value) {
        return answer.text_alone(&program.directives);
    }
    answer.body(&program.body)
}

/// The edits to one program.
struct Answer<'p> {
    text: &'p str,
    edits: &'p mut Edits,
    /// Where each name is used as a value.
    uses: BTreeMap<&'p str, Vec<Span>>,
}

impl<'p> Answer<'p> {
    /// A program of nothing but a string: a directive to the parser.
    fn text_alone(&mut self, directives: &[Directive<'_>]) -> Given {
        match directives.last() {
            Some(last) if !last.directive.as_str().starts_with("use ") => {
                self.edits.open(last.span, "return ");
                Ok(())
            }
            _ => Err(Fault::lost(
                Span::empty(0),
                "the program is empty: nothing in it runs; end it with `return …`".to_owned(),
            )),
        }
    }

    /// The answer of a list of statements that is a function's whole body.
    fn body(&mut self, statements: &[Statement<'_>]) -> Given {
        let effective: Vec<_> =
            statements.iter().filter(|it| !declared::leaves_no_value(it)).collect();
        let Some(last) = effective.last() else {
            return Ok(());
        };
        let ending = Ending { returns: returns_value(statements), end: last.span() };
        self.ending(&effective, ending)
    }

    fn ending(&mut self, effective: &[&Statement<'_>], ending: Ending) -> Given {
        let Some(last) = effective.last() else {
            return Ok(());
        };
        match Declared::of(last) {
            Some(declared) if declared.waits() => self.entry(effective, ending),
            Some(declared) if !ending.returns => self.declaration(&declared, ending),
            Some(_) => Ok(()),
            None => self.statement(last, ending, effective),
        }
    }

    fn statement(
        &mut self,
        last: &Statement<'_>,
        ending: Ending,
        effective: &[&Statement<'_>],
    ) -> Given {
        match last {
            Statement::ExpressionStatement(it) => self.expression(it, effective),
            _ if !tail::has_value(last) => self.tail_of(effective),
            // The author of explicit returns says by falling through a loop
            // that there is no answer.
            _ if ending.returns && tail::runs_again(last) => Ok(()),
            _ => self.tail(last, tail::Place::List),
        }
    }

    /// D14: what is declared last is the answer.
    fn declaration(&mut self, declared: &Declared<'_, '_>, ending: Ending) -> Given {
        let names = declared.names();
        match names.as_slice() {
            [] => {}
            [name] => self.append(ending, name),
            names => self.append(ending, &format!("{{{}}}", names.join(","))),
        }
        Ok(())
    }

    /// Returns a value behind everything else.
    fn append(&mut self, ending: Ending, value: &str) {
        self.edits.close(ending.end, &format!(";return {value};"));
    }

    fn slice(&self, span: Span) -> &'p str {
        let index = |offset: u32| usize::try_from(offset).unwrap_or(usize::MAX);
        self.text.get(index(span.start)..index(span.end)).unwrap_or("")
    }

    /// A name the program doesn't have.
    fn fresh_name(&self) -> String {
        let mut name = "answer_".to_owned();
        while self.text.contains(&name) {
            name.push('_');
        }
        name
    }
}

/// How a body ends.
#[derive(Clone, Copy, Debug)]
struct Ending {
    /// Whether it returns a value anywhere.
    returns: bool,
    /// Its last statement.
    end: Span,
}

/// Whether a list of statements returns a value, nested functions apart.
fn returns_value(statements: &[Statement<'_>]) -> bool {
    statements.iter().any(|it| match it {
        Statement::ReturnStatement(it) => it.argument.is_some(),
        Statement::SwitchStatement(it) => {
            it.cases.iter().any(|case| returns_value(&case.consequent))
        }
        Statement::TryStatement(it) => {
            let handler = it.handler.as_ref().map(|handler| &handler.body);
            [Some(&it.block), handler, it.finalizer.as_ref()]
                .into_iter()
                .flatten()
                .any(|block| returns_value(&block.body))
        }
        Statement::BlockStatement(it) => returns_value(&it.body),
        _ => tail::bodies(it)
            .into_iter()
            .flatten()
            .any(|body| returns_value(std::slice::from_ref(body))),
    })
}
