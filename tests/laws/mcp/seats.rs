//! Places among those at work: the ninth parks another, and nobody is lost.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    mcp::{MemoryStorage, Neighbours, Parking, Seating, Seats},
    port::Storage,
    testing::{Host, Started},
};
use proptest::{
    collection::vec,
    prelude::{any, prop_assert, prop_assert_eq, proptest},
};

/// Sessions that say of themselves what a test makes them say.
#[derive(Default)]
struct Town {
    busy: RefCell<BTreeMap<String, bool>>,
    gone: RefCell<Vec<String>>,
    asked: Cell<usize>,
    host: Option<Host>,
    slow_ms: u64,
}

impl Neighbours for Town {
    fn park(&self, session: &str, _: u64) -> LocalBoxFuture<'static, Parking> {
        self.asked.set(self.asked.get() + 1);
        let said = if self.gone.borrow().iter().any(|gone| gone == session) {
            Parking::Gone
        } else if self.busy.borrow().get(session).copied().unwrap_or(false) {
            Parking::Busy
        } else {
            Parking::Parked
        };
        let pause = self.host.as_ref().map(|host| host.ports().timer.sleep(self.slow_ms));
        async move {
            if let Some(pause) = pause {
                pause.await;
            }
            said
        }
        .boxed_local()
    }
}

fn seats(town: &Rc<Town>, storage: &Rc<MemoryStorage>, host: &Host, bound: usize) -> Rc<Seats> {
    let clock = Rc::clone(&host.ports().clock);
    Rc::new(Seats::new(storage.clone(), clock, town.clone(), bound))
}

fn admit(host: &Host, seats: &Rc<Seats>, session: &str) -> Seating {
    let (seats, session) = (Rc::clone(seats), session.to_owned());
    host.run(async move { seats.admit(&session).await }).unwrap().unwrap()
}

#[test]
fn the_ninth_takes_an_idle_one_s_place_and_that_one_comes_back() {
    let (host, town, storage) =
        (Host::new(), Rc::new(Town::default()), Rc::new(MemoryStorage::new()));
    let seats = seats(&town, &storage, &host, 8);
    for session in 1..=20 {
        assert_eq!(admit(&host, &seats, &format!("s{session}")), Seating::Seated);
    }
    for session in 1..=20 {
        assert_eq!(admit(&host, &seats, &format!("s{session}")), Seating::Seated);
    }
}

#[test]
fn one_that_works_keeps_its_place_and_when_all_do_there_is_none() {
    let (host, town, storage) =
        (Host::new(), Rc::new(Town::default()), Rc::new(MemoryStorage::new()));
    let seats = seats(&town, &storage, &host, 2);
    for session in ["a", "b"] {
        admit(&host, &seats, session);
        town.busy.borrow_mut().insert(session.to_owned(), true);
    }
    assert_eq!(admit(&host, &seats, "c"), Seating::Full);
    town.busy.borrow_mut().insert("a".to_owned(), false);
    assert_eq!(admit(&host, &seats, "c"), Seating::Seated);
    assert_eq!(admit(&host, &seats, "b"), Seating::Seated, "it never lost its place");
}

#[test]
fn one_that_finds_all_at_work_waits_for_a_moment_before_it_is_sent_away() {
    let (host, town, storage) =
        (Host::new(), Rc::new(Town::default()), Rc::new(MemoryStorage::new()));
    let clock = Rc::clone(&host.ports().clock);
    let seats = Seats::new(storage, clock, town.clone(), 1).waiting(host.ports().timer);
    let seats = Rc::new(seats);
    admit(&host, &seats, "a");
    town.busy.borrow_mut().insert("a".to_owned(), true);
    let asking = |session: &'static str| {
        let seats = Rc::clone(&seats);
        host.start(async move { seats.admit(session).await })
    };
    let pass = |ms: u64| (0..ms / 50).for_each(|_| host.pass(50));
    let mut waiting = asking("b");
    pass(250);
    assert_eq!(waiting.end(), None);
    town.busy.borrow_mut().clear();
    pass(50);
    assert_eq!(waiting.end(), Some(Ok(Seating::Seated)));
    town.busy.borrow_mut().insert("b".to_owned(), true);
    let mut waiting = asking("c");
    pass(1_450);
    assert_eq!(waiting.end(), None);
    pass(50);
    assert_eq!(waiting.end(), Some(Ok(Seating::Full)));
}

#[test]
fn a_place_of_one_that_is_gone_is_free() {
    let (host, town, storage) =
        (Host::new(), Rc::new(Town::default()), Rc::new(MemoryStorage::new()));
    let seats = seats(&town, &storage, &host, 1);
    admit(&host, &seats, "a");
    town.gone.borrow_mut().push("a".to_owned());
    assert_eq!(admit(&host, &seats, "b"), Seating::Seated);
    seats.end("b").unwrap();
    let asked = town.asked.get();
    assert_eq!(admit(&host, &seats, "c"), Seating::Seated);
    assert_eq!(town.asked.get(), asked, "an ended session's place needs nobody's word");
}

#[test]
fn the_table_outlives_its_process() {
    let (host, town, storage) =
        (Host::new(), Rc::new(Town::default()), Rc::new(MemoryStorage::new()));
    let before = seats(&town, &storage, &host, 1);
    admit(&host, &before, "a");
    town.busy.borrow_mut().insert("a".to_owned(), true);
    drop(before);
    let after = seats(&town, &storage, &host, 1);
    assert_eq!(admit(&host, &after, "b"), Seating::Full);
    assert_eq!(admit(&host, &after, "a"), Seating::Seated);
}

#[test]
fn two_that_ask_at_once_never_sit_in_one_place() {
    let host = Host::new();
    let town = Rc::new(Town { host: Some(host.clone()), slow_ms: 10, ..Town::default() });
    let storage = Rc::new(MemoryStorage::new());
    let seats = seats(&town, &storage, &host, 2);
    admit(&host, &seats, "a");
    admit(&host, &seats, "b");
    let mut asking: Vec<_> = ["c", "d", "e"]
        .map(|session| {
            let seats = Rc::clone(&seats);
            host.start(async move { seats.admit(session).await })
        })
        .into();
    for _ in 0..40 {
        host.pass(10);
    }
    let seated =
        asking.iter_mut().map(Started::end).filter(|end| *end == Some(Ok(Seating::Seated))).count();
    assert!(seated >= 2);
    let table = storage.get("table").unwrap().unwrap();
    assert_eq!(table.matches(r#""seated":true"#).count(), 2, "{table}");
}

proptest! {
    #[test]
    fn whatever_happens_no_more_sit_than_may_and_who_works_keeps_its_place(
        steps in vec((0_usize..10, any::<bool>(), any::<bool>()), 1..120),
    ) {
        let (host, town, storage) = (Host::new(), Rc::new(Town::default()), Rc::new(MemoryStorage::new()));
        let mut all = seats(&town, &storage, &host, 3);
        for (who, works, restarts) in steps {
            if restarts {
                all = seats(&town, &storage, &host, 3);
            }
            let name = format!("s{who}");
            let working: Vec<String> =
                town.busy.borrow().iter().filter(|(_, busy)| **busy).map(|(name, _)| name.clone()).collect();
            let seated = admit(&host, &all, &name) == Seating::Seated;
            prop_assert!(seated || working.len() == 3);
            // Only one with a place can work.
            town.busy.borrow_mut().insert(name, seated && works);
            let table = storage.get("table").unwrap().unwrap();
            prop_assert_eq!(table.matches(r#""seated":true"#).count() <= 3, true);
            for name in working {
                let row = format!(r#""{name}":{{"seated":true"#);
                prop_assert!(table.contains(&row), "{} lost its place: {}", name, table);
            }
        }
    }
}
