//! The runtime as a whole: opened once, leased many times, closed.

use std::{cell::Cell, fmt, rc::Rc};

use futures::{FutureExt, channel::oneshot};

use super::{
    DirectTool, Disclosure, ExecuteTool, ExecutionObserver, FailureObserver, Lease, Notices,
    access::{AccessPolicy, Approvals},
    admission::{AdmissionOptions, AdmissionPolicy, PolicyError, Semaphore},
    custody::{Entered, Latch, Tally},
    execution::Engine,
    lease::{Acquisition, Asked, Graphs, GraphsBySources, LeaseState},
    source::Source,
};
use crate::{
    failure::Failure,
    operation::{Cancellation, Catalog, DefinitionError, Module},
    port::Ports,
    program::Intake,
    sandbox::{LimitError, Limits, Sandbox},
};

/// What a host opens a runtime with.
#[derive(Clone)]
pub struct Options {
    /// The modules that are always there.
    pub modules: Vec<Module>,
    /// Where further modules come from.
    pub sources: Vec<Rc<dyn Source>>,
    /// Tools beside `execute`.
    pub tools: Vec<DirectTool>,
    /// What reads a program.
    pub intake: Rc<dyn Intake>,
    /// What runs a program.
    pub sandbox: Rc<dyn Sandbox>,
    /// Who may do what.
    pub access: AccessPolicy,
    /// How many programs run at once, and how long others wait.
    pub admission: AdmissionOptions,
    /// How many cores there are, where the host can tell; asked at most once.
    pub available_cores: Option<usize>,
    /// The bounds of each execution.
    pub limits: Limits,
    /// Which limits this host doesn't enforce.
    pub notices: Rc<Notices>,
    /// Who sees failures with their evidence.
    pub on_sandbox_failure: Option<Rc<dyn FailureObserver>>,
    /// Who is given an account of each execution.
    pub on_execution: Option<Rc<dyn ExecutionObserver>>,
    /// What the account of an execution shows of code and inputs.
    pub disclosure: Disclosure,
    /// Whether a direct write must carry a tool call id and an ordinal.
    pub require_execute_identity: bool,
    /// The host.
    pub ports: Ports,
}

/// Why a runtime can't be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// A declaration breaks a rule.
    Definition(DefinitionError),
    /// An admission option is wrong.
    Admission(PolicyError),
    /// A bound is wrong.
    Limits(LimitError),
}

impl fmt::Display for OpenError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Definition(error) => error.fmt(formatter),
            Self::Admission(error) => error.fmt(formatter),
            Self::Limits(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for OpenError {}

/// An open runtime. Clones are the same runtime.
#[derive(Clone)]
pub struct Mycelium {
    shared: Rc<Shared>,
}

/// What the leases of one runtime share.
pub(crate) struct Shared {
    pub(crate) engine: Engine,
    pub(crate) tools: Vec<DirectTool>,
    pub(crate) require_execute_identity: bool,
    graphs: Rc<Graphs>,
    further: GraphsBySources,
    running: Tally,
    closing: Cell<bool>,
    closed: Latch,
}

impl Shared {
    /// Enters the runtime, unless it is closing.
    pub(crate) fn enter(&self) -> Result<Entered, Failure> {
        if self.closing.get() {
            return Err(Failure::RuntimeClosed {});
        }
        Ok(self.running.enter())
    }

    /// A lease, or what there is to give back of it given back.
    async fn lease(self: Rc<Self>, acquisition: Acquisition) -> Result<Lease, Failure> {
        let graphs = match acquisition.sources {
            Some(sources) => self.further.over(sources, &self.graphs),
            None => Rc::clone(&self.graphs),
        };
        let held = graphs.acquire().await?;
        let asked = Asked { principal: acquisition.principal, trace: acquisition.trace };
        let access = acquisition.access.unwrap_or_else(|| Rc::clone(&self.engine.access));
        let standing = access.shown().await;
        if self.closing.get() {
            held.release().await;
            return Err(Failure::RuntimeClosed {});
        }
        Ok(Lease::new(LeaseState::new(self, held, (access, standing), asked)))
    }
}

impl Mycelium {
    /// Opens a runtime. What it is opened with is captured: later changes of the
    /// caller's own copy change nothing.
    ///
    /// # Errors
    ///
    /// An [`OpenError`] that names what is wrong.
    pub fn open(options: Options) -> Result<Self, OpenError> {
        Catalog::new(options.modules.clone()).map_err(OpenError::Definition)?;
        distinct(&options.tools).map_err(OpenError::Definition)?;
        options.limits.check().map_err(OpenError::Limits)?;
        let policy = AdmissionPolicy::open(&options.admission, || options.available_cores)
            .map_err(OpenError::Admission)?;
        let ports = options.ports;
        let handoff = &ports.handoff;
        let running = Tally::new(Rc::clone(handoff));
        let closed = Latch::new(Rc::clone(handoff));
        let bound = options.limits.snapshot_operations;
        let graphs = Graphs::new(options.modules, options.sources, bound, &ports);
        let engine = Engine {
            intake: options.intake,
            sandbox: options.sandbox,
            limits: options.limits,
            notices: options.notices,
            access: Rc::new(options.access),
            approvals: Approvals::new(policy.capacity()),
            admission: Semaphore::new(policy, &ports),
            observer: options.on_sandbox_failure,
            accountant: options.on_execution,
            disclosure: options.disclosure,
            ports: ports.clone(),
        };
        let shared = Shared {
            engine,
            tools: options.tools,
            require_execute_identity: options.require_execute_identity,
            graphs: Rc::new(graphs),
            further: GraphsBySources::default(),
            running,
            closing: Cell::new(false),
            closed,
        };
        Ok(Self { shared: Rc::new(shared) })
    }

    /// A lease on the operations there are now, for the principal who asks.
    ///
    /// # Errors
    ///
    /// `runtime-closed`, or `source-unavailable` naming the source; then everything
    /// acquired for it has been given back.
    pub async fn acquire(&self, principal: Option<&str>) -> Result<Lease, Failure> {
        let principal = principal.map(Rc::from);
        self.acquire_as(Acquisition { principal, ..Acquisition::default() }).await
    }

    /// A lease with an access or with sources of its own.
    ///
    /// However many different sources there are, the runtime is one: what runs over
    /// them is admitted together.
    ///
    /// # Errors
    ///
    /// As [`acquire`](Self::acquire).
    pub async fn acquire_as(&self, acquisition: Acquisition) -> Result<Lease, Failure> {
        let entered = self.shared.enter()?;
        let lease = Rc::clone(&self.shared).lease(acquisition);
        let (send, acquired) = oneshot::channel();
        // In the background: what a caller who goes away has half acquired is given back.
        let work = async move {
            let _entered = entered;
            // A lease that nobody takes lets go by itself.
            let _ = send.send(lease.await);
        };
        self.shared.engine.ports.background.spawn(work.boxed_local());
        acquired.await.unwrap_or(Err(Failure::Unknown {}))
    }

    /// The access that leases have which bring none of their own.
    #[must_use]
    pub fn access(&self) -> &AccessPolicy {
        &self.shared.engine.access
    }

    /// The host that it was opened on.
    #[must_use]
    pub fn ports(&self) -> &Ports {
        &self.shared.engine.ports
    }

    /// A cancellation for a coming execution.
    #[must_use]
    pub fn cancellation(&self) -> Cancellation {
        Cancellation::new(Rc::clone(&self.shared.engine.ports.handoff))
    }

    /// Refuses new work, ends what waits, waits for what runs, and gives every
    /// source back. Closed again, it waits for the same end.
    pub async fn close(&self) {
        if !self.shared.closing.replace(true) {
            let shared = Rc::clone(&self.shared);
            shared.engine.admission.close();
            // In the background: a close whose caller goes away still comes to its end.
            let work = async move {
                shared.running.emptied().await;
                shared.further.close().await;
                shared.graphs.close().await;
                shared.closed.open();
            };
            self.shared.engine.ports.background.spawn(work.boxed_local());
        }
        self.shared.closed.opened().await;
    }
}

/// Tools are known by their names alone.
fn distinct(tools: &[DirectTool]) -> Result<(), DefinitionError> {
    for (position, tool) in tools.iter().enumerate() {
        let name = tool.name();
        let taken = tools.iter().take(position).any(|other| other.name() == name);
        if taken || name == ExecuteTool::NAME {
            let rule = "another tool has this name: give each its own";
            return Err(DefinitionError::new(name, "", rule));
        }
    }
    Ok(())
}
