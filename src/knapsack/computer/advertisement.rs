//! Reading what a computer says that it can do.

use std::fmt;

use serde_json::{Map, Value};

use crate::{
    failure::bounded,
    json,
    limits::{ADVERTISED_OPERATIONS, ADVERTISEMENT_BYTES},
    schema::{Schema, SchemaError, Subject},
};

/// The most bytes of a problem that is told.
const PROBLEM_BYTES: usize = 512;

/// All that a computer can do.
#[derive(Clone, Debug)]
pub struct Advertisement {
    /// The operations, in the order of their keys.
    pub operations: Vec<Advertised>,
}

/// One operation.
#[derive(Clone, Debug)]
pub struct Advertised {
    /// Its key, which may be dotted.
    pub key: String,
    /// What it does; may be empty.
    pub description: String,
    /// What the capability behind it can and can't do.
    pub notes: Vec<String>,
    /// How it is used well.
    pub instructions: Option<String>,
    /// What it takes.
    pub input: Schema,
    /// What it gives, if it says.
    pub output: Option<Schema>,
}

/// An advertisement that can't be used; for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdvertisementError {
    message: String,
}

impl AdvertisementError {
    pub(super) fn new(at: &str, problem: &str) -> Self {
        let problem = bounded(problem, PROBLEM_BYTES);
        Self { message: format!("at {}: {problem}", bounded(at, PROBLEM_BYTES)) }
    }
}

impl fmt::Display for AdvertisementError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for AdvertisementError {}

impl Advertisement {
    /// Reads an advertisement, strictly: one thing that isn't understood makes all of it
    /// unusable.
    ///
    /// # Errors
    ///
    /// Where the first fault is, as a JSON Pointer, and what.
    pub fn parse(value: &Value) -> Result<Self, AdvertisementError> {
        json::encode(value, ADVERTISEMENT_BYTES)
            .map_err(|error| AdvertisementError::new("/", &error.to_string()))?;
        let all = object(value, "/")?;
        only(all, "", &["operations"])?;
        let operations = all.get("operations").unwrap_or(&Value::Null);
        let operations = object(operations, "/operations")?;
        if operations.len() > ADVERTISED_OPERATIONS {
            let problem = format!("there are more than {ADVERTISED_OPERATIONS} operations");
            return Err(AdvertisementError::new("/operations", &problem));
        }
        let operations = operations.iter().map(|(key, value)| operation(key, value));
        Ok(Self { operations: operations.collect::<Result<_, _>>()? })
    }
}

fn operation(key: &str, value: &Value) -> Result<Advertised, AdvertisementError> {
    let at = format!("/operations/{key}");
    let given = object(value, &at)?;
    only(given, &at, &["description", "input", "instructions", "notes", "output"])?;
    let input =
        given.get("input").ok_or_else(|| AdvertisementError::new(&at, "input is missing"))?;
    let output = given.get("output").map(|output| schema(output, &format!("{at}/output")));
    Ok(Advertised {
        key: key.to_owned(),
        description: text(given, &at, "description")?.unwrap_or_default(),
        notes: notes(given, &at)?,
        instructions: text(given, &at, "instructions")?,
        input: schema(input, &format!("{at}/input"))?,
        output: output.transpose()?,
    })
}

fn object<'a>(value: &'a Value, at: &str) -> Result<&'a Map<String, Value>, AdvertisementError> {
    value.as_object().ok_or_else(|| AdvertisementError::new(at, "it isn't an object"))
}

fn only(given: &Map<String, Value>, at: &str, known: &[&str]) -> Result<(), AdvertisementError> {
    let unknown = given.keys().find(|key| !known.contains(&key.as_str()));
    unknown.map_or(Ok(()), |key| {
        let problem = format!("the key is unknown, there are {}", known.join(", "));
        Err(AdvertisementError::new(&format!("{at}/{key}"), &problem))
    })
}

fn text(
    given: &Map<String, Value>,
    at: &str,
    key: &str,
) -> Result<Option<String>, AdvertisementError> {
    let fault = || AdvertisementError::new(&format!("{at}/{key}"), "it isn't a text");
    given.get(key).map(|value| value.as_str().map(str::to_owned).ok_or_else(fault)).transpose()
}

fn notes(given: &Map<String, Value>, at: &str) -> Result<Vec<String>, AdvertisementError> {
    let fault = || AdvertisementError::new(&format!("{at}/notes"), "it isn't a list of texts");
    let Some(notes) = given.get("notes") else { return Ok(Vec::new()) };
    let notes = notes.as_array().ok_or_else(fault)?.iter();
    notes.map(|note| note.as_str().map(str::to_owned).ok_or_else(fault)).collect()
}

fn schema(document: &Value, at: &str) -> Result<Schema, AdvertisementError> {
    let fault = |error: SchemaError| AdvertisementError::new(at, &error.to_string());
    let schema = Schema::new(document.clone()).map_err(fault)?;
    // A pattern that no engine takes shows when the schema is compiled, and that costs.
    if document.to_string().contains("\"pattern") {
        match schema.validate(&Value::Null) {
            Err(error) if error.subject() == Subject::Schema => return Err(fault(error)),
            _ => {}
        }
    }
    Ok(schema)
}
