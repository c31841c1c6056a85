//! The app that is open in a session's browser, as the module `ui`.
//!
//! Owns what is asked of the app's pages and who may answer it: `ui.discover` lists the
//! app's commands, `ui.execute` runs one. Doesn't own who a page is, which sessions there
//! are, or what a command does: the page has its commands and runs them.
//!
//! | part | what it owns |
//! | --- | --- |
//! | connection | sessions, their browser hosts, and the end of them |
//! | host | who hears what, and who is told what came of it |
//! | waiting, stream | how long a program waits; what a page is written |
//! | exchange | requests and pages as states |
//! | command | what an app declares, held to its rules |
//! | wire, endpoint | the texts and the places |
//! | module, failing | what a program has and what it is told |
//!
//! The page's own side is `browser/connect.mjs`.
//!
//! # How a command runs
//!
//! Every open page hears that something is asked, and not what a command is given. A page
//! claims the request with what it declares of the command; the input is held to that, and
//! the first page to claim is given the input and a claim. It runs the command and sends
//! the result with the claim: once, and nobody else's is taken.
//!
//! What no page took was not done ([`app-unavailable`](crate::Failure::AppUnavailable)).
//! Once a page has it, only the page knows: when it goes away, or says nothing in time, the
//! program is told [`outcome-unknown`](crate::Failure::OutcomeUnknown).
//!
//! Spec: 004, `Knapsack.ui`.

mod command;
mod connection;
mod endpoint;
mod exchange;
mod failing;
mod host;
mod module;
mod stream;
mod waiting;
mod wire;

pub use connection::{Sessions, Ui, UiOptions, UiSource};
pub use endpoint::{Body, Endpoint, Place, Reply, Request};
