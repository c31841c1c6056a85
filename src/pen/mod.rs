//! The magic pen: a sentence in, a program written, run, audited, and then erased, kept or shared.
//!
//! Owns the whole life of a pen: its contract, who may act as which persona, the intent's
//! check, the port to whatever writes programs, its sandbox, its states and its audit. Doesn't
//! own how guest code is isolated, nor access and confirmation: those are the runtime's.
//!
//! Spec: 002 (MPP-001).

mod archive;
mod contract;
mod date;
mod decide;
mod hash;
mod id;
mod intent;
pub mod ledger;
mod manifest;
mod module;
mod persona;
mod sandbox;
mod state;
mod write;
mod writer;

pub use archive::{Archive, ArchiveError};
pub use contract::{
    AuditInput, AuditRef, DecideInput, DecideOutput, Execution, ExecutionError, Fs, Lang, Network,
    PenContext, PenOptions, PenSelector, PersistHint, ReviewInput, SandboxOptions, Status,
    StatusOutput, WriteInput, WriteOutput,
};
pub use id::PenId;
pub use intent::check_intent;
pub use ledger::Ended;
pub use manifest::{COPYRIGHT, IoContract, Manifest, ManifestInput, TestExample};
pub use module::{MemoryNotice, PenParts, Pens};
pub use persona::{Persona, Personas};
pub use sandbox::{Isolates, Outbound};
pub use state::{Action, Illegal, State, Step, Verdict};
pub use writer::{
    About, Asked, EndpointError, Message, OfflineWriter, OpenAiWriter, Role, Writer, WriterError,
    read_reply,
};
