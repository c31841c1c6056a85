//! What the operator is told of a failure, under the reference the model has.
//!
//! Spec: 000 and 003, "Cancellation and errors" (`onSandboxFailure`).

use std::{panic::AssertUnwindSafe, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use serde::Serialize;

use crate::{
    failure::{Failure, MESSAGE_BYTES, Reference, bounded},
    port::Ports,
};

/// One failed execution, for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The execution.
    pub execution_id: Rc<str>,
    /// The failure.
    pub failure: Failure,
    /// The name that the model was given for it.
    pub reference: Reference,
    /// What the host knows beyond the failure; it may hold what no model should see.
    pub detail: Option<String>,
}

/// What the log says of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    event: &'static str,
    execution_id: &'a str,
    code: &'static str,
    reference: String,
    detail: Option<String>,
}

/// Sees each failed execution; what it does changes and delays nothing.
pub trait FailureObserver {
    /// Takes note of a failure.
    fn failed(&self, evidence: Evidence) -> LocalBoxFuture<'static, ()>;
}

impl Evidence {
    /// Writes the log line and tells the observer, in the background.
    pub(crate) fn report(self, observer: Option<&Rc<dyn FailureObserver>>, ports: &Ports) {
        ports.console.warn(&self.line());
        let Some(observer) = observer.cloned() else { return };
        let console = Rc::clone(&ports.console);
        let told = async move {
            // Begun inside too, for an observer may panic before its first await.
            let noted = AssertUnwindSafe(async move { observer.failed(self).await });
            if noted.catch_unwind().await.is_err() {
                console.warn("the observer of failures panicked: the failure stands");
            }
        };
        ports.background.spawn(told.boxed_local());
    }

    /// The line of the log, in JSON.
    fn line(&self) -> String {
        let line = |detail: Option<String>| {
            let line = Line {
                event: "failure",
                execution_id: &self.execution_id,
                code: self.failure.code(),
                reference: self.reference.to_string(),
                detail,
            };
            // Texts alone: there is nothing that JSON can't say.
            serde_json::to_string(&line).unwrap_or_default()
        };
        let mut room = MESSAGE_BYTES;
        loop {
            let text = line(self.detail.as_deref().map(|detail| bounded(detail, room)));
            // What is escaped grows: it is cut shorter until it fits.
            if text.len() <= MESSAGE_BYTES || room == 0 {
                return text;
            }
            room /= 2;
        }
    }
}
