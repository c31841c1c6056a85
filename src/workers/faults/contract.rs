//! The laws of every sandbox, tried on the isolates of the Worker Loader.

use std::rc::Rc;

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::{Value, json};
use wasm_bindgen::JsValue;

use super::super::{
    guest::RunnerLoader,
    ports::{self, WasmIntake},
};
use crate::{
    program::{Intake, Program},
    sandbox::{Ended, GuestSandbox, Logs, Sandbox, SandboxRequest},
    testing::{Candidate, Scenario, sandbox_contract},
};

/// The laws that isolates break, which are loaded through `context`.
pub(super) async fn isolates(context: JsValue) -> String {
    broken(&Isolates(GuestSandbox::new(Rc::new(RunnerLoader::new(context))))).await
}

/// The laws that a sandbox breaks which answers nothing, whatever it is asked.
pub(super) async fn mute() -> String {
    broken(&Mute).await
}

async fn broken(candidate: &dyn Candidate) -> String {
    let broken = sandbox_contract(candidate, &ports::ports()).await;
    let laws = broken.iter().map(|broken| (broken.law.to_owned(), json!(broken.found)));
    Value::Object(laws.collect()).to_string()
}

struct Isolates(GuestSandbox);

impl Candidate for Isolates {
    fn ready(&self, scenario: Scenario) -> (Rc<dyn Sandbox>, Rc<Program>) {
        (Rc::new(self.0.clone()), program(scenario))
    }
}

struct Mute;

impl Candidate for Mute {
    fn ready(&self, scenario: Scenario) -> (Rc<dyn Sandbox>, Rc<Program>) {
        (Rc::new(Self), program(scenario))
    }
}

impl Sandbox for Mute {
    fn run(&self, _: SandboxRequest) -> LocalBoxFuture<'static, Ended> {
        async { Ended { answer: Ok(None), logs: Logs::default(), evidence: None, isolates: 0 } }
            .boxed_local()
    }
}

#[allow(clippy::expect_used, reason = "a scenario that is no program fails the whole trial")]
fn program(scenario: Scenario) -> Rc<Program> {
    Rc::new(WasmIntake.read(scenario.code()).expect("a scenario is a program"))
}
