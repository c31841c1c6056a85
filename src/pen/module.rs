//! The pen's operations.

use std::{cell::Cell, future::Future, rc::Rc};

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use super::{
    Archive, ArchiveError, AuditInput, Lang, PenId, PenSelector, Persona, Personas, StatusOutput,
    decide,
    ledger::{AuditPage, Ledger, LedgerError, Order, Pen, Reply},
    sandbox::{Isolates, Turns},
    write,
    writer::Writer,
};
use crate::{
    failure::Failure,
    knapsack::files::{FilesPort, StoreError},
    limits::{PEN_AUDIT_ENTRIES, WRITER_MS},
    operation::{Access, Context, Module, Operation, OperationError, Replay},
    pen::ExecutionError,
    port::Ports,
    program::Intake,
    runtime::access::AccessPolicy,
};

/// What pens are made with.
#[derive(Clone)]
pub struct PenParts {
    /// The books of all personas.
    pub ledger: Rc<dyn Ledger>,
    /// Where pens lie that are kept and shared.
    pub archive: Archive,
    /// What writes programs.
    pub writer: Rc<dyn Writer>,
    /// Milliseconds that it has for each answer.
    pub writer_ms: u64,
    /// Where programs run.
    pub isolates: Rc<dyn Isolates>,
    /// What reads programs.
    pub intake: Rc<dyn Intake>,
    /// The owner's files that paths may be allowed of.
    pub files: Option<Rc<dyn FilesPort>>,
    /// What else is bound to every pen.
    pub modules: Vec<Module>,
    /// What a pen's program may do with all that is bound to it.
    pub access: AccessPolicy,
    /// The hosts that pens may be allowed.
    pub hosts: Vec<String>,
    /// Who may act as which persona.
    pub personas: Personas,
    /// The language of a pen that asks for none.
    pub default_lang: Lang,
    /// The notice that memory isn't bounded, which all who share it give once.
    pub memory: Rc<MemoryNotice>,
    /// The host.
    pub ports: Ports,
}

impl PenParts {
    /// Pens in Python by default, without files, hosts and modules, for agents as themselves.
    #[must_use]
    pub fn new(
        ledger: Rc<dyn Ledger>,
        archive: Archive,
        writer: Rc<dyn Writer>,
        isolates: Rc<dyn Isolates>,
        intake: Rc<dyn Intake>,
        ports: Ports,
    ) -> Self {
        Self {
            ledger,
            archive,
            writer,
            writer_ms: WRITER_MS,
            isolates,
            intake,
            files: None,
            modules: Vec::new(),
            access: AccessPolicy::new(),
            hosts: Vec::new(),
            personas: Personas::default(),
            default_lang: Lang::default(),
            memory: Rc::default(),
            ports,
        }
    }
}

/// The notice that a pen's memory isn't bounded.
#[derive(Debug, Default)]
pub struct MemoryNotice(Cell<bool>);

/// The pens of one runtime.
#[derive(Clone)]
pub struct Pens {
    pub(super) shared: Rc<Shared>,
}

/// What the operations share.
pub(super) struct Shared {
    pub(super) parts: PenParts,
    pub(super) turns: Turns,
}

const WRITE: &str = "Writes a program for an intent in any language, runs it in a sandbox of its own, and gives \
     code, execution and a suggestion what should become of it. It stays until pen.decide.";
const DECIDE: &str = "Decides what becomes of a completed pen, once: erase destroys it, keep keeps it for its \
     persona, share puts it, with its manifest, into the registry's inbox to be reviewed.";
const REVIEW: &str = "Reviews a shared pen, once: accept copies it into the shared library, reject tells its \
     author why, observe leaves it. A person is asked.";
const STATUS: &str = "Tells where a pen is, and why it failed or was rejected.";
const AUDIT: &str =
    "Reads a persona's audit by pages, the oldest first: every pen, whatever became of it.";

impl Pens {
    /// Pens made with `parts`.
    #[must_use]
    pub fn new(parts: PenParts) -> Self {
        let turns = Turns::new(Rc::clone(&parts.ports.handoff));
        Self { shared: Rc::new(Shared { parts, turns }) }
    }

    /// The module `name` with the authority `id`: `write`, `decide` and `review`, which write,
    /// the last of which a person confirms; and `status` and `audit`, which read.
    #[must_use]
    pub fn module(&self, id: &str, name: &str) -> Module {
        let write = self.operation(write::write);
        Module::new(id, name)
            .operation(
                "write",
                write
                    .describe(WRITE)
                    .note("memory_mb is declared, and not enforced by the platform."),
            )
            .operation("decide", self.operation(decide::decide).describe(DECIDE))
            .operation("review", self.operation(decide::review).describe(REVIEW).confirm(true))
            .operation("status", reading(self.operation(status)).describe(STATUS))
            .operation("audit", reading(self.operation(audit)).describe(AUDIT))
    }

    fn operation<I, O, R, F>(&self, run: R) -> Operation
    where
        I: DeserializeOwned + JsonSchema + 'static,
        O: Serialize + JsonSchema + 'static,
        R: Fn(Rc<Shared>, I, Context) -> F + 'static,
        F: Future<Output = Result<O, OperationError>> + 'static,
    {
        let shared = Rc::clone(&self.shared);
        Operation::typed(move |input: I, context| run(Rc::clone(&shared), input, context))
    }
}

fn reading(operation: Operation) -> Operation {
    operation.access(Access::Read).replay(Replay::Safe)
}

impl Shared {
    /// Gives the book an order about a pen.
    pub(super) async fn told(
        &self,
        persona: &Persona,
        order: Order,
    ) -> Result<Pen, OperationError> {
        match self.parts.ledger.ask(persona, order).await.map_err(unkept)? {
            Reply::Pen(pen) => Ok(*pen),
            Reply::Page(_) => {
                Err(unkept(LedgerError::unavailable(&"a page where a pen was asked")))
            }
        }
    }

    /// The persona of this name, if the caller may act as it. Whether there is one, and what
    /// it has, nobody else learns.
    pub(super) fn persona(&self, name: &str, context: &Context) -> Result<Persona, OperationError> {
        let persona = Persona::new(name)
            .filter(|persona| self.parts.personas.may_act(context.principal(), persona));
        persona.ok_or_else(|| {
            OperationError::input(
                "this persona isn't yours: act as your own, or ask the owner of this host to \
                 let you act as it",
            )
        })
    }

    /// The pen of this id, if the caller may act as its persona.
    pub(super) fn pen(&self, id: &str, context: &Context) -> Result<PenId, OperationError> {
        let id = pen_id(id)?;
        self.persona(id.persona().as_str(), context)?;
        Ok(id)
    }

    /// Says once that memory isn't bounded.
    pub(super) fn tell_memory(&self) {
        if !self.parts.memory.0.replace(true) {
            let console = &self.parts.ports.console;
            console.warn("memory_mb of pens is not enforced: the platform has its own bound");
        }
    }
}

/// The pen of this id, whoever's it is.
pub(super) fn pen_id(id: &str) -> Result<PenId, OperationError> {
    PenId::parse(id).ok_or_else(|| {
        OperationError::input(
            "pen_id is MPP-{persona}-{yyyymmdd}-{nnn}: take the one that pen.write gave",
        )
    })
}

pub(super) fn unkept(error: LedgerError) -> OperationError {
    let told = OperationError::new(error.to_string());
    match error {
        LedgerError::Unavailable { evidence } => told.with_evidence(evidence),
        LedgerError::Missing | LedgerError::Illegal { .. } => told,
    }
}

/// The objects can't be written while something that is noted was being done.
pub(super) fn undone(operation: &str, error: ArchiveError) -> OperationError {
    let next = match error {
        ArchiveError::Store(_) => format!("call {operation} with the same again"),
        _ => "tell the owner of this host's bucket, who finds out whose it is and what became \
              of it"
            .to_owned(),
    };
    let told = OperationError::new(format!(
        "what was decided is noted and not done yet, for {error}: {next}"
    ));
    match error {
        ArchiveError::Store(StoreError { evidence }) => told.with_evidence(evidence),
        _ => told,
    }
}

async fn status(
    shared: Rc<Shared>,
    input: PenSelector,
    context: Context,
) -> Result<StatusOutput, OperationError> {
    let id = if shared.parts.personas.may_review(context.principal()) {
        pen_id(&input.pen_id)?
    } else {
        shared.pen(&input.pen_id, &context)?
    };
    let Pen { record, .. } = shared.told(id.persona(), Order::Look { pen_id: id.clone() }).await?;
    let failed = record.summary.as_ref().and_then(|summary| summary.error.clone());
    let rejected = (record.state.name() == "rejected").then(|| {
        let reason = record.reason.clone().unwrap_or_else(|| "no reason was given".to_owned());
        ExecutionError::from(&Failure::PenRejected { reason })
    });
    Ok(StatusOutput {
        pen_id: id,
        state: record.state.name().to_owned(),
        suggestion: record.suggestion,
        status: record.summary.map(|summary| summary.status),
        error: rejected.or(failed),
        syslog_id: record.syslog_id,
    })
}

async fn audit(
    shared: Rc<Shared>,
    input: AuditInput,
    context: Context,
) -> Result<AuditPage, OperationError> {
    let persona = shared.persona(&input.persona_id, &context)?;
    let pen_id = input.pen_id.as_deref().map(|id| shared.pen(id, &context)).transpose()?;
    if pen_id.as_ref().is_some_and(|pen_id| *pen_id.persona() != persona) {
        return Err(OperationError::input(
            "pen_id is a pen of persona_id: give both of one persona",
        ));
    }
    let limit = input.limit.and_then(|limit| usize::try_from(limit).ok());
    let limit = limit.unwrap_or(PEN_AUDIT_ENTRIES).min(PEN_AUDIT_ENTRIES);
    let order = Order::Audit { pen_id, after: input.after, limit };
    match shared.parts.ledger.ask(&persona, order).await.map_err(unkept)? {
        Reply::Page(page) => Ok(page),
        Reply::Pen(_) => Err(unkept(LedgerError::unavailable(&"a pen where a page was asked"))),
    }
}
