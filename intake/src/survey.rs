//! The one walk over a parsed program: types become blanks, what the guest
//! does not have is refused, and nesting is measured.
//!
//! One visitor on purpose: each visitor brings its own copy of the whole walk
//! into the wasm. What is done at a node lives beside this file: `types`,
//! `classes`, `enums`, `modules`, `lost`.

use oxc_allocator::ArenaVec;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

use crate::edits::Edits;
use crate::nesting::{DEPTH_LIMIT, LINK, NESTED};
use crate::refusal::RefusalCode;

mod classes;
mod enums;
mod lost;
mod modules;
pub(crate) mod types;

/// Why a program that parses is not run.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) code: RefusalCode,
    /// Byte offset in the text.
    pub(crate) at: u32,
    pub(crate) message: String,
}

impl Fault {
    /// The answer is lost, and how to keep it.
    pub(crate) fn lost(at: Span, message: String) -> Self {
        Self { code: RefusalCode::NoAnswer, at: at.start, message }
    }
}

/// What the walk found.
#[derive(Debug, Default)]
pub(crate) struct Survey<'t> {
    text: &'t str,
    /// Blanks over what is only TypeScript.
    pub(crate) edits: Edits,
    /// The first thing that can't be run: what the guest does not have, or a
    /// value that is provably lost.
    pub(crate) refused: Option<Fault>,
    /// Every place a name is used as a value.
    pub(crate) references: Vec<Span>,
    /// Three back quotes in a row: valid JavaScript, but a fence is meant.
    pub(crate) fenced: Option<Span>,
    /// Where nesting passed its limit; nothing below was looked at.
    pub(crate) too_deep: Option<u32>,
    depth: u32,
    functions: u32,
    /// A call of `require`, and whether the program declares its own.
    require: Option<Span>,
    own_require: bool,
    /// Whether the class the walk is in has a parent.
    derived: bool,
    /// The statement the walk is in.
    statement: Span,
}

impl<'t> Survey<'t> {
    /// Walks a program that was parsed from `text`.
    pub(crate) fn of(program: &Program<'_>, text: &'t str) -> Self {
        let mut survey = Self { text, ..Self::default() };
        if let Some(hashbang) = &program.hashbang {
            survey.edits.blank(hashbang.span);
        }
        survey.visit_program(program);
        survey.settle_require();
        survey
    }

    fn refuse(&mut self, at: Span, message: &str) {
        self.fault(Fault {
            code: RefusalCode::SyntaxError,
            at: at.start,
            message: message.to_owned(),
        });
    }

    fn fault(&mut self, fault: Fault) {
        if self.refused.as_ref().is_none_or(|first| fault.at < first.at) {
            self.refused = Some(fault);
        }
    }

    /// Goes one node deeper unless that is too deep.
    fn deeper(&mut self, weight: u32, at: Span, walk: impl FnOnce(&mut Self)) {
        self.depth = self.depth.saturating_add(weight);
        if self.depth > DEPTH_LIMIT {
            self.too_deep.get_or_insert(at.start);
        } else {
            walk(self);
        }
        self.depth = self.depth.saturating_sub(weight);
    }
}

fn expression_weight(expression: &Expression<'_>) -> u32 {
    match expression {
        Expression::BinaryExpression(_)
        | Expression::LogicalExpression(_)
        | Expression::CallExpression(_)
        | Expression::ChainExpression(_)
        | Expression::TaggedTemplateExpression(_)
        | Expression::TSNonNullExpression(_)
        | Expression::ComputedMemberExpression(_)
        | Expression::StaticMemberExpression(_)
        | Expression::PrivateFieldExpression(_) => LINK,
        _ => NESTED,
    }
}

fn statement_weight(statement: &Statement<'_>) -> u32 {
    if matches!(statement, Statement::IfStatement(_)) { LINK } else { NESTED }
}

impl<'a> Visit<'a> for Survey<'_> {
    fn visit_statement(&mut self, it: &Statement<'a>) {
        if self.is_type_only(it) {
            self.edits.over(it.span(), ";");
            return;
        }
        let outer = std::mem::replace(&mut self.statement, it.span());
        self.module_statement(it);
        self.deeper(statement_weight(it), it.span(), |survey| walk::walk_statement(survey, it));
        self.statement = outer;
    }

    fn visit_statements(&mut self, it: &ArenaVec<'a, Statement<'a>>) {
        self.bare_return(it);
        walk::walk_statements(self, it);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.references.push(it.span);
    }

    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.own_require |= it.name == "require";
    }

    fn visit_tagged_template_expression(&mut self, it: &TaggedTemplateExpression<'a>) {
        self.fence_in_code(it);
        walk::walk_tagged_template_expression(self, it);
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        self.tilde_fence(it);
        walk::walk_unary_expression(self, it);
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        self.enumeration(it);
    }

    fn visit_ts_type(&mut self, _: &TSType<'a>) {}

    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}

    fn visit_ts_type_alias_declaration(&mut self, _: &TSTypeAliasDeclaration<'a>) {}

    fn visit_ts_namespace_declaration(&mut self, _: &TSNamespaceDeclaration<'a>) {}

    fn visit_ts_import_equals_declaration(&mut self, _: &TSImportEqualsDeclaration<'a>) {}

    fn visit_ts_index_signature(&mut self, _: &TSIndexSignature<'a>) {}

    fn visit_expression(&mut self, it: &Expression<'a>) {
        self.deeper(expression_weight(it), it.span(), |survey| walk::walk_expression(survey, it));
    }

    fn visit_binding_pattern(&mut self, it: &BindingPattern<'a>) {
        self.deeper(NESTED, it.span(), |survey| walk::walk_binding_pattern(survey, it));
    }

    fn visit_assignment_target(&mut self, it: &AssignmentTarget<'a>) {
        self.deeper(NESTED, it.span(), |survey| walk::walk_assignment_target(survey, it));
    }

    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        self.visit_expression(&it.test);
        self.deeper(NESTED, it.span, |survey| survey.visit_statement(&it.consequent));
        it.alternate.iter().for_each(|it| self.visit_statement(it));
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        self.refuse(it.span, modules::NO_IMPORTS);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        self.call(it);
        self.visit_expression(&it.callee);
        if let Some(types) = &it.type_arguments {
            self.visit_ts_type_parameter_instantiation(types);
        }
        self.deeper(NESTED, it.span, |survey| survey.visit_arguments(&it.arguments));
    }

    fn visit_decorator(&mut self, it: &Decorator<'a>) {
        self.refuse(it.span, "decorators are not supported here; call the function yourself");
    }

    fn visit_ts_type_annotation(&mut self, it: &TSTypeAnnotation<'a>) {
        self.edits.blank(it.span);
    }

    fn visit_ts_type_parameter_declaration(&mut self, it: &TSTypeParameterDeclaration<'a>) {
        self.edits.blank(it.span);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, it: &TSTypeParameterInstantiation<'a>) {
        self.edits.blank(it.span);
    }

    fn visit_ts_this_parameter(&mut self, it: &TSThisParameter<'a>) {
        self.this_parameter(it);
    }

    fn visit_ts_as_expression(&mut self, it: &TSAsExpression<'a>) {
        self.cast_after(it.span, it.expression.span());
        self.visit_expression(&it.expression);
    }

    fn visit_ts_satisfies_expression(&mut self, it: &TSSatisfiesExpression<'a>) {
        self.cast_after(it.span, it.expression.span());
        self.visit_expression(&it.expression);
    }

    fn visit_ts_type_assertion(&mut self, it: &TSTypeAssertion<'a>) {
        self.cast_before(it.span, it.expression.span());
        self.visit_expression(&it.expression);
    }

    fn visit_ts_non_null_expression(&mut self, it: &TSNonNullExpression<'a>) {
        self.edits.blank(Span::new(it.expression.span().end, it.span.end));
        self.visit_expression(&it.expression);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if it.definite {
            self.blank_token(it.id.span().end, b'!');
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        self.parameter(it);
        walk::walk_formal_parameter(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let outer = std::mem::take(&mut self.statement);
        self.functions = self.functions.saturating_add(1);
        walk::walk_function(self, it, flags);
        self.functions = self.functions.saturating_sub(1);
        self.statement = outer;
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.arrow_lines(it);
        self.label_body(it);
        self.functions = self.functions.saturating_add(1);
        self.visit_formal_parameters(&it.params);
        self.visit_arrow_function_body(&it.body);
        self.functions = self.functions.saturating_sub(1);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        self.class_head(it);
        let outer = std::mem::replace(&mut self.derived, it.heritage.is_some());
        walk::walk_class(self, it);
        self.derived = outer;
    }

    fn visit_class_element(&mut self, it: &ClassElement<'a>) {
        let outer = std::mem::replace(&mut self.statement, it.span());
        if self.class_member(it) {
            walk::walk_class_element(self, it);
        }
        self.statement = outer;
    }

    fn visit_ts_class_implements_list(&mut self, _: &ArenaVec<'a, TSClassImplements<'a>>) {}
}
