//! How a server is spoken to now: the era, the session, and the token.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::server::Masked;

/// How a server is spoken to now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The era, and in it the session.
    pub era: Era,
    /// The token, where the server is signed in to.
    pub token: Option<Token>,
}

/// One of the protocol's two eras.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Era {
    /// 2025-11-25 and before.
    Sessions {
        /// The revision that was agreed upon.
        revision: String,
        /// The session's id, where the server gives one.
        session: Option<String>,
    },
    /// 2026-07-28: every request says all that it needs.
    Stateless,
}

/// A token, and until when it holds.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// What is sent.
    pub access: String,
    /// Milliseconds since 1970; none when nobody says.
    pub until_ms: Option<u64>,
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Token").field("until_ms", &self.until_ms).finish_non_exhaustive()
    }
}

/// What a request found out about the standing that it was sent with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stale {
    /// The server doesn't know the session any more.
    Session(Option<String>),
    /// The server refuses the token.
    Token(String),
}

impl Standing {
    /// The session's id, if there is one.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        match &self.era {
            Era::Sessions { session, .. } => session.as_deref(),
            Era::Stateless => None,
        }
    }

    /// Whether the era is the one with sessions.
    pub(super) fn has_sessions(&self) -> bool {
        matches!(self.era, Era::Sessions { .. })
    }

    /// Whether it may still be used at `now_ms`, after what a request found out.
    #[must_use]
    pub fn holds(&self, now_ms: u64, stale: Option<&Stale>) -> bool {
        let over = self.token.as_ref().and_then(|token| token.until_ms);
        let refuted = match stale {
            None => false,
            Some(Stale::Session(session)) => session.as_deref() == self.session(),
            Some(Stale::Token(access)) => {
                self.token.as_ref().is_some_and(|token| token.access == *access)
            }
        };
        !refuted && over.is_none_or(|until_ms| now_ms < until_ms)
    }

    pub(super) fn masked(&self) -> Masked {
        self.token.iter().map(|token| token.access.clone()).collect()
    }
}
