//! The three helpers as JSON: what a program sends, and what it is answered.

use serde_json::{Map, Value};

use super::{Catalog, ForageError, ListQuery, SearchQuery};
use crate::limits::QUERY_BYTES;

/// A question that a program may ask of discovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Helper {
    /// `forage.search({ query, limit?, namespace? })`
    Search,
    /// `forage.list({ limit?, cursor?, namespace? })`
    List,
    /// `forage.describe({ path, methods? })`
    Describe,
}

impl Helper {
    /// The helper of this name, `search`, `list` or `describe`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "search" => Some(Self::Search),
            "list" => Some(Self::List),
            "describe" => Some(Self::Describe),
            _ => None,
        }
    }

    /// What a program calls it by.
    #[must_use]
    pub fn callee(self) -> &'static str {
        match self {
            Self::Search => "forage.search",
            Self::List => "forage.list",
            Self::Describe => "forage.describe",
        }
    }

    /// The keys it takes.
    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Search => &["query", "limit", "namespace"],
            Self::List => &["limit", "cursor", "namespace"],
            Self::Describe => &["path", "methods"],
        }
    }

    /// The key that a bare string stands for.
    fn bare(self) -> Option<&'static str> {
        match self {
            Self::Search => Some("query"),
            Self::List => None,
            Self::Describe => Some("path"),
        }
    }

    /// A call of it that is taken.
    fn example(self) -> &'static str {
        match self {
            Self::Search => "forage.search({ query: \"read a file\", limit: 10 })",
            Self::List => "forage.list({ limit: 50, namespace: \"files\" })",
            Self::Describe => "forage.describe({ path: \"files.read\" })",
        }
    }
}

impl Catalog {
    /// Answers a helper over what this view shows.
    ///
    /// # Errors
    ///
    /// An input that the helper doesn't take, with a call that it does; else what the helper
    /// itself refuses.
    pub fn answer(&self, helper: Helper, input: &Value) -> Result<Value, ForageError> {
        let bare = bare(helper, input);
        let input = Input::of(helper, bare.as_ref().unwrap_or(input))?;
        match helper {
            Helper::Search => json(&self.search(&SearchQuery {
                query: input.required("query")?,
                limit: input.number("limit")?,
                namespace: input.text("namespace")?,
            })?),
            Helper::List => json(&self.list(&ListQuery {
                limit: input.number("limit")?,
                cursor: input.text("cursor")?,
                namespace: input.text("namespace")?,
            })?),
            Helper::Describe => {
                let path = input.required("path")?;
                match input.texts("methods")? {
                    None => json(&self.describe(&path)?),
                    Some(methods) => json(&self.describe_methods(&path, &methods)?),
                }
            }
        }
    }
}

/// `forage.search("read a file")` is what is often said.
fn bare(helper: Helper, input: &Value) -> Option<Value> {
    let key = helper.bare().filter(|_| input.is_string())?;
    Some(Value::Object(Map::from_iter([(key.to_owned(), input.clone())])))
}

/// Answers are made of strings, numbers, lists and maps: they are always JSON.
fn json(answer: &impl serde::Serialize) -> Result<Value, ForageError> {
    serde_json::to_value(answer).map_err(|error| ForageError::input(error.to_string()))
}

/// A number within 1 to `most`, or `default` for none.
pub(super) fn within(
    key: &str,
    number: Option<usize>,
    default: usize,
    most: usize,
) -> Result<usize, ForageError> {
    match number {
        None => Ok(default),
        Some(number) if (1..=most).contains(&number) => Ok(number),
        Some(_) => Err(not_a_number(key, most)),
    }
}

fn not_a_number(key: &str, most: usize) -> ForageError {
    ForageError::input(format!("{key} is a whole number from 1 to {most}"))
}

/// A query's text within its bound.
pub(super) fn query(query: &str) -> Result<&str, ForageError> {
    match query.trim() {
        "" => Err(ForageError::input("query is empty: say in words what you want to do")),
        long if long.len() > QUERY_BYTES => {
            let problem = format!("query has more than {QUERY_BYTES} bytes: say it in fewer words");
            Err(ForageError::input(problem))
        }
        query => Ok(query),
    }
}

/// A helper's input, of which every key is one that it takes.
struct Input<'a> {
    helper: Helper,
    given: &'a Map<String, Value>,
}

impl<'a> Input<'a> {
    fn of(helper: Helper, input: &'a Value) -> Result<Self, ForageError> {
        let Value::Object(given) = input else {
            let problem = format!("the input is an object: {}", helper.example());
            return Err(ForageError::input(problem));
        };
        let input = Self { helper, given };
        match given.keys().find(|key| !helper.keys().contains(&key.as_str())) {
            None => Ok(input),
            Some(unknown) => {
                let unknown = crate::failure::bounded(unknown, 64);
                let keys = helper.keys().join(", ");
                Err(input.wrong(&format!("there is no key {unknown:?}, the keys are {keys}")))
            }
        }
    }

    fn wrong(&self, rule: &str) -> ForageError {
        ForageError::input(format!("{rule}: {}", self.helper.example()))
    }

    fn text(&self, key: &str) -> Result<Option<String>, ForageError> {
        match self.given.get(key) {
            // A page's `nextCursor` may be handed on as it is.
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.wrong(&format!("{key} is a string"))),
        }
    }

    fn required(&self, key: &str) -> Result<String, ForageError> {
        self.text(key)?.ok_or_else(|| self.wrong(&format!("{key} is missing")))
    }

    fn number(&self, key: &str) -> Result<Option<usize>, ForageError> {
        let Some(value) = self.given.get(key) else { return Ok(None) };
        let number = value.as_u64().or_else(|| whole(value.as_f64()?));
        match number.and_then(|number| usize::try_from(number).ok()) {
            Some(number) => Ok(Some(number)),
            None => Err(not_a_number(key, crate::limits::LIST_RESULTS)),
        }
    }

    fn texts(&self, key: &str) -> Result<Option<Vec<String>>, ForageError> {
        let rule = || self.wrong(&format!("{key} is a list of at least one string"));
        match self.given.get(key) {
            None => Ok(None),
            Some(Value::Array(items)) if !items.is_empty() => {
                let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
                texts.collect::<Option<_>>().map(Some).ok_or_else(rule)
            }
            Some(_) => Err(rule()),
        }
    }
}

/// `10.0` is 10, as JavaScript has it.
fn whole(number: f64) -> Option<u64> {
    let fits = number.fract() == 0.0 && (0.0..=9_007_199_254_740_991.0).contains(&number);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it fits")]
    fits.then_some(number as u64)
}
