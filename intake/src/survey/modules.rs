//! What the guest does not have: other modules, and TypeScript that is more
//! than types.

use oxc_ast::ast::*;

use super::Survey;

pub(super) const NO_IMPORTS: &str =
    "no imports here: nothing can be loaded; call the operations on `env` instead";

impl Survey<'_> {
    pub(super) fn module_statement(&mut self, it: &Statement<'_>) {
        match it {
            Statement::ImportDeclaration(it) => self.refuse(it.span, NO_IMPORTS),
            Statement::ExportAllDeclaration(it) => self.refuse(it.span, NO_IMPORTS),
            Statement::ExportFromDeclaration(it) => self.refuse(it.span, NO_IMPORTS),
            Statement::TSImportEqualsDeclaration(it) => self.refuse(it.span, NO_IMPORTS),
            Statement::TSExportAssignment(it) => {
                self.refuse(
                    it.span,
                    "`export =` is not supported here; end the program with `return …`",
                );
            }
            Statement::TSNamespaceDeclaration(it) => {
                self.refuse(
                    it.span,
                    "a namespace is not supported here; use an object: `const Name = { … }`",
                );
            }
            _ => {}
        }
    }

    pub(super) fn call(&mut self, it: &CallExpression<'_>) {
        if matches!(&it.callee, Expression::Identifier(callee) if callee.name == "require") {
            self.require.get_or_insert(it.span);
        }
    }

    /// `require` is a name like any other where the program declares it.
    pub(super) fn settle_require(&mut self) {
        if let Some(at) = self.require.filter(|_| !self.own_require) {
            self.refuse(
                at,
                "no require here: nothing can be loaded; call the operations on `env` instead",
            );
        }
    }
}
