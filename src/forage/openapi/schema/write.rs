//! A schema of either dialect as one of JSON Schema 2020-12.
//!
//! Owns the meaning of each keyword. What a reference leads to is the affair of
//! [`References`]: a survey notes it, an expansion puts it in its place.

use serde_json::{Map, Value};

use super::{
    data::{has_reserved_key, is_reserved},
    keyword::{self, Role},
};
use crate::{
    forage::openapi::{
        document::{Document, Part, Version},
        finding::Findings,
        options::Formats,
        pointer::Pointer,
        reason::Code,
        remark::Kind,
        text,
    },
    limits::{OPENAPI_TEXT_UNITS, OPENAPI_TITLE_UNITS},
};

/// Which way a value goes: what is read-only or write-only binds one way only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::forage::openapi) enum Direction {
    /// From a program to the server.
    Request,
    /// From the server to a program.
    Response,
}

/// What is done where a schema refers to another.
pub(super) trait References<'a> {
    /// The schema that stands for the target of the reference in `holder`, whose result
    /// stands on `level`.
    fn target(&mut self, holder: &Pointer, target: Part<'a>, level: usize) -> Value;
}

/// Writes schemas.
pub(super) struct Writer<'a, 'w> {
    pub(super) document: &'a Document,
    pub(super) formats: Formats,
    pub(super) direction: Direction,
    pub(super) references: &'w mut dyn References<'a>,
    pub(super) findings: &'w mut Findings,
}

impl<'a> Writer<'a, '_> {
    /// The schema in `part`, which stands on `level` of what is written. The recursion is
    /// as deep as a document may be.
    pub(super) fn schema(&mut self, part: &Part<'a>, level: usize) -> Value {
        match part.value {
            Value::Bool(always) if self.document.version() == Version::V31 => Value::Bool(*always),
            Value::Object(map) => match map.get("$ref") {
                Some(reference) => self.referring(part, map, reference, level),
                None => Value::Object(self.keywords(part, map, level)),
            },
            _ => self.refuse(Code::SchemaMalformed, &part.pointer),
        }
    }

    fn refuse(&mut self, code: Code, pointer: &Pointer) -> Value {
        self.findings.refuse(code, pointer);
        Value::Bool(true)
    }

    /// A schema that refers to another: in 3.0 it is nothing but the other; in 3.1 what
    /// stands beside counts too.
    fn referring(
        &mut self,
        part: &Part<'a>,
        map: &'a Map<String, Value>,
        reference: &Value,
        level: usize,
    ) -> Value {
        let target = match self.document.target(reference) {
            Ok(target) => target,
            Err(code) => return self.refuse(code, &part.pointer),
        };
        let version = self.document.version();
        let beside = || map.keys().filter(|key| *key != "$ref");
        let told = |key: &String| keyword::is_told(keyword::role(version, key));
        if version == Version::V30 {
            for key in beside().filter(|key| !told(key)) {
                self.findings.remark(Kind::SiblingIgnored, &part.pointer.key(key));
            }
            return self.references.target(&part.pointer, target, level);
        }
        if beside().all(told) {
            let inner = self.references.target(&part.pointer, target, level);
            return merged(inner, self.keywords(part, map, level));
        }
        let inner = self.references.target(&part.pointer, target, level.saturating_add(2));
        let mut written = self.keywords(part, map, level);
        match written.get_mut("allOf") {
            Some(Value::Array(all)) => all.push(inner),
            _ => drop(written.insert("allOf".to_owned(), Value::Array(vec![inner]))),
        }
        Value::Object(written)
    }

    fn keywords(
        &mut self,
        part: &Part<'a>,
        map: &'a Map<String, Value>,
        level: usize,
    ) -> Map<String, Value> {
        let mut written = Map::new();
        for (key, part) in part.entries().filter(|(key, _)| *key != "$ref") {
            let role = keyword::role(self.document.version(), key);
            if let Some((key, value)) = self.keyword(role, key, &part, map, level) {
                written.insert(key, value);
            }
        }
        written
    }

    /// What one keyword becomes.
    fn keyword(
        &mut self,
        role: Role,
        key: &str,
        part: &Part<'a>,
        map: &'a Map<String, Value>,
        level: usize,
    ) -> Option<(String, Value)> {
        let inner = level.saturating_add(1);
        let value = match role {
            Role::Constraint | Role::Annotation => self.data(part)?,
            Role::OneOrBoolean if part.value.is_boolean() => part.value.clone(),
            Role::One | Role::OneOrBoolean => self.schema(part, inner),
            Role::List => self.list(part, inner)?,
            Role::Named => self.named(part, inner)?,
            Role::Required => self.required(part, map)?,
            Role::Type => self.types(part, map)?,
            Role::Bound(exclusive) => {
                let strict = map.get(exclusive) == Some(&Value::Bool(true));
                let key = if strict { exclusive } else { key };
                return Some((key.to_owned(), part.value.clone()));
            }
            Role::Exclusive | Role::Nullable => {
                if !part.value.is_boolean() {
                    self.findings.refuse(Code::SchemaMalformed, &part.pointer);
                }
                return None;
            }
            Role::Title => self.text(part, OPENAPI_TITLE_UNITS)?,
            Role::Description => self.text(part, OPENAPI_TEXT_UNITS)?,
            Role::Passed => return None,
            Role::Format => self.format(part, Code::SchemaFormat)?,
            Role::Pattern | Role::Content => {
                let pattern = role == Role::Pattern;
                let code = if pattern { Code::SchemaPattern } else { Code::SchemaFormat };
                return Some((format!("x-{key}"), self.format(part, code)?));
            }
            Role::PatternProperties => return self.never(Code::SchemaPattern, part),
            Role::Dialect => {
                let known = part.value.as_str().is_some_and(|uri| keyword::DIALECTS.contains(&uri));
                return if known { None } else { self.never(Code::SchemaKeyword, part) };
            }
            Role::Unknown => return self.never(Code::SchemaKeyword, part),
        };
        Some((key.to_owned(), value))
    }

    fn never<T>(&mut self, code: Code, part: &Part<'a>) -> Option<T> {
        self.findings.refuse(code, &part.pointer);
        None
    }

    /// Data, in which no key may be reserved.
    fn data(&mut self, part: &Part<'a>) -> Option<Value> {
        if has_reserved_key(part.value) {
            return self.never(Code::NameReserved, part);
        }
        Some(part.value.clone())
    }

    fn list(&mut self, part: &Part<'a>, level: usize) -> Option<Value> {
        if !part.value.is_array() {
            return self.never(Code::SchemaMalformed, part);
        }
        let inner = level.saturating_add(1);
        Some(part.items().map(|item| self.schema(&item, inner)).collect())
    }

    fn named(&mut self, part: &Part<'a>, level: usize) -> Option<Value> {
        if part.map().is_none() {
            return self.never(Code::SchemaMalformed, part);
        }
        let inner = level.saturating_add(1);
        let mut written = Map::new();
        for (name, part) in part.entries() {
            if is_reserved(name) {
                self.findings.refuse(Code::NameReserved, &part.pointer);
            } else {
                written.insert(name.to_owned(), self.schema(&part, inner));
            }
        }
        Some(Value::Object(written))
    }

    /// The names that must be there; in 3.0 a name that goes the other way needn't.
    fn required(&mut self, part: &Part<'a>, map: &'a Map<String, Value>) -> Option<Value> {
        let Some(names) = part.value.as_array() else {
            return self.never(Code::SchemaMalformed, part);
        };
        let mut written = Vec::new();
        for (name, at) in names.iter().zip(part.items()) {
            if name.as_str().is_some_and(is_reserved) {
                self.findings.refuse(Code::NameReserved, &at.pointer);
            } else if !self.goes_the_other_way(name, map) {
                written.push(name.clone());
            }
        }
        Some(Value::Array(written))
    }

    fn goes_the_other_way(&self, name: &Value, map: &'a Map<String, Value>) -> bool {
        let other = match self.direction {
            Direction::Request => "readOnly",
            Direction::Response => "writeOnly",
        };
        let property = name.as_str().and_then(|name| map.get("properties")?.get(name));
        let Some(value) = property.filter(|_| self.document.version() == Version::V30) else {
            return false;
        };
        let property = self.document.resolve(Part { value, pointer: Pointer::root() });
        property.is_ok_and(|property| property.value.get(other) == Some(&Value::Bool(true)))
    }

    fn types(&mut self, part: &Part<'a>, map: &'a Map<String, Value>) -> Option<Value> {
        if self.document.version() == Version::V31 {
            return Some(part.value.clone());
        }
        // 3.0 has one type, and null is none.
        let one = part.value.as_str().filter(|name| *name != "null");
        let Some(name) = one else { return self.never(Code::SchemaMalformed, part) };
        if map.get("nullable") == Some(&Value::Bool(true)) {
            return Some(Value::from(vec![name, "null"]));
        }
        Some(Value::from(name))
    }

    fn text(&mut self, part: &Part<'a>, units: usize) -> Option<Value> {
        let Some(text) = part.value.as_str() else {
            return self.never(Code::SchemaMalformed, part);
        };
        let bounded = text::bounded(text, units);
        if bounded.truncated {
            self.findings.remark(Kind::TextCut, &part.pointer);
        }
        Some(Value::from(bounded.text))
    }

    fn format(&mut self, part: &Part<'a>, code: Code) -> Option<Value> {
        if !part.value.is_string() {
            return self.never(Code::SchemaMalformed, part);
        }
        match self.formats {
            Formats::Refuse => self.never(code, part),
            Formats::Annotate => {
                self.findings.remark(Kind::FormatUnchecked, &part.pointer);
                self.text(part, OPENAPI_TEXT_UNITS)
            }
        }
    }
}

/// `inner` with what is told beside the reference to it, which is nearer to the reader.
fn merged(inner: Value, told: Map<String, Value>) -> Value {
    match inner {
        Value::Object(mut map) => {
            map.extend(told);
            Value::Object(map)
        }
        other => other,
    }
}
