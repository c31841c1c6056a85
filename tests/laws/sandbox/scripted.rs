//! A guest that plays each scenario of the contract over the wire, frame by frame.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    future::poll_fn,
    rc::Rc,
    task::{Poll, Waker},
};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    program::Program,
    sandbox::{
        GuestSandbox, LoadError, Loader, Lost, Sandbox, SandboxRequest, Transport, TransportClosed,
    },
    testing::{Candidate, Scenario},
};

use super::contract::program;

/// One step of a guest.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Sends a frame.
    Say(String),
    /// Goes on when it has heard so many answers.
    Hear(usize),
    /// Does nothing more, and doesn't end.
    Never,
}

/// The operations of `test` by index: sorted by path, as the wire has them.
const FAILS: usize = 0;
const FIRST: usize = 1;
const PAUSES: usize = 2;
const SECOND: usize = 3;
const STOP: usize = 4;
const WAITS: usize = 5;

fn call(ordinal: usize, index: usize, input: &str) -> Step {
    Step::Say(format!("[\"call\",{ordinal},{index},{input}]"))
}

fn done(answer: &str) -> Step {
    Step::Say(format!("[\"done\",{answer}]"))
}

fn failed(failure: &str) -> Step {
    Step::Say(format!("[\"failed\",{failure}]"))
}

const THROWN: &str = r#"{"kind":"guest-exception","name":"Error","message":"thrown"}"#;

fn script(scenario: Scenario) -> Vec<Step> {
    use Step::{Hear, Never};
    match scenario {
        Scenario::Answers => vec![done(r#"{"a":[1,"é"],"b":null}"#)],
        Scenario::CallsInTurn => vec![
            call(0, FIRST, "1"),
            Hear(1),
            call(1, SECOND, "{\"n\":2}"),
            Hear(2),
            done("[1,{\"n\":2}]"),
        ],
        Scenario::CallsSideBySide => {
            vec![call(0, SECOND, "2"), call(1, FIRST, "1"), Hear(2), done("[2,1]")]
        }
        Scenario::Throws => vec![failed(THROWN)],
        Scenario::LetsFailureThrough => {
            vec![call(0, FAILS, "{}"), Hear(1), failed(r#"{"kind":"call","ordinal":0}"#)]
        }
        Scenario::CallsMissing => {
            vec![failed(r#"{"kind":"operation-unknown","path":"test.missing","nearest":[]}"#)]
        }
        Scenario::CallsFourTimes => {
            let calls = (0..4).flat_map(|n| [call(n, FIRST, "1"), Hear(n + 1)]);
            calls.chain([done("1")]).collect()
        }
        Scenario::NeverEnds => vec![Never],
        Scenario::AwaitsCall => vec![call(0, WAITS, "{}"), Never],
        Scenario::LeavesCall => vec![call(0, PAUSES, "{}"), done("1")],
        Scenario::ThrowsBesideCall => {
            vec![call(0, WAITS, "{}"), call(1, FIRST, "1"), Hear(1), failed(THROWN)]
        }
        Scenario::StopsItself => vec![call(0, STOP, "{}"), Hear(1), done("1")],
        Scenario::CallsLate => vec![done("1"), call(0, FIRST, "\"late\"")],
        Scenario::CallsForEver => {
            (0..1_000).flat_map(|n| [call(n, PAUSES, "{}"), Hear(n + 1)]).collect()
        }
        Scenario::Counts => vec![done("1")],
        other => panic!("{other:?} isn't a scenario that this knows"),
    }
}

/// The sandbox of isolates, with guests that follow a script.
pub(crate) struct Scripted;

impl Candidate for Scripted {
    fn ready(&self, scenario: Scenario) -> (Rc<dyn Sandbox>, Rc<Program>) {
        let loader = ScriptedLoader { script: script(scenario) };
        (Rc::new(GuestSandbox::new(Rc::new(loader))), program())
    }
}

struct ScriptedLoader {
    script: Vec<Step>,
}

impl Loader for ScriptedLoader {
    fn load(
        &self,
        _: &SandboxRequest,
    ) -> LocalBoxFuture<'static, Result<Box<dyn Transport>, LoadError>> {
        let guest = ScriptedGuest::new(self.script.clone());
        async move { Ok(Box::new(guest) as Box<dyn Transport>) }.boxed_local()
    }
}

/// A guest that follows a script, and is gone at its end.
pub(crate) struct ScriptedGuest {
    script: RefCell<VecDeque<Step>>,
    /// Answers; the frame that starts the program is none.
    heard: Cell<usize>,
    waker: RefCell<Option<Waker>>,
}

impl ScriptedGuest {
    pub(crate) fn new(script: Vec<Step>) -> Self {
        Self {
            script: RefCell::new(script.into()),
            heard: Cell::default(),
            waker: RefCell::default(),
        }
    }
}

impl Transport for ScriptedGuest {
    fn send(&self, frame: &str) -> Result<(), TransportClosed> {
        if !frame.starts_with("[\"run\"") {
            self.heard.set(self.heard.get() + 1);
        }
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
        Ok(())
    }

    fn next(&mut self) -> LocalBoxFuture<'_, Result<String, Lost>> {
        poll_fn(|context| {
            let mut script = self.script.borrow_mut();
            while let Some(Step::Hear(answers)) = script.front() {
                if self.heard.get() < *answers {
                    *self.waker.borrow_mut() = Some(context.waker().clone());
                    return Poll::Pending;
                }
                script.pop_front();
            }
            match script.pop_front() {
                Some(Step::Say(frame)) => Poll::Ready(Ok(frame)),
                Some(Step::Hear(_)) | None => {
                    Poll::Ready(Err(Lost::Closed { code: 1_000, reason: String::new() }))
                }
                Some(Step::Never) => {
                    script.push_front(Step::Never);
                    Poll::Pending
                }
            }
        })
        .boxed_local()
    }
}
