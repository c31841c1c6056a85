//! Any sequence of transitions, beside a model of what may come of it.

use std::collections::{BTreeMap, BTreeSet};

use proptest::{collection::vec, prelude::*};
use serde_json::json;

use super::{Ask, Exchange, Full, Held, NotHeld, Standing};
use crate::limits::{BROWSER_PAGES, BROWSER_REQUESTS};

fn held(client: &str, claim: &str) -> Held {
    Held { client: client.to_owned(), claim: claim.to_owned(), output: None }
}

fn execute() -> Ask {
    Ask::Execute { command: "c".to_owned(), input: json!(null) }
}

/// An exchange with pages `a` and `b`, and one request.
fn two_pages() -> (Exchange, u64) {
    let mut exchange = Exchange::default();
    for name in ["a", "b"] {
        exchange.attach(None, name.to_owned()).unwrap();
    }
    let id = exchange.ask(execute()).unwrap();
    (exchange, id)
}

#[test]
fn the_first_claim_wins_and_only_its_result_is_taken_once() {
    let (mut exchange, id) = two_pages();
    assert_eq!(exchange.settle(id, "a", "x").err(), Some(NotHeld), "nobody has claimed it");
    assert!(exchange.claim(id, held("a", "x")));
    assert!(!exchange.claim(id, held("b", "y")));
    for (client, claim) in [("b", "y"), ("b", "x"), ("a", "y"), ("a", "")] {
        assert_eq!(exchange.settle(id, client, claim).err(), Some(NotHeld), "{client} {claim}");
    }
    assert!(exchange.settle(id, "a", "x").is_ok());
    assert_eq!(exchange.settle(id, "a", "x").err(), Some(NotHeld));
    assert!(!exchange.claim(id, held("b", "y")), "what is over stays over");
}

#[test]
fn a_page_that_comes_back_keeps_what_it_holds_and_one_that_does_not_loses_it() {
    let (mut exchange, id) = two_pages();
    let mut last = exchange.attach(Some("a"), "no".to_owned()).unwrap();
    assert!(exchange.claim(id, held("a", "x")));
    assert!(!exchange.cut("a", last.stream - 1), "an older stream says nothing of the page");
    assert!(exchange.cut("a", last.stream));
    let again = exchange.attach(Some("a"), "no".to_owned()).unwrap();
    assert_eq!((again.client.as_str(), again.claimed.clone()), ("a", vec![id]));
    assert_eq!(exchange.forget("a", last.stream), Vec::<u64>::new(), "it came back");
    last = again;
    assert_eq!(exchange.forget("a", last.stream), Vec::<u64>::new(), "its stream is open");
    assert!(exchange.cut("a", last.stream));
    assert_eq!(exchange.forget("a", last.stream), [id]);
    assert!(exchange.standing(id).is_none() && !exchange.knows("a"));
    assert_eq!(exchange.settle(id, "a", "x").err(), Some(NotHeld));
}

#[test]
fn a_page_that_nobody_knows_claims_nothing_and_takes_no_name() {
    let (mut exchange, id) = two_pages();
    assert!(!exchange.claim(id, held("c", "x")));
    assert_eq!(exchange.attach(Some("c"), "d".to_owned()).unwrap().client, "d");
}

#[test]
fn pages_and_requests_are_bounded_and_a_known_page_always_comes_back() {
    let mut exchange = Exchange::default();
    for page in 0..BROWSER_PAGES {
        exchange.attach(None, page.to_string()).unwrap();
    }
    assert_eq!(exchange.attach(None, "more".to_owned()), Err(Full));
    assert!(exchange.attach(Some("0"), "more".to_owned()).is_ok());
    for _ in 0..BROWSER_REQUESTS {
        exchange.ask(Ask::Discover).unwrap();
    }
    assert_eq!(exchange.ask(Ask::Discover), Err(Full));
}

#[derive(Clone, Debug)]
enum Step {
    Attach(u8),
    Cut(u8),
    Forget(u8),
    Ask,
    Claim(u8, u8),
    Settle(u8, u8, u8),
    Withdraw(u8),
    Close,
}

fn step() -> impl Strategy<Value = Step> {
    let small = || 0..4_u8;
    prop_oneof![
        3 => small().prop_map(Step::Attach),
        2 => small().prop_map(Step::Cut),
        1 => small().prop_map(Step::Forget),
        4 => Just(Step::Ask),
        4 => (small(), 0..16_u8).prop_map(|(page, at)| Step::Claim(page, at)),
        4 => (small(), 0..16_u8, small()).prop_map(|(page, at, claim)| Step::Settle(page, at, claim)),
        1 => (0..16_u8).prop_map(Step::Withdraw),
        1 => Just(Step::Close),
    ]
}

proptest! {
    /// The model: who was given each request, and which are over. Every request is given at
    /// most once, ends exactly once, and only by its holder's result or without any.
    #[test]
    fn every_request_has_one_holder_and_one_end(steps in vec(step(), 0..80)) {
        let mut exchange = Exchange::default();
        let mut asked: Vec<u64> = Vec::new();
        let mut holders: BTreeMap<u64, (String, String)> = BTreeMap::new();
        let mut over: BTreeSet<u64> = BTreeSet::new();
        let mut streams: BTreeMap<String, u64> = BTreeMap::new();
        for step in steps {
            let at = |at: u8| asked.get(usize::from(at)).copied().unwrap_or(u64::MAX);
            match step {
                Step::Attach(page) => {
                    let name = page.to_string();
                    if let Ok(attached) = exchange.attach(Some(&name), name.clone()) {
                        prop_assert!(attached.claimed.iter().all(|id| holders[id].0 == name));
                        prop_assert!(attached.waiting.iter().all(|id| !holders.contains_key(id)));
                        streams.insert(name, attached.stream);
                    }
                }
                Step::Cut(page) => {
                    let name = page.to_string();
                    let stream = streams.get(&name).copied().unwrap_or(0);
                    exchange.cut(&name, stream);
                }
                Step::Forget(page) => {
                    let name = page.to_string();
                    let stream = streams.get(&name).copied().unwrap_or(0);
                    for id in exchange.forget(&name, stream) {
                        prop_assert_eq!(&holders[&id].0, &name);
                        prop_assert!(over.insert(id));
                    }
                }
                Step::Ask => {
                    if let Ok(id) = exchange.ask(execute()) {
                        prop_assert!(!asked.contains(&id));
                        asked.push(id);
                    }
                }
                Step::Claim(page, which) => {
                    let (id, name) = (at(which), page.to_string());
                    let claim = format!("{id}{name}");
                    if exchange.claim(id, held(&name, &claim)) {
                        prop_assert!(!over.contains(&id));
                        prop_assert!(holders.insert(id, (name, claim)).is_none());
                    }
                }
                Step::Settle(page, which, by) => {
                    let (id, name) = (at(which), page.to_string());
                    let claim = format!("{id}{by}");
                    let mine = holders.get(&id) == Some(&(name.clone(), claim.clone()));
                    let settled = exchange.settle(id, &name, &claim).is_ok();
                    prop_assert_eq!(settled, mine && !over.contains(&id));
                    if settled {
                        over.insert(id);
                    }
                }
                Step::Withdraw(which) => {
                    let id = at(which);
                    let live = asked.contains(&id) && !over.contains(&id);
                    let taken = exchange.withdraw(id);
                    prop_assert_eq!(taken.is_some(), live);
                    if let Some(held) = taken {
                        let holder = holders.get(&id).map(|(client, _)| client.clone());
                        prop_assert_eq!(held.map(|held| held.client), holder);
                        over.insert(id);
                    }
                }
                Step::Close => {
                    for (id, claimed) in exchange.close() {
                        prop_assert_eq!(claimed, holders.contains_key(&id));
                        prop_assert!(over.insert(id));
                    }
                    prop_assert!(!exchange.is_open());
                }
            }
            for id in &asked {
                match exchange.standing(*id) {
                    None => prop_assert!(over.contains(id)),
                    Some(Standing::Waiting(_)) => prop_assert!(!holders.contains_key(id)),
                    Some(Standing::Claimed(_, held)) => {
                        prop_assert_eq!(&held.client, &holders[id].0);
                    }
                }
            }
        }
    }
}
