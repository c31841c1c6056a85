//! Who reaches a session's pages.

use std::rc::Rc;

use mycelium::{
    Mycelium,
    knapsack::ui::{Ui, UiOptions},
    operation::Access,
    testing::direct_sandbox,
};
use serde_json::json;

use super::{
    World, code,
    page::{Page, fetch, place},
};

#[test]
fn of_a_session_that_is_not_there_nobody_learns_anything_and_no_host_is_opened() {
    let world = World::new();
    let mut seen = Vec::new();
    for session in ["s3", "unknown", &"a".repeat(128)] {
        for (method, endpoint) in
            [("GET", "events"), ("POST", "claims"), ("POST", "results"), ("GET", "results")]
        {
            let reply =
                fetch(&world.host, &world.ui, (method, &place(session, endpoint)), None, "{}");
            seen.push((reply.status, reply.text().to_owned()));
        }
    }
    assert!(seen.iter().all(|(status, _)| *status == 404));
    seen.dedup();
    assert_eq!(seen.len(), 1, "whatever is asked, the answer is the same");
    assert_eq!(world.ui.open_sessions(), 0);
}

#[test]
fn what_can_not_be_a_place_is_none() {
    let world = World::new();
    let long = place(&"a".repeat(129), "events");
    for path in [
        "/browser/sessions//browser/events",
        "/browser/sessions/a%2fb/browser/events",
        "/browser/sessions/a b/browser/events",
        "/browser/sessions/s1/browser/events/",
        "/browser/sessions/s1/browser",
        "/browser/sessions/s1/events",
        "/browser/s1/browser/events",
        &long,
    ] {
        let reply = fetch(&world.host, &world.ui, ("GET", path), None, "");
        assert_eq!(reply.status, 404, "{path}");
    }
}

#[test]
fn a_session_that_can_not_be_looked_up_is_neither_there_nor_gone() {
    let world = World::new();
    let reply = fetch(&world.host, &world.ui, ("GET", &place("unknowable", "events")), None, "");
    assert_eq!(reply.status, 503);
    assert!(!reply.text().contains("canary") && world.host.lines()[0].contains("canary"));
}

#[test]
fn a_session_that_ended_is_not_there_for_page_or_run() {
    let world = World::new();
    let page = world.page();
    world.stored.0.borrow_mut().clear();
    assert_eq!(page.claim("1", &json!({})).0, 404);
    assert_eq!(code(world.adding("milk").end()), "source-unavailable");
}

#[test]
fn one_sessions_pages_hear_and_answer_nothing_of_anothers() {
    let world = World::new();
    let mut own = world.page();
    let mut other = Page::open(&world.host, &world.ui, "s2", None).unwrap();
    let mut adding = world.adding("milk");
    let request = own.asked().unwrap();
    assert_eq!(other.asked(), None);
    assert_eq!(other.claim(&request, &json!({"declaration": super::declaration()})).0, 409);
    let claim = own.take(&request);
    assert_eq!(other.result(&request, &claim, 1), 409);
    assert!(adding.end().is_none());
    assert_eq!(world.ui.open_sessions(), 2);
}

#[test]
fn a_page_that_nobody_knows_claims_nothing() {
    let world = World::new();
    let mut page = world.page();
    let _adding = world.adding("milk");
    let request = page.asked().unwrap();
    let body =
        json!({"client": "made-up", "request": request, "declaration": super::declaration()});
    let (status, told) = page.post("claims", &body);
    assert!(status == 409 && told.get("input").is_none(), "{told}");
    page.take(&request);
}

#[test]
fn discovering_reads_and_executing_writes() {
    let world = World::new();
    let runtime = world.runtime.clone();
    let lease = world.host.run(async move { runtime.acquire(None).await }).unwrap().unwrap();
    let access = |path: &str| lease.catalog().find(path).unwrap().operation().labels().access;
    assert_eq!(access("ui.discover"), Access::Read);
    assert_eq!(access("ui.execute"), Access::Write);
    assert!(!lease.catalog().find("ui.execute").unwrap().operation().labels().confirm);
}

#[test]
fn the_debug_text_of_a_connection_names_no_session() {
    let world = World::new();
    let _page = Page::open(&world.host, &world.ui, "s2", None).unwrap();
    assert!(!format!("{:?}", world.ui).contains("s2"));
}

#[test]
fn a_person_can_be_asked_before_every_command_and_the_module_can_have_another_name() {
    let world = World::new();
    let options = UiOptions::new("test-ui", Rc::new(world.stored.clone()));
    let ui = Ui::new(options.name("app").confirm_commands(true), world.host.ports());
    let source = ui.source("s1");
    let mut options =
        world.host.options(Vec::new(), direct_sandbox(|_, _| async { Ok(json!(null)) }));
    options.sources = vec![Rc::new(source)];
    let runtime = Mycelium::open(options).unwrap();
    let lease = world.host.run(async move { runtime.acquire(None).await }).unwrap().unwrap();
    let confirms = |path: &str| lease.catalog().find(path).unwrap().operation().labels().confirm;
    assert!(confirms("app.execute") && !confirms("app.discover"));
}
