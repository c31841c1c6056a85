//! What is told of an execution while it runs, and what isn't.

use std::{cell::RefCell, rc::Rc};

use futures::StreamExt;
use mycelium::{
    Module, Operation,
    failure::Reason,
    limits::PROGRESS_PARTS,
    operation::{Access, Context, OperationError, Report},
    runtime::{
        CallOutcome, LastPart, Options, Part, Progress, Step,
        access::{AccessPolicy, Grant},
        admission::AdmissionOptions,
    },
    sandbox::Sandbox,
    testing::{DirectBindings, DirectError, Host, direct_sandbox},
};
use serde_json::{Value, json};

use super::world::{CALLER, Held, World, call, module, says};
use crate::access::policy::grants;

/// `copy.files` reports each of as many files as its input says, a second apart; `copy.all`
/// reports as many at once; `copy.late` reports after its call has ended.
fn copy(host: &Host, kept: &Rc<RefCell<Vec<Context>>>) -> Module {
    let timer = host.ports().timer;
    let files =
        Operation::new(json!({"type": "integer"}), move |input: Value, context: Context| {
            let timer = Rc::clone(&timer);
            async move {
                let total = input.as_u64();
                for done in 1..=total.unwrap() {
                    timer.sleep(1_000).await;
                    context.reporter().report(Report::new("copied").counted(done, total));
                }
                Ok(Value::Null)
            }
        });
    let all =
        Operation::new(json!({"type": "integer"}), |input: Value, context: Context| async move {
            for done in 1..=input.as_u64().unwrap() {
                context.reporter().report(Report::new("copied").counted(done, None));
            }
            Ok(Value::Null)
        });
    let kept = Rc::clone(kept);
    let late = Operation::new(json!({}), move |_, context: Context| {
        kept.borrow_mut().push(context);
        async { Ok(Value::Null) }
    });
    let fails =
        Operation::new(json!({}), |_, _| async { Err::<Value, _>(OperationError::new("no")) });
    Module::new("test-copy", "copy")
        .operation("files", files)
        .operation("all", all.access(Access::Read))
        .operation("late", late)
        .operation("fails", fails)
}

struct Watched {
    world: World,
    /// What the operations kept of their calls.
    kept: Rc<RefCell<Vec<Context>>>,
    parts: Rc<RefCell<Vec<Part>>>,
}

impl Watched {
    fn over(sandbox: impl Sandbox + 'static, change: impl FnOnce(Options) -> Options) -> Self {
        let (host, kept) = (Host::new(), Rc::default());
        let options = host.options(vec![copy(&host, &kept), module()], sandbox);
        Self { world: World::open(host, change(options)), kept, parts: Rc::default() }
    }

    /// Over a program that makes these calls, one after another, and lets failures pass.
    fn calling(calls: &'static [(&'static str, u64)]) -> Self {
        let run = move |bindings: DirectBindings, _| async move {
            for (path, input) in calls {
                let _ = bindings.call(path, json!(input)).await;
            }
            Ok::<_, DirectError>(json!("over"))
        };
        let host_grants = grants(&[("test-m", Grant::Read)]);
        let access = AccessPolicy::new().grants(host_grants);
        Self::over(direct_sandbox(run), |options| Options { access, ..options })
    }

    /// Starts one whose parts are kept as they come.
    fn start(&self, calls: bool) -> mycelium::testing::Started<()> {
        let prepared = self.world.lease().execute_tool().prepare(&call("return 1")).unwrap();
        let prepared = if calls { prepared.telling_calls() } else { prepared };
        let mut stream = prepared.execute(self.world.runtime.cancellation());
        let parts = Rc::clone(&self.parts);
        self.world.host.start(async move {
            while let Some(part) = stream.next().await {
                parts.borrow_mut().push(part);
            }
        })
    }

    /// The texts of the progress so far.
    fn told(&self) -> Vec<String> {
        let progress = |part: &Part| match part {
            Part::Progress(progress) => Some(progress.to_string()),
            Part::Last(_) => None,
        };
        self.parts.borrow().iter().filter_map(progress).collect()
    }

    fn last(&self) -> Option<LastPart> {
        self.parts.borrow().last().cloned().and_then(Part::last)
    }
}

#[test]
fn a_run_without_progress_gives_exactly_one_part() {
    const CALLS: &[(&str, u64)] = &[("m.echo", 1), ("copy.late", 1)];
    for calls in [CALLS, &[]] {
        let watched = Watched::calling(calls);
        let _run = watched.start(false);
        assert_eq!(watched.parts.borrow().len(), 1, "{calls:?}");
        assert_eq!(watched.last().unwrap().result.content, [r#""over""#]);
    }
}

#[test]
fn what_an_operation_reports_comes_while_it_runs_and_before_the_last_part() {
    let watched = Watched::calling(&[("m.echo", 7), ("copy.files", 3)]);
    let _run = watched.start(false);
    for copied in 0..3 {
        assert_eq!(watched.told().len(), copied);
        assert!(watched.last().is_none());
        watched.world.host.pass(1_000);
    }
    let told = ["copied (1 of 3)", "copied (2 of 3)", "copied (3 of 3)"];
    assert_eq!(watched.told(), told.map(|report| format!("copy.files: {report}")));
    let parts = watched.parts.borrow();
    let Part::Progress(Progress { step: Step::Report { ordinal, path, report }, skipped: 0 }) =
        &parts[1]
    else {
        panic!("{:?}", parts[1]);
    };
    assert_eq!((*ordinal, &**path), (1, "copy.files"));
    assert_eq!((report.done(), report.total(), report.message()), (Some(2), Some(3), "copied"));
    assert!(matches!(parts[3], Part::Last(_)) && parts.len() == 4);
}

#[test]
fn who_has_to_wait_is_told_so_once_and_again_when_it_is_its_turn() {
    let sandbox = Held::default();
    let watched = Watched::over(sandbox.clone(), |options| Options {
        admission: AdmissionOptions { sandbox_capacity: Some(1), admission_wait_ms: None },
        ..options
    });
    let world = &watched.world;
    let _running = world.execute(&world.lease());
    let _other = world.execute(&world.lease());
    let _run = watched.start(false);
    assert_eq!(watched.told(), ["waiting for a turn, 1 ahead"]);
    world.host.pass(400);
    assert!(sandbox.settle(0, Ok("1")));
    world.host.pass(300);
    assert_eq!(watched.told().len(), 1, "the one ahead runs");
    assert!(sandbox.settle(1, Ok("1")));
    world.host.settle();
    assert_eq!(watched.told()[1..], ["running, after 700 ms"]);
    assert!(watched.last().is_none());
    assert!(sandbox.settle(2, Ok("3")));
    world.host.settle();
    assert_eq!(watched.last().unwrap().result.content, ["3"]);
}

#[test]
fn a_waiter_that_never_gets_its_turn_is_not_said_to_run() {
    let watched = Watched::over(Held::default(), |options| Options {
        admission: AdmissionOptions { sandbox_capacity: Some(1), admission_wait_ms: Some(500) },
        ..options
    });
    let _running = watched.world.execute(&watched.world.lease());
    let _run = watched.start(true);
    watched.world.host.pass(500);
    assert_eq!(watched.told(), ["waiting for a turn, 0 ahead"]);
    assert_eq!(watched.last().unwrap().outcome.answer.unwrap_err().code(), "sandbox-busy");
}

#[test]
fn calls_are_told_only_to_who_asks_each_with_how_it_went() {
    let calls: &[_] = &[("m.echo", 1), ("m.note", 1), ("copy.fails", 1), ("copy.all", 1)];
    let watched = Watched::calling(calls);
    let _run = watched.start(true);
    let steps: Vec<Step> = watched
        .parts
        .borrow()
        .iter()
        .filter_map(|part| match part {
            Part::Progress(progress) => Some(progress.step.clone()),
            Part::Last(_) => None,
        })
        .collect();
    let called =
        |ordinal, path: &str, outcome| Step::Called { ordinal, path: path.into(), outcome };
    let report = Report::new("copied").counted(1, None);
    let expected = [
        called(0, "m.echo", CallOutcome::Done),
        called(1, "m.note", CallOutcome::Refused(Reason::ReadOnly)),
        called(2, "copy.fails", CallOutcome::Failed("capability-failed")),
        Step::Report { ordinal: 3, path: "copy.all".into(), report },
        called(3, "copy.all", CallOutcome::Done),
    ];
    assert_eq!(steps, expected);
    assert_eq!(watched.told()[..2], ["m.echo: done", "m.note: read-only"]);
    assert!(watched.last().is_some());
    let unasked = Watched::calling(calls);
    let _run = unasked.start(false);
    assert_eq!(unasked.told(), ["copy.all: copied (1)"]);
}

#[test]
fn what_is_not_read_in_time_goes_the_oldest_first_and_is_counted() {
    let bound = u64::try_from(PROGRESS_PARTS).unwrap();
    for (reports, skipped) in [(bound - 1, 0), (bound, 0), (bound + 1, 1), (bound * 5, bound * 4)] {
        let calls: &'static [_] = vec![("copy.all", reports)].leak();
        let watched = Watched::calling(calls);
        let _run = watched.start(false);
        let parts = watched.parts.borrow();
        assert_eq!(parts.len() as u64, reports.min(bound) + 1);
        let Part::Progress(first) = &parts[0] else { panic!("{:?}", parts[0]) };
        assert_eq!(first.skipped, skipped);
        assert_eq!(first.to_string(), format!("copy.all: copied ({})", skipped + 1));
        let more = parts[1..].iter().filter(|part| match part {
            Part::Progress(progress) => progress.skipped > 0,
            Part::Last(_) => false,
        });
        assert_eq!(more.count(), 0, "each is counted once");
    }
}

#[test]
fn a_report_after_the_end_is_heard_by_nobody() {
    let watched = Watched::calling(&[("copy.late", 1)]);
    let mut run = watched.start(true);
    assert!(run.end().is_some());
    let parts = watched.parts.borrow().len();
    watched.kept.borrow()[0].reporter().report(Report::new("late"));
    watched.world.host.settle();
    assert_eq!(watched.parts.borrow().len(), parts);
}

#[test]
fn a_reader_who_goes_away_cancels_and_reports_go_nowhere() {
    let watched = Watched::calling(&[("copy.late", 1), ("copy.files", 100)]);
    let run = watched.start(true);
    watched.world.host.pass(1_000);
    watched.world.host.pass(1_000);
    assert_eq!(watched.told().len(), 3);
    drop(run);
    watched.world.host.pass(1_000);
    assert!(watched.kept.borrow()[0].cancellation().is_cancelled());
    watched.kept.borrow()[0].reporter().report(Report::new("late"));
    watched.world.host.pass(10_000);
    assert_eq!(watched.told().len(), 3);
}

#[test]
fn a_cancelled_run_ends_with_its_last_part_whatever_it_reported() {
    let watched = Watched::calling(&[("copy.files", 100)]);
    let prepared = watched.world.lease().execute_tool().prepare(&call("return 1")).unwrap();
    let cancellation = watched.world.runtime.cancellation();
    let parts = prepared.execute(cancellation.clone());
    let mut run = watched.world.host.start(async move { parts.collect::<Vec<_>>().await });
    watched.world.host.pass(1_000);
    cancellation.cancel(CALLER);
    let parts = run.end().unwrap();
    assert_eq!(parts.len(), 2);
    assert_eq!(parts[1].clone().last().unwrap().outcome.answer, Err(CALLER));
}

#[test]
fn a_prepared_call_that_runs_nothing_has_one_part() {
    let watched = Watched::over(says(Ok("1")), |options| options);
    let prepared = watched.world.lease().execute_tool().prepare(&call("return 1")).unwrap();
    for expected in [true, false, false] {
        let parts = prepared.execute(watched.world.runtime.cancellation());
        let parts = watched.world.host.run(parts.collect::<Vec<_>>()).unwrap();
        assert_eq!(parts.len(), 1);
        assert_eq!(parts[0].clone().last().unwrap().outcome.answer.is_ok(), expected);
    }
}
