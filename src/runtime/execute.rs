//! The life of one execution.

use std::rc::Rc;

use futures::{
    future::{Either, select},
    pin_mut,
};

use super::{ExecuteTool, Notices, Outcome, calls::Calls};
use crate::{
    failure::{Failure, Reference},
    operation::{Cancellation, Catalog, Context},
    port::Ports,
    program::{Intake, Program},
    sandbox::{Ended, Limits, Logs, Sandbox, SandboxRequest},
};

/// What a runtime is made of.
#[derive(Clone)]
pub struct Parts {
    /// The operations.
    pub catalog: Rc<Catalog>,
    /// What reads a program.
    pub intake: Rc<dyn Intake>,
    /// What runs a program.
    pub sandbox: Rc<dyn Sandbox>,
    /// The bounds of each execution.
    pub limits: Limits,
    /// Which limits this host doesn't enforce.
    pub notices: Rc<Notices>,
    /// The host.
    pub ports: Ports,
}

/// A runtime: a catalog of operations and what runs programs over it.
#[derive(Clone)]
pub struct Mycelium {
    parts: Parts,
}

impl Mycelium {
    /// A runtime of these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self { parts }
    }

    /// The one tool that a model is given.
    #[must_use]
    pub fn execute_tool(&self) -> ExecuteTool {
        ExecuteTool::new(&self.parts.catalog)
    }

    /// A cancellation for a coming execution.
    #[must_use]
    pub fn cancellation(&self) -> Cancellation {
        Cancellation::new(Rc::clone(&self.parts.ports.handoff))
    }

    /// Runs `code` to its outcome.
    ///
    /// The time counts from here. Dropping the future ends the execution.
    pub async fn execute(&self, code: &str, cancellation: Cancellation) -> Outcome {
        let execution_id: Rc<str> = self.parts.ports.name().into();
        let calls = Rc::new(self.calls(&execution_id, &cancellation));
        let ended = match self.read(code) {
            Ok(program) => {
                let request = SandboxRequest {
                    program: Rc::new(program),
                    execution_id: Rc::clone(&execution_id),
                    limits: self.parts.limits.clone(),
                    bindings: calls.clone(),
                    cancellation,
                };
                self.run(request).await
            }
            Err(failure) => Ended { answer: Err(failure), logs: Logs::default(), evidence: None },
        };
        self.outcome(execution_id, ended, &calls)
    }

    fn calls(&self, execution_id: &Rc<str>, cancellation: &Cancellation) -> Calls {
        let now = self.parts.ports.clock.now_ms();
        let facts = Context::builder()
            .execution_id(Rc::clone(execution_id))
            .cancellation(cancellation.signal())
            .deadline_ms(now.saturating_add(self.parts.limits.timeout_ms));
        Calls::new(
            Rc::clone(&self.parts.catalog),
            facts,
            self.parts.limits.frame_bytes,
            Rc::clone(&self.parts.ports.console),
        )
    }

    fn read(&self, code: &str) -> Result<Program, Failure> {
        let limit = self.parts.limits.code_bytes;
        if code.len() > limit {
            return Err(Failure::ProgramTooLarge { limit });
        }
        self.parts.intake.read(code)
    }

    /// Runs the program against the host's clock. When time is up the execution
    /// is cancelled, and still awaited: a sandbox settles before it is let go.
    async fn run(&self, request: SandboxRequest) -> Ended {
        self.parts.notices.print(&*self.parts.ports.console);
        let timeout_ms = request.limits.timeout_ms;
        let cancellation = request.cancellation.clone();
        let running = self.parts.sandbox.run(request);
        let deadline = self.parts.ports.timer.sleep(timeout_ms);
        pin_mut!(running, deadline);
        match select(running, deadline).await {
            Either::Left((ended, _)) => ended,
            Either::Right(((), running)) => {
                cancellation.cancel(Failure::DeadlineExceeded { timeout_ms, started: true });
                running.await
            }
        }
    }

    fn outcome(&self, execution_id: Rc<str>, ended: Ended, calls: &Calls) -> Outcome {
        let reference = ended.answer.as_ref().err().map(|failure| {
            let reference = Reference::new(self.parts.ports.random.bits());
            self.report(&execution_id, failure, reference, ended.evidence.as_deref());
            reference
        });
        Outcome {
            execution_id,
            answer: ended.answer,
            reference,
            logs: ended.logs,
            calls: calls.record(),
        }
    }

    /// What the operator finds under a reference.
    fn report(&self, id: &str, failure: &Failure, reference: Reference, evidence: Option<&str>) {
        let evidence = evidence.unwrap_or("none");
        let code = failure.code();
        self.parts.ports.console.warn(&format!(
            "execution {id} failed: {code}, reference {reference}, evidence: {evidence}"
        ));
    }
}
