//! How many people may be asked at once.

use std::rc::Rc;

use mycelium::{
    runtime::access::{AccessPolicy, Answer, Approvals, Grant},
    testing::Host,
};

use super::policy::{CONFIRMED, Session, Somebody, WRITE, call, check, said};

#[test]
fn at_most_capacity_less_one_confirmations_are_open() {
    let host = Host::new();
    let person = Rc::new(Somebody::default());
    let mut check = check(&host, AccessPolicy::new().confirm(person.clone()));
    check.check.approvals = Approvals::new(3);
    let mut waiting = [call(&check, CONFIRMED), call(&check, CONFIRMED)];
    for call in &mut waiting {
        assert_eq!(said(call.end()), "waits");
    }
    let refusal = call(&check, CONFIRMED).end().unwrap().decision.unwrap_err();
    assert_eq!(refusal.reason().code(), "confirm-unavailable");
    assert!(refusal.message().contains("too many approvals are open"), "{refusal}");
    assert_eq!(person.was_asked(), 2);
    assert_eq!(said(call(&check, WRITE).end()), "ran");

    assert!(person.answer(Answer::Declined));
    assert_eq!(said(waiting[0].end()), "declined");
    assert_eq!(said(call(&check, CONFIRMED).end()), "waits");
}

#[test]
fn executions_of_one_runtime_share_the_bound() {
    let host = Host::new();
    let policy = AccessPolicy::new().confirm(Rc::new(Somebody::default()));
    let one = check(&host, policy.clone());
    let mut other = check(&host, policy);
    other.check.approvals = one.check.approvals.clone();
    let mut waiting = call(&one, CONFIRMED);
    assert_eq!(said(waiting.end()), "waits");
    assert_eq!(said(call(&other, CONFIRMED).end()), "confirm-unavailable");
}

#[test]
fn a_call_without_a_grant_takes_no_place_among_the_approvals() {
    let person = Rc::new(Somebody::default());
    let session = Session::new(&[("notes", Grant::Read)]);
    let policy = AccessPolicy::new().session_grants(session).confirm(person);
    let check = check(&Host::new(), policy);
    assert_eq!(said(call(&check, CONFIRMED).end()), "read-only");
    assert_eq!(check.check.approvals.open(), 0);
}
