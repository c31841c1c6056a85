//! The book of a persona's pens, over rows that fail.

use mycelium::{
    pen::{
        Action, Ended, Lang, PenId, PersistHint, Persona, Status, Verdict,
        ledger::{Desk, LedgerError, Order, Reply},
    },
    port::Storage,
    testing::Host,
};
use proptest::prelude::*;
use serde_json::json;

use super::world::{Books, Does, World};

fn ended() -> Ended {
    Ended {
        status: Status::Success,
        stdout: "out".into(),
        stderr: String::new(),
        result: "3".into(),
        duration_ms: 5,
        error: None,
        attempts: Vec::new(),
    }
}

fn orders() -> Vec<Order> {
    let pen_id = PenId::parse("MPP-ink-19700101-001").unwrap();
    let id = || pen_id.clone();
    vec![
        Order::Open {
            intent_hash: "i".into(),
            syslog_id: "S".into(),
            lang: Lang::Node,
            hint: PersistHint::Auto,
        },
        Order::Start { pen_id: id(), code: "code".into(), until_ms: 100 },
        Order::End { pen_id: id(), ended: ended() },
        Order::Suggest { pen_id: id(), suggestion: Action::Share, fallback: false },
        Order::Decide { pen_id: id(), action: Action::Share, manifest: None },
        Order::Settle { pen_id: id(), action: Action::Share },
        Order::Review {
            pen_id: id(),
            verdict: Verdict::Accept,
            reason: None,
            reviewer: "r".into(),
        },
        Order::Conclude { pen_id: id(), verdict: Verdict::Accept },
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Wherever the rows fail within an order, the same order given again carries it out.
    #[test]
    fn an_order_that_failed_halfway_is_given_again(at in 0..8_usize, writes in 0..6_u64) {
        let (host, books) = (Host::new(), Books::default());
        let (persona, rows) = (Persona::new("ink").unwrap(), books.of("ink"));
        // Each order comes to a book that knows nothing but its rows.
        let give = |order: Order| Desk::new(books.of("ink"), host.ports().clock).answer(&persona, order);
        for (place, order) in orders().into_iter().enumerate() {
            if place == at {
                rows.fail_after(writes);
                let failed = give(order.clone());
                rows.recover();
                if failed.is_ok() {
                    continue;
                }
                prop_assert!(matches!(failed, Err(LedgerError::Unavailable { .. })), "{failed:?}");
                if place == 0 {
                    // Its number may be lost; a pen without a record is none.
                    rows.clear().unwrap();
                }
            }
            let answer = give(order);
            prop_assert!(answer.is_ok(), "{place}: {answer:?}");
        }
        let pen_id = PenId::parse("MPP-ink-19700101-001").unwrap();
        let Ok(Reply::Pen(pen)) = give(Order::Look { pen_id }) else { panic!("it is there") };
        prop_assert_eq!(pen.record.state.name(), "accepted");
        // The audit has every step, in order, and no number twice or none.
        let Ok(Reply::Page(page)) = give(Order::Audit { pen_id: None, after: 0, limit: 200 }) else { panic!("a page") };
        let numbers: Vec<u64> = page.entries.iter().map(|entry| entry.entry).collect();
        prop_assert_eq!(&numbers, &(1..=numbers.len() as u64).collect::<Vec<_>>());
        let mut events: Vec<&str> = page.entries.iter().map(|entry| entry.event.as_str()).collect();
        events.dedup();
        let all = ["drafted", "executing", "completed", "suggested", "decided", "shared", "reviewed", "accepted"];
        prop_assert_eq!(events, all);
    }
}

#[test]
fn the_audit_is_only_added_to_and_read_by_pages() {
    let world = World::new("return 3", vec![Does::Done(json!(3))]);
    for action in ["erase", "keep", "erase"] {
        let pen_id = world.write(json!({})).unwrap()["pen_id"].clone();
        let before = world.books.of("ink").list("audit/").unwrap();
        world.call("decide", json!({"pen_id": pen_id, "action": action})).unwrap();
        let after = world.books.of("ink").list("audit/").unwrap();
        assert!(after.starts_with(&before) && after.len() > before.len());
    }
    let (mut read, mut next) = (Vec::new(), Some(0));
    while let Some(after) = next {
        let input = json!({"persona_id": "ink", "after": after, "limit": 4});
        let page = world.call("audit", input).unwrap();
        let entries = page["entries"].as_array().unwrap();
        assert!(entries.len() <= 4);
        read.extend(entries.iter().map(|entry| entry["entry"].as_u64().unwrap()));
        next = page["next"].as_u64();
    }
    assert_eq!(read, (1..=18).collect::<Vec<u64>>());
    let of = json!({"persona_id": "ink", "pen_id": "MPP-ink-20260501-002"});
    let page = world.call("audit", of).unwrap();
    let entries = page["entries"].as_array().unwrap();
    assert!(
        entries.len() == 6 && entries.iter().all(|entry| entry["pen_id"] == "MPP-ink-20260501-002")
    );
}

#[test]
fn a_pen_whose_host_was_lost_while_it_ran_is_completed_and_decided_on() {
    let world = World::new("return 3", vec![Does::Done(json!(3))]);
    world.books.deaf_to.replace(vec!["end"]);
    world.write(json!({})).unwrap_err();
    world.books.deaf_to.replace(Vec::new());
    let pen_id = "MPP-ink-20260501-001";
    assert_eq!(world.state(pen_id), "executing");
    world.host.time().pass(200_000);
    let status = world.call("status", json!({"pen_id": pen_id})).unwrap();
    assert_eq!(
        (&status["state"], &status["error"]["code"]),
        (&json!("completed"), &json!("execution-lost"))
    );
    assert_eq!(status["suggestion"], "erase");
    world.call("decide", json!({"pen_id": pen_id, "action": "keep"})).unwrap();
    assert_eq!(world.bucket.keys().len(), 2);
}

#[test]
fn a_book_that_cannot_be_reached_is_said_and_shows_nothing() {
    let world = World::new("return 3", vec![Does::Done(json!(3))]);
    for order in ["open", "refuse", "end", "suggest"] {
        world.books.deaf_to.replace(vec![order]);
        let mut input = super::world::intent(json!({}));
        if order == "refuse" {
            input["intent"] = json!("");
        }
        let failure = world.call("write", input).unwrap_err();
        assert_eq!(failure.code(), "capability-failed", "{order}");
        assert!(!failure.to_string().contains("canary"), "{failure}");
    }
    world.books.deaf_to.replace(vec!["start"]);
    let failure = world.write(json!({})).unwrap_err();
    assert_eq!(failure.code(), "MPP-E002", "what can't be noted isn't started: {failure}");
}

#[test]
fn what_is_kept_is_held_until_that_is_noted_and_what_is_erased_is_gone_before() {
    for (action, state) in [("keep", "kept"), ("erase", "erased")] {
        for writes in 0..8 {
            let world = World::new("return 3", vec![Does::Done(json!("canary"))]);
            let pen_id = world.write(json!({})).unwrap()["pen_id"].as_str().unwrap().to_owned();
            let rows = world.books.of("ink");
            let holds =
                || rows.list("held/").unwrap().iter().any(|(_, text)| text.contains("canary"));
            // The decision itself takes three writes.
            rows.fail_after(3 + writes);
            let decided = world.call("decide", json!({"pen_id": pen_id, "action": action}));
            rows.recover();
            let now = world.state(&pen_id);
            assert!(now != "erased" || !holds(), "{writes}: erased is gone");
            assert!(
                now != "completed" || action == "erase" || holds(),
                "{writes}: it is needed still"
            );
            if decided.is_err() && now == "completed" {
                world.call("decide", json!({"pen_id": pen_id, "action": action})).unwrap();
            }
            assert_eq!(world.state(&pen_id), state);
            let kept = world
                .bucket
                .text(&format!(".github/persona-brain/ink/pen-private/{pen_id}/pen.json"));
            assert_eq!(
                kept.is_some_and(|text| text.contains("canary")),
                action == "keep",
                "{writes}"
            );
        }
    }
}
