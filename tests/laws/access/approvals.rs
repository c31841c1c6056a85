//! How many executions may wait for people at once, and how many questions each may have.

use std::rc::Rc;

use mycelium::{
    limits::OPEN_QUESTIONS,
    runtime::access::{AccessPolicy, Answer, Approvals, Grant, Suspension},
    testing::{Host, Started},
};

use super::policy::{CONFIRMED, Checking, Session, Somebody, WRITE, call, check, check_of, said};

/// Executions of one runtime that runs `capacity` programs at once, with one person.
fn executions(host: &Host, capacity: u64) -> (Rc<Somebody>, impl Fn() -> Checking + use<>) {
    let person = Rc::new(Somebody::default());
    let policy = AccessPolicy::new().confirm(person.clone());
    let (host, approvals) = (host.clone(), Approvals::new(capacity));
    (person, move || check_of(&host, policy.clone(), &approvals))
}

/// The words of a call that is refused at once.
fn refused(check: &Checking) -> String {
    let refusal = call(check, CONFIRMED).end().unwrap().decision.unwrap_err();
    assert_eq!(refusal.reason().code(), "confirm-unavailable");
    refusal.message().to_owned()
}

#[test]
fn at_most_capacity_less_one_executions_wait_for_people() {
    let host = Host::new();
    let (person, execution) = executions(&host, 3);
    let all = [execution(), execution(), execution()];
    let mut waiting = [call(&all[0], CONFIRMED), call(&all[1], CONFIRMED)];
    for call in &mut waiting {
        assert_eq!(said(call.end()), "waits");
    }
    let words = refused(&all[2]);
    assert!(words.contains("too many approvals are open"), "{words}");
    assert_eq!(person.was_asked(), 2);
    assert_eq!(said(call(&all[2], WRITE).end()), "ran");

    assert!(person.answer(Answer::Declined));
    assert_eq!(said(waiting[0].end()), "declined");
    assert_eq!(said(call(&all[2], CONFIRMED).end()), "waits");
}

#[test]
fn an_execution_counts_once_however_many_questions_it_has() {
    let host = Host::new();
    let (person, execution) = executions(&host, 2);
    let (one, other) = (execution(), execution());
    let mut questions: Vec<Started<_>> = (0..3).map(|_| call(&one, CONFIRMED)).collect();
    assert!(questions.iter_mut().all(|question| said(question.end()) == "waits"));
    assert_eq!((one.approvals.suspended(), person.was_asked()), (1, 3));
    for question in &mut questions {
        assert!(refused(&other).contains("too many approvals are open"));
        assert!(person.answer(Answer::Accepted));
        assert_eq!(said(question.end()), "ran");
    }
    assert_eq!(one.approvals.suspended(), 0);
    assert_eq!(said(call(&other, CONFIRMED).end()), "waits");
}

#[test]
fn a_program_may_have_so_many_questions_open() {
    let host = Host::new();
    let (person, execution) = executions(&host, 64);
    let one = execution();
    let waiting: Vec<Started<_>> = (0..OPEN_QUESTIONS).map(|_| call(&one, CONFIRMED)).collect();
    let words = refused(&one);
    assert!(words.contains("as many questions open as one may. Await their answers"), "{words}");
    assert_eq!(person.was_asked() as u64, OPEN_QUESTIONS);
    assert_eq!(said(call(&execution(), CONFIRMED).end()), "waits", "another has its own");
    drop(waiting);
    assert_eq!(said(call(&one, CONFIRMED).end()), "waits");
}

#[test]
fn where_one_program_runs_at_a_time_nobody_is_told_to_wait_for_an_answer_that_no_one_gives() {
    let (person, execution) = executions(&Host::new(), 1);
    let words = refused(&execution());
    assert!(words.contains("this host runs one program at a time"), "{words}");
    assert!(!words.contains("has been answered"), "{words}");
    assert_eq!(person.was_asked(), 0);
}

#[test]
fn a_direct_call_holds_no_permit_and_may_ask_whatever_waits() {
    for capacity in [1, 2] {
        let host = Host::new();
        let (_, execution) = executions(&host, capacity);
        let _waiting = call(&execution(), CONFIRMED);
        let mut direct = execution();
        direct.check.suspension = Suspension::of_direct_call();
        assert_eq!(said(call(&direct, CONFIRMED).end()), "waits");
    }
}

#[test]
fn a_call_without_a_grant_takes_no_place_among_the_approvals() {
    let person = Rc::new(Somebody::default());
    let session = Session::new(&[("notes", Grant::Read)]);
    let policy = AccessPolicy::new().session_grants(session).confirm(person);
    let check = check(&Host::new(), policy);
    assert_eq!(said(call(&check, CONFIRMED).end()), "read-only");
    assert_eq!(check.approvals.suspended(), 0);
}
