//! How long a browser host lives, and the end of all.

use serde_json::json;

use super::{
    SESSION, World, code,
    page::{Page, fetch, place},
};

#[test]
fn a_browser_host_is_opened_by_a_stream_or_a_run_and_dropped_when_neither_holds_it() {
    let world = World::new();
    assert_eq!(world.ui.open_sessions(), 0);
    let mut page = world.page();
    assert_eq!(world.ui.open_sessions(), 1);
    let other = world.page();
    assert_eq!(world.ui.open_sessions(), 1, "one for the session");
    let adding = world.adding("milk");
    page.cut();
    drop(other);
    world.host.settle();
    assert_eq!(world.ui.open_sessions(), 1, "the run holds it");
    drop(adding);
    let mut run = world.adding("milk");
    assert_eq!(world.ui.open_sessions(), 1);
    world.host.pass(mycelium::limits::BROWSER_GRACE_MS);
    assert_eq!(code(run.end()), "app-unavailable");
    world.host.settle();
    assert_eq!(world.ui.open_sessions(), 0);
}

#[test]
fn closing_ends_every_stream_and_later_requests_are_gone_and_later_runs_fail_to_borrow() {
    let world = World::new();
    let mut page = world.page();
    let mut waiting = world.adding("milk");
    let mut taken = world.adding("bread");
    let _first = page.asked().unwrap();
    let request = page.asked().unwrap();
    let claim = page.take(&request);
    world.ui.close();
    assert!(!page.read());
    assert_eq!(code(waiting.end()), "source-unavailable", "nothing was run");
    assert_eq!(code(taken.end()), "outcome-unknown");
    assert_eq!(page.result(&request, &claim, 1), 410);
    assert_eq!(page.claim(&request, &json!({})).0, 410);
    for session in [SESSION, "s2", "nobodys"] {
        let opened = Page::open(&world.host, &world.ui, session, None);
        assert_eq!(opened.err(), Some(410), "{session}");
    }
    assert_eq!(code(world.adding("milk").end()), "source-unavailable");
    world.ui.close();
}

#[test]
fn a_run_that_began_before_the_end_borrows_nothing_for_one_that_begins_after() {
    let world = World::new();
    let acquiring = || {
        let runtime = world.runtime.clone();
        world.host.start(async move { runtime.acquire(None).await }).end().unwrap()
    };
    let lease = acquiring().unwrap();
    world.ui.close();
    let later = acquiring().map(|_| ());
    assert_eq!(later.unwrap_err().code(), "source-unavailable");
    drop(lease);
}

#[test]
fn a_run_returns_the_module_when_it_ends() {
    let world = World::new();
    let runtime = world.runtime.clone();
    let run = world.host.start(async move {
        let lease = runtime.acquire(None).await.unwrap();
        let discover = lease.catalog().find("ui.discover").unwrap().operation().clone();
        lease.release().await;
        discover
    });
    let mut run = run;
    let discover = run.end().unwrap();
    assert_eq!(world.ui.open_sessions(), 0);
    let decoded = discover.decode(json!({})).unwrap();
    let context = mycelium::operation::Context::builder().build();
    let mut late = world.host.start(decoded.run(context));
    let (failure, _) = late.end().unwrap().unwrap_err().failure("ui.discover");
    assert_eq!(failure.code(), "lease-released");
}

#[test]
fn an_endpoint_has_one_method() {
    let world = World::new();
    for (method, endpoint) in [("POST", "events"), ("GET", "claims"), ("GET", "results")] {
        let reply = fetch(&world.host, &world.ui, (method, &place(SESSION, endpoint)), None, "");
        assert_eq!(reply.status, 405, "{method} {endpoint}");
    }
}
