//! How a parameter is written, and whether it is written so here.

use serde_json::Value;

use super::{Reader, refuse};
use crate::forage::openapi::{
    document::Part,
    finding::Findings,
    media,
    options::Serialization,
    reason::Code,
    remark::Kind,
    schema::Kinds,
    table::{Place, Style},
};

/// How a parameter is written.
pub(super) struct Written<'a> {
    pub(super) style: Style,
    pub(super) explode: bool,
    pub(super) schema: Part<'a>,
}

impl<'a> Reader<'a, '_> {
    /// How the parameter in `part` is written; none when it isn't.
    pub(super) fn written(
        &self,
        place: Place,
        part: &Part<'a>,
        findings: &mut Findings,
    ) -> Option<Written<'a>> {
        if let Some(content) = part.get("content") {
            return self.as_content(&content, findings);
        }
        let Some(schema) = part.get("schema") else {
            return refuse(findings, Code::ParameterMalformed, part);
        };
        if part.value.get("allowReserved") == Some(&Value::Bool(true)) {
            return at(findings, Code::ParameterReserved, part, "allowReserved");
        }
        let default = Style::default_at(place);
        let style = match part.value.get("style") {
            None => default,
            Some(name) => {
                let style = name.as_str().and_then(Style::named);
                match style.filter(|style| style.is_at(place)) {
                    Some(style) => style,
                    None => return at(findings, Code::ParameterStyle, part, "style"),
                }
            }
        };
        let explode = part.value.get("explode").and_then(Value::as_bool);
        let explode = explode.unwrap_or(style == Style::Form);
        if self.options.serialization == Serialization::Simple {
            if style != default {
                return at(findings, Code::ParameterStyle, part, "style");
            }
            if !Kinds::of(self.document, &schema).are_scalar() {
                findings.refuse(Code::ParameterNotScalar, &schema.pointer);
                return None;
            }
        } else if self.nests(&schema) || style == Style::DeepObject && !self.may_be_map(&schema) {
            if self.may_withhold(part) {
                findings.remark(Kind::ParameterWithheld, &part.pointer);
            } else {
                findings.refuse(Code::ParameterNested, &schema.pointer);
            }
            return None;
        }
        Some(Written { style, explode, schema })
    }

    /// A parameter that is described by a media type: JSON, or not written here.
    fn as_content(&self, content: &Part<'a>, findings: &mut Findings) -> Option<Written<'a>> {
        let json = content.entries().find(|(kind, _)| media::is_json(kind));
        let schema = json.and_then(|(_, media)| media.get("schema"));
        match schema.filter(|_| self.options.serialization == Serialization::Full) {
            Some(schema) => Some(Written { style: Style::Json, explode: false, schema }),
            None => refuse(findings, Code::ParameterContent, content),
        }
    }

    fn may_be_map(&self, schema: &Part<'a>) -> bool {
        Kinds::of(self.document, schema).may_be_map()
    }

    /// Whether no item, or no property, can be written by any style. What can't be told
    /// here is told when a value comes.
    fn nests(&self, schema: &Part<'a>) -> bool {
        let Ok(schema) = self.document.resolve(schema.clone()) else { return false };
        let nested = |part: Part<'a>| Kinds::of(self.document, &part).are_nested();
        let items = schema.get("items").is_some_and(nested);
        let properties = schema.get("properties");
        items || properties.iter().flat_map(Part::entries).any(|(_, part)| nested(part))
    }
}

/// Notes that the entry `key` of the parameter in `part` stands in the way.
fn at<T>(findings: &mut Findings, code: Code, part: &Part<'_>, key: &str) -> Option<T> {
    findings.refuse(code, &part.pointer.key(key));
    None
}
