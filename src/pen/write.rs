//! Writing a pen, from its intent to what it came to.

use std::rc::Rc;

use futures::{
    future::{Either, select},
    pin_mut,
};
use serde_json::Value;

use super::{
    Ended, Lang, PenId, Persona, SandboxOptions, Status, WriteInput, WriteOutput, check_intent,
    hash::sha256,
    ledger::{LedgerError, Order, Pen},
    module::{Shared, unkept},
    sandbox::{Bound, Owned, Program, Ran, Refused, run},
    writer::{Asked, Brief, WriterError, code, opinion, read_program, read_suggestion},
};
use crate::{
    failure::{Failure, Party},
    json,
    limits::PEN_INPUT_BYTES,
    operation::{Context, OperationError},
    pen::Action,
    port::within,
    program,
};

/// Milliseconds of the caller's own time that are left over for what comes after a run.
const RESERVE_MS: u64 = 1_000;

/// A pen under way.
struct Draft<'a> {
    shared: &'a Shared,
    context: &'a Context,
    pen_id: PenId,
    intent: String,
    input: Value,
    category: Option<String>,
    lang: Lang,
    sandbox: SandboxOptions,
}

/// Why a draft stays one.
struct Stayed {
    failure: Failure,
    /// For the audit: nothing of what was sent or written.
    note: String,
    evidence: Option<String>,
}

impl Stayed {
    /// A failure whose own words may be in the audit.
    fn plain(failure: Failure) -> Self {
        let note = failure.to_string();
        Self { failure, note, evidence: None }
    }

    /// A failure whose words may repeat a part of the program.
    fn quiet(failure: Failure, note: &str) -> Self {
        Self { failure, note: note.to_owned(), evidence: None }
    }
}

/// `pen.write`.
pub(super) async fn write(
    shared: Rc<Shared>,
    input: WriteInput,
    context: Context,
) -> Result<WriteOutput, OperationError> {
    let WriteInput { intent, context: for_whom, options } = input;
    let persona = shared.persona(&for_whom.persona_id, &context)?;
    let upstream = for_whom.upstream_inputs;
    if let Err(error) = json::encode(&upstream, PEN_INPUT_BYTES) {
        return Err(OperationError::input(format!("context.upstream_inputs: {error}")));
    }
    let sandbox = options.sandbox;
    // What isn't a path or a host is the caller's slip, and no pen yet.
    if let Err(Refused::Input(problem)) = bound(&shared, &sandbox) {
        return Err(OperationError::input(problem));
    }
    let lang = sandbox.lang.unwrap_or(shared.parts.default_lang);
    let order = Order::Open {
        intent_hash: sha256(intent.as_bytes()),
        syslog_id: format!("SYS-{}", shared.parts.ports.name()),
        lang,
        hint: options.persist_hint,
    };
    let pen_id = shared.told(&persona, order).await?.record.pen_id;
    let category = for_whom.task_category;
    let draft = Draft {
        shared: &shared,
        context: &context,
        pen_id,
        intent,
        input: upstream,
        category,
        lang,
        sandbox,
    };
    match draft.executed().await {
        Ok(ended) => draft.completed(&persona, ended, options.persist_hint.suggestion()).await,
        Err(stayed) => Err(draft.failed(&persona, stayed).await),
    }
}

fn bound(shared: &Shared, sandbox: &SandboxOptions) -> Result<Bound, Refused> {
    let parts = &shared.parts;
    let owned = Owned { files: parts.files.as_ref(), hosts: &parts.hosts, modules: &parts.modules };
    Bound::new(sandbox, &owned)
}

impl Draft<'_> {
    /// Checks the intent, has the program written, and runs it.
    async fn executed(&self) -> Result<Ended, Stayed> {
        check_intent(&self.intent).map_err(Stayed::plain)?;
        let lacking = |problem| Stayed::plain(Failure::PenSandbox { problem });
        if let Some(problem) = self.shared.parts.isolates.lacks(self.lang) {
            return Err(lacking(problem));
        }
        let bound = bound(self.shared, &self.sandbox).map_err(|refused| match refused {
            Refused::Input(problem) => lacking(problem),
            Refused::Lacking(failure) => Stayed::plain(failure),
        })?;
        self.shared.tell_memory();
        let program = self.written(&bound).await?;
        self.ran(bound, program).await
    }

    async fn written(&self, bound: &Bound) -> Result<program::Program, Stayed> {
        let asked = code(&Brief {
            intent: &self.intent,
            category: self.category.as_deref(),
            input: &self.input,
            lang: self.lang,
            timeout_ms: self.sandbox.timeout_ms,
            network: &self.sandbox.network,
            operations: &bound.offered,
        });
        let answer = self.asked(asked).await?;
        let read = read_program(&answer, self.lang, &*self.shared.parts.intake);
        read.map_err(|failure| {
            Stayed::quiet(failure, "the writer's answer is no program that can be run")
        })
    }

    /// The writer's answer, within its time and while somebody waits for it.
    async fn asked(&self, asked: Asked) -> Result<String, Stayed> {
        let parts = &self.shared.parts;
        let answer = within(&*parts.ports.timer, parts.writer_ms, parts.writer.answer(asked));
        let cancelled = self.context.cancellation().cancelled();
        pin_mut!(answer, cancelled);
        match select(answer, cancelled).await {
            Either::Left((Some(Ok(answer)), _)) => Ok(answer),
            Either::Left((Some(Err(error)), _)) => Err(unwritten(&error)),
            Either::Left((None, _)) => Err(unwritten(&WriterError::new(format!(
                "the writer gave no answer in {} ms; try again later",
                parts.writer_ms
            )))),
            Either::Right(((), _)) => Err(Stayed::plain(Failure::Cancelled { by: Party::Caller })),
        }
    }

    async fn ran(&self, bound: Bound, program: program::Program) -> Result<Ended, Stayed> {
        let parts = &self.shared.parts;
        let execution = self.context.execution_id().unwrap_or_default();
        let _turn = self.shared.turns.take(execution).await;
        let Bound { modules, hosts, attempts, .. } = bound;
        let order = Program {
            pen_id: self.pen_id.clone(),
            program,
            input: self.input.clone(),
            timeout_ms: self.timeout_ms(),
            modules,
            hosts,
            attempts,
            access: parts.access.clone(),
            principal: self.context.principal().map(str::to_owned),
        };
        let signal = self.context.cancellation();
        match run(order, &*parts.isolates, &parts.ledger, &parts.ports, signal).await {
            Ran::Ended(ended) => Ok(ended),
            Ran::NotStarted(failure) => {
                let note = format!("{}: the program was not started", failure.code());
                Err(Stayed::quiet(failure, &note))
            }
        }
    }

    /// The program's time: what is asked for, as far as the caller's own lasts.
    fn timeout_ms(&self) -> u64 {
        let now_ms = self.shared.parts.ports.clock.now_ms();
        let left_ms = self
            .context
            .deadline_ms()
            .map_or(u64::MAX, |at_ms| at_ms.saturating_sub(now_ms).saturating_sub(RESERVE_MS));
        self.sandbox.timeout_ms.min(left_ms).max(1)
    }

    /// Notes how it went and what is suggested.
    async fn completed(
        &self,
        persona: &Persona,
        ended: Ended,
        hinted: Option<Action>,
    ) -> Result<WriteOutput, OperationError> {
        let order = Order::End { pen_id: self.pen_id.clone(), ended: ended.clone() };
        let pen = self.shared.told(persona, order).await?;
        let (suggestion, fallback) = match hinted {
            Some(hinted) => (hinted, false),
            None => self.suggested(&pen, ended).await,
        };
        let order = Order::Suggest { pen_id: self.pen_id.clone(), suggestion, fallback };
        let pen = self.shared.told(persona, order).await?;
        let output = pen.output().map_err(|problem| unkept(LedgerError::unavailable(&problem)))?;
        output.ok_or_else(|| unkept(LedgerError::unavailable(&"a pen without its output")))
    }

    /// What the writer would do with it; erase, when its answer is none.
    async fn suggested(&self, pen: &Pen, mut ended: Ended) -> (Action, bool) {
        ended.status = pen.record.summary.as_ref().map_or(Status::Error, |summary| summary.status);
        let answer = self.asked(opinion(&self.intent, &ended)).await;
        let suggestion = answer.ok().and_then(|answer| read_suggestion(&answer));
        (suggestion.unwrap_or(Action::Erase), suggestion.is_none())
    }

    /// Notes why it stays a draft, and says so with the pen's name.
    async fn failed(&self, persona: &Persona, stayed: Stayed) -> OperationError {
        let Stayed { failure, note, evidence } = stayed;
        let order =
            Order::Refuse { pen_id: self.pen_id.clone(), code: failure.code().to_owned(), note };
        if let Err(error) = self.shared.told(persona, order).await {
            return error;
        }
        let named = |problem: String| format!("{problem} (pen {}; pen.audit has it)", self.pen_id);
        let failure = match failure {
            Failure::PenIntent { problem } => Failure::PenIntent { problem: named(problem) },
            Failure::PenSandbox { problem } => Failure::PenSandbox { problem: named(problem) },
            Failure::PenWriter { problem } => Failure::PenWriter { problem: named(problem) },
            other => other,
        };
        let told = OperationError::declared(failure);
        match evidence {
            Some(evidence) => told.with_evidence(evidence),
            None => told,
        }
    }
}

fn unwritten(error: &WriterError) -> Stayed {
    let evidence = error.evidence().map(str::to_owned);
    let stayed = Stayed::plain(Failure::PenWriter { problem: error.to_string() });
    Stayed { evidence, ..stayed }
}
