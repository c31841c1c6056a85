//! What a caller of the pen sends and gets.
//!
//! Spec: 002, §1 and §2. Names, types and defaults are the specification's; `error` in an
//! execution is the one member more, and is there only when something went wrong.

mod input;
mod output;

pub use input::{
    AuditInput, DecideInput, Fs, Lang, Network, PenContext, PenOptions, PenSelector, PersistHint,
    ReviewInput, SandboxOptions, WriteInput,
};
pub use output::{
    AuditRef, DecideOutput, Execution, ExecutionError, Status, StatusOutput, WriteOutput,
};
