//! Approvals over a session: the question, its four ends, and what is read afterwards.

use mycelium::limits::{APPROVAL_MS, PROGRESS_MS};
use serde_json::{Value, json};

use super::world::{World, agreed, grants};

#[test]
fn the_question_comes_on_the_calls_own_stream_and_says_module_operation_and_label_alone() {
    let world = World::new();
    let session = world.open("ada");
    let own = session.get(None);
    let sent = session.execute("run", &["m.write", "m.remove"]);
    assert!(own.messages().is_empty());
    let asked = sent.said("elicitation/create");
    assert_eq!(asked.len(), 1);
    assert_eq!(
        asked[0]["params"].to_string(),
        concat!(
            r#"{"message":"Run remove of the module test-m (write)?","mode":"form","#,
            r#""requestedSchema":{"properties":{"approve":{"title":"Approve","type":"boolean"}},"#,
            r#""required":["approve"],"type":"object"}}"#
        )
    );
    assert_eq!(*world.ran.borrow(), ["m.write"]);
    assert_eq!(session.answer(&sent.question(), agreed()), 202);
    assert_eq!(sent.calls(), [json!("m.write"), json!("m.remove")]);
    assert_eq!(*world.ran.borrow(), ["m.write", "m.remove"], "what had run didn't run again");
}

#[test]
fn a_write_without_the_label_asks_nobody() {
    let world = World::new();
    let sent = world.open("ada").execute("run", &["m.write"]);
    assert!(sent.said("elicitation/create").is_empty());
    assert_eq!(*world.ran.borrow(), ["m.write"]);
}

fn reason(sent: &super::world::Sent) -> Value {
    sent.calls()[0]["reason"].clone()
}

#[test]
fn declined_cancelled_and_what_can_t_be_shown_are_told_apart() {
    let answers = [
        (json!({"action": "decline"}), "declined"),
        (json!({"action": "accept", "content": {"approve": false}}), "declined"),
        (json!({"action": "accept"}), "declined"),
        (json!({"action": "cancel"}), "cancelled"),
        (json!({"action": "whatever"}), "confirm-unavailable"),
    ];
    for (answer, expected) in answers {
        let world = World::new();
        let session = world.open("ada");
        let sent = session.execute("run", &["m.remove"]);
        assert_eq!(session.answer(&sent.question(), answer.clone()), 202);
        assert_eq!(reason(&sent), json!(expected), "{answer}");
        assert!(world.ran.borrow().is_empty());
    }
    let world = World::new();
    let session = world.open("ada");
    let sent = session.execute("run", &["m.remove"]);
    let body =
        json!({"jsonrpc": "2.0", "id": sent.question(), "error": {"code": -1, "message": "no"}});
    assert_eq!(session.post(body.to_string()).status, 202);
    assert_eq!(reason(&sent), json!("confirm-unavailable"));
}

#[test]
fn nobody_s_answer_times_out_and_is_withdrawn_and_comes_too_late() {
    let world = World::new();
    let session = world.open("ada");
    let sent = session.execute("run", &["m.remove"]);
    let question = sent.question();
    world.host.pass(APPROVAL_MS);
    assert_eq!(reason(&sent), json!("timed-out"));
    let withdrawn = sent.said("notifications/cancelled");
    assert_eq!(withdrawn[0]["params"]["requestId"], question);
    assert_eq!(session.answer(&question, agreed()), 202);
    assert!(world.ran.borrow().is_empty());
}

#[test]
fn a_client_that_can_t_be_asked_is_refused_what_must_be_confirmed_and_nothing_else() {
    for capabilities in
        [json!({}), json!({"elicitation": {"url": {}}}), json!({"elicitation": true})]
    {
        let world = World::new();
        let session = world.open_with("ada", "2025-11-25", &capabilities);
        let sent = session.execute("run", &["m.remove", "m.write"]);
        assert_eq!(sent.calls()[0]["reason"], json!("confirm-unavailable"), "{capabilities}");
        assert_eq!(*world.ran.borrow(), ["m.write"]);
    }
}

#[test]
fn nobody_is_asked_before_the_client_is_ready_or_where_it_reads_no_stream() {
    let world = World::new();
    let opened = super::world::initialize("2025-11-25", &json!({"elicitation": {}}));
    let opened = world.send(super::world::post("ada"), opened);
    let id = opened.header("mcp-session-id").unwrap();
    let session = super::world::Session { world: &world, name: "ada".to_owned(), id };
    assert_eq!(reason(&session.execute("early", &["m.remove"])), json!("confirm-unavailable"));
    session.notify("notifications/initialized", json!({}));
    world.script(&["m.remove"]);
    let deaf = session.head().with("accept", "application/json");
    let sent = world.send(deaf, super::world::execute("deaf"));
    assert_eq!(reason(&sent), json!("confirm-unavailable"));
    assert!(!session.execute("ready", &["m.remove"]).said("elicitation/create").is_empty());
}

#[test]
fn the_first_answer_counts_and_no_other() {
    let world = World::new();
    let session = world.open("ada");
    let sent = session.execute("run", &["m.remove", "m.remove"]);
    let first = sent.question();
    assert_eq!(session.answer(&first, json!({"action": "decline"})), 202);
    assert_eq!(session.answer(&first, agreed()), 202);
    let second = sent.question();
    assert_ne!(first, second);
    assert_eq!(session.answer(&json!("ask-x-0"), agreed()), 202);
    assert_eq!(session.answer(&json!(0), agreed()), 202);
    assert!(world.ran.borrow().is_empty());
    assert_eq!(session.answer(&second, agreed()), 202);
    assert_eq!(*world.ran.borrow(), ["m.remove"]);
}

#[test]
fn a_grant_revoked_while_a_person_thinks_refuses_what_they_agreed_to() {
    let losses: [(Result<_, &str>, &str); 3] = [
        (Ok(grants(&[("test-m", "read")])), "read-only"),
        (Ok(grants(&[])), "not-granted"),
        (Err("the store is gone"), "grant-unreadable"),
    ];
    for (lost, expected) in losses {
        let world = World::new();
        let session = world.open("ada");
        let sent = session.execute("run", &["m.remove"]);
        drop(world.load.grants.replace(lost));
        assert_eq!(session.answer(&sent.question(), agreed()), 202);
        assert_eq!(reason(&sent), json!(expected));
        assert!(world.ran.borrow().is_empty());
    }
}

#[test]
fn a_credential_revoked_while_a_person_thinks_ends_the_run() {
    let world = World::new();
    let session = world.open("ada");
    let sent = session.execute("run", &["m.remove"]);
    let body = json!({"jsonrpc": "2.0", "id": sent.question(), "result": agreed()}).to_string();
    // Another credential of the same principal answers: the call's own is what counts.
    world.door.revoked.borrow_mut().insert("ada".to_owned());
    assert_eq!(session.post(body).status, 401, "the answer itself is authenticated");
    assert!(world.ran.borrow().is_empty());
    world.host.pass(APPROVAL_MS);
    assert_eq!(sent.result()["isError"], json!(false));
    assert_eq!(reason(&sent), json!("timed-out"));
}

#[test]
fn while_a_person_thinks_progress_is_reported_and_only_rises() {
    let world = World::new();
    let session = world.open("ada");
    let sent = session.execute("run", &["m.remove"]);
    for _ in 0..3 {
        world.host.pass(PROGRESS_MS);
    }
    session.answer(&sent.question(), agreed());
    let reports = sent.said("notifications/progress");
    assert_eq!(reports.len(), 4);
    let at: Vec<f64> = reports.iter().map(|r| r["params"]["progress"].as_f64().unwrap()).collect();
    assert!(at.windows(2).all(|pair| pair[0] < pair[1]), "{at:?}");
    assert!(reports.iter().all(|report| report["params"]["progressToken"] == "t"));
    assert!(sent.messages().last().unwrap().get("method").is_none(), "none after the answer");
}

#[test]
fn a_person_s_time_is_not_the_program_s() {
    let world = World::with(|mut options| {
        options.limits = mycelium::sandbox::Limits::with_timeout(1_000);
        options
    });
    let session = world.open("ada");
    let sent = session.execute("run", &["m.remove", "m.read"]);
    world.host.pass(60_000);
    session.answer(&sent.question(), agreed());
    assert_eq!(sent.calls(), [json!("m.remove"), json!("m.read")]);
}

#[test]
fn one_execution_always_stays_free_of_approvals() {
    let world = World::with(|mut options| {
        options.admission.sandbox_capacity = Some(3);
        options
    });
    let session = world.open("ada");
    let (one, other) = (session.execute("1", &["m.remove"]), session.execute("2", &["m.remove"]));
    assert!(!one.ended() && !other.ended());
    let third = session.execute("3", &["m.remove"]);
    assert_eq!(reason(&third), json!("confirm-unavailable"));
    assert!(third.calls()[0]["message"].as_str().unwrap().contains("too many approvals are open"));
    session.answer(&one.question(), agreed());
    assert_eq!(one.calls(), [json!("m.remove")]);
    assert!(!session.execute("4", &["m.remove"]).said("elicitation/create").is_empty());
}

#[test]
fn a_cancelled_call_withdraws_its_question_and_never_runs() {
    let world = World::new();
    let session = world.open("ada");
    let sent = session.execute("run", &["m.remove"]);
    let question = sent.question();
    session.notify("notifications/cancelled", json!({"requestId": "run"}));
    assert!(sent.ended());
    assert_eq!(session.answer(&question, agreed()), 202);
    assert!(world.ran.borrow().is_empty());
}
