//! Holds one guest to the protocol, from the first frame to the last.
//!
//! Whatever the guest sends, a session ends in exactly one way, and every way
//! out drops the transport.

use futures::{
    FutureExt, StreamExt,
    future::{Either, LocalBoxFuture, select},
    pin_mut,
    stream::FuturesUnordered,
};

use super::{
    Ended, Line, Logs, Lost, SandboxRequest, Transport,
    forage::Forage,
    platform,
    wire::{self, Broken, FromGuest, GuestFailure},
};
use crate::{
    failure::{Failure, Place, bounded},
    program::sent_place,
};

/// Runs the request's program over `transport` to its end.
pub(super) async fn run(transport: Box<dyn Transport>, request: &SandboxRequest) -> Ended {
    let mut session = Session::new(transport, request);
    let ended = {
        let cancelled = request.cancellation.cancelled();
        let program = session.program();
        pin_mut!(cancelled, program);
        match select(cancelled, program).await {
            Either::Left((cause, _)) => Err(cause),
            // A cancellation in the same turn stands over a late success.
            Either::Right((answer, _)) => request.cancellation.cause().map_or(answer, Err),
        }
    };
    let isolates = session.transport.isolates();
    let Session { transport, mut pending, logs, evidence, .. } = session;
    drop(transport);
    if ended.is_err() {
        request.bindings.abandon();
        settle(&mut pending).await;
    }
    Ended { answer: ended, logs, evidence, isolates }
}

type Pending = FuturesUnordered<LocalBoxFuture<'static, Reply>>;

/// Waits for calls whose answers nobody hears.
async fn settle(calls: &mut Pending) {
    while let Some(_settled) = calls.next().await {}
}

/// A call that has settled: its ordinal, the bytes of its input, what it came to.
type Reply = (u64, usize, Result<String, Failure>);

struct Session<'a> {
    transport: Box<dyn Transport>,
    request: &'a SandboxRequest,
    paths: Vec<String>,
    next_ordinal: u64,
    pending: Pending,
    /// Bytes of the inputs of what is pending.
    in_use: usize,
    failed_calls: Vec<(u64, Failure)>,
    forage: Forage,
    logs: Logs,
    evidence: Option<String>,
}

/// What a frame leads to.
enum Step {
    Continue,
    End(Result<Option<String>, Failure>),
}

impl<'a> Session<'a> {
    fn new(transport: Box<dyn Transport>, request: &'a SandboxRequest) -> Self {
        Self {
            transport,
            request,
            paths: request.bindings.paths(),
            next_ordinal: 0,
            pending: FuturesUnordered::new(),
            in_use: 0,
            failed_calls: Vec::new(),
            forage: Forage::default(),
            logs: Logs::default(),
            evidence: None,
        }
    }

    async fn program(&mut self) -> Result<Option<String>, Failure> {
        let hidden = self.request.bindings.hidden();
        let forage = self.request.bindings.forages();
        let start = wire::run(&self.paths, &hidden, forage, &self.request.limits);
        self.send(&start)?;
        loop {
            match self.turn().await? {
                Step::Continue => {}
                Step::End(Ok(answer)) => {
                    // Calls that a program didn't await run to their end, or to the
                    // cancellation.
                    settle(&mut self.pending).await;
                    return Ok(answer);
                }
                Step::End(Err(failure)) => return Err(failure),
            }
        }
    }

    /// Waits for the next frame or the next finished call, and answers it.
    async fn turn(&mut self) -> Result<Step, Failure> {
        let frame = if self.pending.is_empty() {
            Either::Left(self.transport.next().await)
        } else {
            match select(self.transport.next(), self.pending.next()).await {
                Either::Left((frame, _)) => Either::Left(frame),
                Either::Right((reply, _)) => Either::Right(reply),
            }
        };
        match frame {
            Either::Left(Ok(frame)) => self.receive(&frame),
            Either::Left(Err(lost)) => Err(self.lost(&lost)),
            Either::Right(reply) => self.reply(reply).map(|()| Step::Continue),
        }
    }

    fn receive(&mut self, frame: &str) -> Result<Step, Failure> {
        if frame.len() > self.request.limits.frame_bytes.saturating_add(wire::FRAME_OVERHEAD) {
            return Err(broken(Broken("a frame is over the limit")));
        }
        match FromGuest::read(frame).map_err(broken)? {
            FromGuest::Call { ordinal, index, input } => {
                self.allot(ordinal)?;
                self.call(ordinal, index, input.unwrap_or("{}"))?;
            }
            FromGuest::Void { ordinal, index, problem } => {
                self.allot(ordinal)?;
                self.refuse(ordinal, index, problem)?;
            }
            FromGuest::Forage { id, helper, input } => {
                let calls = self.next_ordinal;
                let answer = self.forage.answer(self.request, calls, id, &helper, input)?;
                self.transport.send(&answer).map_err(|_| Failure::TransportLost {})?;
            }
            FromGuest::Log { level, text } => {
                self.logs.push(Line { level, text }, &self.request.limits);
            }
            FromGuest::Done(answer) => return Ok(Step::End(Ok(answer.map(str::to_owned)))),
            FromGuest::Failed(failure) => return Ok(Step::End(Err(self.failure(failure)))),
        }
        Ok(Step::Continue)
    }

    /// Holds calls to 0, 1, 2, … and to the budget.
    fn allot(&mut self, ordinal: u64) -> Result<(), Failure> {
        if ordinal != self.next_ordinal {
            return Err(broken(Broken("ordinals count from 0 without gaps")));
        }
        let limit = self.request.limits.calls;
        if ordinal.saturating_add(self.forage.asked()) >= limit {
            return Err(Failure::CallBudgetExceeded { limit });
        }
        self.next_ordinal = ordinal.saturating_add(1);
        Ok(())
    }

    fn call(&mut self, ordinal: u64, index: usize, input: &str) -> Result<(), Failure> {
        let bytes = input.len();
        self.use_bytes(self.in_use.saturating_add(bytes))?;
        let call = self.request.bindings.call(ordinal, index, input).ok_or_else(unbound)?;
        self.pending.push(call.map(move |result| (ordinal, bytes, result)).boxed_local());
        Ok(())
    }

    /// Holds what is under way to its bound, which leaves room for one frame beside the
    /// inputs that the guest itself counts.
    fn use_bytes(&mut self, bytes: usize) -> Result<(), Failure> {
        self.in_use = bytes;
        self.transport.in_use(bytes);
        let limits = &self.request.limits;
        if bytes > limits.flight_bytes.saturating_add(limits.frame_bytes) {
            return Err(self.lost(&Lost::Flooded));
        }
        Ok(())
    }

    fn refuse(
        &mut self,
        ordinal: u64,
        index: usize,
        problem: wire::Unsayable,
    ) -> Result<(), Failure> {
        let operation = self.paths.get(index).cloned().ok_or_else(unbound)?;
        let wire::Unsayable { path, found, remedy } = problem;
        let problem = bounded(&format!("at {}: {found}; {remedy}", shown(&path)), PROBLEM_BYTES);
        let failure = Failure::InputInvalid { operation, problem };
        self.request.bindings.refuse(index, &failure);
        self.failed_calls.push((ordinal, failure));
        Ok(())
    }

    fn reply(&mut self, reply: Option<Reply>) -> Result<(), Failure> {
        let Some((ordinal, bytes, result)) = reply else { return Ok(()) };
        self.use_bytes(self.in_use.saturating_sub(bytes))?;
        let frame = match result {
            Ok(output) => wire::value(ordinal, &output),
            Err(failure) => {
                let frame = wire::error(ordinal, &failure);
                self.failed_calls.push((ordinal, failure));
                frame
            }
        };
        self.send(&frame)
    }

    fn send(&mut self, frame: &str) -> Result<(), Failure> {
        if self.transport.send(frame).is_ok() {
            return Ok(());
        }
        // Why it takes no more may have come already, behind frames that nobody needs now.
        while let Some(said) = self.transport.next().now_or_never() {
            if let Err(lost) = said {
                return Err(self.lost(&lost));
            }
        }
        self.evidence = Some("the isolate takes no more frames".to_owned());
        Err(Failure::TransportLost {})
    }

    /// The end of a guest that is gone, with what is known of it.
    fn lost(&mut self, lost: &Lost) -> Failure {
        let (failure, evidence) = platform::lost(lost, &self.request.limits);
        self.evidence = Some(evidence);
        failure
    }

    /// Turns what the guest says of its failure into ours, with our own facts
    /// wherever we have them.
    fn failure(&mut self, failure: GuestFailure) -> Failure {
        let limits = &self.request.limits;
        match failure {
            GuestFailure::GuestException { name, message, frames } => Failure::GuestException {
                name: bounded(&name, NAME_BYTES),
                problem: bounded(&message, crate::failure::MESSAGE_BYTES),
                place: self.place(&frames),
            },
            GuestFailure::Call { ordinal } => self.failed_call(ordinal),
            GuestFailure::Forage { code, message } => self.forage.failure(&code, &message),
            GuestFailure::OperationUnknown { path, nearest } => unknown(&path, &nearest),
            GuestFailure::ResultInvalid(wire::Unsayable { path, found, remedy }) => {
                Failure::ResultInvalid {
                    path: bounded(shown(&path), PROBLEM_BYTES),
                    found: bounded(&found, PROBLEM_BYTES),
                    remedy: bounded(&remedy, PROBLEM_BYTES),
                }
            }
            GuestFailure::ResultTooLarge { bytes, outline } => Failure::ResultTooLarge {
                bytes,
                limit: limits.result_bytes,
                outline: bounded(&outline, OUTLINE_BYTES),
            },
            GuestFailure::CallBudgetExceeded => Failure::CallBudgetExceeded { limit: limits.calls },
            GuestFailure::BadProtocol => broken(Broken("the guest speaks another version")),
        }
    }

    /// The guest chooses which of the failures we know it passed on, no more.
    fn failed_call(&self, ordinal: u64) -> Failure {
        self.failed_calls.iter().find(|(failed, _)| *failed == ordinal).map_or_else(
            || broken(Broken("no call failed at this ordinal")),
            |(_, failure)| failure.clone(),
        )
    }

    fn place(&self, frames: &[(u32, u32, String)]) -> Place {
        frames.first().map_or_else(Place::default, |(line, column, _)| {
            sent_place(&self.request.program, *line, *column)
        })
    }
}

/// Bytes kept of an error's name.
const NAME_BYTES: usize = 128;
/// Bytes kept of a path, a finding or a remedy.
const PROBLEM_BYTES: usize = 512;
/// Bytes kept of an outline.
const OUTLINE_BYTES: usize = 1_024;

/// A JSON Pointer as it is told: the empty one, which is the value itself, can't be seen.
fn shown(pointer: &str) -> &str {
    if pointer.is_empty() { "/" } else { pointer }
}

pub(super) fn broken(Broken(rule): Broken) -> Failure {
    Failure::BadResponse { rule: rule.to_owned() }
}

fn unknown(path: &str, nearest: &[String]) -> Failure {
    let nearest = match nearest {
        [] => "; Object.keys(env) lists the modules".to_owned(),
        names => format!("; there is {}", names.join(", ")),
    };
    Failure::OperationUnknown {
        name: bounded(path, PROBLEM_BYTES),
        nearest: bounded(&nearest, PROBLEM_BYTES),
    }
}

fn unbound() -> Failure {
    broken(Broken("a call names an operation by its index"))
}
