//! Cancellation while something runs: who is told, who is waited for, who keeps what.

use std::{cell::RefCell, rc::Rc};

use futures::{FutureExt, future::select};
use mycelium::{
    Module, Operation,
    operation::{Context, OperationError},
    runtime::{CallOutcome, LastPart, Options, admission::AdmissionOptions},
    sandbox::Sandbox,
    testing::{DirectError, Host, Started, direct_sandbox},
};
use serde_json::{Value, json};

use super::world::{CALLER, Held, World, module};

/// What operations noted.
type Notes = Rc<RefCell<Vec<&'static str>>>;

/// `heeds` ends when it is told to, `dawdles` 7 s after that, `ignores` never looks.
fn slow(host: &Host, notes: &Notes) -> Module {
    let noting = |note: &'static str| {
        let notes = Rc::clone(notes);
        move || notes.borrow_mut().push(note)
    };
    let heeded = noting("heeded");
    let heeds = Operation::new(json!({}), move |_, context: Context| {
        let heeded = heeded.clone();
        async move {
            context.cancellation().cancelled().await;
            heeded();
            Err::<Value, _>(OperationError::new("stopped half way"))
        }
    });
    let (timer, dawdled) = (Rc::clone(&host.ports().timer), noting("dawdled"));
    let dawdles = Operation::new(json!({}), move |_, context: Context| {
        let (timer, dawdled) = (Rc::clone(&timer), dawdled.clone());
        async move {
            context.cancellation().cancelled().await;
            timer.sleep(7_000).await;
            dawdled();
            Ok(Value::Null)
        }
    });
    let dropped = noting("dropped");
    let ignores = Operation::new(json!({}), move |_, _| {
        let guard = OnDrop(Box::new(dropped.clone()));
        async move {
            std::future::pending::<()>().await;
            drop(guard);
            Ok(Value::Null)
        }
    });
    Module::new("test-slow", "slow")
        .operation("heeds", heeds)
        .operation("dawdles", dawdles)
        .operation("ignores", ignores)
}

struct OnDrop(Box<dyn Fn()>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        (self.0)();
    }
}

struct Slow {
    world: World,
    notes: Notes,
}

impl Slow {
    /// One program at a time, which calls `path`.
    fn calling(path: &'static str) -> Self {
        Self::over(direct_sandbox(move |bindings, _| async move {
            bindings.call(path, json!({})).await
        }))
    }

    fn over(sandbox: impl Sandbox + 'static) -> Self {
        let (host, notes) = (Host::new(), Notes::default());
        let admission = AdmissionOptions { sandbox_capacity: Some(1), admission_wait_ms: None };
        let modules = vec![slow(&host, &notes), module()];
        let options = Options { admission, ..host.options(modules, sandbox) };
        Self { world: World::open(host, options), notes }
    }

    /// Cancels what calls `path`; the part if it came without time.
    fn cancelled(&self) -> (Started<LastPart>, Option<LastPart>) {
        let cancellation = self.world.runtime.cancellation();
        let mut running = self.world.executing(&self.world.lease(), &cancellation);
        assert!(running.end().is_none());
        cancellation.cancel(CALLER);
        let part = running.end();
        (running, part)
    }
}

#[test]
fn an_operation_that_watches_its_signal_sees_it_and_ends_by_itself() {
    let slow = Slow::calling("slow.heeds");
    let outcome = slow.cancelled().1.unwrap().outcome;
    assert_eq!((outcome.answer, outcome.acknowledged), (Err(CALLER), Some(true)));
    assert_eq!(slow.notes.take(), ["heeded"]);
    assert_eq!(outcome.calls[0].outcome, CallOutcome::Failed("capability-failed"));
}

#[test]
fn an_operation_that_does_not_look_is_dropped_at_once() {
    let slow = Slow::calling("slow.ignores");
    let outcome = slow.cancelled().1.unwrap().outcome;
    assert_eq!((outcome.answer, outcome.acknowledged), (Err(CALLER), Some(true)));
    assert_eq!(slow.notes.take(), ["dropped"]);
    assert_eq!(outcome.calls[0].outcome, CallOutcome::Unsettled);
}

#[test]
fn an_operation_that_takes_longer_than_the_grace_is_not_said_to_have_stopped() {
    let slow = Slow::calling("slow.dawdles");
    let (mut running, part) = slow.cancelled();
    assert!(part.is_none());
    slow.world.host.pass(4_999);
    assert!(running.end().is_none());
    slow.world.host.pass(1);
    let part = running.end().unwrap();
    assert_eq!(part.outcome.acknowledged, Some(false));
    assert!(part.result.content[0].ends_with("nobody has confirmed that it stopped."));
    // It goes on, and keeps its place until it has really settled.
    let mut next = slow.world.execute(&slow.world.lease());
    slow.world.host.pass(1_999);
    assert!(next.end().is_none() && slow.notes.borrow().is_empty());
    slow.world.host.pass(1);
    assert_eq!(slow.notes.take(), ["dawdled"]);
}

#[test]
fn a_program_that_fails_abandons_its_calls_within_the_grace() {
    let cases =
        [("slow.heeds", 0, "heeded"), ("slow.ignores", 0, "dropped"), ("slow.dawdles", 5_000, "")];
    for (path, after_ms, noted) in cases {
        let slow = Slow::over(direct_sandbox(move |bindings, _| async move {
            let (slow, quick) =
                (bindings.call(path, json!({})), bindings.call("m.echo", json!({})));
            drop(select(slow.boxed_local(), quick.boxed_local()).await);
            Err(DirectError::Thrown("enough".to_owned()))
        }));
        let mut running = slow.world.execute(&slow.world.lease());
        if after_ms > 0 {
            slow.world.host.pass(after_ms - 1);
            assert!(running.end().is_none(), "{path}");
            slow.world.host.pass(1);
        }
        let outcome = running.end().unwrap().outcome;
        assert_eq!(outcome.answer.unwrap_err().code(), "guest-exception", "{path}");
        assert_eq!(slow.notes.take().concat(), noted, "{path}");
        assert_eq!(outcome.calls.len(), 2);
    }
}

#[test]
fn the_deadline_tells_operations_as_a_cancellation_does() {
    let slow = Slow::calling("slow.heeds");
    let mut running = slow.world.execute(&slow.world.lease());
    slow.world.host.pass(180_000);
    let outcome = running.end().unwrap().outcome;
    assert_eq!(outcome.answer.unwrap_err().code(), "deadline-exceeded");
    assert_eq!((outcome.acknowledged, slow.notes.take()), (Some(true), vec!["heeded"]));
}

#[test]
fn a_sandbox_that_ignores_a_cancellation_keeps_its_permit_and_its_lease_until_it_settles() {
    let sandbox = Held::default();
    let slow = Slow::over(sandbox.clone());
    let world = &slow.world;
    let lease = world.lease();
    let cancellation = world.runtime.cancellation();
    let mut running = world.executing(&lease, &cancellation);
    let mut queued = world.execute(&lease);
    cancellation.cancel(CALLER);
    world.host.settle();
    world.host.pass(4_999);
    assert!(running.end().is_none());
    world.host.pass(1);
    let part = running.end().unwrap();
    assert_eq!((part.outcome.answer, part.outcome.acknowledged), (Err(CALLER), Some(false)));
    assert!(part.result.content[0].contains("Its work may still be going on"));

    let (mut releasing, mut closing) = (world.releasing(&lease), world.closing());
    assert!(queued.end().is_some(), "closing ends the queue");
    world.host.pass(60_000);
    assert!(releasing.end().is_none() && closing.end().is_none());
    assert_eq!(sandbox.runs(), 1);
    sandbox.settle(0, Ok("1"));
    assert!(releasing.end().is_some() && closing.end().is_some());
}

#[test]
fn an_unacknowledged_abort_lets_nobody_in() {
    let sandbox = Held::default();
    let slow = Slow::over(sandbox.clone());
    let world = &slow.world;
    let lease = world.lease();
    let cancellation = world.runtime.cancellation();
    let mut running = world.executing(&lease, &cancellation);
    cancellation.cancel(CALLER);
    world.host.settle();
    world.host.pass(5_000);
    assert!(running.end().is_some());
    let mut next = world.execute(&lease);
    assert_eq!((next.end(), sandbox.runs()), (None, 1));
    sandbox.settle(0, Ok("1"));
    world.host.settle();
    assert_eq!(sandbox.runs(), 2);
}

/// Where a caller may go away: each gets an execution on its way and says what must
/// happen until its backing work has settled.
#[test]
fn a_caller_who_goes_away_cancels_and_custody_stays_until_the_work_has_settled() {
    for point in ["before", "queued", "running", "grace"] {
        let sandbox = Held::default();
        let slow = Slow::over(sandbox.clone());
        let world = &slow.world;
        let lease = world.lease();
        let cancellation = world.runtime.cancellation();
        let first = (point == "queued").then(|| world.execute(&lease));
        if point == "before" {
            let prepared = lease.execute_tool().prepare(&super::world::call("return 1")).unwrap();
            drop(prepared.execute(cancellation.clone()));
            assert_eq!(cancellation.cause(), None, "nothing was begun");
            assert!(world.releasing(&lease).end().is_some());
            continue;
        }
        let running = world.executing(&lease, &cancellation);
        if point == "grace" {
            cancellation.cancel(CALLER);
            world.host.settle();
            world.host.pass(1_000);
        }
        drop(running);
        world.host.settle();
        assert_eq!(cancellation.cause(), Some(CALLER), "{point}");
        let mut releasing = world.releasing(&lease);
        assert!(releasing.end().is_none(), "{point}");
        if let Some(first) = first {
            assert_eq!(sandbox.runs(), 1);
            sandbox.settle(0, Ok("1"));
            drop(first);
            assert!(releasing.end().is_some(), "who was queued holds nothing");
            assert_eq!(sandbox.runs(), 1, "and never starts");
            continue;
        }
        let mut next = world.execute(&world.lease());
        world.host.pass(60_000);
        assert!(releasing.end().is_none(), "{point}");
        assert_eq!((next.end(), sandbox.runs()), (None, 1), "{point}");
        sandbox.settle(0, Ok("1"));
        assert!(releasing.end().is_some(), "{point}");
        assert_eq!(sandbox.runs(), 2, "{point}");
    }
}

/// The same over operations, which are told.
#[test]
fn a_caller_who_goes_away_while_an_operation_runs_is_a_cancellation_for_it() {
    for (path, noted) in [("slow.heeds", "heeded"), ("slow.ignores", "dropped")] {
        let slow = Slow::calling(path);
        let lease = slow.world.lease();
        let running = slow.world.execute(&lease);
        drop(running);
        slow.world.host.settle();
        assert_eq!(slow.notes.take(), [noted]);
        assert!(slow.world.releasing(&lease).end().is_some());
        assert_eq!(slow.world.host.time().sleepers(), 0);
    }
    let slow = Slow::calling("slow.dawdles");
    let lease = slow.world.lease();
    drop(slow.world.execute(&lease));
    let mut releasing = slow.world.releasing(&lease);
    slow.world.host.pass(6_999);
    assert!(releasing.end().is_none());
    slow.world.host.pass(1);
    assert!(releasing.end().is_some());
}

/// However many times an execution is polled before its caller goes away, nothing leaks.
#[test]
fn a_caller_may_go_away_at_every_await() {
    use futures::StreamExt;
    use std::task::{Context as Polled, Waker};
    let mut ended = false;
    let mut polls = 0;
    while !ended {
        polls += 1;
        let slow = Slow::over(direct_sandbox(|bindings, _| async move {
            bindings.call("m.echo", json!(1)).await?;
            bindings.call("m.note", json!({})).await
        }));
        let world = &slow.world;
        let lease = world.lease();
        let prepared = lease.execute_tool().prepare(&super::world::call("return 1")).unwrap();
        let mut parts = prepared.execute(world.runtime.cancellation());
        for _ in 0..polls {
            ended = parts.poll_next_unpin(&mut Polled::from_waker(Waker::noop())).is_ready();
            if ended {
                break;
            }
            world.host.settle();
        }
        drop(parts);
        assert!(world.releasing(&lease).end().is_some(), "after {polls} polls");
        assert!(world.closing().end().is_some(), "after {polls} polls");
        assert_eq!(world.host.time().sleepers(), 0, "after {polls} polls");
    }
    assert!((2..100).contains(&polls), "{polls}");
}

#[test]
fn cancelling_after_the_end_changes_nothing() {
    let slow = Slow::calling("m.note");
    let cancellation = slow.world.runtime.cancellation();
    let part = slow.world.executing(&slow.world.lease(), &cancellation).end().unwrap();
    cancellation.cancel(CALLER);
    assert_eq!(part.outcome.answer, Ok(Some("null".to_owned())));
    assert_eq!(part.outcome.acknowledged, None);
}
