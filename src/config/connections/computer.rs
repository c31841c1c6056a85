//! `type = "computer"`: a computer that says itself what it can do, in another Worker or
//! over HTTPS.

use super::{Connection, Files, Type, files};
use crate::{
    config::{
        error::Errors,
        form::{Fields, Form, Rule, Text, section},
        node::{Node, Place},
        rule::{BindingName, Name},
    },
    knapsack::{computer::is_endpoint, openapi::Credential},
};

section! {
    /// As it is written.
    pub(in crate::config) struct Written {
        service: Option<BindingName>, "none", "The binding of another Worker in `wrangler.toml`, under `services`, whose methods `describe()`, `call({operation, input, context})` and perhaps `cancel(context)` are the computer. Either this or `url`.";
        url: Option<Text<IsEndpoint>>, "none", "Where the computer answers `GET …/describe` and `POST …/call`.";
        credential: Option<Credential>, "none", "What every request to `url` carries; it can't be a parameter of the query.";
        namespace: Vec<Name>, "none: env.NAME", "Where code finds it: `[\"computers\"]` makes it `env.computers.NAME`.";
        confirm: Option<bool>, "false", "Whether a person is asked before every call.";
        files: Option<files::Written>, "none", "The computer's own files, as `env.NAME.files`.";
    }
}

/// Of a URL at which a computer is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::config) struct IsEndpoint;

impl Rule for IsEndpoint {
    const ACCEPTED: &'static str = "a URL with https and without query, fragment or user,";
    const PATTERN: &'static str = "^https://[^\\s?#@\\\\]+$";

    fn holds(text: &str) -> bool {
        is_endpoint(text).is_ok()
    }
}

/// A computer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computer {
    /// How it is asked.
    pub reached: Reached,
    /// What requests carry, over HTTPS.
    pub credential: Option<Credential>,
    /// The namespace that its module is in.
    pub namespace: Vec<String>,
    /// Whether a person is asked before every call.
    pub confirm: bool,
    /// Its own files.
    pub files: Option<Files>,
}

/// How a computer is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Through a binding of this name.
    Service(String),
    /// At a URL.
    Url(String),
}

pub(super) const TYPE: Type = Type {
    word: "computer",
    keys: Written::KEYS,
    read,
    schema: Written::schema,
    rows: Written::keys,
};

fn read(
    fields: &Fields<'_>,
    node: &Node,
    place: &Place<'_>,
    errors: &mut Errors,
) -> Option<Connection> {
    let written = Written::read_fields(fields, errors)?;
    let reached = match (written.service, written.url) {
        (Some(service), None) => Reached::Service(service.0),
        (None, Some(url)) => Reached::Url(url.0),
        _ => {
            errors.wrong(place, node, "a computer with either service or url");
            return None;
        }
    };
    let carried = match (&written.credential, &reached) {
        (None, _) => true,
        (Some(Credential::Query { .. }), _) | (Some(_), Reached::Service(_)) => false,
        (Some(_), Reached::Url(_)) => true,
    };
    if !carried {
        let accepted = "a credential in a header, of a computer with url,";
        errors.wrong(&place.of("credential"), node, accepted);
        return None;
    }
    Some(Connection::Computer(Computer {
        reached,
        credential: written.credential,
        namespace: written.namespace.into_iter().map(|name| name.0).collect(),
        confirm: written.confirm.unwrap_or(false),
        files: written.files.map(Files::from),
    }))
}

impl Computer {
    pub(super) fn target(&self) -> String {
        match &self.reached {
            Reached::Service(binding) => format!("Worker bound as {binding}"),
            Reached::Url(url) => url.clone(),
        }
    }
}
