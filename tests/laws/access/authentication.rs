//! The caller's credential, before each operation.

use std::rc::Rc;

use futures::future::LocalBoxFuture;
use mycelium::{
    runtime::access::{AccessPolicy, Answer, Authentication, Grant, Moment, Unnamed},
    testing::Host,
};

use super::policy::{
    CONFIRMED, Credential, READ, Somebody, Trace, WRITE, call, check, grants, said,
};

#[test]
fn a_credential_is_verified_once_before_each_operation() {
    let credential = Credential::new(Trace::default());
    let check = check(&Host::new(), AccessPolicy::new().authentication(credential.clone()));
    for round in 1..=5 {
        assert_eq!(said(call(&check, WRITE).end()), "ran");
        assert_eq!(credential.trace.count("credential"), round);
    }
}

#[test]
fn a_key_revoked_between_two_calls_refuses_the_second_and_ends_the_execution() {
    let credential = Credential::new(Trace::default());
    let check = check(&Host::new(), AccessPolicy::new().authentication(credential.clone()));
    assert_eq!(said(call(&check, READ).end()), "ran");
    credential.good.set(false);
    let refusal = call(&check, READ).end().unwrap().decision.unwrap_err();
    assert_eq!(refusal.reason().code(), "not-authenticated");
    assert!(refusal.reason().ends_execution());
}

#[test]
fn a_stranger_learns_nothing_of_the_grants() {
    let credential = Credential::new(Trace::default());
    credential.good.set(false);
    let policy = AccessPolicy::new()
        .authentication(credential)
        .unnamed(Unnamed::Refused)
        .grants(grants(&[("mail", Grant::Read)]));
    assert_eq!(said(call(&check(&Host::new(), policy), READ).end()), "not-authenticated");
}

#[test]
fn a_key_revoked_while_the_person_thinks_refuses_the_call_they_agreed_to() {
    let credential = Credential::new(Trace::default());
    let person = Rc::new(Somebody::default());
    let policy = AccessPolicy::new().authentication(credential.clone()).confirm(person.clone());
    let mut call = call(&check(&Host::new(), policy), CONFIRMED);
    assert_eq!(said(call.end()), "waits");
    credential.good.set(false);
    assert!(person.answer(Answer::Accepted));
    assert_eq!(said(call.end()), "not-authenticated");
}

struct Panicking;

impl Authentication for Panicking {
    fn is_admitted(&self, _: Moment) -> LocalBoxFuture<'static, bool> {
        panic!("before its first await");
    }
}

#[test]
fn an_authentication_that_panics_admits_nobody() {
    let host = Host::new();
    let check = check(&host, AccessPolicy::new().authentication(Rc::new(Panicking)));
    assert_eq!(said(call(&check, READ).end()), "not-authenticated");
    assert!(host.lines().concat().contains("panicked"));
}
