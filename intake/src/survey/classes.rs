//! Classes: what TypeScript adds to them becomes blanks.

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

use super::Survey;

/// Words before a member that are only TypeScript's.
const TYPE_WORDS: [&str; 7] =
    ["public", "private", "protected", "readonly", "override", "abstract", "declare"];

impl Survey<'_> {
    /// `abstract` and `implements …`.
    pub(super) fn class_head(&mut self, it: &Class<'_>) {
        if it.r#abstract && self.slice(it.span.start, it.span.start.saturating_add(8)) == "abstract"
        {
            self.edits.blank(Span::sized(it.span.start, 8));
        }
        if !it.implements.is_empty() {
            let before = self.head_end(it);
            let word = self.skip_trivia(before);
            self.edits.blank(Span::new(word, it.body.span.start));
        }
    }

    /// Where the head ends before `implements`.
    fn head_end(&self, it: &Class<'_>) -> u32 {
        if let Some(heritage) = &it.heritage {
            let arguments = heritage.type_arguments.as_ref().map(|types| types.span.end);
            return arguments.unwrap_or_else(|| heritage.expression.span().end);
        }
        let named = it.id.as_ref().map(|id| id.span.end);
        let generic = it.type_parameters.as_ref().map(|types| types.span.end);
        generic.or(named).unwrap_or_else(|| self.skip_trivia(it.span.start).saturating_add(5))
    }

    /// Blanks what is TypeScript in a member; whether anything of it runs.
    pub(super) fn class_member(&mut self, it: &ClassElement<'_>) -> bool {
        match it {
            ClassElement::TSIndexSignature(_) => return self.drop_member(it),
            ClassElement::StaticBlock(_) => {}
            ClassElement::AccessorProperty(it) => {
                self.refuse(
                    it.span,
                    "`accessor` fields are not supported here; write a getter and a setter",
                );
            }
            ClassElement::MethodDefinition(method) => {
                if method.r#type.is_abstract() || method.value.body.is_none() {
                    return self.drop_member(it);
                }
                self.type_words(method.span, method.key.span().start, ";");
                if method.kind.is_constructor() {
                    self.parameter_properties(&method.value);
                }
                if method.optional {
                    self.after_key(&method.key, method.computed, b'?');
                }
            }
            ClassElement::PropertyDefinition(property) => {
                if property.r#type.is_abstract() || property.declare {
                    return self.drop_member(it);
                }
                self.type_words(property.span, property.key.span().start, ";");
                if property.optional {
                    self.after_key(&property.key, property.computed, b'?');
                }
                if property.definite {
                    self.after_key(&property.key, property.computed, b'!');
                }
            }
        }
        true
    }

    fn drop_member(&mut self, it: &ClassElement<'_>) -> bool {
        self.edits.over(it.span(), ";");
        false
    }

    /// `constructor(private x: T)` also sets the field, first thing, or right
    /// behind `super(…)`.
    fn parameter_properties(&mut self, it: &Function<'_>) {
        let properties = it.params.items.iter().filter(|it| it.has_modifier());
        let names = properties.filter_map(|it| it.pattern.get_identifier_name());
        let sets: String = names.map(|name| format!("this.{name}={name};")).collect();
        let Some(body) = it.body.as_ref().filter(|_| !sets.is_empty()) else {
            return;
        };
        if !self.derived {
            self.edits.enter(body.span, &sets);
        } else if let Some(call) = body.statements.iter().find(|it| is_super_call(it)) {
            self.edits.close(call.span(), &format!(";{sets}"));
        } else {
            let message = "a parameter property needs `super(…)` as a statement of its own here; assign the field yourself";
            self.refuse(it.params.span, message);
        }
    }

    /// Blanks TypeScript's words before a key. One that starts a member leaves
    /// a semicolon: the field above may have none of its own.
    pub(super) fn type_words(&mut self, member: Span, key: u32, mark_at_start: &str) {
        let mut at = member.start;
        while at < key {
            let word = self.slice(at, key);
            let length = word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len());
            let end = at.saturating_add(u32::try_from(length).unwrap_or(0));
            if end == at {
                return;
            }
            if TYPE_WORDS.contains(&self.slice(at, end)) {
                let mark = if at == member.start { mark_at_start } else { "" };
                self.edits.over(Span::new(at, end), mark);
            }
            at = self.skip_trivia(end);
        }
    }

    fn after_key(&mut self, key: &PropertyKey<'_>, computed: bool, token: u8) {
        let mut at = key.span().end;
        if computed {
            at = self.skip_trivia(at).saturating_add(1);
        }
        self.blank_token(at, token);
    }
}

fn is_super_call(statement: &Statement<'_>) -> bool {
    let Statement::ExpressionStatement(it) = statement else {
        return false;
    };
    matches!(&it.expression, Expression::CallExpression(call) if call.callee.is_super())
}
