//! An `enum` becomes the object TypeScript makes of it, on the same lines:
//! names to values, and back from numbers to names.

use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::Survey;

impl Survey<'_> {
    pub(super) fn enumeration(&mut self, it: &TSEnumDeclaration<'_>) {
        let name = it.id.name.as_str();
        let open = it.body.span.start.saturating_add(1);
        self.edits.over(Span::new(it.span.start, open), &format!("var {name};(function({name}){{"));
        let mut members = Members { name, known: Vec::new(), previous: None };
        for member in &it.body.members {
            // First, for it measures what the rest recurses into.
            member.initializer.iter().for_each(|value| self.visit_expression(value));
            if self.too_deep.is_none() {
                self.member(&mut members, member);
            }
        }
        let close = Span::new(it.body.span.end.saturating_sub(1), it.body.span.end);
        self.edits.over(close, &format!("}})({name}||({name}={{}}));"));
    }

    fn member(&mut self, members: &mut Members<'_>, it: &TSEnumMember<'_>) {
        let Some(key) = key_text(&it.id) else {
            self.refuse(it.span, "an enum member needs a plain name here");
            return;
        };
        let enumeration = members.name;
        let is_text = it.initializer.as_ref().is_some_and(|value| members.is_text(value));
        let (before, after) = if is_text { ("", "") } else { ("[", "]") };
        let own = format!("{enumeration}[{key}]");
        let opening =
            if is_text { format!("{own}=") } else { format!("{enumeration}{before}{own}=") };
        let closing = if is_text { ";".to_owned() } else { format!("{after}={key};") };
        match &it.initializer {
            Some(value) => {
                self.edits.over(Span::new(it.span.start, value.span().start), &opening);
                self.edits.close(value.span(), &closing);
                members.qualify(self, value);
            }
            None if members.previous_is_text() => {
                self.refuse(it.span, "an enum member after a text needs a value of its own");
            }
            None => {
                let value = members.previous.as_ref().map_or_else(
                    || "0".to_owned(),
                    |(previous, _)| format!("{enumeration}[{previous}]+1"),
                );
                self.edits.over(it.span, &format!("{opening}{value}{closing}"));
            }
        }
        let comma = self.skip_trivia(it.span.end);
        self.blank_token(comma, b',');
        members.known.push((plain_name(&it.id), is_text));
        members.previous = Some((key, is_text));
    }
}

/// The members so far.
struct Members<'m> {
    name: &'m str,
    known: Vec<(String, bool)>,
    previous: Option<(String, bool)>,
}

impl Members<'_> {
    fn previous_is_text(&self) -> bool {
        self.previous.as_ref().is_some_and(|(_, is_text)| *is_text)
    }

    /// Whether a value is known to be text: then there is no way back.
    fn is_text(&self, value: &Expression<'_>) -> bool {
        match value {
            Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => true,
            Expression::ParenthesizedExpression(it) => self.is_text(&it.expression),
            Expression::BinaryExpression(it) => {
                it.operator.as_str() == "+" && (self.is_text(&it.left) || self.is_text(&it.right))
            }
            Expression::Identifier(it) => {
                self.known.iter().any(|(name, is_text)| *is_text && name == it.name.as_str())
            }
            Expression::StaticMemberExpression(it) => {
                matches!(&it.object, Expression::Identifier(object) if object.name == self.name)
                    && self
                        .known
                        .iter()
                        .any(|(name, is_text)| *is_text && name == it.property.name.as_str())
            }
            _ => false,
        }
    }

    /// A member may name an earlier one; in JavaScript it is a property.
    fn qualify(&self, survey: &mut Survey<'_>, value: &Expression<'_>) {
        match value {
            Expression::Identifier(it)
                if self.known.iter().any(|(name, _)| name == it.name.as_str()) =>
            {
                survey.edits.open(it.span, &format!("{}.", self.name));
            }
            Expression::ParenthesizedExpression(it) => self.qualify(survey, &it.expression),
            Expression::UnaryExpression(it) => self.qualify(survey, &it.argument),
            Expression::BinaryExpression(it) => {
                self.qualify(survey, &it.left);
                self.qualify(survey, &it.right);
            }
            Expression::TemplateLiteral(it) => {
                it.expressions.iter().for_each(|part| self.qualify(survey, part))
            }
            _ => {}
        }
    }
}

/// A member's key as a string literal.
fn key_text(id: &TSEnumMemberName<'_>) -> Option<String> {
    let name = match id {
        TSEnumMemberName::ComputedTemplateString(_) => return None,
        _ => plain_name(id),
    };
    serde_json::to_string(&name).ok()
}

fn plain_name(id: &TSEnumMemberName<'_>) -> String {
    match id {
        TSEnumMemberName::Identifier(it) => it.name.as_str().to_owned(),
        TSEnumMemberName::String(it) | TSEnumMemberName::ComputedString(it) => {
            it.value.as_str().to_owned()
        }
        TSEnumMemberName::ComputedTemplateString(_) => String::new(),
    }
}
