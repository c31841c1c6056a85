//! The time that a person takes isn't charged to the execution.

use std::rc::Rc;

use mycelium::{
    port::Clock,
    runtime::access::{AccessPolicy, Answer, HumanTime},
    testing::{Host, Started},
};

use super::policy::{CONFIRMED, Somebody, call, check, said};

fn deadline(host: &Host, human_time: &HumanTime, budget_ms: u64) -> Started<()> {
    let (human_time, began_ms) = (human_time.clone(), host.time().now_ms());
    host.start(async move { human_time.used_up(began_ms, budget_ms).await })
}

#[test]
fn without_a_question_the_deadline_comes_on_time() {
    let host = Host::new();
    let mut deadline = deadline(&host, &HumanTime::new(&host.ports()), 1_000);
    assert!(deadline.end().is_none());
    host.pass(999);
    assert!(deadline.end().is_none());
    host.pass(1);
    assert!(deadline.end().is_some());
}

#[test]
fn a_deadline_stands_still_while_a_person_is_asked() {
    let host = Host::new();
    let person = Rc::new(Somebody::default());
    let check = check(&host, AccessPolicy::new().confirm(person.clone()));
    let mut deadline = deadline(&host, &check.check.human_time, 1_000);
    assert!(deadline.end().is_none());
    host.pass(400);
    let mut call = call(&check, CONFIRMED);
    assert_eq!(said(call.end()), "waits");
    for _ in 0..60 {
        host.pass(1_000);
        assert!(deadline.end().is_none());
    }
    assert!(person.answer(Answer::Accepted));
    let verdict = call.end().unwrap();
    assert_eq!((verdict.decision, verdict.person_ms), (Ok(()), 60_000));
    host.pass(599);
    assert!(deadline.end().is_none());
    host.pass(1);
    assert!(deadline.end().is_some());
}

#[test]
fn a_suspended_execution_holds_one_timer_and_does_not_poll() {
    let host = Host::new();
    let check = check(&host, AccessPolicy::new().confirm(Rc::new(Somebody::default())));
    let mut deadline = deadline(&host, &check.check.human_time, 10);
    assert!(deadline.end().is_none());
    let mut call = call(&check, CONFIRMED);
    assert_eq!(said(call.end()), "waits");
    assert_eq!(host.time().sleepers(), 2);
    host.pass(10);
    assert!(deadline.end().is_none());
    // What is left is the bound of the question.
    assert_eq!(host.time().sleepers(), 1);
}

#[test]
fn a_verdict_without_a_person_took_none_of_their_time() {
    let host = Host::new();
    let verdict = call(&check(&host, AccessPolicy::new()), CONFIRMED).end().unwrap();
    assert_eq!(verdict.person_ms, 0);
}

#[test]
fn a_refusal_carries_the_time_that_the_person_took() {
    let host = Host::new();
    let person = Rc::new(Somebody::default());
    let check = check(&host, AccessPolicy::new().confirm(person.clone()));
    let mut call = call(&check, CONFIRMED);
    assert_eq!(said(call.end()), "waits");
    host.pass(1_234);
    assert!(person.answer(Answer::Declined));
    let verdict = call.end().unwrap();
    assert_eq!((verdict.person_ms, said(Some(verdict))), (1_234, "declined"));
    assert_eq!(check.check.human_time.waited_ms(), 1_234);
}

#[test]
fn questions_open_at_the_same_time_are_counted_once() {
    let host = Host::new();
    let person = Rc::new(Somebody::default());
    let check = check(&host, AccessPolicy::new().confirm(person.clone()));
    let mut first = call(&check, CONFIRMED);
    assert_eq!(said(first.end()), "waits");
    host.pass(10);
    let mut second = call(&check, CONFIRMED);
    assert_eq!(said(second.end()), "waits");
    host.pass(100);
    assert!(person.answer(Answer::Accepted));
    assert_eq!(first.end().unwrap().person_ms, 110);
    assert!(check.check.human_time.is_asking());
    host.pass(5);
    assert!(person.answer(Answer::Accepted));
    assert_eq!(second.end().unwrap().person_ms, 105);
    assert_eq!(check.check.human_time.waited_ms(), 115);
    host.pass(1_000);
    assert_eq!(check.check.human_time.waited_ms(), 115);
}

#[test]
fn a_withdrawn_question_lets_the_time_go_on() {
    let host = Host::new();
    let check = check(&host, AccessPolicy::new().confirm(Rc::new(Somebody::default())));
    let mut deadline = deadline(&host, &check.check.human_time, 100);
    let mut call = call(&check, CONFIRMED);
    assert_eq!(said(call.end()), "waits");
    host.pass(5_000);
    assert!(deadline.end().is_none());
    drop(call);
    assert!(deadline.end().is_none());
    host.pass(100);
    assert!(deadline.end().is_some());
}
