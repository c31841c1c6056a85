//! Asking the owner of a server's standing from elsewhere.

use std::rc::Rc;

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    knapsack::mcp::{
        Era, Known, LocalUpstream, Owner, RemoteUpstream, Stale, Standing, Token, Upstream, answer,
    },
    mcp::MemoryStorage,
};

use super::fake::{Fake, World, one, server, text, tool, with};

/// An owner that is reached by a call of a function.
struct Near(LocalUpstream, Rc<std::cell::Cell<usize>>);

impl Owner for Near {
    fn ask(&self, order: String) -> LocalBoxFuture<'static, Result<String, String>> {
        self.1.set(self.1.get() + 1);
        let owner = self.0.clone();
        async move { Ok(answer(&owner, &order).await) }.boxed_local()
    }
}

/// Two places that ask the same owner, and how often.
fn two(fake: &Fake) -> (World, [RemoteUpstream; 2], Rc<std::cell::Cell<usize>>) {
    let world = World::new(fake);
    let rows = Rc::new(MemoryStorage::new());
    let local = LocalUpstream::new(Rc::new(server()), world.ports(), rows);
    let asked = Rc::new(std::cell::Cell::new(0));
    let place = || {
        let owner = Rc::new(Near(local.clone(), Rc::clone(&asked)));
        RemoteUpstream::new(owner, Rc::new(Known::default()), world.host.ports().clock)
    };
    let places = [place(), place()];
    (world, places, asked)
}

#[test]
fn all_places_have_one_session_and_one_list_and_ask_for_neither_twice() {
    let fake = one(|called| with(called, &text("done")));
    let (world, [here, there], asked) = two(&fake);
    for place in [&here, &there, &here, &there] {
        let listing = world.host.run(place.list(false)).unwrap().unwrap();
        assert_eq!(listing.tools.len(), 1);
        assert!(place.kept().is_some());
    }
    let first = world.host.run(here.standing(None)).unwrap().unwrap();
    let second = world.host.run(there.standing(None)).unwrap().unwrap();
    assert_eq!(first, second);
    let before = asked.get();
    world.host.run(here.standing(None)).unwrap().unwrap();
    assert_eq!(asked.get(), before, "what it said holds");
    assert_eq!((fake.times("initialize"), fake.times("tools/list")), (1, 1));
}

#[test]
fn news_that_one_place_brought_is_news_for_all() {
    let fake = one(|called| with(called, &text("done")));
    let (world, [here, there], _) = two(&fake);
    for place in [&here, &there] {
        world.host.run(place.list(false)).unwrap().unwrap();
    }
    fake.tools.borrow_mut().push(tool("u"));
    world.host.pass(1);
    for place in [&here, &there] {
        assert_eq!(world.host.run(place.list(true)).unwrap().unwrap().tools.len(), 2);
    }
    assert_eq!(fake.times("tools/list"), 2);
}

#[test]
fn a_session_that_one_place_found_gone_is_begun_once_for_all() {
    let fake = one(|called| with(called, &text("done")));
    let (world, [here, there], _) = two(&fake);
    let old = world.host.run(here.standing(None)).unwrap().unwrap();
    world.host.run(there.standing(None)).unwrap().unwrap();
    fake.restart();
    let gone = || Some(Stale::Session(old.session().map(str::to_owned)));
    let new = world.host.run(here.standing(gone())).unwrap().unwrap();
    assert_ne!(new, old);
    assert_eq!(world.host.run(there.standing(gone())).unwrap().unwrap(), new);
    assert_eq!(world.host.run(here.standing(gone())).unwrap().unwrap(), new, "late news");
    assert_eq!(fake.times("initialize"), 2);
}

#[test]
fn an_owner_that_says_nonsense_or_nothing_gives_nothing() {
    struct Said(Result<&'static str, &'static str>);
    impl Owner for Said {
        fn ask(&self, _: String) -> LocalBoxFuture<'static, Result<String, String>> {
            let said = self.0.map(str::to_owned).map_err(str::to_owned);
            async move { said }.boxed_local()
        }
    }
    let fake = one(|called| with(called, &text("done")));
    let world = World::new(&fake);
    for said in [Ok(""), Ok("{}"), Ok(r#"{"standing": 1}"#), Ok("null"), Err("it is gone")] {
        let remote = RemoteUpstream::new(
            Rc::new(Said(said)),
            Rc::new(Known::default()),
            world.host.ports().clock,
        );
        assert!(world.host.run(remote.list(false)).unwrap().is_err(), "{said:?}");
        assert!(world.host.run(remote.standing(None)).unwrap().is_err(), "{said:?}");
    }
    let owner = LocalUpstream::new(Rc::new(server()), world.ports(), Rc::new(MemoryStorage::new()));
    for order in ["", "{}", "[]", r#"{"tools": {"after_ms": -1}}"#] {
        let order = order.to_owned();
        let owner = owner.clone();
        let said = world.host.run(async move { answer(&owner, &order).await }).unwrap();
        assert!(said.contains("failed"), "{said}");
    }
}

#[test]
fn a_standing_holds_until_it_is_refuted_or_its_token_ends() {
    let session =
        |id: &str| Era::Sessions { revision: "2025-11-25".into(), session: Some(id.into()) };
    let token = Token { access: "a".into(), until_ms: Some(10) };
    let standing = Standing { era: session("s"), token: Some(token) };
    for (now_ms, stale, holds) in [
        (9, None, true),
        (10, None, false),
        (0, Some(Stale::Session(Some("s".into()))), false),
        (0, Some(Stale::Session(Some("t".into()))), true),
        (0, Some(Stale::Session(None)), true),
        (0, Some(Stale::Token("a".into())), false),
        (0, Some(Stale::Token("b".into())), true),
    ] {
        assert_eq!(standing.holds(now_ms, stale.as_ref()), holds, "{now_ms} {stale:?}");
    }
    assert!(!format!("{standing:?}").contains("\"a\""));
}
