//! The parameters of an operation: which a program may send, and how each is written.

mod style;

use std::collections::{BTreeMap, BTreeSet};

use super::{
    document::{Document, Part},
    finding::Findings,
    header,
    options::{Options, Serialization},
    path::Template,
    reason::Code,
    remark::Kind,
    schema::is_reserved,
    security::Credentials,
    table::{Place, Style},
};

/// A parameter that programs send.
#[derive(Clone, Debug)]
pub(super) struct Declared<'a> {
    pub(super) name: &'a str,
    pub(super) place: Place,
    pub(super) style: Style,
    pub(super) explode: bool,
    pub(super) required: bool,
    pub(super) schema: Part<'a>,
    pub(super) description: Option<&'a str>,
}

/// Reads parameters by the rules of one document.
pub(super) struct Reader<'a, 'r> {
    pub(super) document: &'a Document,
    pub(super) options: &'r Options,
    pub(super) credentials: &'r Credentials,
}

/// A parameter object, and its place and name.
type Placed<'a> = ((&'a str, String), Part<'a>);

impl<'a> Reader<'a, '_> {
    /// The parameters of the operation in `operation`, those of its path item included.
    pub(super) fn read(
        &self,
        item: &Part<'a>,
        operation: &Part<'a>,
        template: Option<&Template>,
        findings: &mut Findings,
    ) -> Vec<Declared<'a>> {
        let mut all = BTreeMap::new();
        let mut order = Vec::new();
        for holder in [item, operation] {
            for (key, part) in self.listed(holder, findings) {
                if all.insert(key.clone(), part).is_none() {
                    order.push(key);
                }
            }
        }
        let mut declared = Vec::new();
        let mut in_path = BTreeSet::new();
        for key in order {
            let Some(part) = all.remove(&key) else { continue };
            if key.0 == "path" {
                in_path.insert(key.1.clone());
                if template.is_some_and(|path| path.parameters().all(|name| name != key.1)) {
                    findings.refuse(Code::PathParameterUnused, &part.pointer);
                }
            }
            declared.extend(self.parameter(&key, part, findings));
        }
        let placeholders = template.iter().flat_map(|template| template.parameters());
        if placeholders.into_iter().any(|name| !in_path.contains(name)) {
            findings.refuse(Code::PathParameterMissing, &operation.pointer);
        }
        declared
    }

    /// The parameters that one list declares, each once.
    fn listed(&self, holder: &Part<'a>, findings: &mut Findings) -> Vec<Placed<'a>> {
        let Some(list) = holder.get("parameters") else { return Vec::new() };
        if !list.value.is_array() {
            findings.refuse(Code::ParameterMalformed, &list.pointer);
        }
        let mut seen = BTreeSet::new();
        let mut placed = Vec::new();
        for item in list.items() {
            let pointer = item.pointer.clone();
            let part = match self.document.resolve(item) {
                Ok(part) => part,
                Err(code) => {
                    findings.refuse(code, &pointer);
                    continue;
                }
            };
            let (Some(place), Some(name)) = (part.text("in"), part.text("name")) else {
                findings.refuse(Code::ParameterMalformed, &part.pointer);
                continue;
            };
            let name = match place {
                "header" => name.to_ascii_lowercase(),
                _ => name.to_owned(),
            };
            if seen.insert((place, name.clone())) {
                placed.push(((place, name), part));
            } else {
                findings.refuse(Code::ParameterDuplicate, &pointer);
            }
        }
        placed
    }

    /// One parameter; none when it is withheld or stands in the way.
    fn parameter(
        &self,
        (place, key): &(&'a str, String),
        part: Part<'a>,
        findings: &mut Findings,
    ) -> Option<Declared<'a>> {
        let name = part.text("name").unwrap_or_default();
        if self.credentials.are_at(place, key) || self.is_auth_parameter(place, name) {
            if *place == "path" {
                return refuse(findings, Code::PathCredential, &part);
            }
            findings.remark(Kind::CredentialWithheld, &part.pointer);
            return None;
        }
        let place = match *place {
            "path" => Place::Path,
            "query" => Place::Query,
            "header" => Place::Header,
            "cookie" if self.may_withhold(&part) => {
                findings.remark(Kind::ParameterWithheld, &part.pointer);
                return None;
            }
            "cookie" => return refuse(findings, Code::ParameterCookie, &part),
            _ => return refuse(findings, Code::ParameterMalformed, &part),
        };
        let required = part.value.get("required").and_then(serde_json::Value::as_bool);
        let required = required.unwrap_or(false);
        if place == Place::Header && header::is_described_elsewhere(name) {
            findings.remark(Kind::HeaderWithheld, &part.pointer);
            return None;
        }
        if place == Place::Header && header::is_reserved(name) {
            if required {
                return refuse(findings, Code::HeaderReserved, &part);
            }
            findings.remark(Kind::HeaderWithheld, &part.pointer);
            return None;
        }
        if place == Place::Header && !header::is_token(name) {
            return refuse(findings, Code::HeaderName, &part);
        }
        if name.is_empty() {
            return refuse(findings, Code::ParameterMalformed, &part);
        }
        if is_reserved(name) {
            return refuse(findings, Code::NameReserved, &part);
        }
        if place == Place::Path && !required {
            return refuse(findings, Code::PathParameterOptional, &part);
        }
        let written = self.written(place, &part, findings)?;
        let description = part.text("description");
        Some(Declared {
            name,
            place,
            style: written.style,
            explode: written.explode,
            required,
            schema: written.schema,
            description,
        })
    }

    /// Whether an operation is offered without this parameter rather than not at all.
    fn may_withhold(&self, part: &Part<'a>) -> bool {
        let required = part.value.get("required") == Some(&serde_json::Value::Bool(true));
        self.options.serialization == Serialization::Full && !required
    }

    fn is_auth_parameter(&self, place: &str, name: &str) -> bool {
        let auth = self.options.auth_parameter.as_deref();
        auth.is_some_and(|auth| {
            auth == name || place == "header" && auth.eq_ignore_ascii_case(name)
        })
    }
}

/// Notes that the parameter in `part` stands in the way.
fn refuse<T>(findings: &mut Findings, code: Code, part: &Part<'_>) -> Option<T> {
    findings.refuse(code, &part.pointer);
    None
}
