//! From a form to its text.

use serde_json::Value;

use super::{
    definitions::Definitions,
    form::{Doc, Form, Kinds, List, Literal, Object, Property, Rest},
    keyword::annotation,
    text::{Full, Text},
};

/// The most levels of a value that is written as a type.
const LEVELS: usize = 64;

/// How tightly what stands around a type binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Around {
    Nothing,
    Intersection,
    List,
}

/// Writes forms.
pub(super) struct Printer<'p, 'a> {
    pub(super) text: Text,
    pub(super) definitions: &'p Definitions<'a>,
}

impl<'a> Printer<'_, 'a> {
    /// `type <name> = <form>;`, with what is said about it before.
    pub(super) fn statement(
        &mut self,
        name: &str,
        doc: &Doc<'a>,
        form: &Form<'a>,
    ) -> Result<(), Full> {
        self.doc(doc)?;
        self.text.push("type ")?;
        self.text.push(name)?;
        self.text.push(" = ")?;
        self.form(form)?;
        self.text.push(";")
    }

    pub(super) fn form(&mut self, form: &Form<'a>) -> Result<(), Full> {
        self.within(form, Around::Nothing)
    }

    fn within(&mut self, form: &Form<'a>, around: Around) -> Result<(), Full> {
        match form {
            Form::Any => self.text.push("unknown"),
            Form::Never => self.text.push("never"),
            Form::Kind(kind) => self.text.push(kind_name(*kind)),
            Form::Literal(literal) => self.literal(*literal, LEVELS),
            Form::Object(object) => self.object(object),
            Form::List(list) => self.list(list),
            Form::Union(forms) => {
                self.joined(forms, " | ", around > Around::Nothing, Around::Nothing)
            }
            Form::Intersection(forms) => {
                self.joined(forms, " & ", around > Around::Intersection, Around::Intersection)
            }
            Form::Named(number, _) => self.text.push(self.definitions.name(*number)),
            Form::Documented(_, form) if self.text.inline => self.within(form, around),
            Form::Documented(doc, form) => self.documented(doc, form, around),
        }
    }

    fn joined(
        &mut self,
        forms: &[Form<'a>],
        separator: &str,
        enclosed: bool,
        around: Around,
    ) -> Result<(), Full> {
        self.enclosed(enclosed, |printer| {
            for (index, form) in forms.iter().enumerate() {
                if index > 0 {
                    printer.text.push(separator)?;
                }
                printer.within(form, around)?;
            }
            Ok(())
        })
    }

    fn documented(&mut self, doc: &Doc<'a>, form: &Form<'a>, around: Around) -> Result<(), Full> {
        if annotation::lines(&doc.0).is_empty() {
            return self.within(form, around);
        }
        self.enclosed(around > Around::Nothing, |printer| {
            printer.doc(doc)?;
            printer.form(form)
        })
    }

    fn enclosed(
        &mut self,
        enclosed: bool,
        write: impl FnOnce(&mut Self) -> Result<(), Full>,
    ) -> Result<(), Full> {
        if !enclosed {
            return write(self);
        }
        self.text.push("(")?;
        write(self)?;
        self.text.push(")")
    }

    fn object(&mut self, object: &Object<'a>) -> Result<(), Full> {
        if object.properties.is_empty() {
            match object.rest {
                Rest::Closed => return self.text.push("Record<string, never>"),
                Rest::Open => return self.text.push("Record<string, unknown>"),
                Rest::Typed(_) => {}
            }
        }
        self.text.push("{")?;
        self.indented(|printer| {
            let mut first = true;
            for (name, property) in &object.properties {
                printer.next(&mut first)?;
                printer.property(name, property)?;
            }
            printer.rest(object, &mut first)
        })?;
        self.text.push(if self.text.inline { "" } else { ";" })?;
        self.text.line()?;
        self.text.push("}")
    }

    fn indented(&mut self, write: impl FnOnce(&mut Self) -> Result<(), Full>) -> Result<(), Full> {
        self.text.deepen();
        let written = write(self);
        self.text.rise();
        written
    }

    fn next(&mut self, first: &mut bool) -> Result<(), Full> {
        if !std::mem::take(first) {
            self.text.push(";")?;
        }
        self.text.line()
    }

    fn property(&mut self, name: &str, property: &Property<'a>) -> Result<(), Full> {
        self.doc(&property.doc)?;
        self.name(name)?;
        self.text.push(if property.required { ": " } else { "?: " })?;
        self.form(&property.form)
    }

    fn rest(&mut self, object: &Object<'a>, first: &mut bool) -> Result<(), Full> {
        let optional = object.properties.values().any(|property| !property.required);
        match &object.rest {
            Rest::Closed => Ok(()),
            Rest::Open => {
                self.next(first)?;
                self.text.push("[key: string]: unknown")
            }
            Rest::Typed(form) => {
                self.next(first)?;
                self.text.push("[key: string]: ")?;
                self.form(form)?;
                self.text.push(if optional { " | undefined" } else { "" })
            }
        }
    }

    fn list(&mut self, list: &List<'a>) -> Result<(), Full> {
        if let (true, Some(rest)) = (list.first.is_empty(), &list.rest) {
            return self.items(rest);
        }
        self.text.push("[")?;
        for (index, form) in list.first.iter().enumerate() {
            self.text.push(if index > 0 { ", " } else { "" })?;
            if index < list.required {
                self.form(form)?;
            } else {
                self.within(form, Around::List)?;
                self.text.push("?")?;
            }
        }
        if let Some(rest) = &list.rest {
            self.text.push(", ...")?;
            self.items(rest)?;
        }
        self.text.push("]")
    }

    fn items(&mut self, form: &Form<'a>) -> Result<(), Full> {
        self.within(form, Around::List)?;
        self.text.push("[]")
    }

    fn literal(&mut self, literal: Literal<'_>, levels: usize) -> Result<(), Full> {
        let Some(inner) = levels.checked_sub(1) else { return self.text.push("unknown") };
        match literal.0 {
            Value::String(text) => self.quoted(text),
            Value::Number(number) if number.as_f64() == Some(0.0) => self.text.push("0"),
            Value::Array(items) => {
                self.text.push("[")?;
                for (index, item) in items.iter().enumerate() {
                    self.text.push(if index > 0 { ", " } else { "" })?;
                    self.literal(Literal(item), inner)?;
                }
                self.text.push("]")
            }
            Value::Object(map) if map.is_empty() => self.text.push("Record<string, never>"),
            Value::Object(map) => {
                self.text.push("{ ")?;
                for (index, (name, value)) in map.iter().enumerate() {
                    self.text.push(if index > 0 { "; " } else { "" })?;
                    self.name(name)?;
                    self.text.push(": ")?;
                    self.literal(Literal(value), inner)?;
                }
                self.text.push(" }")
            }
            scalar => self.text.push(&scalar.to_string()),
        }
    }

    fn name(&mut self, name: &str) -> Result<(), Full> {
        let mut bytes = name.bytes();
        let starts = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$';
        let plain = bytes.next().is_some_and(starts)
            && bytes.all(|byte| starts(byte) || byte.is_ascii_digit());
        if plain { self.text.push(name) } else { self.quoted(name) }
    }

    fn quoted(&mut self, text: &str) -> Result<(), Full> {
        // What ends a line for some readers, and what hides, is written as an escape.
        let quoted = Value::from(text).to_string();
        let is_plain =
            |character: char| character != '\u{7f}' && !super::comment::is_unseen(character);
        for character in quoted.chars() {
            match is_plain(character) {
                true => self.text.push(character.encode_utf8(&mut [0; 4]))?,
                false => self.text.push(&format!("\\u{:04x}", u32::from(character)))?,
            }
        }
        Ok(())
    }

    fn doc(&mut self, doc: &Doc<'a>) -> Result<(), Full> {
        if self.text.inline {
            return Ok(());
        }
        let lines = annotation::lines(&doc.0);
        match lines.as_slice() {
            [] => return Ok(()),
            [line] => {
                self.text.push("/** ")?;
                self.text.push(line)?;
                self.text.push(" */")?;
            }
            lines => {
                self.text.push("/**")?;
                for line in lines {
                    self.text.line()?;
                    self.text.push(" * ")?;
                    self.text.push(line)?;
                }
                self.text.line()?;
                self.text.push(" */")?;
            }
        }
        self.text.line()
    }
}

fn kind_name(kind: Kinds) -> &'static str {
    match kind {
        Kinds::NULL => "null",
        Kinds::BOOLEAN => "boolean",
        Kinds::NUMBER => "number",
        Kinds::STRING => "string",
        Kinds::LIST => "unknown[]",
        Kinds::OBJECT => "Record<string, unknown>",
        _ => "unknown",
    }
}
