//! The state machine.

use std::collections::BTreeSet;

use mycelium::pen::{Action, State, Step, Verdict};
use proptest::prelude::*;

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![Just(Action::Erase), Just(Action::Keep), Just(Action::Share)]
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![Just(Verdict::Accept), Just(Verdict::Reject), Just(Verdict::Observe)]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..100_u64).prop_map(|until_ms| Step::Start { until_ms }),
        Just(Step::End),
        (0..200_u64).prop_map(|now_ms| Step::Look { now_ms }),
        action().prop_map(Step::Decide),
        action().prop_map(Step::Settle),
        verdict().prop_map(Step::Review),
        verdict().prop_map(Step::Conclude),
    ]
}

/// The ways that the specification draws.
const WAYS: [(&str, &str); 9] = [
    ("draft", "executing"),
    ("executing", "completed"),
    ("completed", "erased"),
    ("completed", "kept"),
    ("completed", "shared"),
    ("shared", "reviewed"),
    ("reviewed", "accepted"),
    ("reviewed", "rejected"),
    ("reviewed", "observation"),
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_pen_goes_no_way_but_those_of_the_specification(steps in prop::collection::vec(step(), 0..40)) {
        let mut state = State::Draft;
        let mut decided = None;
        for step in steps {
            let Ok(next) = state.after(step) else { continue };
            if next.name() != state.name() {
                prop_assert!(WAYS.contains(&(state.name(), next.name())), "{} to {}", state.name(), next.name());
            }
            // What is decided once stays decided.
            if let State::Completed { decided: Some(action) } = next {
                prop_assert!(decided.is_none_or(|before| before == action));
                decided = Some(action);
            }
            // It is read back as it is.
            let text = serde_json::to_string(&next).unwrap();
            prop_assert_eq!(serde_json::from_str::<State>(&text).unwrap(), next);
            state = next;
        }
    }

    #[test]
    fn where_a_pen_has_ended_nothing_moves_it(step in step()) {
        for end in [State::Erased, State::Kept, State::Accepted, State::Rejected, State::Observation] {
            let after = end.after(step);
            prop_assert!(after.is_err() || after == Ok(end));
        }
    }
}

#[test]
fn every_way_of_the_specification_can_be_gone() {
    let mut gone = BTreeSet::new();
    let run = [Step::Start { until_ms: 9 }, Step::End];
    let actions = [Action::Erase, Action::Keep, Action::Share];
    let verdicts = [Verdict::Accept, Verdict::Reject, Verdict::Observe];
    for action in actions {
        for verdict in verdicts {
            let (mut state, mut steps) = (State::Draft, run.to_vec());
            steps.extend([Step::Decide(action), Step::Settle(action)]);
            if action == Action::Share {
                steps.extend([Step::Review(verdict), Step::Conclude(verdict)]);
            }
            for step in steps {
                let next = state.after(step).unwrap();
                gone.insert((state.name(), next.name()));
                state = next;
            }
        }
    }
    assert!(WAYS.iter().all(|way| gone.contains(way)), "{gone:?}");
}

#[test]
fn an_illegal_step_says_where_the_pen_is_and_what_to_do() {
    for (state, step, said) in [
        (State::Draft, Step::Decide(Action::Keep), "the pen is draft"),
        (State::Erased, Step::Decide(Action::Keep), "the pen is erased"),
        (State::Kept, Step::Review(Verdict::Accept), "only a shared pen is reviewed"),
        (
            State::Completed { decided: Some(Action::Keep) },
            Step::Decide(Action::Erase),
            "to keep it was decided before",
        ),
        (
            State::Reviewed { verdict: Verdict::Reject },
            Step::Review(Verdict::Accept),
            "to reject it was decided before",
        ),
    ] {
        let text = state.after(step).unwrap_err().to_string();
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn a_program_that_nobody_heard_of_again_has_ended() {
    let running = State::Executing { until_ms: 10 };
    assert_eq!(running.after(Step::Look { now_ms: 10 }), Ok(running));
    assert_eq!(running.after(Step::Look { now_ms: 11 }), Ok(State::Completed { decided: None }));
}
