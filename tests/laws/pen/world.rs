//! Pens over a scripted guest, a model whose every answer a test gives, and rows and objects
//! that outlive whatever uses them.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, VecDeque},
    rc::Rc,
};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    Catalog, Failure,
    mcp::MemoryStorage,
    operation::{Context, ContextBuilder, Fault},
    pen::{
        Archive, Asked, Isolates, Lang, OpenAiWriter, Outbound, PenParts, Pens, Persona, Personas,
        Writer, WriterError,
        ledger::{Desk, Ledger, LedgerError, Order, Reply},
    },
    port::Secrets,
    program::NativeIntake,
    sandbox::{LoadError, Loader, Lost, SandboxRequest, Transport, TransportClosed},
    testing::{FakeFetch, Host, Reply as Http},
};
use serde_json::{Value, json};

use super::super::{
    knapsack::files::bucket::Bucket,
    sandbox::scripted::{ScriptedGuest, Step},
};

/// 2026-05-01 at noon, in UTC.
pub(crate) const NOON_MS: u64 = 1_777_636_800_000;

/// What a guest does.
#[derive(Clone, Debug)]
pub(crate) enum Does {
    /// Calls the operation at this path, and waits for the answer.
    Call(&'static str, Value),
    /// Prints.
    Log(&'static str, &'static str),
    /// Returns.
    Done(Value),
    /// Throws.
    Throws,
    /// Does nothing, for ever.
    Never,
}

/// The rows of every persona's book.
#[derive(Clone, Default)]
pub(crate) struct Books {
    rows: Rc<RefCell<BTreeMap<Persona, Rc<MemoryStorage>>>>,
    /// Orders of these names aren't carried out.
    pub(crate) deaf_to: Rc<RefCell<Vec<&'static str>>>,
    host: Option<Host>,
}

impl Books {
    pub(crate) fn of(&self, persona: &str) -> Rc<MemoryStorage> {
        let persona = Persona::new(persona).unwrap();
        Rc::clone(self.rows.borrow_mut().entry(persona).or_default())
    }

    fn answer(&self, persona: &Persona, order: Order) -> Result<Reply, LedgerError> {
        let text = serde_json::to_value(&order).unwrap();
        let name = text["order"].as_str().unwrap();
        if self.deaf_to.borrow().contains(&name) {
            return Err(LedgerError::Unavailable { evidence: "canary of the book".to_owned() });
        }
        let clock = self.host.as_ref().unwrap().ports().clock;
        // As it crosses to an object.
        let order = serde_json::from_value(text).unwrap();
        let reply = Desk::new(self.of(persona.as_str()), clock).answer(persona, order)?;
        Ok(serde_json::from_str(&serde_json::to_string(&reply).unwrap()).unwrap())
    }
}

impl Ledger for Books {
    fn ask(
        &self,
        persona: &Persona,
        order: Order,
    ) -> LocalBoxFuture<'static, Result<Reply, LedgerError>> {
        let (books, persona) = (self.clone(), persona.clone());
        // Another order may come in between, as to an object of its own.
        async move { books.answer(&persona, order) }.boxed_local()
    }
}

/// What a test sets, and what it sees.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) host: Host,
    pub(crate) books: Books,
    pub(crate) bucket: Bucket,
    pub(crate) isolates: FakeIsolates,
    pub(crate) parts: PenParts,
}

impl World {
    /// A world whose model answers with what `model` says, and whose guest does `does`.
    pub(crate) fn new(model: &str, does: Vec<Does>) -> Self {
        Self::with_writer(Rc::new(Says::new([model])), does)
    }

    pub(crate) fn with_writer(writer: Rc<dyn Writer>, does: Vec<Does>) -> Self {
        let host = Host::new();
        host.time().pass(NOON_MS);
        let books = Books { host: Some(host.clone()), ..Books::default() };
        let bucket = Bucket::default();
        let isolates =
            FakeIsolates { does: Rc::new(RefCell::new(does)), ..FakeIsolates::default() };
        let archive = Archive::new(Rc::new(bucket.clone()), "factory/shared");
        let mut parts = PenParts::new(
            Rc::new(books.clone()),
            archive,
            writer,
            Rc::new(isolates.clone()),
            Rc::new(NativeIntake),
            host.ports(),
        );
        parts.default_lang = Lang::Node;
        parts.hosts = vec!["api.example".to_owned()];
        let ink = Persona::new("ink").unwrap();
        parts.personas = Personas::default().grant(ink, "member:ada").reviewer("member:zhu");
        Self { host, books, bucket, isolates, parts }
    }

    /// Calls an operation as a principal, after a restart: nothing but rows and objects is old.
    pub(crate) fn call_as(
        &self,
        principal: &str,
        operation: &str,
        input: Value,
    ) -> Result<Value, Failure> {
        let context = Context::builder().principal(principal);
        self.call_in(context, operation, input)
    }

    pub(crate) fn call_in(
        &self,
        context: ContextBuilder,
        operation: &str,
        input: Value,
    ) -> Result<Value, Failure> {
        let called = self.calling(context, operation, input);
        self.host.run(called).expect("it ends by time")
    }

    pub(crate) fn calling(
        &self,
        context: ContextBuilder,
        operation: &str,
        input: Value,
    ) -> LocalBoxFuture<'static, Result<Value, Failure>> {
        let module = Pens::new(self.parts.clone()).module("pen", "pen");
        let catalog = Catalog::new([module]).unwrap();
        let path = format!("pen.{operation}");
        let entry = catalog.find(&path).unwrap().clone();
        async move {
            let told = |fault: Fault| fault.failure(&path).0;
            let decoded = entry.operation().decode(input).map_err(told)?;
            decoded.run(context.build()).await.map_err(told)
        }
        .boxed_local()
    }

    pub(crate) fn call(&self, operation: &str, input: Value) -> Result<Value, Failure> {
        self.call_as("member:ada", operation, input)
    }

    pub(crate) fn write(&self, options: Value) -> Result<Value, Failure> {
        self.call("write", intent(options))
    }

    /// What stands in the audit: events.
    pub(crate) fn events(&self) -> Vec<String> {
        let page = self.call("audit", json!({"persona_id": "ink"})).unwrap();
        let entries = page["entries"].as_array().unwrap();
        entries.iter().map(|entry| entry["event"].as_str().unwrap().to_owned()).collect()
    }

    pub(crate) fn state(&self, pen_id: &str) -> String {
        let status = self.call("status", json!({ "pen_id": pen_id })).unwrap();
        status["state"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn intent(options: Value) -> Value {
    json!({
        "intent": "sum the numbers",
        "context": {"persona_id": "ink", "upstream_inputs": [1, 2]},
        "options": options,
    })
}

/// The whole manifest of a pen of ink's.
pub(crate) fn manifest(pen_id: &str) -> Value {
    json!({
        "pen_id": pen_id, "persona_id": "ink",
        "intent_summary": "Sums numbers.", "use_cases": ["totals"],
        "io_contract": {
            "input_schema": {"type": "array", "items": {"type": "number"}},
            "output_schema": {"type": "number"},
        },
        "dependencies": [],
        "test_examples": [{"input": [1, 2], "expected": 3}],
        "copyright": "国作登字-2026-A-00037559",
    })
}

/// A writer that says one text after the other, the last one again and again; "keep" when it
/// is asked what should become of a program.
pub(crate) struct Says {
    texts: RefCell<VecDeque<String>>,
    pub(crate) asked: Rc<RefCell<Vec<Asked>>>,
    pub(crate) opinion: RefCell<String>,
}

impl Says {
    pub(crate) fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let texts = texts.into_iter().map(str::to_owned).collect();
        Self {
            texts: RefCell::new(texts),
            asked: Rc::default(),
            opinion: RefCell::new("keep".to_owned()),
        }
    }
}

impl Writer for Says {
    fn answer(&self, asked: Asked) -> LocalBoxFuture<'static, Result<String, WriterError>> {
        let program = asked.about == mycelium::pen::About::Program;
        self.asked.borrow_mut().push(asked);
        let text = if program {
            let mut texts = self.texts.borrow_mut();
            if texts.len() > 1 { texts.pop_front().unwrap() } else { texts[0].clone() }
        } else {
            self.opinion.borrow().clone()
        };
        async move { Ok(text) }.boxed_local()
    }
}

struct Token;

impl Secrets for Token {
    fn secret(&self, name: &str) -> Option<String> {
        (name == "MODEL_TOKEN").then(|| "canary-token".to_owned())
    }
}

/// A writer behind a network whose every answer a test gives.
pub(crate) fn endpoint(
    reply: impl Fn(&mycelium::port::fetch::Request) -> Http + 'static,
) -> (Rc<dyn Writer>, FakeFetch) {
    let network = FakeFetch::new(reply);
    let (fetch, secrets) = (Rc::new(network.clone()), Rc::new(Token));
    let url = "https://model.example/v1";
    let writer = OpenAiWriter::new(url, "mp-1.5b", Some("MODEL_TOKEN"), fetch, secrets).unwrap();
    (Rc::new(writer), network)
}

/// Isolates whose guests follow a script.
#[derive(Clone, Default)]
pub(crate) struct FakeIsolates {
    pub(crate) does: Rc<RefCell<Vec<Does>>>,
    pub(crate) outbound: Rc<RefCell<Vec<Outbound>>>,
    pub(crate) programs: Rc<RefCell<Vec<String>>>,
    pub(crate) running: Rc<Cell<usize>>,
    pub(crate) most: Rc<Cell<usize>>,
    pub(crate) refuses: Rc<RefCell<Option<LoadError>>>,
}

impl Isolates for FakeIsolates {
    fn loader(&self, outbound: Outbound) -> Rc<dyn Loader> {
        self.outbound.borrow_mut().push(outbound);
        Rc::new(self.clone())
    }
}

impl Loader for FakeIsolates {
    fn load(
        &self,
        request: &SandboxRequest,
    ) -> LocalBoxFuture<'static, Result<Box<dyn Transport>, LoadError>> {
        if let Some(error) = self.refuses.borrow().clone() {
            return async move { Err(error) }.boxed_local();
        }
        self.programs.borrow_mut().push(request.program.module.clone());
        let guest = Guest {
            scripted: ScriptedGuest::new(steps(&self.does.borrow(), &request.bindings.paths())),
            running: Rc::clone(&self.running),
        };
        self.running.set(self.running.get() + 1);
        self.most.set(self.most.get().max(self.running.get()));
        async move { Ok(Box::new(guest) as Box<dyn Transport>) }.boxed_local()
    }
}

fn steps(does: &[Does], paths: &[String]) -> Vec<Step> {
    let (mut calls, mut steps) = (0, Vec::new());
    for does in does {
        match does {
            Does::Call(path, input) => {
                let index = paths.iter().position(|known| known == path);
                let index = index.unwrap_or_else(|| panic!("{path} isn't bound: {paths:?}"));
                steps.push(Step::Say(format!("[\"call\",{calls},{index},{input}]")));
                calls += 1;
                steps.push(Step::Hear(calls));
            }
            Does::Log(level, text) => {
                steps.push(Step::Say(json!(["log", level, text]).to_string()));
            }
            Does::Done(value) => steps.push(Step::Say(format!("[\"done\",{value}]"))),
            Does::Throws => steps.push(Step::Say(
                r#"["failed",{"kind":"guest-exception","name":"Error","message":"thrown"}]"#
                    .to_owned(),
            )),
            Does::Never => steps.push(Step::Never),
        }
    }
    steps
}

/// A scripted guest that counts among those that run, for as long as it does.
struct Guest {
    scripted: ScriptedGuest,
    running: Rc<Cell<usize>>,
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.running.set(self.running.get() - 1);
    }
}

impl Transport for Guest {
    fn send(&self, frame: &str) -> Result<(), TransportClosed> {
        self.scripted.send(frame)
    }

    fn next(&mut self) -> LocalBoxFuture<'_, Result<String, Lost>> {
        self.scripted.next()
    }
}
