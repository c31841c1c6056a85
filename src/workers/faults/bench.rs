//! Work whose cost is measured inside an isolate.

use std::{cell::RefCell, rc::Rc};

use serde_json::json;

use super::super::ports::{self, PlatformTimer, WasmIntake};
use crate::{
    port::Timer,
    testing::{Discovery, ReadyGraph, Texts, Workload},
};

thread_local! {
    /// The operations that were made last, to be asked about.
    static ASKED: RefCell<Option<Rc<Discovery>>> = const { RefCell::new(None) };

    /// The texts that a graph is made of.
    static TEXTS: RefCell<Option<Rc<Texts>>> = const { RefCell::new(None) };

    /// The graph that was made last. All is made and let go of by one object, whose it is.
    static READY: RefCell<Option<ReadyGraph>> = const { RefCell::new(None) };
}

/// Bytes of one page of linear memory.
const PAGE: usize = 65_536;

/// Does what `asked` says, `work.size`, and tells the milliseconds by the clock and the bytes
/// by which the memory has grown.
pub(super) async fn run(asked: &str) -> String {
    let work = Workload::new(ports::ports(), Rc::new(WasmIntake));
    let (name, size) = asked.split_once('.').unwrap_or((asked, ""));
    let size: usize = size.parse().unwrap_or_default();
    let (begun_ms, pages) = (now().await, pages());
    let (did, grown, took_ms) = match name {
        "texts" => {
            let_go().await;
            TEXTS.set(Some(Rc::new(Texts::of(size))));
            (Ok(()), 0, since(begun_ms).await)
        }
        "graph" => {
            let texts = TEXTS.with_borrow(Clone::clone).unwrap_or_else(|| Rc::new(Texts::of(0)));
            let did = work.graph(&texts).await.map(|ready| drop(READY.replace(Some(ready))));
            (did, grown(pages), since(begun_ms).await)
        }
        "calls" => (work.calls(CALLS, size).await, grown(pages), since(begun_ms).await),
        "admissions" => (work.admissions(size).await, grown(pages), since(begun_ms).await),
        "operations" => {
            let did = work.discovery(size).map(|made| drop(ASKED.replace(Some(Rc::new(made)))));
            (did, grown(pages), since(begun_ms).await)
        }
        "build" | "stamp" | "search" | "list" | "describe" => {
            let did = asked_about(name);
            (did, grown(pages), since(begun_ms).await)
        }
        "nothing" => (Ok(()), 0, since(begun_ms).await),
        other => (Err(format!("there is no work {other}")), 0, 0),
    };
    match did {
        Ok(()) => json!({"ms": took_ms, "bytes": grown}).to_string(),
        Err(error) => json!({"error": error}).to_string(),
    }
}

/// Gives back the graph that was made last.
async fn let_go() {
    if let Some(ready) = READY.take() {
        ready.close().await;
    }
}

/// Asks something about the operations that were made before.
fn asked_about(what: &str) -> Result<(), String> {
    let asked = ASKED.with_borrow(Clone::clone).ok_or("there are no operations yet")?;
    match what {
        "build" => asked.build(),
        "search" => asked.search(QUESTIONS),
        "list" => asked.list(QUESTIONS),
        "describe" => asked.describe(QUESTIONS),
        _ => {
            asked.stamp();
            Ok(())
        }
    }
}

/// How many questions are asked for one measurement.
const QUESTIONS: usize = 40;

/// How many calls are made for one measurement.
const CALLS: u64 = 100;

/// The clock stands still while code computes, and goes on with each timer.
async fn now() -> u64 {
    PlatformTimer.sleep(0).await;
    ports::ports().clock.now_ms()
}

async fn since(begun_ms: u64) -> u64 {
    now().await.saturating_sub(begun_ms)
}

fn pages() -> usize {
    core::arch::wasm32::memory_size(0)
}

fn grown(before: usize) -> usize {
    pages().saturating_sub(before).saturating_mul(PAGE)
}
