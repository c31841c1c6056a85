//! Descriptions, and what TypeScript can't say: TSDoc.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::reference;
use crate::{
    failure::bounded,
    schema::typescript::{comment::comment, definitions::Definitions, place::Place},
};

/// The most bytes of a tag's value.
const TAG_BYTES: usize = 300;

/// The most schemas whose words belong to one value.
const SOURCES: usize = 8;

/// The most schemas that are asked whether they have any.
const LOOKED_AT: usize = 64;

/// Keywords that a tag of the same name says, in the order in which they are said.
const TAGS: &[&str] = &[
    "default",
    "format",
    "pattern",
    "x-pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "patternProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "not",
    "if",
    "then",
    "else",
    "contentEncoding",
    "contentMediaType",
];

/// Keywords that are said in ways of their own.
const WORDS: &[&str] = &["description", "title", "type", "examples", "example", "oneOf"];

/// Keywords that are only said when they are true.
const FLAGS: &[&str] = &["deprecated", "readOnly", "writeOnly"];

/// Adds the schemas whose words belong to a value of `place`: itself, what it refers to
/// unless that is declared elsewhere, and what it is made of.
pub(in crate::schema::typescript) fn sources<'a>(
    place: &Place<'a>,
    definitions: &mut Definitions<'a>,
    sources: &mut Vec<&'a Map<String, Value>>,
) {
    let mut seen = BTreeSet::new();
    let mut waiting = vec![place.clone()];
    while let Some(place) = waiting.pop() {
        let Some(keywords) = place.keywords() else { continue };
        if !seen.insert(place.address()) || seen.len() > LOOKED_AT {
            continue;
        }
        if sources.len() < SOURCES && says(keywords) {
            sources.push(keywords);
        }
        waiting.extend(place.inner("allOf").into_iter().rev());
        let target = reference::target(&place).map(|(target, _)| target);
        waiting.extend(target.filter(|target| !definitions.is_named(target)));
    }
}

/// Whether a schema may say something in words.
fn says(keywords: &Map<String, Value>) -> bool {
    let mut names = keywords.keys().map(String::as_str);
    names.any(|name| WORDS.contains(&name) || TAGS.contains(&name) || FLAGS.contains(&name))
}

/// The lines of a comment, safe as they are.
pub(in crate::schema::typescript) fn lines(sources: &[&Map<String, Value>]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for keywords in sources {
        for text in words(keywords).into_iter().chain(tags(keywords)) {
            let added =
                comment(&text).lines().map(str::trim_end).map(str::to_owned).collect::<Vec<_>>();
            if !lines.ends_with(&added) && !(added.len() == 1 && lines.contains(&text)) {
                lines.extend(added);
            }
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

fn words(keywords: &Map<String, Value>) -> Option<String> {
    let text = |name| keywords.get(name).and_then(Value::as_str).map(str::trim);
    let said = text("description").filter(|text| !text.is_empty()).or_else(|| text("title"));
    said.filter(|text| !text.is_empty()).map(str::to_owned)
}

fn tags(keywords: &Map<String, Value>) -> Vec<String> {
    let flags = FLAGS.iter().filter(|name| keywords.get(**name) == Some(&Value::Bool(true)));
    let mut tags: Vec<_> = flags.map(|name| format!("@{name}")).collect();
    if is_integer(keywords) {
        tags.push("@integer".to_owned());
    }
    for name in TAGS {
        match keywords.get(*name) {
            Some(Value::Bool(false)) if *name == "uniqueItems" => {}
            None => {}
            Some(value) => {
                tags.push(format!("@{} {}", name.trim_start_matches("x-"), shown(value)))
            }
        }
    }
    tags.extend(examples(keywords).map(|value| format!("@example {}", shown(value))));
    if keywords.get("oneOf").and_then(Value::as_array).is_some_and(|members| members.len() > 1) {
        tags.push("@oneOf exactly one of the alternatives".to_owned());
    }
    tags
}

fn is_integer(keywords: &Map<String, Value>) -> bool {
    let is = |value: &Value| value == "integer";
    match keywords.get("type") {
        Some(Value::Array(names)) => names.iter().any(is),
        name => name.is_some_and(is),
    }
}

fn examples(keywords: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let listed = keywords.get("examples").and_then(Value::as_array);
    listed.into_iter().flatten().chain(keywords.get("example")).take(3)
}

/// A value as JSON, a text as itself; what is too long says that it was cut.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) if !text.is_empty() && !text.contains(char::is_control) => text.clone(),
        value => value.to_string(),
    };
    if text.len() <= TAG_BYTES {
        return text;
    }
    format!("{} (cut: see the schema)", bounded(&text, TAG_BYTES))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::lines;
    use crate::schema::typescript::tests::declared;

    fn said(schema: &Value) -> Vec<String> {
        lines(&[schema.as_object().unwrap()])
    }

    #[test]
    fn what_typescript_cannot_say_is_a_tag() {
        for (schema, expected) in [
            (
                json!({"type": "integer", "minimum": 1, "maximum": 9}),
                vec!["@integer", "@minimum 1", "@maximum 9"],
            ),
            (
                json!({"default": "a", "format": "uuid", "pattern": "^a$"}),
                vec!["@default a", "@format uuid", "@pattern ^a$"],
            ),
            (json!({"default": null, "uniqueItems": false}), vec!["@default null"]),
            (
                json!({"description": " Words. ", "title": "T", "deprecated": true}),
                vec!["Words.", "@deprecated"],
            ),
            (
                json!({"title": "T", "examples": [1, {"a": 2}]}),
                vec!["T", "@example 1", "@example {\"a\":2}"],
            ),
            (json!({"not": {"const": 1}}), vec!["@not {\"const\":1}"]),
            (json!({"default": ""}), vec!["@default \"\""]),
        ] {
            assert_eq!(said(&schema), expected);
        }
    }

    #[test]
    fn mcp_execution_104_no_text_closes_a_comment() {
        let schema = json!({
            "title": "T */ x", "description": "D */ y\u{0}", "default": "*/ evil(); /*", "type": "string",
            "examples": ["*/"], "pattern": "*/", "format": "*/",
        });
        let text = declared(schema);
        assert_eq!(text.matches("*/").count(), 1, "{text}");
        assert!(text.ends_with("*/\ntype T = string;"), "{text}");
    }

    #[test]
    fn a_long_value_says_that_it_was_cut() {
        let lines = said(&json!({"default": "x".repeat(1_000)}));
        assert!(lines.concat().ends_with("(cut: see the schema)"), "{lines:?}");
    }

    #[test]
    fn words_of_what_it_is_made_of_are_kept() {
        let text = declared(json!({
            "$defs": {"S": {"type": "string", "description": "Inner.", "minLength": 2}},
            "allOf": [{"$ref": "#/$defs/S"}], "description": "Outer.",
        }));
        assert_eq!(text, "/**\n * Outer.\n * Inner.\n * @minLength 2\n */\ntype T = string;");
    }
}
