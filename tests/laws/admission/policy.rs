//! What a host may decide, and how it is resolved.

use std::cell::Cell;

use mycelium::{
    runtime::{
        Options,
        admission::{AdmissionOptions, AdmissionPolicy, normalize_sandbox_admission_policy},
    },
    testing::Host,
};
use serde_json::{Value, json};

use crate::runtime::world::{Held, World, module};

const SAFE: u64 = 9_007_199_254_740_991;

fn resolved(document: &Value, cores: Option<usize>) -> Result<(u64, u64), String> {
    let options = AdmissionOptions::parse(document).map_err(|error| error.to_string())?;
    let policy = normalize_sandbox_admission_policy(&options, cores);
    policy
        .map(|policy| (policy.capacity(), policy.admission_wait_ms()))
        .map_err(|error| error.to_string())
}

#[test]
fn an_omitted_capacity_follows_the_cores_from_2_to_32() {
    let cases = [
        (None, 2),
        (Some(0), 2),
        (Some(1), 2),
        (Some(2), 2),
        (Some(3), 3),
        (Some(32), 32),
        (Some(33), 32),
        (Some(usize::MAX), 32),
    ];
    for (cores, expected) in cases {
        assert_eq!(resolved(&json!({}), cores), Ok((expected, 180_000)), "{cores:?}");
    }
}

#[test]
fn an_explicit_capacity_is_never_clamped() {
    for capacity in [1, 2, 32, 33, 64, SAFE] {
        let document = json!({"sandbox_capacity": capacity});
        assert_eq!(resolved(&document, Some(8)), Ok((capacity, 180_000)));
    }
}

#[test]
fn a_wait_is_taken_as_it_is_given() {
    for wait in [1, 5_000, 180_001, 900_000] {
        assert_eq!(resolved(&json!({"admission_wait_ms": wait}), None), Ok((2, wait)));
    }
}

#[test]
fn json_has_one_kind_of_number() {
    let document = json!({"sandbox_capacity": 6.0, "admission_wait_ms": 1e3});
    assert_eq!(resolved(&document, None), Ok((6, 1_000)));
}

#[test]
fn a_wrong_value_is_refused_by_its_key() {
    let values = [
        json!(0),
        json!(-1),
        json!(1.5),
        json!(f64::NAN),
        json!(1e300),
        json!(-0.0),
        json!("6"),
        json!(true),
        json!([6]),
        json!({"n": 6}),
        json!(SAFE + 1),
        json!(u64::MAX),
    ];
    for key in ["sandbox_capacity", "admission_wait_ms"] {
        for value in &values {
            let error = resolved(&json!({ key: value }), Some(4)).unwrap_err();
            assert!(error.starts_with(key) && error.contains("a whole number from 1"), "{error}");
        }
    }
    let error = resolved(&json!({"admission_wait_ms": 900_001}), None).unwrap_err();
    assert!(error.contains("900001") && error.contains("to 900000"), "{error}");
}

#[test]
fn an_unknown_key_is_refused_with_those_there_are() {
    let wrong = [json!({"sandboxCapacity": 6}), json!({"": 6}), json!([]), json!(6), Value::Null];
    for document in wrong {
        let error = resolved(&document, None).unwrap_err();
        assert!(error.contains("sandbox_capacity and admission_wait_ms"), "{error}");
    }
}

#[test]
fn a_hostile_key_or_value_is_shown_in_part() {
    let long = "x".repeat(1 << 20);
    for document in [json!({ long.clone(): 1 }), json!({"sandbox_capacity": long.clone()})] {
        assert!(resolved(&document, None).unwrap_err().len() < 400);
    }
}

#[test]
fn options_made_in_code_are_held_to_the_same_bounds() {
    for (capacity, wait, key) in [
        (Some(0), None, "sandbox_capacity"),
        (Some(SAFE + 1), None, "sandbox_capacity"),
        (None, Some(0), "admission_wait_ms"),
        (None, Some(900_001), "admission_wait_ms"),
    ] {
        let options = AdmissionOptions { sandbox_capacity: capacity, admission_wait_ms: wait };
        let error = normalize_sandbox_admission_policy(&options, Some(4)).unwrap_err();
        assert_eq!(error.key(), key);
    }
}

#[test]
fn cores_are_counted_once_and_not_when_the_capacity_is_given() {
    for (capacity, expected, counted) in [(None, 7, 1), (Some(64), 64, 0)] {
        let count = Cell::new(0);
        let cores = || {
            count.set(count.get() + 1);
            Some(7)
        };
        let options = AdmissionOptions { sandbox_capacity: capacity, admission_wait_ms: None };
        let policy = AdmissionPolicy::open(&options, cores).unwrap();
        assert_eq!((policy.capacity(), count.get()), (expected, counted));
    }
}

#[test]
fn normalizing_keeps_no_slot_and_starts_no_sandbox() {
    let sandbox = Held::default();
    let host = Host::new();
    let admission = AdmissionOptions { sandbox_capacity: Some(2), admission_wait_ms: None };
    let options = Options { admission, ..host.options(vec![module()], sandbox.clone()) };
    let admission = options.admission.clone();
    let world = World::open(host, options);
    let lease = world.lease();
    let normalize = || {
        let policy = normalize_sandbox_admission_policy(&admission, None).unwrap();
        assert_eq!(policy.capacity(), 2);
    };
    // Before, between and while the pool is full: as many run as without it.
    (0..100).for_each(|_| normalize());
    let sleepers = world.host.time().sleepers();
    normalize();
    assert_eq!((sandbox.runs(), world.host.time().sleepers()), (0, sleepers));
    let mut running = Vec::new();
    for expected in [1, 2, 2] {
        normalize();
        running.push(world.execute(&lease));
        normalize();
        assert_eq!(sandbox.runs(), expected);
    }
    (0..100).for_each(|_| normalize());
    world.host.settle();
    assert_eq!(sandbox.runs(), 2, "the third waits for one of the two");
    assert!(sandbox.settle(0, Ok("1")));
    world.host.settle();
    assert_eq!(sandbox.runs(), 3);
}
