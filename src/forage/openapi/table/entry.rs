//! One operation as it is stored.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::shape::{Answer, Body, Method, Parameter, Place};

/// One operation of a table: what a catalog shows of it, and how it is called.
///
/// Every text is a third party's: whoever shows one frames it as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Entry {
    /// What a program calls it.
    pub name: String,
    /// The method.
    pub method: Method,
    /// The path template, as the document says it.
    pub path: String,
    /// What tells it apart in the document from others with its method and path; never sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fragment: Option<String>,
    /// What it does, in a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// What it does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What it belongs to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Whether it should no longer be used.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deprecated: bool,
    /// Always true: the texts are a third party's.
    pub third_party: bool,
    /// Whether formats and patterns are told that nothing checks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unchecked_formats: bool,
    /// The parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// The body of the request, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
    /// What a successful answer is read as.
    pub answer: Answer,
    /// Names that carry credentials in the query: no map that a program sends says one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<String>,
    /// What a program hands over: a map of the parameters and the body by their inputs.
    pub input: Value,
    /// What it gets; none when the document doesn't say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
}

impl Entry {
    /// What it is selected by: `GET /pets/{id}`.
    #[must_use]
    pub fn selector(&self) -> String {
        let selector = selector(self.method.as_str(), &self.path);
        match &self.fragment {
            Some(fragment) => format!("{selector}#{fragment}"),
            None => selector,
        }
    }
}

impl Entry {
    /// Whether `name` is a parameter of the query, or a credential there.
    pub(crate) fn names_in_query(&self, name: &str) -> bool {
        let parameter = |found: &Parameter| found.place == Place::Query && found.name == name;
        self.parameters.iter().any(parameter) || self.withheld.iter().any(|found| found == name)
    }
}

/// What an operation is selected by.
pub(crate) fn selector(method: &str, path: &str) -> String {
    format!("{method} {path}")
}
