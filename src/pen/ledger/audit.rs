//! The audit: entries that are added and never changed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One entry. It holds hashes and codes, nothing of an intent, a program or a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditEntry {
    /// Its number in the persona's audit, from 1 without gaps.
    pub entry: u64,
    /// When, in ISO 8601 by the host's clock.
    pub at: String,
    /// Under which every entry of the pen stands.
    pub syslog_id: String,
    /// The pen.
    pub pen_id: String,
    /// What happened.
    pub event: String,
    /// Where the pen was then.
    pub state: String,
    /// SHA-256 of the intent.
    pub intent_hash: String,
    /// SHA-256 of the program, once there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_hash: Option<String>,
    /// The code of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What else is to be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// One page of the audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditPage {
    /// The entries, the oldest first.
    pub entries: Vec<AuditEntry>,
    /// What to send as `after` for the next page; null after the last.
    pub next: Option<u64>,
}
