//! The body of a request: which media type is sent, and how it is written.

use serde_json::Value;

use super::{
    document::{Document, Part},
    finding::Findings,
    media,
    options::Serialization,
    reason::Code,
    remark::Kind,
    schema::Kinds,
    table::{self, Form, Style},
};

/// A body that programs send.
#[derive(Clone, Debug)]
pub(super) struct Declared<'a> {
    pub(super) media: &'a str,
    pub(super) form: Form,
    pub(super) required: bool,
    /// What it must be; none when that isn't said, or it is a text or a file.
    pub(super) schema: Option<Part<'a>>,
    pub(super) parts: Vec<table::Part>,
}

/// The body that an operation declares; none when it has none, or it isn't sent.
pub(super) fn read<'a>(
    document: &'a Document,
    serialization: Serialization,
    operation: &Part<'a>,
    findings: &mut Findings,
) -> Option<Declared<'a>> {
    let part = operation.get("requestBody")?;
    let pointer = part.pointer.clone();
    let body = match document.resolve(part) {
        Ok(body) => body,
        Err(code) => {
            findings.refuse(code, &pointer);
            return None;
        }
    };
    let content = body.get("content").filter(|content| content.map().is_some());
    let Some(content) = content else {
        findings.refuse(Code::BodyMalformed, &pointer);
        return None;
    };
    let full = serialization == Serialization::Full;
    let Some((media, form, part)) = chosen(&content, full) else {
        findings.refuse(Code::BodyMedia, &pointer);
        return None;
    };
    if content.map().is_some_and(|content| content.len() > 1) {
        findings.remark(Kind::MediaLeftOut, &content.pointer);
    }
    let schema = part.get("schema").filter(|_| !matches!(form, Form::Text | Form::Base64));
    let is_form = matches!(form, Form::Urlencoded | Form::Multipart);
    if is_form && !schema.as_ref().is_some_and(|schema| is_map(document, schema)) {
        findings.refuse(Code::BodyForm, &part.pointer);
        return None;
    }
    let parts = match &schema {
        Some(schema) if is_form => parts(document, form, schema, &part, findings),
        _ => Vec::new(),
    };
    let required = body.value.get("required") == Some(&Value::Bool(true));
    let media = match form {
        // The parameter would be a boundary, and each request has its own.
        Form::Multipart => "multipart/form-data",
        _ => media::sent(media),
    };
    Some(Declared { media, form, required, schema, parts })
}

/// The media type that is sent: JSON before all others, and a type before a range.
fn chosen<'a>(content: &Part<'a>, full: bool) -> Option<(&'a str, Form, Part<'a>)> {
    let rank = |media: &str, form: Form| match form {
        Form::Json if media == "application/json" => 0,
        Form::Json if !media::is_range(media) => 1,
        Form::Json => 2,
        Form::Urlencoded => 3,
        Form::Multipart => 4,
        Form::Text => 5,
        Form::Base64 => 6,
    };
    let offered = content.entries().filter_map(|(media, part)| {
        let form = match media::form(media) {
            Some(Form::Json) => Form::Json,
            Some(form) if full => form,
            None if full && media::is_text(media) => Form::Text,
            None if full => Form::Base64,
            _ => return None,
        };
        media::is_sendable(media::sent(media)).then_some((media, form, part))
    });
    offered.min_by_key(|(media, form, _)| rank(media, *form))
}

/// Whether a form's schema names its parts.
fn is_map(document: &Document, schema: &Part<'_>) -> bool {
    let kinds = Kinds::of(document, schema);
    kinds.may_be_map() && kinds.are_nested()
}

/// The parts that aren't written as usual.
fn parts(
    document: &Document,
    form: Form,
    schema: &Part<'_>,
    media: &Part<'_>,
    findings: &mut Findings,
) -> Vec<table::Part> {
    let Ok(schema) = document.resolve(schema.clone()) else { return Vec::new() };
    let encoding = media.get("encoding");
    let mut parts = Vec::new();
    let properties = schema.get("properties");
    for (name, property) in properties.iter().flat_map(Part::entries) {
        let encoding = encoding.as_ref().and_then(|encoding| encoding.get(name));
        let said = |key: &str| encoding.as_ref().and_then(|encoding| encoding.value.get(key));
        let style = said("style").and_then(Value::as_str);
        let mut part = table::Part {
            name: name.to_owned(),
            style: None,
            explode: said("explode").and_then(Value::as_bool),
            media: None,
            base64: false,
        };
        if form == Form::Urlencoded {
            part.style =
                style.and_then(Style::named).filter(|style| style.is_at(table::Place::Query));
            if style.is_some() && part.style.is_none()
                || said("allowReserved") == Some(&Value::Bool(true))
            {
                let pointer = encoding.as_ref().map_or(&property.pointer, |part| &part.pointer);
                findings.refuse(Code::ParameterStyle, pointer);
            }
        } else {
            part.base64 = is_file(document, &property);
            part.explode = None;
            part.media = said("contentType").and_then(Value::as_str).and_then(one_type);
        }
        if part.style.is_some() || part.explode.is_some() || part.media.is_some() || part.base64 {
            parts.push(part);
        }
    }
    parts
}

/// The first of the media types that an encoding names, if it can be sent.
fn one_type(listed: &str) -> Option<String> {
    let first = listed.split(',').next().unwrap_or_default().trim();
    media::is_sendable(first).then(|| first.to_owned())
}

/// Whether a property is a file, or a list of them: bytes that no text holds.
fn is_file(document: &Document, property: &Part<'_>) -> bool {
    let Ok(property) = document.resolve(property.clone()) else { return false };
    let property = match property.get("items") {
        Some(items) => document.resolve(items).unwrap_or(property),
        None => property,
    };
    property.text("format") == Some("binary")
}
