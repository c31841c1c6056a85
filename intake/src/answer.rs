//! Which value a program gives, and the edits that make it return that value.

use oxc_ast::ast::{Program, Statement};

use crate::edits::Edits;

/// Makes a program return its answer.
pub(crate) fn give(program: &Program<'_>, edits: &mut Edits) {
    if let Some(Statement::ExpressionStatement(last)) = program.body.last() {
        edits.open(last.span, "return ");
    }
}
