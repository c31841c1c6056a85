//! Rows S1 to S13: how calls are answered by streams, cut and resumed.

use mycelium::limits::{BEGIN_MS, KEEPALIVE_MS, STANDALONE_MS};
use serde_json::json;

use super::world::{World, agreed};

#[test]
fn a_stream_begins_with_an_id_and_ends_with_the_answer() {
    let world = World::new();
    let session = world.open("ada");
    let sent = session.execute("run", &["m.read"]);
    assert!(sent.text().starts_with(": open\n\nid: "));
    assert!(sent.text().contains("retry: 1000\ndata: \n\n"));
    assert_eq!(sent.header("x-accel-buffering").unwrap(), "no");
    let events = sent.events();
    assert_eq!(events.len(), 3);
    assert!(events[0].0.as_ref().unwrap().ends_with("-0") && events[0].1.is_none());
    assert!(events[1].0.as_ref().unwrap().ends_with("-1"));
    let told = events[1].1.as_ref().unwrap();
    assert_eq!(told["method"], "notifications/progress");
    assert_eq!(told["params"]["progressToken"], "t");
    assert!(told["params"]["message"].as_str().unwrap().contains("m.read"));
    assert!(events[2].0.as_ref().unwrap().ends_with("-2"));
    assert!(sent.ended());
}

#[test]
fn a_client_of_2025_06_18_is_sent_no_event_without_a_message() {
    let world = World::new();
    let session = world.open_with("ada", "2025-06-18", &json!({"elicitation": {}}));
    let sent = session.execute("run", &["m.remove"]);
    assert!(sent.events().iter().all(|(_, message)| message.is_some()));
    let asked = &sent.said("elicitation/create")[0]["params"];
    assert!(asked.get("mode").is_none() && asked.get("message").is_some());
}

#[test]
fn a_silent_stream_is_kept_alive() {
    let world = World::new();
    let session = world.open("ada");
    let sent = session.execute("run", &["m.never"]);
    world.host.pass(KEEPALIVE_MS - 1);
    assert!(!sent.text().contains(": keepalive"));
    for _ in 0..3 {
        world.host.pass(KEEPALIVE_MS);
    }
    assert_eq!(sent.text().matches(": keepalive\n\n").count(), 3);
}

#[test]
fn a_cut_at_any_event_loses_none_of_those_that_follow() {
    for seen in 0..4 {
        let world = World::new();
        let session = world.open("ada");
        let sent = session.execute("run", &["m.write", "m.remove", "m.read"]);
        let question = sent.question();
        let ids: Vec<String> = sent.events().into_iter().filter_map(|(id, _)| id).collect();
        assert!(ids.len() >= 3, "primed, progress, question: {ids:?}");
        sent.hang_up();
        assert_eq!(session.answer(&question, agreed()), 202);
        let last = ids.get(seen).unwrap_or_else(|| ids.last().unwrap());
        let resumed = session.get(Some(last));
        let from: u64 = last.rsplit_once('-').unwrap().1.parse().unwrap();
        let numbers: Vec<u64> = resumed
            .events()
            .into_iter()
            .map(|(id, _)| id.unwrap().rsplit_once('-').unwrap().1.parse().unwrap())
            .collect();
        let expected: Vec<u64> = (from + 1..=*numbers.last().unwrap()).collect();
        assert_eq!(numbers, expected, "after {last}");
        assert_eq!(resumed.calls(), [json!("m.write"), json!("m.remove"), json!("m.read")]);
        assert_eq!(*world.ran.borrow(), ["m.write", "m.remove", "m.read"], "nothing ran twice");
    }
}

#[test]
fn a_disconnect_is_no_cancellation() {
    let world = World::new();
    let session = world.open("ada");
    let sent = session.execute("run", &["m.never"]);
    world.host.pass(BEGIN_MS);
    let last = sent.last_id();
    sent.hang_up();
    world.host.pass(KEEPALIVE_MS * 2);
    let resumed = session.get(Some(&last));
    assert!(!resumed.ended(), "it runs on");
    assert_eq!(session.notify("notifications/cancelled", json!({"requestId": "run"})), 202);
    assert!(resumed.ended());
}

#[test]
fn a_stream_that_says_nothing_begins_after_a_moment() {
    let world = World::new();
    let session = world.open("ada");
    let sent = session.execute("run", &["m.never"]);
    world.host.pass(BEGIN_MS - 1);
    assert_eq!(sent.events(), []);
    world.host.pass(1);
    assert_eq!(sent.events().len(), 1, "the id to come back with");
    let resumed = session.get(Some(&sent.last_id()));
    assert_eq!((resumed.status, resumed.ended()), (200, false));
}

#[test]
fn a_call_that_is_cancelled_before_its_stream_begins_leaves_nothing() {
    let world = World::new();
    let session = world.open("ada");
    let sent = session.execute("run", &["m.never"]);
    assert_eq!(session.notify("notifications/cancelled", json!({"requestId": "run"})), 202);
    world.host.pass(BEGIN_MS * 2);
    assert_eq!((sent.events(), sent.ended()), (Vec::new(), true));
    let again = session.execute("run", &["m.read"]);
    assert_eq!(again.calls(), [json!("m.read")], "its id is free");
}

#[test]
fn an_answered_stream_can_be_read_again_and_one_that_never_was_is_refused() {
    let world = World::new();
    let session = world.open("ada");
    let sent = session.execute("run", &["m.read"]);
    let first = sent.events()[0].0.clone().unwrap();
    for _ in 0..2 {
        let again = session.get(Some(&first));
        assert_eq!((again.calls(), again.ended()), (vec![json!("m.read")], true));
    }
    assert_eq!(session.get(Some(&sent.last_id())).status, 204, "there is nothing more to come");
    for wrong in ["", "x", "0123456789abcdef-1", "-", "../x-1"] {
        assert_eq!(session.get(Some(wrong)).status, 400, "{wrong}");
    }
}

#[test]
fn only_its_own_stream_is_replayed() {
    let world = World::new();
    let session = world.open("ada");
    let (one, other) =
        (session.execute("one", &["m.read"]), session.execute("other", &["m.write"]));
    let first = one.events()[0].0.clone().unwrap();
    let again = session.get(Some(&first));
    assert_eq!(again.messages(), one.messages());
    assert!(!again.messages().iter().any(|message| other.messages().contains(message)));
}

#[test]
fn a_session_has_one_stream_of_its_own_that_carries_no_answers_and_ends_now_and_again() {
    let world = World::new();
    let session = world.open("ada");
    let own = session.get(None);
    assert_eq!((own.status, own.is_events()), (200, true));
    assert_eq!(session.get(None).status, 409);
    session.execute("run", &["m.read"]);
    assert!(own.messages().is_empty());
    world.host.pass(KEEPALIVE_MS);
    assert!(own.text().contains(": keepalive"));
    world.host.pass(STANDALONE_MS);
    assert!(own.ended());
    let again = session.get(Some("0-0"));
    assert_eq!(again.status, 200);
    again.hang_up();
    world.host.settle();
    assert_eq!(session.get(None).status, 200, "one whose client is gone makes room");
}
