//! Asking a person, after the grant and before anything runs.

use std::{cell::Cell, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    limits::APPROVAL_MS,
    operation::Context,
    runtime::access::{AccessPolicy, Answer, Confirm, ConfirmRequest, Grant},
    testing::Host,
};

use super::policy::{
    CONFIRMED, Checking, Credential, READ, Session, Somebody, WRITE, call, check, grants, said,
};

fn asking(host: &Host) -> (Rc<Somebody>, Checking) {
    let person = Rc::new(Somebody::default());
    let check = check(host, AccessPolicy::new().confirm(person.clone()));
    (person, check)
}

#[test]
fn without_a_way_to_ask_an_operation_to_confirm_never_runs() {
    let check = check(&Host::new(), AccessPolicy::new());
    assert_eq!(said(call(&check, CONFIRMED).end()), "confirm-unavailable");
}

#[test]
fn an_operation_without_the_label_asks_nobody() {
    let (person, check) = asking(&Host::new());
    assert_eq!(said(call(&check, WRITE).end()), "ran");
    assert_eq!(said(call(&check, READ).end()), "ran");
    assert_eq!(person.was_asked(), 0);
}

#[test]
fn each_call_is_asked_about_anew() {
    let (person, check) = asking(&Host::new());
    for round in 1..=3 {
        let mut call = call(&check, CONFIRMED);
        assert_eq!(said(call.end()), "waits");
        assert_eq!(person.was_asked(), round);
        assert!(person.answer(Answer::Accepted));
        assert_eq!(said(call.end()), "ran");
    }
}

#[test]
fn every_answer_but_agreement_refuses() {
    let answers = [
        (Answer::Declined, "declined"),
        (Answer::Cancelled, "cancelled"),
        (Answer::TimedOut, "timed-out"),
        (Answer::Unavailable, "confirm-unavailable"),
    ];
    for (answer, expected) in answers {
        let (person, check) = asking(&Host::new());
        let mut call = call(&check, CONFIRMED);
        assert_eq!(said(call.end()), "waits");
        assert!(person.answer(answer));
        assert_eq!(said(call.end()), expected);
    }
}

#[test]
fn nobody_is_asked_to_lift_a_grant() {
    for grant in [Grant::Read, Grant::None] {
        let person = Rc::new(Somebody::default());
        let policy =
            AccessPolicy::new().grants(grants(&[("notes", grant)])).confirm(person.clone());
        let verdict = call(&check(&Host::new(), policy), CONFIRMED).end();
        assert!(["read-only", "not-granted"].contains(&said(verdict)));
        assert_eq!(person.was_asked(), 0);
    }
}

#[test]
fn the_question_holds_module_operation_and_label_and_nothing_else() {
    let (person, check) = asking(&Host::new());
    assert_eq!(said(call(&check, CONFIRMED).end()), "waits");
    let request = person.requests.take().remove(0);
    assert_eq!(
        serde_json::to_string(&request).unwrap(),
        r#"{"module":"notes","operation":"remove","access":"write"}"#
    );
    assert_eq!(request.to_string(), "Run remove of the module notes (write)?");
}

#[test]
fn the_order_is_credential_grant_person_and_again_credential_and_grant() {
    let session = Session::new(&[]);
    let trace = session.trace.clone();
    let person = Somebody::traced(trace.clone());
    let policy = AccessPolicy::new()
        .session_grants(session)
        .authentication(Credential::new(trace.clone()))
        .confirm(person.clone());
    let mut call = call(&check(&Host::new(), policy), CONFIRMED);
    assert_eq!(said(call.end()), "waits");
    assert!(person.answer(Answer::Accepted));
    assert_eq!(said(call.end()), "ran");
    let order = ["credential", "grants", "person", "credential again", "grants again"];
    assert_eq!(trace.steps(), order);
}

#[test]
fn a_grant_lost_while_the_person_thinks_refuses_the_call_they_agreed_to() {
    let losses: [(Result<_, &'static str>, &str); 3] = [
        (Ok(grants(&[("notes", Grant::Read)])), "read-only"),
        (Ok(grants(&[("notes", Grant::None)])), "not-granted"),
        (Err("the store is gone"), "grant-unreadable"),
    ];
    for (lost, expected) in losses {
        let (session, person) = (Session::new(&[]), Rc::new(Somebody::default()));
        let policy = AccessPolicy::new().session_grants(session.clone()).confirm(person.clone());
        let mut call = call(&check(&Host::new(), policy), CONFIRMED);
        assert_eq!(said(call.end()), "waits");
        session.turn(lost);
        assert!(person.answer(Answer::Accepted));
        assert_eq!(said(call.end()), expected);
    }
}

#[test]
fn a_question_that_nobody_answers_ends_after_five_minutes() {
    assert_eq!(APPROVAL_MS, 300_000);
    let host = Host::new();
    let (person, check) = asking(&host);
    let mut call = call(&check, CONFIRMED);
    assert_eq!(said(call.end()), "waits");
    host.pass(299_999);
    assert_eq!(said(call.end()), "waits");
    host.pass(1);
    assert_eq!(said(call.end()), "timed-out");
    assert!(!person.answer(Answer::Accepted), "the question was withdrawn");
}

#[test]
fn an_agreement_that_comes_with_the_end_of_the_time_is_too_late() {
    let host = Host::new();
    let (person, check) = asking(&host);
    let mut call = call(&check, CONFIRMED);
    assert_eq!(said(call.end()), "waits");
    assert!(person.answer(Answer::Accepted));
    host.pass(APPROVAL_MS);
    assert_eq!(said(call.end()), "timed-out");
}

#[test]
fn a_host_sets_how_long_a_person_has() {
    let host = Host::new();
    let policy = AccessPolicy::new().confirm(Rc::new(Somebody::default())).approval_ms(10);
    let mut call = call(&check(&host, policy), CONFIRMED);
    assert_eq!(said(call.end()), "waits");
    host.pass(10);
    assert_eq!(said(call.end()), "timed-out");
}

#[test]
fn one_execution_waits_for_people_so_long_and_no_longer() {
    let host = Host::new();
    let (person, check) = asking(&host);
    let mut first = call(&check, CONFIRMED);
    assert_eq!(said(first.end()), "waits");
    host.pass(200_000);
    assert!(person.answer(Answer::Accepted));
    assert_eq!(said(first.end()), "ran");
    // The program's own time isn't that of people.
    host.pass(500_000);
    let mut together = [call(&check, CONFIRMED), call(&check, CONFIRMED)];
    host.pass(99_999);
    for call in &mut together {
        assert_eq!(said(call.end()), "waits");
    }
    host.pass(1);
    for call in &mut together {
        assert_eq!(said(call.end()), "timed-out");
    }
    let refusal = call(&check, CONFIRMED).end().unwrap().decision.unwrap_err();
    assert_eq!((refusal.reason().code(), person.was_asked()), ("timed-out", 3), "not asked");
    assert!(refusal.message().contains("as long as one may"), "{refusal}");
    assert_eq!(said(call(&check, WRITE).end()), "ran", "what asks nobody goes on");
    assert_eq!(check.approvals.suspended(), 0);
}

#[test]
fn a_call_that_is_dropped_withdraws_its_question() {
    let (person, check) = asking(&Host::new());
    let mut call = call(&check, CONFIRMED);
    assert_eq!(said(call.end()), "waits");
    assert_eq!((check.approvals.suspended(), check.check.human_time.is_asking()), (1, true));
    drop(call);
    assert!(!person.answer(Answer::Accepted), "nobody waits for the answer");
    assert_eq!((check.approvals.suspended(), check.check.human_time.is_asking()), (0, false));
}

#[derive(Default)]
struct Panicking {
    later: Cell<bool>,
}

impl Confirm for Panicking {
    fn ask(&self, _: ConfirmRequest, _: &Context) -> LocalBoxFuture<'static, Answer> {
        assert!(self.later.get(), "before its first await");
        async { panic!("while it waits") }.boxed_local()
    }
}

#[test]
fn a_port_that_panics_could_not_ask() {
    for later in [false, true] {
        let host = Host::new();
        let port = Rc::new(Panicking { later: Cell::new(later) });
        let check = check(&host, AccessPolicy::new().confirm(port));
        assert_eq!(said(call(&check, CONFIRMED).end()), "confirm-unavailable");
        assert!(host.lines().concat().contains("panicked"), "{:?}", host.lines());
        assert_eq!((check.approvals.suspended(), check.check.human_time.is_asking()), (0, false));
    }
}
