//! What a book is told, and what it answers.

use serde::{Deserialize, Serialize};

use super::{AuditPage, Pen};
use crate::pen::{
    Action, ExecutionError, Lang, ManifestInput, PenId, PersistHint, Status, Verdict,
};

/// An order to a persona's book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "kebab-case")]
pub enum Order {
    /// Begins a pen.
    Open {
        /// SHA-256 of the intent.
        intent_hash: String,
        /// The name of its audit, fresh.
        syslog_id: String,
        /// The language asked for.
        lang: Lang,
        /// What the caller would like to become of it.
        hint: PersistHint,
    },
    /// Notes why a draft stays one.
    Refuse {
        /// The pen.
        pen_id: PenId,
        /// The failure's code.
        code: String,
        /// What went wrong, without anything of what was sent or written.
        note: String,
    },
    /// Notes that its program is about to run.
    Start {
        /// The pen.
        pen_id: PenId,
        /// The program.
        code: String,
        /// When it is over at the latest, in milliseconds since 1970.
        until_ms: u64,
    },
    /// Notes an attempt at what is forbidden.
    Forbid {
        /// The pen.
        pen_id: PenId,
        /// What was tried.
        attempt: String,
    },
    /// Notes how its program went.
    End {
        /// The pen.
        pen_id: PenId,
        /// How.
        ended: Ended,
    },
    /// Notes what is suggested.
    Suggest {
        /// The pen.
        pen_id: PenId,
        /// What.
        suggestion: Action,
        /// Whether it stands in for an answer that couldn't be used.
        fallback: bool,
    },
    /// Notes what is decided.
    Decide {
        /// The pen.
        pen_id: PenId,
        /// What.
        action: Action,
        /// What is said of a shared pen.
        manifest: Option<ManifestInput>,
    },
    /// Notes that what was decided has been done.
    Settle {
        /// The pen.
        pen_id: PenId,
        /// What was decided.
        action: Action,
    },
    /// Notes a verdict.
    Review {
        /// The pen.
        pen_id: PenId,
        /// The verdict.
        verdict: Verdict,
        /// Why.
        reason: Option<String>,
        /// Whose verdict it is.
        reviewer: String,
    },
    /// Notes that a verdict has been carried out.
    Conclude {
        /// The pen.
        pen_id: PenId,
        /// The verdict.
        verdict: Verdict,
    },
    /// Looks at a pen.
    Look {
        /// The pen.
        pen_id: PenId,
    },
    /// Reads the audit.
    Audit {
        /// Of one pen, or of all.
        pen_id: Option<PenId>,
        /// The number of the last entry read before.
        after: u64,
        /// The most entries.
        limit: usize,
    },
}

impl Order {
    /// Its name, for the audit.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Open { .. } => "open",
            Self::Refuse { .. } => "refuse",
            Self::Start { .. } => "start",
            Self::Forbid { .. } => "forbid",
            Self::End { .. } => "end",
            Self::Suggest { .. } => "suggest",
            Self::Decide { .. } => "decide",
            Self::Settle { .. } => "settle",
            Self::Review { .. } => "review",
            Self::Conclude { .. } => "conclude",
            Self::Look { .. } => "look",
            Self::Audit { .. } => "audit",
        }
    }
}

/// How a pen's program went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    /// How it ended.
    pub status: Status,
    /// What it printed with log, info and debug.
    pub stdout: String,
    /// What it printed with warn and error.
    pub stderr: String,
    /// What it returned, as JSON text.
    pub result: String,
    /// Milliseconds that it ran.
    pub duration_ms: u64,
    /// What went wrong.
    pub error: Option<ExecutionError>,
    /// What it tried that is forbidden, as far as whoever ran it saw.
    pub attempts: Vec<String>,
}

/// A book's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "kebab-case")]
pub enum Reply {
    /// The pen as it is now.
    Pen(Box<Pen>),
    /// A page of the audit.
    Page(AuditPage),
}
