//! Grants of the host and of the session.

use std::rc::Rc;

use futures::future::LocalBoxFuture;
use mycelium::{
    failure::AccessRefusal,
    operation::Labels,
    runtime::access::{AccessPolicy, Grant, Grants, Moment, SessionGrants, Unnamed, Unreadable},
    testing::Host,
};

use super::policy::{READ, Session, WRITE, call, call_of, check, grants, said};

fn refusal(policy: AccessPolicy, labels: Labels) -> AccessRefusal {
    let host = Host::new();
    call(&check(&host, policy), labels).end().unwrap().decision.unwrap_err()
}

#[test]
fn a_host_that_grants_nothing_allows_everything() {
    let check = check(&Host::new(), AccessPolicy::new());
    assert_eq!(said(call(&check, WRITE).end()), "ran");
}

#[test]
fn an_operation_that_says_nothing_needs_the_grant_to_write() {
    let policy = AccessPolicy::new().grants(grants(&[("notes", Grant::Read)]));
    assert_eq!(refusal(policy.clone(), Labels::default()).reason().code(), "read-only");
    assert_eq!(said(call(&check(&Host::new(), policy), READ).end()), "ran");
}

#[test]
fn a_refusal_names_the_module_the_operation_the_reason_and_what_to_do() {
    let refusal = refusal(AccessPolicy::new().unnamed(Unnamed::Refused), READ);
    let expected = concat!(
        r#"{"module":"notes","operation":"remove","reason":"not-granted","#,
        r#""message":"remove of the module notes did not run: the module is not granted here. "#,
        r#"Do without it, or ask the owner of this host to grant it."}"#
    );
    assert_eq!(refusal.to_json(), expected);
}

#[test]
fn a_session_overrides_the_host_key_by_key() {
    let host = grants(&[("notes", Grant::Read), ("mail", Grant::Read)]);
    let policy = AccessPolicy::new()
        .grants(host)
        .session_grants(Session::new(&[("notes", Grant::Write), ("files", Grant::None)]));
    let check = check(&Host::new(), policy);
    let cells = [("notes", "ran"), ("mail", "read-only"), ("files", "not-granted"), ("x", "ran")];
    for (module, expected) in cells {
        assert_eq!(said(call_of(&check, module, WRITE).end()), expected, "{module}");
    }
}

#[test]
fn a_revoked_grant_applies_to_the_very_next_call() {
    let session = Session::new(&[("notes", Grant::Write)]);
    let check = check(&Host::new(), AccessPolicy::new().session_grants(session.clone()));
    assert_eq!(said(call(&check, WRITE).end()), "ran");
    session.set(&[("notes", Grant::Read)]);
    assert_eq!(said(call(&check, WRITE).end()), "read-only");
    session.set(&[("notes", Grant::Write)]);
    assert_eq!(said(call(&check, WRITE).end()), "ran");
}

#[test]
fn the_sessions_grants_are_read_once_a_call() {
    let session = Session::new(&[]);
    let check = check(&Host::new(), AccessPolicy::new().session_grants(session.clone()));
    for _ in 0..100 {
        assert_eq!(said(call(&check, WRITE).end()), "ran");
    }
    assert_eq!(session.trace.count("grants"), 100);
}

#[test]
fn a_read_that_fails_refuses_and_tells_the_operator_alone_why() {
    let host = Host::new();
    let session = Session::new(&[]);
    session.turn(Err("disk 7 is gone"));
    let check = check(&host, AccessPolicy::new().session_grants(session));
    let refusal = call(&check, READ).end().unwrap().decision.unwrap_err();
    assert_eq!(refusal.reason().code(), "grant-unreadable");
    assert!(!refusal.to_json().contains("disk"), "{refusal}");
    assert!(host.lines().concat().contains("disk 7 is gone"), "{:?}", host.lines());
}

struct Panicking;

impl SessionGrants for Panicking {
    fn read(&self, _: Moment) -> LocalBoxFuture<'static, Result<Rc<Grants>, Unreadable>> {
        panic!("before its first await");
    }
}

#[test]
fn a_read_that_panics_is_a_read_that_fails() {
    let refusal = refusal(AccessPolicy::new().session_grants(Rc::new(Panicking)), READ);
    assert_eq!(refusal.reason().code(), "grant-unreadable");
}

#[test]
fn a_required_key_that_nobody_grants_has_nothing() {
    let session = Session::new(&[]);
    let policy = AccessPolicy::new().require("notes").session_grants(session.clone());
    let check = check(&Host::new(), policy);
    assert_eq!(said(call(&check, READ).end()), "not-granted");
    assert_eq!(said(call_of(&check, "mail", WRITE).end()), "ran");
    session.set(&[("notes", Grant::Write)]);
    assert_eq!(said(call(&check, WRITE).end()), "ran");
}

#[test]
fn where_the_host_says_so_a_module_that_nobody_names_is_refused() {
    let policy =
        AccessPolicy::new().unnamed(Unnamed::Refused).grants(grants(&[("mail", Grant::Write)]));
    let check = check(&Host::new(), policy);
    assert_eq!(said(call(&check, READ).end()), "not-granted");
    assert_eq!(said(call_of(&check, "mail", WRITE).end()), "ran");
}

#[test]
fn an_owners_key_alone_counts_for_its_modules() {
    use Grant::{None as Nothing, Read, Write};
    let owned = || AccessPolicy::new().grant_as("notes", "extension");
    let own_and_owner = [("notes", Write), ("extension", Read)];
    let cells = [
        (owned().grants(grants(&own_and_owner)), "read-only"),
        (owned().session_grants(Session::new(&own_and_owner)), "read-only"),
        (owned().grants(grants(&[("notes", Nothing)])), "ran"),
        (owned().session_grants(Session::new(&[("notes", Nothing)])), "ran"),
        (owned().require("notes"), "ran"),
        (owned().require("extension"), "not-granted"),
    ];
    for (index, (policy, expected)) in cells.into_iter().enumerate() {
        let check = check(&Host::new(), policy);
        assert_eq!(said(call(&check, WRITE).end()), expected, "cell {index}");
    }
}

#[test]
fn a_refusal_names_the_module_and_not_its_owner() {
    let policy = AccessPolicy::new().grant_as("notes", "extension").require("extension");
    let refusal = refusal(policy, READ);
    assert_eq!(refusal.module(), "notes");
    assert!(!refusal.to_json().contains("extension"));
}

#[test]
fn what_is_hidden_is_exactly_what_has_no_grant() {
    let session = Session::new(&[("mail", Grant::None), ("notes", Grant::Read)]);
    let policy = Rc::new(AccessPolicy::new().require("files").session_grants(session.clone()));
    let read = Rc::clone(&policy);
    let standing = Host::new().run(async move { read.standing(Moment::Call).await });
    let standing = standing.unwrap().unwrap();
    let hidden = ["mail", "files", "notes", "other"].map(|module| standing.hides(module));
    assert_eq!(hidden, [true, true, false, false]);
    // A lease keeps what it saw; a call doesn't go by it.
    session.set(&[("mail", Grant::Write)]);
    assert!(standing.hides("mail"));
    let check = check(&Host::new(), Rc::unwrap_or_clone(policy));
    assert_eq!(said(call_of(&check, "mail", WRITE).end()), "ran");
}
