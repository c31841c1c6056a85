//! What a caller sends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    limits::{PEN_MEMORY_MB, PEN_TIMEOUT_MS},
    pen::{Action, ManifestInput, Verdict},
};

/// Input of `pen.write`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteInput {
    /// What the program is to do, in your own language.
    pub intent: String,
    /// For whom, and on what.
    pub context: PenContext,
    /// How it is run, and what should become of it.
    #[serde(default)]
    pub options: PenOptions,
}

/// For whom a pen writes, and on what.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PenContext {
    /// The kind of work: 'data-process', 'api-call', 'file-op', or another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 64))]
    pub task_category: Option<String>,
    /// The persona that the pen belongs to; you must be it, or be allowed to act as it.
    #[schemars(regex(pattern = "^[A-Za-z0-9][A-Za-z0-9_]{0,63}$"))]
    pub persona_id: String,
    /// What came out of the step before; the program has it as `input`.
    #[serde(default)]
    pub upstream_inputs: Value,
}

/// How a pen's program is run, and what should become of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PenOptions {
    /// The sandbox.
    #[serde(default)]
    pub sandbox: SandboxOptions,
    /// What should become of it; auto leaves the suggestion to the writer. Only pen.decide decides.
    #[serde(default)]
    pub persist_hint: PersistHint,
}

/// The sandbox of a pen's program.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SandboxOptions {
    /// The language; python, unless the owner of this host has chosen another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<Lang>,
    /// Milliseconds that the program may take.
    #[serde(default = "timeout_ms")]
    #[schemars(range(min = 1, max = 900_000))]
    pub timeout_ms: u64,
    /// Mebibytes that the program may use; declared, and not enforced.
    #[serde(default = "memory_mb")]
    #[schemars(range(min = 1, max = 1_048_576))]
    pub memory_mb: u64,
    /// The network: none, or exactly these hosts, such as "api.example" or "127.0.0.1:8787".
    #[serde(default)]
    pub network: Network,
    /// Files: none, tmp (in memory, gone with the program), or exactly these paths and what is in them.
    #[serde(default)]
    pub fs: Fs,
}

impl Default for SandboxOptions {
    fn default() -> Self {
        Self {
            lang: None,
            timeout_ms: timeout_ms(),
            memory_mb: memory_mb(),
            network: Network::None,
            fs: Fs::Tmp,
        }
    }
}

fn timeout_ms() -> u64 {
    PEN_TIMEOUT_MS
}

fn memory_mb() -> u64 {
    PEN_MEMORY_MB
}

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Lang {
    /// Python.
    #[default]
    Python,
    /// JavaScript or TypeScript.
    Node,
    /// A shell.
    Shell,
}

impl Lang {
    /// Its name in the specification.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Node => "node",
            Self::Shell => "shell",
        }
    }
}

/// What of the network a program reaches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Network {
    /// Nothing.
    #[default]
    #[serde(rename = "none")]
    None,
    /// Exactly these hosts.
    #[serde(rename = "allow")]
    Allow(#[schemars(length(max = 16))] Vec<String>),
}

/// What files a program reaches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Fs {
    /// None.
    #[serde(rename = "none")]
    None,
    /// Files in memory, gone with the program.
    #[default]
    #[serde(rename = "tmp")]
    Tmp,
    /// Exactly these paths of the owner's files, and what is in them.
    #[serde(rename = "allow_paths")]
    AllowPaths(#[schemars(length(max = 16))] Vec<String>),
}

/// What the caller would like to become of a pen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PersistHint {
    /// The writer suggests.
    #[default]
    Auto,
    /// To be erased.
    Erase,
    /// To be kept.
    Keep,
    /// To be shared.
    Share,
}

impl PersistHint {
    /// The suggestion that stands in the writer's place, if it is one.
    #[must_use]
    pub fn suggestion(self) -> Option<Action> {
        match self {
            Self::Auto => None,
            Self::Erase => Some(Action::Erase),
            Self::Keep => Some(Action::Keep),
            Self::Share => Some(Action::Share),
        }
    }
}

/// Names a pen.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PenSelector {
    /// The pen: MPP-{persona}-{yyyymmdd}-{nnn}.
    #[schemars(length(max = 128))]
    pub pen_id: String,
}

/// Input of `pen.decide`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideInput {
    /// The pen: MPP-{persona}-{yyyymmdd}-{nnn}.
    #[schemars(length(max = 128))]
    pub pen_id: String,
    /// What becomes of it.
    pub action: Action,
    /// What is said of a shared pen; with share, and only then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ManifestInput")]
    pub manifest: Option<ManifestInput>,
}

/// Input of `pen.review`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewInput {
    /// The pen: MPP-{persona}-{yyyymmdd}-{nnn}.
    #[schemars(length(max = 128))]
    pub pen_id: String,
    /// What the review comes to.
    pub verdict: Verdict,
    /// Why; a rejection must say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1_000))]
    pub reason: Option<String>,
}

/// Input of `pen.audit`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditInput {
    /// The persona whose audit is read.
    #[schemars(regex(pattern = "^[A-Za-z0-9][A-Za-z0-9_]{0,63}$"))]
    pub persona_id: String,
    /// Only the entries of this pen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 128))]
    pub pen_id: Option<String>,
    /// The last entry that was read before; the page begins after it.
    #[serde(default)]
    pub after: u64,
    /// The most entries, 200 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: Option<u64>,
}
