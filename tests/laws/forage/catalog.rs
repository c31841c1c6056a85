//! What a catalog refuses, what it hides, and its stamp.

use std::{cell::Cell, rc::Rc};

use mycelium::{
    Module, Operation,
    forage::{Catalog, ForageError, Helper, ListQuery, OperationDefinition, create_catalog},
    limits::{DESCRIBE_BYTES, METADATA_BYTES},
    operation::{self, Access, Labels, Replay},
};
use proptest::prelude::*;
use serde_json::{Value, json};

pub(super) fn defined(path: &str) -> OperationDefinition {
    OperationDefinition::new(path, json!({"type": "object"}))
}

pub(super) fn catalog(paths: &[&str]) -> Catalog {
    create_catalog("1", paths.iter().copied().map(defined)).unwrap()
}

/// A runtime's catalog of modules with one operation `o` each.
pub(super) fn bound(modules: &[&str]) -> operation::Catalog {
    let module = |id: &&str| {
        let operation = Operation::new(json!({}), |_, _| async { Ok(json!(null)) });
        Module::new(*id, *id).operation("o", operation)
    };
    operation::Catalog::new(modules.iter().map(module)).unwrap()
}

#[test]
fn a_catalog_that_breaks_a_rule_is_refused_by_path() {
    let text = |bytes| "x".repeat(bytes);
    let cases: Vec<(Vec<OperationDefinition>, &str)> = vec![
        (vec![], "at least one operation"),
        (vec![defined("a.b"), defined("a.b")], "two operations have the path a.b"),
        (
            vec![defined("a.b.c"), defined("a.b")],
            "a.b is an operation and can't be the namespace of a.b.c",
        ),
        (vec![defined("a$b.c")], "the path \"a$b.c\""),
        (vec![defined("")], "the path \"\""),
        (vec![defined("a..b")], "the path \"a..b\""),
        (vec![defined("env.x")], "reserved"),
        (vec![defined("a.then")], "JavaScript objects answer"),
        (vec![defined("a.__proto__")], "JavaScript objects answer"),
        (
            vec![OperationDefinition::new("a.b", json!({"type": 1}))],
            "a.b: the input schema is refused",
        ),
        (vec![defined("a.b").output(json!([]))], "a.b: the output schema is refused"),
        (
            vec![defined("a"), defined("b").describe(text(DESCRIBE_BYTES))],
            "the description of b has at least",
        ),
    ];
    for (operations, expected) in cases {
        let error = create_catalog("1", operations).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

#[test]
fn the_texts_of_a_catalog_are_bounded_together() {
    let each = 60_000;
    let count = METADATA_BYTES / each + 1;
    let operation = |number| defined(&format!("a{number:05}.b")).describe("x".repeat(each));
    assert!(create_catalog("1", (0..count - 1).map(operation)).is_ok());
    let error = create_catalog("1", (0..count).map(operation)).unwrap_err();
    let ForageError::MetadataTooLarge { path, bytes, bound } = error else { panic!("{error}") };
    assert_eq!((path, bound), (format!("a{:05}.b", count - 1), METADATA_BYTES));
    assert!(bytes > bound);
}

fn labelled(access: Access, confirm: bool, replay: Replay) -> OperationDefinition {
    defined("a.b").labels(Labels { access, confirm, replay })
}

#[test]
fn the_stamp_changes_with_everything_that_is_said_and_with_nothing_else() {
    let stamp = |operation| create_catalog("1", [operation]).unwrap().stamp();
    let same = OperationDefinition::new("a.b", json!({"type": "object", "title": "t"}));
    let reordered: Value = serde_json::from_str(r#"{"title":"t","type":"object"}"#).unwrap();
    assert_eq!(stamp(same.clone()), stamp(OperationDefinition::new("a.b", reordered)));
    let revised = create_catalog("2", [same.clone()]).unwrap();
    assert_eq!((revised.revision(), revised.stamp()), ("2", stamp(same)));
    let variants = [
        defined("a.b"),
        defined("a.c"),
        defined("a.b").describe("d"),
        defined("a.b").note("d"),
        defined("a.b").note("d").note("e"),
        defined("a.b").note("e").note("d"),
        defined("a.b").instructions("d"),
        defined("a.b").instructions(""),
        defined("a.b").output(json!({})),
        defined("a.b").output(json!({"type": "object"})),
        defined("a.b").third_party(),
        OperationDefinition::new("a.b", json!({"type": "object", "title": "t"})),
        labelled(Access::Read, false, Replay::Unsafe),
        labelled(Access::Write, true, Replay::Unsafe),
        labelled(Access::Write, false, Replay::Safe),
    ];
    let stamps: std::collections::BTreeSet<_> = variants.iter().cloned().map(stamp).collect();
    assert_eq!(stamps.len(), variants.len());
    assert_eq!(stamp(variants[0].clone()).to_string(), STAMP);
}

/// The stamp of one known operation, the same wherever it is made.
const STAMP: &str = "c8358be2b22392e74f52d46dccc0e5dba8568ecd49fbfad92fb658b1ca73eae5";

/// The stamp of the module `demo`, which miniflare-tests/forage.test.mjs finds in the Worker.
const DEMO_STAMP: &str = "0b6e210c541a0081416f9ea513263cf4b29fc61a6aa9b35826bcbbefff7b5665";

#[test]
fn the_stamp_of_the_demo_is_the_one_that_the_worker_has() {
    let demo = operation::Catalog::new([mycelium::demo()]).unwrap();
    assert_eq!(Catalog::over(&demo).stamp().to_string(), DEMO_STAMP);
}

#[test]
fn a_view_shows_and_counts_only_what_it_keeps() {
    let whole = Catalog::over(&bound(&["a", "b", "c"]));
    let view = whole.filtered(|module| module != "b");
    assert_eq!((whole.len(), view.len()), (3, 2));
    let page = view.list(&ListQuery::default()).unwrap();
    let paths: Vec<_> = page.results.iter().map(|summary| summary.path.as_str()).collect();
    assert_eq!((paths, page.total), (vec!["a.o", "c.o"], 2));
    assert!(matches!(view.describe("b.o"), Err(ForageError::Unknown { nearest, .. })
        if nearest.iter().all(|path| path != "b.o")));
    assert!(view.describe("b").is_err() && whole.describe("b").is_ok());
    let found = view.search(&mycelium::forage::SearchQuery::new("b.o")).unwrap();
    assert!(
        found
            .results
            .iter()
            .all(|summary| summary.path != "b.o" && summary.peers.iter().all(|peer| peer != "b.o"))
    );
    assert!(view.filtered(|module| module != "a").list(&ListQuery::default()).unwrap().total == 1);
}

#[test]
fn a_view_is_stamped_as_a_catalog_of_what_it_shows() {
    let view = Catalog::over(&bound(&["a", "b"])).filtered(|module| module != "b");
    assert_eq!(view.stamp(), Catalog::over(&bound(&["a"])).stamp());
    let all = Catalog::over(&bound(&["a", "b"]));
    assert_eq!(all.filtered(|_| true).stamp(), all.stamp());
    assert_ne!(all.stamp(), view.stamp());
}

#[test]
fn no_question_runs_an_operation() {
    let runs = Rc::new(Cell::new(0));
    let count = Rc::clone(&runs);
    let operation = Operation::new(json!({}), move |_, _| {
        count.set(count.get() + 1);
        async { Ok(json!(null)) }
    });
    let module = Module::new("a", "a").operation("o", operation);
    let catalog = Catalog::over(&operation::Catalog::new([module]).unwrap());
    for (helper, input) in [
        (Helper::Search, json!({"query": "a.o"})),
        (Helper::List, json!({})),
        (Helper::Describe, json!({"path": "a.o"})),
    ] {
        assert!(catalog.answer(helper, &input).unwrap().to_string().contains("a.o"));
    }
    assert_eq!(runs.get(), 0);
}

#[test]
fn a_runtime_without_operations_has_an_empty_catalog() {
    let empty = Catalog::over(&bound(&[]));
    let page = empty.list(&ListQuery::default()).unwrap();
    assert_eq!((page.total, page.results.len(), page.next_cursor), (0, 0, None));
    assert!(empty.is_empty());
    assert_eq!(empty.search(&mycelium::forage::SearchQuery::new("x")).unwrap().results, []);
    assert!(matches!(empty.describe("x"), Err(ForageError::Unknown { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_order_of_registration_shows(mut order in Just((0..12).collect::<Vec<usize>>()).prop_shuffle()) {
        let operation = |number: &usize| defined(&format!("a{}.b{number}", number % 3)).describe(format!("does {number}"));
        let shuffled = create_catalog("1", order.iter().map(operation)).unwrap();
        order.sort();
        let sorted = create_catalog("1", order.iter().map(operation)).unwrap();
        prop_assert_eq!(shuffled.stamp(), sorted.stamp());
        prop_assert_eq!(shuffled.list(&ListQuery::default()), sorted.list(&ListQuery::default()));
        let query = mycelium::forage::SearchQuery::new("does 3");
        prop_assert_eq!(shuffled.search(&query), sorted.search(&query));
        prop_assert_eq!(shuffled.describe("a1"), sorted.describe("a1"));
    }
}
