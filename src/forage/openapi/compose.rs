//! An operation that was selected, as it is stored.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{
    document::{Document, Part},
    finding::Findings,
    operation::{Declared, Site},
    options::{Formats, Options},
    reason::{Code, Reason},
    remark::Kind,
    schema::{Direction, expand},
    table::{self, Answer, Entry, Form, Method, Parameter},
    text,
};
use crate::{
    json,
    limits::{
        OPENAPI_TABLE_BYTES, OPENAPI_TAG_UNITS, OPENAPI_TAGS, OPENAPI_TEXT_UNITS,
        OPENAPI_TITLE_UNITS,
    },
};

/// The name of a body among the inputs.
const BODY: &str = "body";

/// What is remarked of an operation's texts.
pub(super) fn remark(site: &Site<'_>, findings: &mut Findings) {
    let operation = &site.operation;
    for (key, units) in [("summary", OPENAPI_TITLE_UNITS), ("description", OPENAPI_TEXT_UNITS)] {
        if operation.text(key).is_some_and(|said| !text::within(said, units)) {
            findings.remark(Kind::TextCut, &operation.pointer.key(key));
        }
    }
    let Some(tags) = operation.get("tags") else { return };
    for (index, tag) in tags.items().enumerate() {
        if index >= OPENAPI_TAGS {
            findings.remark(Kind::TagsLeftOut, &tag.pointer);
        } else if tag.value.as_str().is_some_and(|tag| !text::within(tag, OPENAPI_TAG_UNITS)) {
            findings.remark(Kind::TextCut, &tag.pointer);
        }
    }
}

/// The bytes that an entry takes in a table, about.
pub(super) fn weight(entry: &Entry) -> usize {
    serde_json::to_value(entry)
        .ok()
        .and_then(|value| json::encode(&value, OPENAPI_TABLE_BYTES).ok())
        .map_or(usize::MAX, |text| text.len())
}

/// The entry of an operation.
///
/// # Errors
///
/// A schema isn't what the survey took it for.
pub(super) fn entry(
    document: &Document,
    options: &Options,
    site: &Site<'_>,
    declared: &Declared<'_>,
    name: &str,
    (path, fragment): (&str, Option<&str>),
    withheld: &[String],
) -> Result<Entry, Reason> {
    let operation = &site.operation;
    let written = |key, units| text::bounded(operation.text(key).unwrap_or_default(), units).text;
    let inputs = inputs(declared);
    let expansion = Expansion { document, formats: options.formats };
    let input = expansion.input(declared, &inputs)?;
    let output = match declared.method {
        // The answer has no body, whatever its description says.
        Method::Head => Some(json!({"type": "null"})),
        _ => expansion.output(&declared.response)?,
    };
    let unchecked_formats = says_format(&input) || output.as_ref().is_some_and(says_format);
    Ok(Entry {
        name: name.to_owned(),
        method: declared.method,
        path: path.to_owned(),
        fragment: fragment.map(str::to_owned),
        title: written("summary", OPENAPI_TITLE_UNITS),
        description: written("description", OPENAPI_TEXT_UNITS),
        tags: tags(operation),
        deprecated: operation.value.get("deprecated") == Some(&Value::Bool(true)),
        third_party: true,
        unchecked_formats,
        parameters: parameters(declared, &inputs),
        body: declared.body.as_ref().map(|body| table::Body {
            input: inputs.last().cloned().unwrap_or_default(),
            media: body.media.to_owned(),
            form: body.form,
            required: body.required,
            parts: body.parts.clone(),
        }),
        answer: declared.response.answer,
        withheld: withheld.to_vec(),
        input,
        output,
    })
}

fn tags(operation: &Part<'_>) -> Vec<String> {
    let tags = operation.get("tags");
    let tags = tags.iter().flat_map(Part::items).filter_map(|tag| tag.value.as_str());
    tags.take(OPENAPI_TAGS).map(|tag| text::bounded(tag, OPENAPI_TAG_UNITS).text).collect()
}

/// What a program calls the parameters and the body, in that order. A name that more than
/// one of them has is told by its place: `path_id`, `query_id`.
fn inputs(declared: &Declared<'_>) -> Vec<String> {
    let parameters = &declared.parameters;
    let body = declared.body.iter().map(|_| ("request", BODY));
    let wanted: Vec<_> =
        parameters.iter().map(|found| (found.place.as_str(), found.name)).chain(body).collect();
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, name) in &wanted {
        let count = uses.entry(name).or_default();
        *count = count.saturating_add(1);
    }
    let mut taken: Vec<String> = Vec::new();
    for (place, name) in &wanted {
        let shared = uses.get(name).is_some_and(|count| *count > 1);
        let plain = if shared { format!("{place}_{name}") } else { (*name).to_owned() };
        let mut input = plain.clone();
        let mut number = 2_u64;
        let is_taken =
            |input: &String| taken.contains(input) || shared && uses.contains_key(input.as_str());
        while is_taken(&input) {
            input = format!("{plain}_{number}");
            number = number.saturating_add(1);
        }
        taken.push(input);
    }
    taken
}

fn parameters(declared: &Declared<'_>, inputs: &[String]) -> Vec<Parameter> {
    let parameter = |(found, input): (&super::parameter::Declared<'_>, &String)| Parameter {
        name: found.name.to_owned(),
        input: input.clone(),
        place: found.place,
        style: found.style,
        explode: found.explode,
        required: found.required,
    };
    declared.parameters.iter().zip(inputs).map(parameter).collect()
}

struct Expansion<'a> {
    document: &'a Document,
    formats: Formats,
}

impl<'a> Expansion<'a> {
    fn schema(&self, part: &Part<'a>, direction: Direction) -> Result<Value, Reason> {
        expand(self.document, self.formats, direction, part)
            .ok_or_else(|| Reason::new(Code::SchemaMalformed, &part.pointer))
    }

    /// One map of everything that a program hands over.
    fn input(&self, declared: &Declared<'a>, inputs: &[String]) -> Result<Value, Reason> {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for (parameter, input) in declared.parameters.iter().zip(inputs) {
            let mut schema = self.schema(&parameter.schema, Direction::Request)?;
            describe(&mut schema, parameter.description);
            properties.insert(input.clone(), schema);
            if parameter.required {
                required.push(input.as_str());
            }
        }
        if let (Some(body), Some(input)) = (&declared.body, inputs.last()) {
            properties.insert(input.clone(), self.body(body)?);
            if body.required {
                required.push(input.as_str());
            }
        }
        Ok(json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        }))
    }

    fn body(&self, body: &super::body::Declared<'a>) -> Result<Value, Reason> {
        Ok(match (&body.schema, body.form) {
            (_, Form::Text) => {
                json!({"type": "string", "description": format!("The {} that is sent.", body.media)})
            }
            (_, Form::Base64) => json!({
                "type": "string",
                "description": format!("The base64 of the {} that is sent.", body.media),
            }),
            (Some(schema), _) => self.schema(schema, Direction::Request)?,
            (None, _) => json!({}),
        })
    }

    fn output(&self, response: &super::response::Declared<'a>) -> Result<Option<Value>, Reason> {
        match response.answer {
            Answer::Json => {}
            Answer::Text | Answer::Base64 if response.may_be_empty => {
                return Ok(Some(json!({"type": ["string", "null"]})));
            }
            Answer::Text | Answer::Base64 => return Ok(Some(json!({"type": "string"}))),
        }
        if !response.described {
            return Ok(None);
        }
        let mut choices = Vec::new();
        for part in &response.schemas {
            let schema = self.schema(part, Direction::Response)?;
            if !choices.contains(&schema) {
                choices.push(schema);
            }
        }
        if response.may_be_empty {
            choices.push(json!({"type": "null"}));
        }
        Ok(match choices.len() {
            0 => None,
            1 => choices.pop(),
            _ => Some(json!({ "anyOf": choices })),
        })
    }
}

/// Puts a parameter's description where its schema has none.
fn describe(schema: &mut Value, description: Option<&str>) {
    if let (Value::Object(map), Some(said)) = (schema, description) {
        let told = || Value::from(text::bounded(said, OPENAPI_TEXT_UNITS).text);
        map.entry("description").or_insert_with(told);
    }
}

/// Whether a schema tells a format or a pattern. The recursion is as deep as a schema
/// may be.
fn says_format(schema: &Value) -> bool {
    match schema {
        Value::Array(items) => items.iter().any(says_format),
        Value::Object(map) => {
            let told = ["format", "x-pattern", "x-contentEncoding", "x-contentMediaType"];
            told.iter().any(|key| map.get(*key).is_some_and(Value::is_string))
                || map.values().any(says_format)
        }
        _ => false,
    }
}
