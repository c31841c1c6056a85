//! How a request ends, and what a program is told when it ends without a result.

use serde_json::Value;

use crate::{
    failure::Failure,
    limits::{BROWSER_CLAIM_MS, BROWSER_REQUESTS, BROWSER_RUN_MS},
    operation::OperationError,
};

/// What came of a request.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// A page's result, or a refusal before any page ran it.
    Ended(Result<Value, OperationError>),
    /// The page that held it went away.
    Gone,
    /// The connection to the pages was closed.
    Closed {
        /// Whether a page held it.
        claimed: bool,
    },
}

/// Why nobody waits for an answer any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overdue {
    /// Too much is under way already.
    Full,
    /// No page is open.
    NoPage,
    /// No page took it.
    Unclaimed,
    /// The page that took it gave no result.
    Unanswered,
    /// The connection to the pages is closed.
    Closed {
        /// Whether a page held it.
        claimed: bool,
    },
}

/// What the program is told of `command`, or of the list of commands when there is none.
pub(super) fn told(
    command: Option<&str>,
    answer: Result<Answer, Overdue>,
) -> Result<Value, OperationError> {
    let overdue = match answer {
        Ok(Answer::Ended(ended)) => return ended,
        Ok(Answer::Gone) => return Err(lost(command, "the page that ran it went away")),
        Ok(Answer::Closed { claimed }) => Overdue::Closed { claimed },
        Err(overdue) => overdue,
    };
    Err(match overdue {
        Overdue::Full => unavailable(format!(
            "{BROWSER_REQUESTS} requests are under way in this session: await some, then try again"
        )),
        Overdue::NoPage => unavailable(
            "no page of the app is open in this session: have it opened, then try again".to_owned(),
        ),
        Overdue::Unclaimed => unavailable(format!(
            "no open page took it within {BROWSER_CLAIM_MS} ms: have the page reloaded, then try \
             again"
        )),
        Overdue::Unanswered => {
            lost(command, &format!("the page gave no result within {BROWSER_RUN_MS} ms"))
        }
        Overdue::Closed { claimed: true } => lost(command, "the connection to the page was closed"),
        Overdue::Closed { claimed: false } => {
            OperationError::declared(Failure::SourceUnavailable { source: "ui".to_owned() })
        }
    })
}

/// A page had it. To list commands again changes nothing; a command may have been done.
fn lost(command: Option<&str>, problem: &str) -> OperationError {
    match command {
        None => unavailable(format!("{problem}: try again")),
        Some(command) => {
            let operation = format!("the command {command}");
            let problem = problem.to_owned();
            OperationError::declared(Failure::OutcomeUnknown { operation, problem })
        }
    }
}

fn unavailable(problem: String) -> OperationError {
    OperationError::declared(Failure::AppUnavailable { problem })
}
