//! Why an MCP server can't be connected.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::failure::bounded;

/// The most bytes of evidence that are kept.
const EVIDENCE_BYTES: usize = 512;

/// What the owner has to change in what is said of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerError {
    problem: String,
}

impl ServerError {
    pub(super) fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into() }
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.problem)
    }
}

impl std::error::Error for ServerError {}

/// Why a server gives nothing now; for the operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UpstreamError {
    /// It refuses its credential, or there is none.
    SignIn {
        /// What the owner renews. It names secrets and holds none.
        says: String,
    },
    /// It can't be asked.
    Unavailable {
        /// What happened.
        evidence: String,
    },
    /// What it says can't be used.
    Unusable {
        /// Where, and why.
        evidence: String,
    },
}

impl UpstreamError {
    /// It can't be asked.
    #[must_use]
    pub fn unavailable(evidence: &str) -> Self {
        Self::Unavailable { evidence: bounded(evidence, EVIDENCE_BYTES) }
    }

    pub(super) fn unusable(evidence: &str) -> Self {
        Self::Unusable { evidence: bounded(evidence, EVIDENCE_BYTES) }
    }

    pub(super) fn sign_in(says: &str) -> Self {
        Self::SignIn { says: bounded(says, EVIDENCE_BYTES) }
    }
}

impl fmt::Display for UpstreamError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SignIn { says } => write!(formatter, "sign-in is needed: {says}"),
            Self::Unavailable { evidence } | Self::Unusable { evidence } => {
                formatter.write_str(evidence)
            }
        }
    }
}

impl std::error::Error for UpstreamError {}
