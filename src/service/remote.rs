//! Functions of a caller's, and the value that they came in.

use std::{collections::BTreeMap, fmt, rc::Rc};

use futures::future::LocalBoxFuture;
use serde_json::Value;

/// Why a caller's function gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemoteError {
    /// It threw; this is the message, and all that is taken of what it threw.
    Threw(String),
    /// It answered with what JSON can't say, or with more than is carried.
    Answer(String),
    /// It was let go: its request is over.
    Gone,
}

impl fmt::Display for RemoteError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threw(message) | Self::Answer(message) => formatter.write_str(message),
            Self::Gone => formatter.write_str("the request that brought this function is over"),
        }
    }
}

impl std::error::Error for RemoteError {}

/// One function of a caller's.
pub trait Remote {
    /// Calls it; dropping the future lets the answer go.
    fn call(&self, arguments: Vec<Value>) -> LocalBoxFuture<'static, Result<Value, RemoteError>>;

    /// Lets it go, for good; a second time changes nothing.
    fn dispose(&self);
}

/// What came with a call: a value, in which each function stands as `null`, and the
/// functions by the JSON pointers of their places.
pub struct Argument {
    /// The value.
    pub value: Value,
    /// The functions in it.
    pub functions: Functions,
}

/// The functions of one request. All are let go when this is dropped, whatever still
/// holds one.
#[derive(Default)]
pub struct Functions {
    held: Vec<Rc<dyn Remote>>,
    untaken: BTreeMap<String, Rc<dyn Remote>>,
}

impl Functions {
    /// The functions at these places.
    pub fn new(functions: impl IntoIterator<Item = (String, Rc<dyn Remote>)>) -> Self {
        let untaken: BTreeMap<_, _> = functions.into_iter().collect();
        Self { held: untaken.values().cloned().collect(), untaken }
    }

    /// The function at `path`, once.
    pub(super) fn take(&mut self, path: &str) -> Option<Rc<dyn Remote>> {
        self.untaken.remove(path)
    }

    /// The first place of a function that nobody has taken.
    pub(super) fn untaken(&self) -> Option<&str> {
        self.untaken.keys().next().map(String::as_str)
    }
}

impl Drop for Functions {
    fn drop(&mut self) {
        for function in &self.held {
            function.dispose();
        }
    }
}
