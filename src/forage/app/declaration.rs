//! The declaration, read strictly.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::ForageError;
use crate::{
    operation::{Access, relative_path},
    schema::Schema,
};

/// The most methods, and the most families, of one App.
const MOST: usize = 500;

/// An App's methods and families of tools.
#[derive(Clone, Debug, Default)]
pub struct AppApi {
    pub(super) methods: BTreeMap<String, AppMethod>,
    pub(super) families: BTreeMap<String, AppFamily>,
}

/// One method as it is declared.
#[derive(Clone, Debug)]
pub struct AppMethod {
    /// What it does; may be empty.
    pub description: String,
    /// What it takes.
    pub input: Schema,
    /// What it gives.
    pub output: Schema,
    /// Whether it observes or changes.
    pub effect: Access,
    /// Capabilities that it needs.
    pub requirements: Vec<String>,
    /// Whether discovery keeps it to itself.
    pub hidden: bool,
}

/// A family of tools that the App lists itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppFamily {
    /// The method that gives the tools.
    pub listing: String,
    /// The method that runs one.
    pub call: String,
}

impl AppApi {
    /// Reads a declaration.
    ///
    /// # Errors
    ///
    /// A [`ForageError::App`] that names the method or family: a key that there isn't, a value
    /// of another kind, a name that code can't say, a schema that is none, a family of methods
    /// that aren't declared.
    pub fn parse(declaration: &Value) -> Result<Self, ForageError> {
        let fields = Fields::of("the declaration", declaration, &["methods", "families"])?;
        let mut api = Self::default();
        for (name, method) in fields.map("methods")? {
            relative_path(name).map_err(|rule| fault(name, rule))?;
            api.methods.insert(name.clone(), AppMethod::parse(name, method)?);
        }
        for (name, family) in fields.map("families")? {
            let family = AppFamily::parse(name, family)?;
            for method in [&family.listing, &family.call] {
                if !api.methods.contains_key(method) {
                    let rule = format!("there is no method {method:?}: declare it");
                    return Err(fault(name, &rule));
                }
            }
            api.families.insert(name.clone(), family);
        }
        Ok(api)
    }

    /// Every method by its name, the hidden ones too.
    pub fn methods(&self) -> impl Iterator<Item = (&str, &AppMethod)> {
        self.methods.iter().map(|(name, method)| (name.as_str(), method))
    }

    /// Every family by its name.
    pub fn families(&self) -> impl Iterator<Item = (&str, &AppFamily)> {
        self.families.iter().map(|(name, family)| (name.as_str(), family))
    }
}

impl AppMethod {
    fn parse(name: &str, method: &Value) -> Result<Self, ForageError> {
        let keys = ["description", "input", "output", "effect", "requirements", "hidden"];
        let fields = Fields::of(name, method, &keys)?;
        let effect = match fields.text("effect")?.as_deref() {
            None | Some("write") => Access::Write,
            Some("read") => Access::Read,
            Some(_) => return Err(fault(name, "effect is exactly \"read\" or \"write\"")),
        };
        Ok(Self {
            description: fields.text("description")?.unwrap_or_default(),
            input: fields.schema("input")?,
            output: fields.schema("output")?,
            effect,
            requirements: fields.texts("requirements")?,
            hidden: fields.flag("hidden")?,
        })
    }
}

impl AppFamily {
    fn parse(name: &str, family: &Value) -> Result<Self, ForageError> {
        let fields = Fields::of(name, family, &["listing", "call"])?;
        let method = |key: &str| {
            fields
                .text(key)?
                .ok_or_else(|| fault(name, &format!("{key} is missing: name a method")))
        };
        Ok(Self { listing: method("listing")?, call: method("call")? })
    }
}

pub(super) fn fault(name: &str, problem: &str) -> ForageError {
    ForageError::App { name: name.to_owned(), problem: problem.to_owned() }
}

/// A schema from outside, by the rules that every App's schema keeps.
pub(super) fn schema(name: &str, which: &str, document: &Value) -> Result<Schema, ForageError> {
    Schema::new(document.clone())
        .map_err(|error| fault(name, &format!("its {which} schema is refused: {error}")))
}

/// An object's fields, all of which are known.
pub(super) struct Fields<'a> {
    name: &'a str,
    given: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    fn of(name: &'a str, value: &'a Value, keys: &[&str]) -> Result<Self, ForageError> {
        let fields = Self::open(name, value)?;
        match fields.given.keys().find(|key| !keys.contains(&key.as_str())) {
            None => Ok(fields),
            Some(key) => {
                let key = crate::failure::bounded(key, 64);
                let keys = keys.join(", ");
                Err(fault(name, &format!("there is no key {key:?}: the keys are {keys}")))
            }
        }
    }

    /// The fields of an object that may have others too.
    pub(super) fn open(name: &'a str, value: &'a Value) -> Result<Self, ForageError> {
        let given = value.as_object().ok_or_else(|| fault(name, "it is no object: send one"))?;
        Ok(Self { name, given })
    }

    fn wrong(&self, key: &str, kind: &str) -> ForageError {
        fault(self.name, &format!("{key} is no {kind}: send one"))
    }

    fn map(&self, key: &str) -> Result<impl Iterator<Item = (&'a String, &'a Value)>, ForageError> {
        let map = match self.given.get(key) {
            None => None,
            Some(Value::Object(map)) if map.len() <= MOST => Some(map),
            Some(Value::Object(_)) => {
                return Err(fault(
                    self.name,
                    &format!("{key} has more than {MOST} entries: split it"),
                ));
            }
            Some(_) => return Err(self.wrong(key, "object")),
        };
        Ok(map.into_iter().flatten())
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<String>, ForageError> {
        match self.given.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.wrong(key, "string")),
        }
    }

    fn texts(&self, key: &str) -> Result<Vec<String>, ForageError> {
        let wrong = || self.wrong(key, "list of strings");
        match self.given.get(key) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong))
                .collect(),
            Some(_) => Err(wrong()),
        }
    }

    fn flag(&self, key: &str) -> Result<bool, ForageError> {
        match self.given.get(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.wrong(key, "boolean")),
        }
    }

    pub(super) fn schema(&self, key: &str) -> Result<Schema, ForageError> {
        let missing = || fault(self.name, &format!("{key} is missing: give a schema"));
        schema(self.name, key, self.given.get(key).ok_or_else(missing)?)
    }

    pub(super) fn perhaps_schema(&self, key: &str) -> Result<Option<Schema>, ForageError> {
        self.given.get(key).map(|document| schema(self.name, key, document)).transpose()
    }
}
