//! From a program's input to a request: built from the stored shape only.

mod body;
mod form;
mod multipart;
mod parameter;
mod value;

use serde_json::Value;

use super::Server;
use crate::{
    forage::openapi::{
        Answer, Entry, Place,
        path::{Misfit, Template},
    },
    port::fetch::Request,
};

/// Why no request is made of an input; nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unsayable(String);

impl Unsayable {
    fn new(input: &str, rule: &str) -> Self {
        Self(format!("at /{}: {rule}", input.replace('~', "~0").replace('/', "~1")))
    }
}

impl std::fmt::Display for Unsayable {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Who asks, by the header that some servers insist on.
const USER_AGENT: &str = concat!("mycelium/", env!("CARGO_PKG_VERSION"));

/// The request for one call, without its credential.
///
/// # Errors
///
/// A value can't be said in its place, or would lead elsewhere.
pub(super) fn build(
    entry: &Entry,
    template: &Template,
    server: &Server,
    credential: Option<&str>,
    input: &Value,
) -> Result<Request, Unsayable> {
    let path = path(entry, template, input)?;
    let query = query(entry, credential, input)?;
    let mut headers = vec![
        ("accept".to_owned(), accepted(entry.answer).to_owned()),
        ("user-agent".to_owned(), USER_AGENT.to_owned()),
    ];
    for (parameter, value) in given(entry, Place::Header, input) {
        headers.push((parameter.name.clone(), parameter::header(parameter, value)?));
    }
    let body = match &entry.body {
        Some(body) => body::write(body, input.get(&body.input))?,
        None => None,
    };
    let body = body.map(|(media, bytes)| {
        headers.push(("content-type".to_owned(), media));
        bytes
    });
    let url = server.url(&path, &query);
    if !server.has(&url, template.segments()) {
        return Err(Unsayable("the values together would lead to another place".to_owned()));
    }
    Ok(Request { method: entry.method.as_str().to_owned(), url, headers, body })
}

fn accepted(answer: Answer) -> &'static str {
    match answer {
        // Some servers have types of their own that are JSON too.
        Answer::Json => "application/json, */*;q=0.5",
        Answer::Text => "text/plain, */*;q=0.5",
        Answer::Base64 => "*/*",
    }
}

/// The parameters at `place` that were given, with their values. Null says nothing: it is
/// a parameter that was left out.
fn given<'a>(
    entry: &'a Entry,
    place: Place,
    input: &'a Value,
) -> impl Iterator<Item = (&'a crate::forage::openapi::Parameter, &'a Value)> {
    let at = entry.parameters.iter().filter(move |parameter| parameter.place == place);
    at.filter_map(|parameter| {
        let value = input.get(&parameter.input)?;
        (!value.is_null() || parameter.required).then_some((parameter, value))
    })
}

fn path(entry: &Entry, template: &Template, input: &Value) -> Result<String, Unsayable> {
    let mut values = std::collections::BTreeMap::new();
    for (parameter, value) in given(entry, Place::Path, input) {
        values.insert(parameter.name.as_str(), parameter::path(parameter, value)?);
    }
    let of = |name: &str| {
        let mut parameters = entry.parameters.iter();
        let found = parameters.find(|found| found.place == Place::Path && found.name == name);
        found.map_or(name, |found| found.input.as_str()).to_owned()
    };
    template.fill(|name| values.get(name).cloned()).map_err(|misfit| match misfit {
        Misfit::Missing(name) => Unsayable::new(&of(&name), "it is part of the path: give it"),
        Misfit::Leads(name) => Unsayable::new(
            &of(&name),
            "the path would have an empty or dot segment and lead elsewhere: give another value",
        ),
    })
}

fn query(entry: &Entry, credential: Option<&str>, input: &Value) -> Result<String, Unsayable> {
    let mut pairs = Vec::new();
    for (parameter, value) in given(entry, Place::Query, input) {
        let written = parameter::query(parameter, value)?;
        // An exploded map names parameters itself: none that is somebody else's.
        let foreign = |name: &String| {
            *name != parameter.name
                && (entry.names_in_query(name) || credential == Some(name.as_str()))
        };
        if let Some((name, _)) = written.iter().find(|(name, _)| foreign(name)) {
            let rule = format!("its property {name} is a parameter of its own: leave it out");
            return Err(Unsayable::new(&parameter.input, &rule));
        }
        pairs.extend(written);
    }
    let pairs = pairs
        .into_iter()
        .map(|(name, value)| format!("{}={value}", crate::forage::openapi::path::encode(&name)));
    Ok(pairs.collect::<Vec<_>>().join("&"))
}
