//! A call that was not allowed to run: why, and what to do next.
//!
//! Owns the table of reasons and the form in which a guest is handed a refusal.
//! Doesn't own the decision: that is the runtime's access check. A refusal is an
//! answer and no [`Failure`](super::Failure): the program goes on with it.
//!
//! Spec: 000 and 003, "Access labels and grants".

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::{MESSAGE_BYTES, bounded};

/// One row of the table of reasons, for documents and for tests.
#[derive(Clone, Copy, Debug)]
pub struct ReasonRow {
    /// The reason.
    pub reason: Reason,
    /// Its stable code.
    pub code: &'static str,
    /// Why the operation did not run, and what to do next.
    pub message: &'static str,
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident $code:literal $message:literal)*) => {
        /// Why a call was refused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
        #[non_exhaustive]
        pub enum Reason {
            $($(#[$doc])* #[serde(rename = $code)] $variant,)*
        }

        /// Every reason there is.
        pub const REASONS: &[ReasonRow] = &[
            $(ReasonRow { reason: Reason::$variant, code: $code, message: $message },)*
        ];

        impl Reason {
            /// The stable kebab-case code.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            fn message(self) -> &'static str {
                match self { $(Self::$variant => $message,)* }
            }
        }
    };
}

reasons! {
    /// Nothing of the module is granted.
    NotGranted "not-granted"
        "the module is not granted here. Do without it, or ask the owner of this host to grant it."
    /// The module is granted for reading and the operation writes.
    ReadOnly "read-only"
        "the module is granted for reading only and this operation writes. Use one that reads, or ask the owner of this host to grant write."
    /// A person must agree to the call and can't be asked.
    ConfirmUnavailable "confirm-unavailable"
        "a person must agree to each call and nobody can be asked here. Tell your user what you wanted to do, or connect with a client that can ask them."
    /// The person said no.
    Declined "declined"
        "the person who was asked said no. Do not try it another way: ask what they want instead."
    /// The person closed the question.
    Cancelled "cancelled"
        "the person who was asked closed the question without an answer. Ask whether you should call it again."
    /// Nobody answered.
    TimedOut "timed-out"
        "nobody answered the question in time. Call it again when somebody is there to answer."
    /// The module's own gate said no.
    GateRefused "gate-refused"
        "the module's own check refused this call. Use what you may, or ask the module's owner."
    /// The caller's credential is no longer admitted.
    NotAuthenticated "not-authenticated"
        "the credential behind this execution is no longer admitted. Sign in again and start anew."
    /// What is granted couldn't be read.
    GrantUnreadable "grant-unreadable"
        "what is granted could not be read. Try again later, and tell the owner of this host if it stays so."
}

impl Reason {
    /// Whether the whole execution ends with the refused call: nothing else it
    /// could do would be allowed either.
    #[must_use]
    pub fn ends_execution(self) -> bool {
        self == Self::NotAuthenticated
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

/// A refused call's ordinary answer.
///
/// ```
/// use mycelium::failure::{AccessRefusal, Reason};
///
/// let refusal = AccessRefusal::new("example-notes", "remove", Reason::ReadOnly);
/// assert!(refusal.to_json().starts_with(
///     r#"{"module":"example-notes","operation":"remove","reason":"read-only","message":"remove "#
/// ));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccessRefusal {
    module: String,
    operation: String,
    reason: Reason,
    message: String,
}

impl AccessRefusal {
    /// A refusal in the reason's own words.
    ///
    /// `module` is the id that is the authority, `operation` the path within it.
    #[must_use]
    pub fn new(module: &str, operation: &str, reason: Reason) -> Self {
        Self::saying(module, operation, reason, reason.message())
    }

    /// A refusal that says `why`, for a case narrower than its reason.
    #[must_use]
    pub fn saying(module: &str, operation: &str, reason: Reason, why: &str) -> Self {
        let message = format!("{operation} of the module {module} did not run: {why}");
        Self {
            module: module.to_owned(),
            operation: operation.to_owned(),
            reason,
            message: bounded(&message, MESSAGE_BYTES),
        }
    }

    /// The id of the module.
    #[must_use]
    pub fn module(&self) -> &str {
        &self.module
    }

    /// The operation's path within the module.
    #[must_use]
    pub fn operation(&self) -> &str {
        &self.operation
    }

    /// Why it was refused.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// What is said to the model, at most [`MESSAGE_BYTES`].
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The refusal as compact JSON, in the order module, operation, reason, message.
    #[must_use]
    pub fn to_json(&self) -> String {
        let quoted = |text: &str| Value::from(text).to_string();
        format!(
            r#"{{"module":{},"operation":{},"reason":{},"message":{}}}"#,
            quoted(&self.module),
            quoted(&self.operation),
            quoted(self.reason.code()),
            quoted(&self.message),
        )
    }
}

impl fmt::Display for AccessRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.reason, self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::{AccessRefusal, MESSAGE_BYTES, REASONS, Reason};

    #[test]
    fn the_reasons_are_these_and_each_says_what_to_do_next() {
        let codes: Vec<_> = REASONS.iter().map(|row| row.code).collect();
        let declared = [
            "not-granted",
            "read-only",
            "confirm-unavailable",
            "declined",
            "cancelled",
            "timed-out",
            "gate-refused",
            "not-authenticated",
            "grant-unreadable",
        ];
        assert_eq!(codes, declared);
        for row in REASONS {
            let sentences = row.message.split_terminator(['.', ':']).count();
            assert!(sentences >= 2, "{} names no next step", row.code);
            assert_eq!(row.reason.code(), row.code);
        }
    }

    #[test]
    fn a_refusal_is_the_same_json_however_it_is_written() {
        for row in REASONS {
            let refusal = AccessRefusal::new("a\"b\u{2028}", "windows.\\open", row.reason);
            assert_eq!(refusal.to_json(), serde_json::to_string(&refusal).unwrap());
        }
    }

    #[test]
    fn a_message_is_bounded_and_names_module_and_operation() {
        let refusal = AccessRefusal::new("notes", "remove", Reason::NotGranted);
        assert!(refusal.message().contains("remove of the module notes"));
        let long = AccessRefusal::new(&"é".repeat(10_000), "remove", Reason::NotGranted);
        assert!(long.message().len() <= MESSAGE_BYTES);
        assert_eq!(long.module().len(), 20_000);
    }

    #[test]
    fn only_a_lost_credential_ends_the_execution() {
        let ends = |reason: &Reason| reason.ends_execution();
        let ending: Vec<_> = REASONS.iter().map(|row| row.reason).filter(ends).collect();
        assert_eq!(ending, [Reason::NotAuthenticated]);
    }
}
