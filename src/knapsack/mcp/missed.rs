//! A request to a server that has no result.
//!
//! Owns what is known of it, and so whether it may be sent again. Doesn't own how that is
//! [read](super::turned_away) from an answer, nor what a program [gets](super::call) of it.

use crate::{failure::bounded, mcp::wire::RpcError, port::fetch::FetchError};

/// The most bytes of what the operator is told.
const EVIDENCE_BYTES: usize = 512;

/// A request that has no result, and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Missed {
    /// The server wants another credential; nothing was done.
    SignIn {
        /// What the owner does.
        says: String,
    },
    /// The server doesn't know the session, or what goes without one; nothing was done.
    SessionGone,
    /// The server may mean that it doesn't know the session, or something else.
    SessionDoubted,
    /// Nothing was sent, or what was sent was turned away.
    NotDone {
        /// For the model.
        says: String,
        /// For the operator.
        evidence: String,
    },
    /// It was sent and no usable answer came.
    Unknown {
        /// For the operator.
        evidence: String,
    },
    /// It was answered with an error.
    Refused(RpcError),
    /// It was answered with more than is read.
    TooLarge,
    /// The answer repeats the credential that it was asked with.
    Repeats {
        /// Where, as a JSON Pointer.
        path: String,
    },
}

impl Missed {
    pub(super) fn not_done(says: &str, evidence: impl Into<String>) -> Self {
        let evidence = bounded(&evidence.into(), EVIDENCE_BYTES);
        Self::NotDone { says: says.to_owned(), evidence }
    }

    pub(super) fn unknown(evidence: &str) -> Self {
        Self::Unknown { evidence: bounded(evidence, EVIDENCE_BYTES) }
    }

    pub(super) fn unread(error: &FetchError) -> Self {
        match error {
            FetchError::Unsendable { evidence } => {
                Self::not_done("the request can't be sent", evidence.as_str())
            }
            FetchError::Unreachable { evidence } | FetchError::Broken { evidence } => {
                Self::unknown(&format!("{error}: {evidence}"))
            }
            FetchError::TooLarge { .. } => Self::TooLarge,
        }
    }
}
