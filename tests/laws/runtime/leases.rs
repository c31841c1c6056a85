//! Sources, the graphs made of them, and leases on those.

use std::rc::Rc;

use mycelium::{
    Failure, Module, Operation,
    runtime::{Lease, Options, Source},
    sandbox::Limits,
    testing::Host,
};
use serde_json::json;

use super::{
    shelf::{Manner, Shelf, Trace},
    world::{Held, World, module, says},
};

/// A runtime over the sources `a`, `b` and `c`.
pub(crate) struct Shelves {
    pub(crate) world: World,
    pub(crate) trace: Trace,
    pub(crate) all: [Rc<Shelf>; 3],
}

impl Shelves {
    pub(crate) fn new() -> Self {
        Self::over(|options| options)
    }

    pub(crate) fn over(adapt: impl FnOnce(Options) -> Options) -> Self {
        let (host, trace) = (Host::new(), Trace::default());
        let all = ["a", "b", "c"].map(|name| Shelf::new(name, &trace));
        let sources = all.iter().map(|shelf| Rc::clone(shelf) as Rc<dyn Source>).collect();
        let options = Options { sources, ..host.options(vec![module()], says(Ok("1"))) };
        let world = World::open(host, adapt(options));
        Self { world, trace, all }
    }
}

fn paths(lease: &Lease) -> Vec<&str> {
    lease.catalog().entries().iter().map(|entry| entry.path()).collect()
}

fn unavailable(source: &str) -> Failure {
    Failure::SourceUnavailable { source: source.to_owned() }
}

#[test]
fn a_lease_holds_the_static_modules_and_every_source() {
    let shelves = Shelves::new();
    let lease = shelves.world.lease();
    assert_eq!(paths(&lease), ["a.o0", "b.o0", "c.o0", "m.echo", "m.note"]);
    assert_eq!(shelves.trace.take(), ["+a0", "+b0", "+c0"]);
}

#[test]
fn sources_are_released_once_after_the_last_lease_and_last_acquired_first() {
    let shelves = Shelves::new();
    let leases = [shelves.world.lease(), shelves.world.lease()];
    assert_eq!(shelves.trace.take(), ["+a0", "+b0", "+c0"], "a finished graph is shared");
    for _ in 0..2 {
        assert!(shelves.world.releasing(&leases[0]).end().is_some());
        assert!(shelves.trace.take().is_empty());
    }
    assert!(shelves.world.releasing(&leases[1]).end().is_some());
    assert_eq!(shelves.trace.take(), ["-c0", "-b0", "-a0"]);
    drop(leases);
    assert!(shelves.world.closing().end().is_some());
    assert!(shelves.trace.take().is_empty());
}

#[test]
fn a_graph_is_shared_as_long_as_one_lease_is_on_it() {
    let shelves = Shelves::new();
    let (first, second) = (shelves.world.lease(), shelves.world.lease());
    assert!(shelves.world.releasing(&first).end().is_some());
    let third = shelves.world.lease();
    assert!(shelves.world.releasing(&second).end().is_some());
    let fourth = shelves.world.lease();
    assert_eq!(shelves.trace.take(), ["+a0", "+b0", "+c0"], "built once");
    for lease in [third, fourth] {
        assert!(shelves.world.releasing(&lease).end().is_some());
    }
    assert_eq!(shelves.trace.take(), ["-c0", "-b0", "-a0"]);
    drop(shelves.world.lease());
    assert_eq!(shelves.trace.take(), ["+a1", "+b1", "+c1"], "nobody was left on the first");
}

#[test]
fn a_source_without_anything_fails_the_lease_after_an_awaited_unwind_in_reverse() {
    for manner in [Manner::Fails, Manner::Panics, Manner::PanicsLater] {
        let shelves = Shelves::new();
        shelves.all[2].acquiring.set(manner);
        shelves.all[0].releasing.set(Manner::Waits);
        let mut acquiring = shelves.world.acquiring();
        assert!(acquiring.end().is_none(), "the unwind is awaited");
        assert_eq!(shelves.trace.take(), ["+a0", "+b0", "-b0"]);
        shelves.all[0].go_on();
        assert_eq!(acquiring.end().unwrap().err(), Some(unavailable("c")), "{manner:?}");
        assert_eq!(shelves.trace.take(), ["-a0"]);
        assert!(shelves.world.host.lines().concat().contains("the source c is unavailable"));
    }
}

#[test]
fn what_a_failing_source_says_is_for_the_operator_alone() {
    let shelves = Shelves::new();
    shelves.all[0].acquiring.set(Manner::Fails);
    let failure = shelves.world.acquiring().end().unwrap().err().unwrap();
    assert_eq!((failure.code(), failure.retryable()), ("source-unavailable", true));
    assert!(!failure.to_string().contains("canary"), "{failure}");
    assert!(shelves.world.host.lines().concat().contains("canary of a source"));
}

#[test]
fn a_snapshot_over_its_bound_fails_its_source_by_name_and_is_released() {
    for (operations, fits) in [(3, true), (4, false)] {
        let shelves = Shelves::over(|options| {
            let limits = Limits { snapshot_operations: 3, ..Limits::default() };
            Options { limits, ..options }
        });
        shelves.all[1].operations.set(operations);
        shelves.all[1].releasing.set(Manner::Panics);
        let lease = shelves.world.acquiring().end().unwrap();
        assert_eq!(lease.is_ok(), fits);
        if fits {
            continue;
        }
        assert_eq!(lease.err(), Some(unavailable("b")));
        assert_eq!(shelves.trace.take(), ["+a0", "+b0", "-a0"]);
        let lines = shelves.world.host.lines().concat();
        assert!(lines.contains("it gave 4 operations, the bound is 3"), "{lines}");
        assert!(lines.contains("the source b failed to release: it panicked"), "{lines}");
    }
    assert_eq!(Limits::default().snapshot_operations, 10_000);
}

#[test]
fn texts_over_the_bound_of_discovery_fail_the_lease_and_everything_is_released() {
    for (operations, fits) in [(30, true), (34, false)] {
        let text = "x".repeat(1024 * 1024);
        let heavy = (0..operations).fold(Module::new("heavy", "heavy"), |module, number| {
            let operation = Operation::new(json!({}), |_, _| async { Ok(json!(null)) });
            module.operation(format!("o{number}"), operation.describe(&text))
        });
        let shelves = Shelves::over(|options| Options { modules: vec![heavy], ..options });
        let lease = shelves.world.acquiring().end().unwrap();
        assert_eq!(lease.is_ok(), fits);
        if !fits {
            assert_eq!(lease.err(), Some(unavailable("the modules together")));
            assert_eq!(shelves.trace.take(), ["+a0", "+b0", "+c0", "-c0", "-b0", "-a0"]);
            let lines = shelves.world.host.lines().concat();
            assert!(lines.contains("of texts and schemas, the bound is 33554432"), "{lines}");
        }
    }
}

#[test]
fn modules_that_do_not_fit_together_fail_the_lease_after_an_unwind() {
    let shelves = Shelves::new();
    shelves.all[1].module.set("a");
    let failure = shelves.world.acquiring().end().unwrap().err().unwrap();
    assert_eq!(failure, unavailable("the modules together"));
    assert_eq!(shelves.trace.take(), ["+a0", "+b0", "+c0", "-c0", "-b0", "-a0"]);
}

#[test]
fn an_existing_lease_keeps_its_graph_and_the_next_one_builds_anew() {
    let shelves = Shelves::new();
    let old = shelves.world.lease();
    shelves.all[1].operations.set(2);
    assert_eq!(paths(&shelves.world.lease()), paths(&old), "nothing was invalidated");
    shelves.all[1].invalidate(0);
    let new = shelves.world.lease();
    assert_eq!(paths(&old), ["a.o0", "b.o0", "c.o0", "m.echo", "m.note"]);
    assert_eq!(paths(&new), ["a.o0", "b.o0", "b.o1", "c.o0", "m.echo", "m.note"]);
    assert_eq!(shelves.world.outcome(&old).answer, Ok(Some("1".to_owned())));
    shelves.trace.take();
    assert!(shelves.world.releasing(&old).end().is_some());
    assert_eq!(shelves.trace.take(), ["-c0", "-b0", "-a0"]);
    assert!(shelves.world.releasing(&new).end().is_some());
    assert_eq!(shelves.trace.take(), ["-c1", "-b1", "-a1"]);
}

#[test]
fn an_invalidation_during_acquisition_makes_the_graph_stale_at_birth() {
    let shelves = Shelves::new();
    shelves.all[2].acquiring.set(Manner::Waits);
    let mut acquiring = shelves.world.acquiring();
    shelves.all[0].invalidate(0);
    shelves.all[2].go_on();
    let born_stale = acquiring.end().unwrap().unwrap();
    shelves.all[2].acquiring.set(Manner::Works);
    assert_eq!(shelves.trace.take(), ["+a0", "+b0", "+c0"]);
    let next = shelves.world.lease();
    assert_eq!(shelves.trace.take(), ["+a1", "+b1", "+c1"]);
    assert!(shelves.world.releasing(&born_stale).end().is_some());
    assert_eq!(shelves.trace.take(), ["-c0", "-b0", "-a0"]);
    drop(next);
}

#[test]
fn racing_acquisitions_share_only_what_is_finished_and_the_loser_releases() {
    let shelves = Shelves::new();
    shelves.all[2].acquiring.set(Manner::Waits);
    let mut racing = [shelves.world.acquiring(), shelves.world.acquiring()];
    assert_eq!(shelves.trace.take(), ["+a0", "+b0", "+a1", "+b1"]);
    shelves.all[2].go_on();
    let winner = racing[0].end().unwrap().unwrap();
    shelves.all[0].releasing.set(Manner::Works);
    shelves.all[2].go_on();
    let loser = racing[1].end().unwrap().unwrap();
    assert_eq!(shelves.trace.take(), ["+c0", "+c1", "-c1", "-b1", "-a1"]);
    assert!(std::ptr::eq(winner.catalog(), loser.catalog()), "both are on the winner's graph");
    assert!(shelves.world.releasing(&winner).end().is_some());
    assert!(shelves.trace.take().is_empty());
    assert!(shelves.world.releasing(&loser).end().is_some());
    assert_eq!(shelves.trace.take(), ["-c0", "-b0", "-a0"]);
}

#[test]
fn a_release_that_fails_is_reported_and_the_rest_goes_on() {
    for manner in [Manner::Fails, Manner::Panics, Manner::PanicsLater] {
        let shelves = Shelves::new();
        shelves.all[1].releasing.set(manner);
        let lease = shelves.world.lease();
        shelves.trace.take();
        assert!(shelves.world.releasing(&lease).end().is_some());
        let released = shelves.trace.take();
        assert_eq!((released.first(), released.last()), (Some(&"-c0".into()), Some(&"-a0".into())));
        let lines = shelves.world.host.lines().concat();
        assert!(lines.contains("the source b failed to release"), "{manner:?}: {lines}");
    }
}

#[test]
fn a_lease_that_is_dropped_gives_back_in_the_background() {
    let shelves = Shelves::new();
    drop(shelves.world.lease());
    shelves.trace.take();
    shelves.world.host.settle();
    assert_eq!(shelves.trace.take(), ["-c0", "-b0", "-a0"]);
}

#[test]
fn a_lease_that_is_dropped_keeps_its_sources_until_its_work_has_settled() {
    let sandbox = Held::default();
    let shelves = Shelves::over(|options| Options { sandbox: Rc::new(sandbox.clone()), ..options });
    let world = &shelves.world;
    let lease = world.lease();
    let running = world.execute(&lease);
    shelves.trace.take();
    drop((lease, running));
    world.host.settle();
    assert!(shelves.trace.take().is_empty(), "nothing is given back under work that goes on");
    sandbox.settle(0, Ok("1"));
    world.host.settle();
    assert_eq!(shelves.trace.take(), ["-c0", "-b0", "-a0"]);
}

#[test]
fn a_caller_who_goes_away_while_a_lease_is_acquired_leaves_nothing_behind() {
    for waits in 0..3 {
        let shelves = Shelves::new();
        shelves.all[waits].acquiring.set(Manner::Waits);
        let mut acquiring = shelves.world.acquiring();
        assert!(acquiring.end().is_none());
        drop(acquiring);
        shelves.all[waits].go_on();
        shelves.world.host.settle();
        let expected = ["+a0", "+b0", "+c0", "-c0", "-b0", "-a0"];
        assert_eq!(shelves.trace.take(), expected, "source {waits}");
        assert!(shelves.world.closing().end().is_some());
    }
}

#[test]
fn a_release_whose_caller_goes_away_comes_to_its_end() {
    let shelves = Shelves::new();
    shelves.all[2].releasing.set(Manner::Waits);
    let lease = shelves.world.lease();
    let mut releasing = shelves.world.releasing(&lease);
    assert!(releasing.end().is_none());
    drop(releasing);
    let mut again = shelves.world.releasing(&lease);
    assert!(again.end().is_none(), "the second release waits for the first");
    shelves.trace.take();
    shelves.all[2].go_on();
    assert!(again.end().is_some());
    assert_eq!(shelves.trace.take(), ["-c0", "-b0", "-a0"]);
}

#[test]
fn a_release_waits_for_what_runs_on_the_lease() {
    let (host, sandbox) = (Host::new(), Held::default());
    let options = host.options(vec![module()], sandbox.clone());
    let world = World::open(host, options);
    let lease = world.lease();
    let mut running = world.execute(&lease);
    let mut releasing = world.releasing(&lease);
    assert!(releasing.end().is_none());
    assert!(sandbox.settle(0, Ok("2")));
    assert_eq!(running.end().unwrap().outcome.answer, Ok(Some("2".to_owned())));
    assert!(releasing.end().is_some());
}

#[test]
fn an_execution_after_the_release_is_lease_released() {
    let sandbox = says(Ok("1"));
    let world = World::over(sandbox.clone());
    let lease = world.lease();
    let mut releasing = world.releasing(&lease);
    let outcome = world.outcome(&lease);
    assert_eq!(outcome.answer, Err(Failure::LeaseReleased {}));
    assert!(outcome.reference.is_some());
    assert!(releasing.end().is_some());
    assert_eq!(sandbox.runs.get(), 0);
}
