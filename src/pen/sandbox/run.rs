//! One run of a pen's program.

use std::{cell::Cell, rc::Rc};

use futures::{
    FutureExt, StreamExt,
    future::{Either, select},
    pin_mut,
};
use serde_json::{Value, json};

use super::{
    Attempts, Isolates, Outbound,
    known::{Announced, Known},
};
use crate::{
    failure::{Failure, Party},
    limits::{GRACE_MS, PEN_RESULT_BYTES, PEN_SUBREQUESTS},
    operation::{Module, Signal},
    pen::{
        Ended, PenId, Status,
        ledger::{Ledger, Order},
    },
    port::Ports,
    program,
    runtime::{
        Disclosure, Mycelium, Notices, Options, Outcome, Part, ToolCall, access::AccessPolicy,
        admission::AdmissionOptions,
    },
    sandbox::{GuestSandbox, Limits, Logs},
};

/// Milliseconds after its time in which a run is heard of, if it ever is.
const UNHEARD_MS: u64 = 60_000;

/// A program that is to run.
pub(in crate::pen) struct Program {
    pub(in crate::pen) pen_id: PenId,
    pub(in crate::pen) program: program::Program,
    pub(in crate::pen) input: Value,
    pub(in crate::pen) timeout_ms: u64,
    pub(in crate::pen) modules: Vec<Module>,
    pub(in crate::pen) hosts: Vec<String>,
    pub(in crate::pen) attempts: Attempts,
    pub(in crate::pen) access: AccessPolicy,
    pub(in crate::pen) principal: Option<String>,
}

/// How that went.
pub(in crate::pen) enum Ran {
    /// It has run.
    Ended(Ended),
    /// It was never started.
    NotStarted(Failure),
}

/// Runs a program to its end, or to the cancellation.
pub(in crate::pen) async fn run(
    order: Program,
    isolates: &dyn Isolates,
    ledger: &Rc<dyn Ledger>,
    ports: &Ports,
    signal: &Signal,
) -> Ran {
    let (timeout_ms, attempts) = (order.timeout_ms, order.attempts.clone());
    let started_ms = Rc::<Cell<Option<u64>>>::default();
    let principal = order.principal.clone();
    let options = options(order, isolates, ledger, ports, &started_ms);
    let runtime = match Mycelium::open(options) {
        Ok(runtime) => runtime,
        Err(error) => return not_started(Failure::PenSandbox { problem: error.to_string() }),
    };
    let outcome = executed(&runtime, principal, signal).await;
    runtime.close().await;
    let ended_ms = ports.clock.now_ms();
    match (outcome, started_ms.get()) {
        (Ok(outcome), Some(started_ms)) => {
            let duration_ms = ended_ms.saturating_sub(started_ms);
            Ran::Ended(ended(outcome, &attempts, duration_ms, timeout_ms))
        }
        (Ok(outcome), None) => not_started(unstarted(outcome.answer.err())),
        (Err(failure), _) => not_started(unstarted(Some(failure))),
    }
}

fn not_started(failure: Failure) -> Ran {
    Ran::NotStarted(failure)
}

/// What it means that there was no isolate.
fn unstarted(failure: Option<Failure>) -> Failure {
    match failure {
        Some(failure @ (Failure::Cancelled { .. } | Failure::PenSandbox { .. })) => failure,
        // The isolate's own parser saw what the intake didn't: the program is none.
        Some(failure @ (Failure::SyntaxError { .. } | Failure::GuestException { .. })) => {
            Failure::PenWriter {
                problem: format!(
                    "the program can't be loaded ({failure}); say the intent in other words"
                ),
            }
        }
        Some(Failure::SandboxBusy { .. }) => Failure::PenSandbox {
            problem: "the platform runs as many isolates as it may; try again later".to_owned(),
        },
        other => Failure::PenSandbox {
            problem: format!(
                "no isolate came to be ({}); try again later",
                other.map_or("unknown", |failure| failure.code())
            ),
        },
    }
}

fn options(
    order: Program,
    isolates: &dyn Isolates,
    ledger: &Rc<dyn Ledger>,
    ports: &Ports,
    started_ms: &Rc<Cell<Option<u64>>>,
) -> Options {
    let Program { pen_id, program, input, timeout_ms, modules, hosts, access, .. } = order;
    let code = program.module.clone();
    let persona = pen_id.persona().clone();
    let outbound = Outbound { pen_id: pen_id.clone(), allow: hosts };
    let start = move |now_ms: u64| Order::Start {
        pen_id: pen_id.clone(),
        code: code.clone(),
        until_ms: now_ms.saturating_add(timeout_ms).saturating_add(GRACE_MS + UNHEARD_MS),
    };
    let loader = Announced {
        loader: isolates.loader(outbound),
        ledger: Rc::clone(ledger),
        persona,
        clock: Rc::clone(&ports.clock),
        start: Rc::new(start),
        started_ms: Rc::clone(started_ms),
    };
    let limits = Limits {
        result_bytes: PEN_RESULT_BYTES,
        subrequests: PEN_SUBREQUESTS,
        ..Limits::with_timeout(timeout_ms)
    };
    Options {
        modules,
        sources: Vec::new(),
        tools: Vec::new(),
        intake: Rc::new(Known::with_input(program, &input)),
        sandbox: Rc::new(GuestSandbox::new(Rc::new(loader))),
        access,
        // The permit is the one of the program that called the pen.
        admission: AdmissionOptions { sandbox_capacity: Some(1), admission_wait_ms: None },
        available_cores: None,
        limits,
        notices: Rc::new(Notices::default()),
        on_sandbox_failure: None,
        on_execution: None,
        disclosure: Disclosure::default(),
        require_execute_identity: false,
        ports: ports.clone(),
    }
}

/// Executes the one program there is.
async fn executed(
    runtime: &Mycelium,
    principal: Option<String>,
    signal: &Signal,
) -> Result<Outcome, Failure> {
    let lease = runtime.acquire(principal.as_deref()).await?;
    let call = ToolCall {
        id: "pen".to_owned(),
        name: "execute".to_owned(),
        arguments: json!({ "code": "" }),
    };
    let prepared = lease.execute_tool().prepare(&call);
    let prepared = prepared.map_err(|_| Failure::Unknown {})?;
    let cancellation = runtime.cancellation();
    let parts = prepared.execute(cancellation.clone()).collect::<Vec<Part>>();
    let cancelled = signal.cancelled();
    pin_mut!(cancelled);
    let parts = match select(parts.boxed_local(), cancelled).await {
        Either::Left((parts, _)) => parts,
        Either::Right(((), parts)) => {
            cancellation.cancel(Failure::Cancelled { by: Party::Caller });
            parts.await
        }
    };
    lease.release().await;
    let last = parts.into_iter().next_back().and_then(Part::last);
    last.map(|last| last.outcome).ok_or(Failure::Unknown {})
}

fn ended(outcome: Outcome, attempts: &Attempts, duration_ms: u64, timeout_ms: u64) -> Ended {
    for refusal in &outcome.refusals {
        attempts.note(format!(
            "{} of {}: {}",
            refusal.operation(),
            refusal.module(),
            refusal.reason()
        ));
    }
    let (status, result, failure) = match outcome.answer {
        Ok(answer) => (Status::Success, answer.unwrap_or_default(), None),
        Err(Failure::DeadlineExceeded { .. }) => {
            (Status::Timeout, String::new(), Some(Failure::PenTimeout { timeout_ms }))
        }
        Err(failure) => (Status::Error, String::new(), Some(failure)),
    };
    let (stdout, stderr) = printed(&outcome.logs);
    Ended {
        status,
        stdout,
        stderr,
        result,
        duration_ms,
        error: failure.as_ref().map(Into::into),
        attempts: attempts.noted(),
    }
}

/// What it printed: warnings and errors apart, and a line of ours about what had no room.
fn printed(logs: &Logs) -> (String, String) {
    let (mut stdout, mut stderr) = (String::new(), String::new());
    for line in logs.lines() {
        let to =
            if matches!(line.level.as_str(), "warn" | "error") { &mut stderr } else { &mut stdout };
        to.push_str(&line.text);
        to.push('\n');
    }
    if logs.dropped() > 0 {
        stderr.push_str(&format!("({} lines more were over the limit)\n", logs.dropped()));
    }
    (stdout, stderr)
}
