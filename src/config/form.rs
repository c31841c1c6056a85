//! What a value may be: how it is read, how it is told, how an editor knows it.
//!
//! One type is all three, so that a page or a schema can't say what isn't read.

use std::{collections::BTreeMap, marker::PhantomData};

use serde_json::{Map, Value as Json, json};

use super::{
    error::Errors,
    node::{Node, Place, Value},
};

/// A kind of value.
pub(super) trait Form: Sized {
    /// What is accepted, as a sentence's subject.
    fn accepted() -> String;

    /// The same as JSON Schema.
    fn schema() -> Json;

    /// The keys below it, for the page.
    fn keys(_path: &str, _rows: &mut Vec<Row>) {}

    /// The value, or the errors that there are.
    fn read(node: &Node, place: &Place<'_>, errors: &mut Errors) -> Option<Self>;

    /// The value when nothing is written; none when something must be.
    fn absent() -> Option<Self> {
        None
    }
}

/// A key on the page of configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The keys that lead to it, with dots between.
    pub key: String,
    /// What it may be.
    pub accepted: String,
    /// What it is when it is left out; nothing when it can't be.
    pub default: &'static str,
    /// What it is for.
    pub meaning: &'static str,
}

impl Form for bool {
    fn accepted() -> String {
        "true or false".to_owned()
    }

    fn schema() -> Json {
        json!({ "type": "boolean" })
    }

    fn read(node: &Node, place: &Place<'_>, errors: &mut Errors) -> Option<Self> {
        let flag = match &node.value {
            Value::Flag(flag) => Some(*flag),
            Value::Variable(text) => text.parse().ok(),
            _ => None,
        };
        if flag.is_none() {
            errors.wrong(place, node, &Self::accepted());
        }
        flag
    }
}

/// A whole number within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole<const LEAST: u64, const MOST: u64>(pub(super) u64);

impl<const LEAST: u64, const MOST: u64> Form for Whole<LEAST, MOST> {
    fn accepted() -> String {
        format!("a whole number from {LEAST} to {MOST}")
    }

    fn schema() -> Json {
        json!({ "type": "integer", "minimum": LEAST, "maximum": MOST })
    }

    fn read(node: &Node, place: &Place<'_>, errors: &mut Errors) -> Option<Self> {
        let number = match &node.value {
            Value::Whole(number) => Some(*number),
            // Digits and nothing else: a sign or a space is a slip.
            Value::Variable(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                text.parse().ok()
            }
            _ => None,
        };
        let number = number.filter(|number| (LEAST..=MOST).contains(number));
        if number.is_none() {
            errors.wrong(place, node, &Self::accepted());
        }
        number.map(Self)
    }
}

/// What a text must be.
pub(super) trait Rule {
    /// As a sentence's subject.
    const ACCEPTED: &'static str;
    /// The same as a regular expression, where one can say it.
    const PATTERN: &'static str;
    /// Whether one that breaks the rule may be a secret.
    const MASKED: bool = false;

    /// Whether it is.
    fn holds(text: &str) -> bool;
}

/// A text that keeps a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text<R>(pub(super) String, PhantomData<R>);

impl<R> Text<R> {
    pub(super) fn of(text: &str) -> Self {
        Self(text.to_owned(), PhantomData)
    }
}

impl<R: Rule> Form for Text<R> {
    fn accepted() -> String {
        R::ACCEPTED.to_owned()
    }

    fn schema() -> Json {
        json!({ "type": "string", "pattern": R::PATTERN })
    }

    fn read(node: &Node, place: &Place<'_>, errors: &mut Errors) -> Option<Self> {
        match &node.value {
            Value::Text(text) | Value::Variable(text) if R::holds(text) => Some(Self::of(text)),
            Value::Text(_) | Value::Variable(_) if R::MASKED => {
                errors.masked(place, node, R::ACCEPTED);
                None
            }
            _ => {
                errors.wrong(place, node, R::ACCEPTED);
                None
            }
        }
    }
}

impl<F: Form> Form for Option<F> {
    fn accepted() -> String {
        F::accepted()
    }

    fn schema() -> Json {
        F::schema()
    }

    fn keys(path: &str, rows: &mut Vec<Row>) {
        F::keys(path, rows);
    }

    fn read(node: &Node, place: &Place<'_>, errors: &mut Errors) -> Option<Self> {
        F::read(node, place, errors).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

/// A variable says a list with commas between.
impl<F: Form> Form for Vec<F> {
    fn accepted() -> String {
        format!("a list, each {},", F::accepted())
    }

    fn schema() -> Json {
        json!({ "type": "array", "items": F::schema() })
    }

    fn read(node: &Node, place: &Place<'_>, errors: &mut Errors) -> Option<Self> {
        let listed = match &node.value {
            Value::List(listed) => listed.clone(),
            Value::Variable(text) => node.split(text),
            _ => {
                errors.wrong(place, node, &Self::accepted());
                return None;
            }
        };
        // All of them are read, so that every error is told.
        let read: Vec<Option<F>> = listed
            .iter()
            .enumerate()
            .map(|(index, one)| F::read(one, &place.at(index), errors))
            .collect();
        read.into_iter().collect()
    }

    fn absent() -> Option<Self> {
        Some(Self::new())
    }
}

/// Names that the owner chooses, each with its value.
impl<F: Form> Form for BTreeMap<String, F> {
    fn accepted() -> String {
        format!("a table of names, each with {},", F::accepted())
    }

    fn schema() -> Json {
        json!({ "type": "object", "additionalProperties": F::schema() })
    }

    fn keys(path: &str, rows: &mut Vec<Row>) {
        F::keys(&format!("{path}.NAME"), rows);
    }

    fn read(node: &Node, place: &Place<'_>, errors: &mut Errors) -> Option<Self> {
        let Value::Table(table) = &node.value else {
            errors.wrong(place, node, &Self::accepted());
            return None;
        };
        let read: Vec<Option<(String, F)>> = table
            .iter()
            .map(|(name, one)| Some((name.clone(), F::read(one, &place.of(name), errors)?)))
            .collect();
        read.into_iter().collect()
    }

    fn absent() -> Option<Self> {
        Some(Self::new())
    }
}

/// The keys of one table, each read once.
pub(super) struct Fields<'a> {
    place: &'a Place<'a>,
    node: &'a Node,
    table: &'a BTreeMap<String, Node>,
}

impl<'a> Fields<'a> {
    /// The table at a place, in which these keys may be and no others.
    pub(super) fn of(
        node: &'a Node,
        place: &'a Place<'a>,
        known: &[&'static str],
        errors: &mut Errors,
    ) -> Option<Self> {
        let Value::Table(table) = &node.value else {
            errors.wrong(place, node, "a table");
            return None;
        };
        for (name, value) in table {
            if !known.contains(&name.as_str()) {
                errors.unknown(&place.of(name), value.line, name, known.iter().copied());
            }
        }
        Some(Self { place, node, table })
    }

    /// The value of a key.
    pub(super) fn read<F: Form>(&self, name: &'static str, errors: &mut Errors) -> Option<F> {
        let place = self.place.of(name);
        match self.table.get(name) {
            Some(node) => F::read(node, &place, errors),
            None => {
                let absent = F::absent();
                if absent.is_none() {
                    errors.missing(&place, self.node.line, &F::accepted());
                }
                absent
            }
        }
    }
}

/// A key of a section, in the schema.
pub(super) fn property<F: Form>(
    name: &str,
    meaning: &str,
    properties: &mut Map<String, Json>,
    required: &mut Vec<Json>,
) {
    let mut schema = F::schema();
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("description".to_owned(), meaning.into());
    }
    properties.insert(name.to_owned(), schema);
    if F::absent().is_none() {
        required.push(name.into());
    }
}

/// A key of a section, on the page, and those below it.
pub(super) fn row<F: Form>(
    path: &str,
    name: &str,
    default: &'static str,
    meaning: &'static str,
    rows: &mut Vec<Row>,
) {
    let key = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    let before = rows.len();
    F::keys(&key, rows);
    // What has keys of its own is told by them.
    if rows.len() == before {
        rows.push(Row { key, accepted: F::accepted(), default, meaning });
    }
}

/// A table with fixed keys: a struct, how it is read, and what a page says of it.
macro_rules! section {
    ($(#[$about:meta])* $vis:vis struct $name:ident {
        $($key:ident: $form:ty, $default:literal, $meaning:literal;)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        $vis struct $name {
            $(#[doc = $meaning] pub(in crate::config) $key: $form,)*
        }

        impl $name {
            /// Every key.
            pub(in crate::config) const KEYS: &'static [&'static str] = &[$(stringify!($key)),*];

            /// The keys' values; the table may have others that were looked at already.
            #[allow(clippy::unnecessary_wraps, reason = "a section may have no key")]
            pub(in crate::config) fn read_fields(
                fields: &crate::config::form::Fields<'_>,
                errors: &mut crate::config::error::Errors,
            ) -> Option<Self> {
                // Each is read before any is missed, so that every error is told.
                $(let $key = fields.read(stringify!($key), errors);)*
                Some(Self { $($key: $key?,)* })
            }
        }

        impl crate::config::form::Form for $name {
            fn accepted() -> String {
                "a table".to_owned()
            }

            fn schema() -> serde_json::Value {
                let (mut properties, mut required) = (serde_json::Map::new(), Vec::new());
                $(crate::config::form::property::<$form>(
                    stringify!($key), $meaning, &mut properties, &mut required,
                );)*
                serde_json::json!({
                    "type": "object",
                    "properties": properties,
                    "required": required,
                    "additionalProperties": false,
                })
            }

            fn keys(path: &str, rows: &mut Vec<crate::config::form::Row>) {
                $(crate::config::form::row::<$form>(
                    path, stringify!($key), $default, $meaning, rows,
                );)*
            }

            fn read(
                node: &crate::config::node::Node,
                place: &crate::config::node::Place<'_>,
                errors: &mut crate::config::error::Errors,
            ) -> Option<Self> {
                let fields = crate::config::form::Fields::of(node, place, Self::KEYS, errors)?;
                Self::read_fields(&fields, errors)
            }

            fn absent() -> Option<Self> {
                Some(Self { $($key: <$form as crate::config::form::Form>::absent()?,)* })
            }
        }
    };
}

/// A value that is one of a few words.
macro_rules! words {
    ($(#[$about:meta])* $name:ident($inner:ty) { $($word:literal => $value:expr,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(in crate::config) struct $name(pub(in crate::config) $inner);

        impl crate::config::form::Form for $name {
            fn accepted() -> String {
                [$($word),*].join(" or ")
            }

            fn schema() -> serde_json::Value {
                serde_json::json!({ "enum": [$($word),*] })
            }

            fn read(
                node: &crate::config::node::Node,
                place: &crate::config::node::Place<'_>,
                errors: &mut crate::config::error::Errors,
            ) -> Option<Self> {
                use crate::config::node::Value;
                if let Value::Text(text) | Value::Variable(text) = &node.value {
                    match text.as_str() {
                        $($word => return Some(Self($value)),)*
                        _ => {}
                    }
                }
                errors.wrong(place, node, &Self::accepted());
                None
            }
        }
    };
}

pub(super) use {section, words};
