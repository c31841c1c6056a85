//! A list of computers, some of which are away.

use std::rc::Rc;

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    knapsack::{
        computers::{ComputerList, Unavailable, UnavailableObserver, WhyUnavailable},
        files::MemoryFiles,
    },
    limits::{CONNECT_AGAIN_MS, CONNECT_MS},
    port::Clock as _,
    testing::Host,
};
use serde_json::json;

use super::{
    Told, computers, connection,
    fake::{Asked, Fake, Manner},
    lease, paths, runtime,
};

#[test]
fn those_that_answer_stay_and_the_others_are_left_out_with_their_files_and_reported() {
    let host = Host::new();
    let asked = Asked::default();
    let fake = |manner| Fake::new(manner, &asked);
    let unusable = fake(Manner::Answers);
    unusable.advertisement.replace(json!({"operations": {
        "good": {"input": {}}, "bad": {"input": {"type": "objekt"}},
    }}));
    let files = || Rc::new(MemoryFiles::new());
    let list = ComputerList::new(vec![
        connection("rejects", &fake(Manner::Rejects)).files(files()),
        connection("one", &fake(Manner::Answers)),
        connection("hangs", &fake(Manner::Hangs)).files(files()),
        connection("panics", &fake(Manner::Panics)).files(files()),
        connection("unusable", &unusable).files(files()),
        connection("two", &fake(Manner::Answers)).files(files()),
    ]);
    let told = Told::default();
    let runtime = runtime(&host, computers(&host, &list, &told));
    let paths = paths(&lease(&host, &runtime).unwrap());
    assert_eq!(paths.len(), 10);
    assert!(paths.contains(&"computers.one.windows.open".to_owned()));
    assert!(paths.contains(&"computers.two.files.read".to_owned()));
    let served =
        |name: &str| paths.iter().any(|path| path.starts_with(&format!("computers.{name}.")));
    host.settle();
    assert_eq!(told.names(), ["rejects", "hangs", "panics", "unusable"]);
    assert!(told.names().iter().all(|name| !served(name)), "not even the good operation");
    let why: Vec<_> = told.0.borrow().iter().map(|told| told.why.clone()).collect();
    assert_eq!(why[0], WhyUnavailable::Failed { evidence: "canary of a computer".to_owned() });
    assert_eq!(why[1], WhyUnavailable::TimedOut { ms: CONNECT_MS });
    assert!(why[3].to_string().contains("at /operations/bad/input"), "{}", why[3]);
    assert_eq!(host.lines().iter().filter(|line| line.contains("is left out")).count(), 4);
    assert_eq!(asked.open(), 0, "one that hangs is let go");
}

/// How long a lease takes over 20 computers of which the first ones hang.
fn connecting(hanging: usize) -> u64 {
    let host = Host::new();
    let asked = Asked::default();
    let manner = |at| if at < hanging { Manner::Hangs } else { Manner::Answers };
    let named = |at| connection(&format!("c{at}"), &Fake::new(manner(at), &asked));
    let list = ComputerList::new((0..20).map(named).collect());
    let told = Told::default();
    let runtime = runtime(&host, computers(&host, &list, &told));
    let before = host.time().now_ms();
    assert_eq!(paths(&lease(&host, &runtime).unwrap()).len(), 20 - hanging);
    assert_eq!(told.0.borrow().len(), hanging);
    assert!(asked.most.get() <= 6 && asked.times.get() == 20);
    host.time().now_ms() - before
}

#[test]
fn twenty_computers_of_which_five_hang_cost_one_timeout_and_of_which_six_hang_two_at_most() {
    assert_eq!(connecting(0), 0);
    assert_eq!(connecting(5), CONNECT_MS);
    let six = connecting(6);
    assert!(six <= 2 * CONNECT_MS, "{six}");
    assert_eq!(connecting(12), 2 * CONNECT_MS);
}

#[test]
fn a_changed_list_is_seen_by_the_next_lease_and_not_by_one_that_exists() {
    let host = Host::new();
    let asked = Asked::default();
    let fake = Fake::new(Manner::Answers, &asked);
    let list = ComputerList::new(vec![connection("one", &fake)]);
    let runtime = runtime(&host, computers(&host, &list, &Told::default()));
    let first = lease(&host, &runtime).unwrap();
    drop(lease(&host, &runtime).unwrap());
    assert_eq!(asked.times.get(), 1, "an unchanged list is not asked again");
    list.set(vec![connection("two", &fake)]);
    assert_eq!(paths(&lease(&host, &runtime).unwrap()), ["computers.two.windows.open"]);
    assert_eq!(paths(&first), ["computers.one.windows.open"]);
    list.set(Vec::new());
    assert!(paths(&lease(&host, &runtime).unwrap()).is_empty());
}

#[test]
fn one_that_was_away_is_asked_again_later() {
    let host = Host::new();
    let asked = Asked::default();
    let fake = Fake::new(Manner::Rejects, &asked);
    let list = ComputerList::new(vec![connection("one", &fake)]);
    let runtime = runtime(&host, computers(&host, &list, &Told::default()));
    // What nobody leases is asked for anew anyway.
    let first = lease(&host, &runtime).unwrap();
    assert!(paths(&first).is_empty());
    fake.manner.set(Manner::Answers);
    host.pass(CONNECT_AGAIN_MS - 1);
    assert!(paths(&lease(&host, &runtime).unwrap()).is_empty());
    assert_eq!(asked.times.get(), 1);
    host.pass(1);
    assert_eq!(paths(&lease(&host, &runtime).unwrap()).len(), 1);
}

#[test]
fn of_two_with_one_id_the_first_is_offered() {
    let host = Host::new();
    let fake = Fake::advertising(json!({"operations": {"a": {"input": {}}}}));
    let list = ComputerList::new(vec![connection("one", &fake), connection("one", &fake)]);
    let told = Told::default();
    let runtime = runtime(&host, computers(&host, &list, &told));
    assert_eq!(paths(&lease(&host, &runtime).unwrap()), ["computers.one.a"]);
    assert_eq!(told.0.borrow()[0].why, WhyUnavailable::TwiceInList);
}

#[test]
fn an_observer_that_fails_or_never_ends_changes_and_delays_nothing() {
    struct Bad;
    impl UnavailableObserver for Bad {
        fn unavailable(&self, unavailable: Unavailable) -> LocalBoxFuture<'static, ()> {
            assert!(unavailable.name != "panics", "at once");
            std::future::pending::<()>().boxed_local()
        }
    }
    let host = Host::new();
    let asked = Asked::default();
    let away = Fake::new(Manner::Rejects, &asked);
    let list = ComputerList::new(vec![
        connection("panics", &away),
        connection("slow", &away),
        connection("one", &Fake::new(Manner::Answers, &asked)),
    ]);
    let source = computers(&host, &list, &Told::default()).on_unavailable(Rc::new(Bad));
    let runtime = runtime(&host, source);
    assert_eq!(paths(&lease(&host, &runtime).unwrap()), ["computers.one.windows.open"]);
    assert_eq!(host.time().now_ms(), 0);
}
