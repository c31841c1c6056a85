//! Observers only observe.

use std::{cell::RefCell, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    failure::{AccessRefusal, Reason},
    operation::Context,
    runtime::access::{AccessPolicy, CallFacts, RefusalObserver, Unnamed},
    testing::Host,
};

use super::policy::{READ, call, check, said};

enum Manner {
    Notes,
    PanicsAtOnce,
    PanicsLater,
    NeverEnds,
}

struct Observer {
    manner: Manner,
    seen: RefCell<Vec<AccessRefusal>>,
}

impl RefusalObserver for Observer {
    fn refused(&self, refusal: AccessRefusal) -> LocalBoxFuture<'static, ()> {
        self.seen.borrow_mut().push(refusal);
        match self.manner {
            Manner::Notes => async {}.boxed_local(),
            Manner::PanicsAtOnce => panic!("at once"),
            Manner::PanicsLater => async { panic!("later") }.boxed_local(),
            Manner::NeverEnds => std::future::pending().boxed_local(),
        }
    }
}

fn observed(manner: Manner) -> (Rc<Observer>, AccessPolicy) {
    let observer = Rc::new(Observer { manner, seen: RefCell::default() });
    (observer.clone(), AccessPolicy::new().on_refused(observer))
}

#[test]
fn an_observer_sees_each_refusal_once_and_no_admission() {
    let host = Host::new();
    let (observer, policy) = observed(Manner::Notes);
    assert_eq!(said(call(&check(&host, policy.clone()), READ).end()), "ran");
    let check = check(&host, policy.unnamed(Unnamed::Refused));
    let refusal = call(&check, READ).end().unwrap().decision.unwrap_err();
    assert_eq!(observer.seen.take(), [refusal]);
}

#[test]
fn a_gates_refusal_is_observed_as_well() {
    let host = Host::new();
    let (observer, policy) = observed(Manner::Notes);
    let refusal = AccessRefusal::new("notes", "remove", Reason::GateRefused);
    check(&host, policy).check.observe(&refusal);
    host.settle();
    assert_eq!(observer.seen.take(), [refusal]);
}

#[test]
fn a_panicking_observer_changes_nothing() {
    for manner in [Manner::PanicsAtOnce, Manner::PanicsLater] {
        let host = Host::new();
        let (_, policy) = observed(manner);
        let check = check(&host, policy.unnamed(Unnamed::Refused));
        assert_eq!(said(call(&check, READ).end()), "not-granted");
        assert!(host.lines().concat().contains("the refusal stands"), "{:?}", host.lines());
    }
}

#[test]
fn a_slow_observer_delays_nothing() {
    let host = Host::new();
    let (observer, policy) = observed(Manner::NeverEnds);
    let check = check(&host, policy.unnamed(Unnamed::Refused));
    let context = Context::builder().build();
    let facts = CallFacts { module: "notes", operation: "remove", labels: READ, context: &context };
    let verdict = check.check.decide(&facts).now_or_never();
    assert_eq!(said(verdict), "not-granted");
    // Not even its beginning comes before the decision.
    assert!(observer.seen.borrow().is_empty());
    host.settle();
    assert_eq!(observer.seen.borrow().len(), 1);
}
