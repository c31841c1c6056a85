//! Work whose cost is measured, the same natively and in an isolate.
//!
//! Owns what is done. Doesn't own the clock: whoever measures has one.

use std::rc::Rc;

use futures::{
    FutureExt, StreamExt,
    future::{LocalBoxFuture, join_all},
};
use serde_json::json;

use crate::{
    failure::Failure,
    forage::{self, ListQuery, SearchQuery},
    operation::{self, Access, Cancellation, Context, GateCall, Module, Operation},
    port::Ports,
    program::Intake,
    runtime::{
        Answer, Disclosure, Lease, Mycelium, Notices, Options, Part, ToolCall,
        access::{AccessPolicy, Grants, Moment, SessionGrants, Unreadable},
        admission::{AdmissionOptions, Deadline, Semaphore, normalize_sandbox_admission_policy},
    },
    sandbox::{Ended, Limits, Logs, Sandbox, SandboxRequest},
};

/// How many operations a module has in a large graph.
const PER_MODULE: usize = 30;

/// How many programs run at once, as in the Worker.
const CAPACITY: u64 = 6;

/// A host to do work on.
#[derive(Clone)]
pub struct Workload {
    ports: Ports,
    intake: Rc<dyn Intake>,
}

/// What is ready to be called; dropping it lets go of all of it.
pub struct ReadyGraph {
    /// Holds everything.
    pub lease: Lease,
    runtime: Mycelium,
}

impl Workload {
    /// On these ports.
    #[must_use]
    pub fn new(ports: Ports, intake: Rc<dyn Intake>) -> Self {
        Self { ports, intake }
    }

    /// Declares operations from `texts`, opens a runtime over them, takes a lease, describes
    /// the tool, lists, searches and makes a first call.
    ///
    /// # Errors
    ///
    /// What fails; a text where it has no failure of its own.
    pub async fn graph(&self, texts: &Texts) -> Result<ReadyGraph, String> {
        let (modules, operations) = (modules(texts), texts.0.len());
        let runtime = self.open(modules, AccessPolicy::new(), Idle)?;
        let lease = runtime.acquire(None).await.map_err(|failure| failure.to_string())?;
        if lease.catalog().entries().len() != operations {
            return Err("the graph has another size".to_owned());
        }
        let described = lease.execute_tool().description();
        if described.is_empty() {
            return Err("nothing is described".to_owned());
        }
        let last = names(operations.saturating_sub(1)).1;
        let page = lease.forage().list(&ListQuery::default()).map_err(|error| error.to_string())?;
        let found = lease.forage().search(&SearchQuery::new(&last));
        let found = found.map_err(|error| error.to_string())?.results;
        if page.total != operations || found.first().is_none_or(|hit| !hit.path.ends_with(&last)) {
            return Err(format!("{last} is not found"));
        }
        let input = json!({"id": 7, "query": "words", "tags": ["a", "b"]});
        let (module, key) = names(operations.saturating_sub(1));
        let context = Context::builder().build();
        match lease.invoke_module_operation(&module, &key, input, context).await {
            Ok(Answer::Value(_)) => Ok(ReadyGraph { lease, runtime }),
            Ok(Answer::Refused(refusal)) => Err(refusal.to_string()),
            Err(failure) => Err(failure.to_string()),
        }
    }

    /// As many operations as [`graph`](Self::graph) has, for questions about them.
    ///
    /// # Errors
    ///
    /// What fails.
    pub fn discovery(&self, operations: usize) -> Result<Discovery, String> {
        let catalog = operation::Catalog::new(modules(&Texts::of(operations)));
        let catalog = catalog.map_err(|error| error.to_string())?;
        Ok(Discovery { forage: forage::Catalog::over(&catalog), catalog })
    }

    /// Makes `calls` calls of one operation through everything that a call goes through, one
    /// after the other, with an input of about `bytes` bytes that the operation gives back.
    ///
    /// # Errors
    ///
    /// What fails.
    pub async fn calls(&self, calls: u64, bytes: usize) -> Result<(), String> {
        let grants = Grants::parse(&json!({"bench-echo": "write"}));
        let grants = grants.map_err(|error| error.to_string())?;
        let access = AccessPolicy::new().session_grants(Rc::new(Granted(Rc::new(grants))));
        let calling = Calling { calls, input: input(bytes).into() };
        let runtime = self.open(vec![echo()], access, calling)?;
        let lease = runtime.acquire(None).await.map_err(|failure| failure.to_string())?;
        let arguments = json!({"code": "return 1"});
        let call = ToolCall { id: "bench".to_owned(), name: "execute".to_owned(), arguments };
        let prepared = lease.execute_tool().prepare(&call).map_err(|error| error.to_string())?;
        let parts: Vec<_> = prepared.execute(runtime.cancellation()).collect().await;
        let last = parts.into_iter().filter_map(Part::last).next_back();
        let outcome = last.map(|last| last.outcome).ok_or("there was no last part")?;
        outcome.answer.map(drop).map_err(|failure| failure.to_string())
    }

    /// Lets `arrivals` programs wait in a full queue, and each go on when it is its turn.
    ///
    /// # Errors
    ///
    /// What fails.
    pub async fn admissions(&self, arrivals: usize) -> Result<(), String> {
        let options =
            AdmissionOptions { sandbox_capacity: Some(CAPACITY), admission_wait_ms: None };
        let policy = normalize_sandbox_admission_policy(&options, None);
        let policy = policy.map_err(|error| error.to_string())?;
        let queue = Semaphore::new(policy, &self.ports);
        let cancellation = Cancellation::new(Rc::clone(&self.ports.handoff));
        let deadline = Deadline::new(self.ports.clock.now_ms(), 900_000);
        let held = (0..CAPACITY).map(|_| queue.acquire(deadline, &cancellation));
        let held = join_all(held).await;
        let waiting = (0..arrivals).map(|_| {
            let queue = queue.clone();
            let cancellation = cancellation.clone();
            async move { queue.acquire(deadline, &cancellation).await.map(drop) }
        });
        let release = async {
            drop(held);
            Ok::<(), Failure>(())
        };
        let mut all: Vec<LocalBoxFuture<'_, Result<(), Failure>>> =
            waiting.map(FutureExt::boxed_local).collect();
        // Polled last: by then everyone waits.
        all.push(release.boxed_local());
        let ended: Result<Vec<()>, Failure> = join_all(all).await.into_iter().collect();
        ended.map(drop).map_err(|failure| failure.to_string())
    }

    fn open(
        &self,
        modules: Vec<Module>,
        access: AccessPolicy,
        sandbox: impl Sandbox + 'static,
    ) -> Result<Mycelium, String> {
        let options = Options {
            modules,
            sources: Vec::new(),
            tools: Vec::new(),
            intake: Rc::clone(&self.intake),
            sandbox: Rc::new(sandbox),
            access,
            admission: AdmissionOptions::default(),
            available_cores: None,
            limits: Limits { calls: u64::MAX, ..Limits::default() },
            notices: Rc::new(Notices::default()),
            on_sandbox_failure: None,
            on_execution: None,
            disclosure: Disclosure::default(),
            require_execute_identity: false,
            ports: self.ports.clone(),
        };
        Mycelium::open(options).map_err(|error| error.to_string())
    }
}

/// Operations that are asked about.
#[derive(Debug)]
pub struct Discovery {
    catalog: operation::Catalog,
    forage: forage::Catalog,
}

impl Discovery {
    /// Makes the index once more, and searches.
    ///
    /// # Errors
    ///
    /// What fails.
    pub fn build(&self) -> Result<(), String> {
        Self::one(&forage::Catalog::over(&self.catalog), 0)
    }

    /// Stamps all of it. The schemas' own digests are made the first time alone.
    pub fn stamp(&self) {
        let _ = forage::Catalog::over(&self.catalog).stamp();
    }

    /// Searches so many times, for another thing each time.
    ///
    /// # Errors
    ///
    /// What fails.
    pub fn search(&self, times: usize) -> Result<(), String> {
        (0..times).try_for_each(|time| Self::one(&self.forage, time))
    }

    fn one(forage: &forage::Catalog, time: usize) -> Result<(), String> {
        let query = match time % 4 {
            0 => "find rows by words".to_owned(),
            1 => "which operation gives a filtered result".to_owned(),
            2 => format!("operation{time}"),
            _ => "fitler by qeury".to_owned(),
        };
        let found = forage.search(&SearchQuery::new(query)).map_err(|error| error.to_string())?;
        if found.results.is_empty() { Err("nothing is found".to_owned()) } else { Ok(()) }
    }

    /// Gives a full page so many times.
    ///
    /// # Errors
    ///
    /// What fails.
    pub fn list(&self, times: usize) -> Result<(), String> {
        (0..times).try_for_each(|_| {
            self.forage.list(&ListQuery::default()).map(drop).map_err(|error| error.to_string())
        })
    }

    /// Describes so many operations, one each time.
    ///
    /// # Errors
    ///
    /// What fails.
    pub fn describe(&self, times: usize) -> Result<(), String> {
        let paths = self.catalog.entries().iter().map(operation::Entry::path).cycle();
        paths.take(times).try_for_each(|path| {
            self.forage.describe(path).map(drop).map_err(|error| error.to_string())
        })
    }
}

impl ReadyGraph {
    /// Gives everything back.
    pub async fn close(self) {
        self.lease.release().await;
        self.runtime.close().await;
    }
}

/// The module and the key of an operation.
fn names(operation: usize) -> (String, String) {
    let module = operation.checked_div(PER_MODULE).unwrap_or_default();
    (format!("bench-{module}"), format!("operation{operation}"))
}

/// What a source says of its operations: no two are the same.
#[derive(Debug)]
pub struct Texts(Vec<Said>);

/// What is said of one operation; its schemas are texts, as those of a real source are.
#[derive(Debug)]
struct Said {
    description: String,
    input: String,
    output: String,
}

impl Texts {
    /// The texts of so many operations. Making them is no work of a host's.
    #[must_use]
    pub fn of(operations: usize) -> Self {
        Self((0..operations).map(Said::of).collect())
    }
}

impl Said {
    fn of(operation: usize) -> Self {
        let input = format!(
            r#"{{"type":"object","description":"What operation {operation} takes.","properties":{{
        "id":{{"type":"integer","minimum":0,"description":"Which one of {operation}."}},
        "query":{{"type":"string","maxLength":{},"description":"Words to look for."}},
        "tags":{{"type":"array","items":{{"type":"string"}},"maxItems":64}},
        "filter":{{"anyOf":[{{"type":"string"}},{{"type":"object","properties":{{
            "field{operation}":{{"type":"string"}},"value":{{"type":["string","number"]}}}}}}]}}}},
        "required":["id","query"],"additionalProperties":false}}"#,
            operation.saturating_add(100),
        );
        let output = format!(
            r#"{{"type":"object","properties":{{"total{operation}":{{"type":"integer"}},
        "rows":{{"type":"array","items":{{"type":"object"}}}}}}}}"#
        );
        let description =
            format!("Finds what operation {operation} looks for, and gives its rows.");
        Self { description, input, output }
    }

    fn declared(&self) -> Operation {
        let answer = |_, _| async { Ok(json!({"rows": []})) };
        Operation::new(self.input.as_str(), answer)
            .output(self.output.as_str())
            .describe(self.description.as_str())
            .access(Access::Read)
    }
}

/// Modules of the operations that these texts are of.
fn modules(texts: &Texts) -> Vec<Module> {
    let mut modules: Vec<Module> = Vec::new();
    for (operation, said) in texts.0.iter().enumerate() {
        let (id, key) = names(operation);
        let module = match modules.pop() {
            Some(last) if last.id() == id => last,
            other => {
                modules.extend(other);
                Module::new(&id, id.replace('-', "_"))
            }
        };
        modules.push(module.operation(key, said.declared()));
    }
    modules
}

/// An operation that gives its input back, behind a gate.
fn echo() -> Module {
    let schema = json!({
        "type": "object",
        "properties": {"rows": {"type": "array", "items": {
            "type": "object",
            "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
            "required": ["id", "name"],
        }}},
        "required": ["rows"],
        "additionalProperties": false,
    });
    let echo = Operation::new(schema.clone(), |input, _| async { Ok(input) }).output(schema);
    Module::new("bench-echo", "echo")
        .gate(|_: GateCall| async { Ok(()) })
        .operation("echo", echo.access(Access::Write))
}

/// JSON text of about `bytes` bytes that [`echo`] takes.
fn input(bytes: usize) -> String {
    let row = |id: usize| format!(r#"{{"id":{id},"name":"a row of plain text"}}"#);
    let rows: Vec<String> =
        (0..bytes.div_ceil(row(1_000).len().saturating_add(1))).map(row).collect();
    format!(r#"{{"rows":[{}]}}"#, rows.join(","))
}

struct Granted(Rc<Grants>);

impl SessionGrants for Granted {
    fn read(&self, _: Moment) -> LocalBoxFuture<'static, Result<Rc<Grants>, Unreadable>> {
        let grants = Rc::clone(&self.0);
        async move { Ok(grants) }.boxed_local()
    }
}

/// A sandbox that is asked for nothing.
struct Idle;

impl Sandbox for Idle {
    fn run(&self, _: SandboxRequest) -> LocalBoxFuture<'static, Ended> {
        async { ended(Ok(())) }.boxed_local()
    }
}

/// A sandbox whose program does nothing but call.
struct Calling {
    calls: u64,
    input: Rc<str>,
}

impl Sandbox for Calling {
    fn run(&self, request: SandboxRequest) -> LocalBoxFuture<'static, Ended> {
        let (calls, input) = (self.calls, Rc::clone(&self.input));
        async move {
            for ordinal in 0..calls {
                let Some(call) = request.bindings.call(ordinal, 0, &input) else {
                    return ended(Err(Failure::Unknown {}));
                };
                match call.await {
                    Ok(output) if output.len() == input.len() => {}
                    Ok(_) => return ended(Err(Failure::Unknown {})),
                    Err(failure) => return ended(Err(failure)),
                }
            }
            ended(Ok(()))
        }
        .boxed_local()
    }
}

fn ended(answer: Result<(), Failure>) -> Ended {
    let answer = answer.map(|()| Some("null".to_owned()));
    Ended { answer, logs: Logs::default(), evidence: None, isolates: 0 }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use std::rc::Rc;

    use super::{Texts, Workload};
    use crate::{program::NativeIntake, testing::Host};

    #[test]
    fn all_work_is_done_that_is_measured() {
        let host = Host::new();
        let work = Workload::new(host.ports(), Rc::new(NativeIntake));
        let (graph, calls, queue) = (work.clone(), work.clone(), work);
        let asked = graph.discovery(100).unwrap();
        asked.stamp();
        let done = [asked.build(), asked.search(4), asked.list(2), asked.describe(101)];
        assert_eq!(done, [Ok(()), Ok(()), Ok(()), Ok(())]);
        let ready = host.run(async move { graph.graph(&Texts::of(100)).await.map(|_| ()) });
        assert_eq!(ready, Some(Ok(())));
        assert_eq!(host.run(async move { calls.calls(3, 1_000).await }), Some(Ok(())));
        assert_eq!(host.run(async move { queue.admissions(50).await }), Some(Ok(())));
    }
}
