//! What a statement declares, exported or not.

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

use crate::survey::types::is_type_only;

/// A declaration that leaves something in JavaScript.
#[derive(Clone, Copy)]
pub(super) enum Declared<'s, 'a> {
    Variables(&'s VariableDeclaration<'a>),
    Function(&'s Function<'a>),
    Class(&'s Class<'a>),
    Enum(&'s TSEnumDeclaration<'a>),
}

impl<'s, 'a> Declared<'s, 'a> {
    pub(super) fn of(statement: &'s Statement<'a>) -> Option<Self> {
        match statement {
            Statement::VariableDeclaration(it) => Some(Self::Variables(it)),
            Statement::FunctionDeclaration(it) => Some(Self::Function(it)),
            Statement::ClassDeclaration(it) => Some(Self::Class(it)),
            Statement::TSEnumDeclaration(it) => Some(Self::Enum(it)),
            Statement::ExportDeclaration(it) => match &it.declaration {
                Declaration::VariableDeclaration(it) => Some(Self::Variables(it)),
                Declaration::FunctionDeclaration(it) => Some(Self::Function(it)),
                Declaration::ClassDeclaration(it) => Some(Self::Class(it)),
                Declaration::TSEnumDeclaration(it) => Some(Self::Enum(it)),
                _ => None,
            },
            // Its name stays declared once `export default` is blanked.
            Statement::ExportDefaultDeclaration(it) => match &it.declaration {
                ExportDefaultDeclarationKind::FunctionDeclaration(it) if it.id.is_some() => {
                    Some(Self::Function(it))
                }
                ExportDefaultDeclarationKind::ClassDeclaration(it) if it.id.is_some() => {
                    Some(Self::Class(it))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it only waits to be called: a function or a class.
    pub(super) fn waits(&self) -> bool {
        matches!(self, Self::Function(_) | Self::Class(_)) || self.callable().is_some()
    }

    /// The function it declares, by its name.
    pub(super) fn callable(&self) -> Option<Callable<'s, 'a>> {
        match self {
            Self::Function(it) => it.id.as_ref().map(|id| Callable {
                name: id.name.as_str(),
                whole: it.span,
                function: FunctionLike::Function(it),
            }),
            Self::Variables(it) => {
                let last = it.declarations.last()?;
                let BindingPattern::BindingIdentifier(id) = &last.id else {
                    return None;
                };
                let function = FunctionLike::of(last.init.as_ref()?)?;
                Some(Callable { name: id.name.as_str(), whole: last.span, function })
            }
            Self::Class(_) | Self::Enum(_) => None,
        }
    }

    /// The names its last declaration binds.
    pub(super) fn names(&self) -> Vec<&'s str> {
        match self {
            Self::Variables(it) => it
                .declarations
                .last()
                .map(|last| last.id.get_binding_identifiers())
                .unwrap_or_default()
                .iter()
                .map(|id| id.name.as_str())
                .collect(),
            Self::Function(it) => it.id.iter().map(|id| id.name.as_str()).collect(),
            Self::Class(it) => it.id.iter().map(|id| id.name.as_str()).collect(),
            Self::Enum(it) => vec![it.id.name.as_str()],
        }
    }
}

/// A function that has a name to call it by.
#[derive(Clone, Copy)]
pub(super) struct Callable<'s, 'a> {
    pub(super) name: &'s str,
    /// Names used in here are not uses from outside.
    pub(super) whole: Span,
    pub(super) function: FunctionLike<'s, 'a>,
}

/// A function expression, a declaration or an arrow.
#[derive(Clone, Copy)]
pub(super) enum FunctionLike<'s, 'a> {
    Arrow(&'s ArrowFunctionExpression<'a>),
    Function(&'s Function<'a>),
}

impl<'s, 'a> FunctionLike<'s, 'a> {
    /// The function an expression is, looking through parentheses and types.
    /// A generator is a value, not something to call.
    pub(super) fn of(expression: &'s Expression<'a>) -> Option<Self> {
        match core(expression) {
            Expression::ArrowFunctionExpression(it) => Some(Self::Arrow(it)),
            Expression::FunctionExpression(it) if !it.generator => Some(Self::Function(it)),
            _ => None,
        }
    }

    pub(super) fn parameters(&self) -> &'s FormalParameters<'a> {
        match self {
            Self::Arrow(it) => &it.params,
            Self::Function(it) => &it.params,
        }
    }

    /// The statements of its body; `None` for an arrow to an expression.
    pub(super) fn statements(&self) -> Option<&'s [Statement<'a>]> {
        match self {
            Self::Arrow(it) => match &it.body {
                ArrowFunctionBody::FunctionBody(body) => Some(&body.statements),
                _ => None,
            },
            Self::Function(it) if it.generator => None,
            Self::Function(it) => it.body.as_ref().map(|body| body.statements.as_slice()),
        }
    }
}

/// An expression without parentheses and types around it.
pub(super) fn core<'s, 'a>(mut expression: &'s Expression<'a>) -> &'s Expression<'a> {
    loop {
        expression = match expression {
            Expression::ParenthesizedExpression(it) => &it.expression,
            Expression::TSAsExpression(it) => &it.expression,
            Expression::TSSatisfiesExpression(it) => &it.expression,
            Expression::TSTypeAssertion(it) => &it.expression,
            Expression::TSNonNullExpression(it) => &it.expression,
            _ => return expression,
        };
    }
}

/// Whether a statement neither runs nor declares anything.
pub(super) fn leaves_no_value(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::EmptyStatement(_) | Statement::ExportNamedDeclaration(_))
        || is_type_only(statement)
}

/// The span of a statement without the `export` before it.
pub(super) fn without_export(it: &ExportDeclaration<'_>) -> Span {
    Span::new(it.span.start, it.declaration.span().start)
}
