//! Pages: each operation once, in one order, and a cursor that goes on nowhere else.

use mycelium::forage::{
    Catalog, CursorFault, ForageError, Helper, ListQuery, Page, create_catalog,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::catalog::{bound, catalog, defined};

fn page(catalog: &Catalog, limit: usize, cursor: Option<&str>) -> Result<Page, ForageError> {
    catalog.list(&ListQuery {
        limit: Some(limit),
        cursor: cursor.map(str::to_owned),
        namespace: None,
    })
}

fn all(catalog: &Catalog, limit: usize, namespace: Option<&str>) -> Vec<String> {
    let (mut paths, mut cursor) = (Vec::new(), None);
    loop {
        let namespace = namespace.map(str::to_owned);
        let page = catalog.list(&ListQuery { limit: Some(limit), cursor, namespace }).unwrap();
        assert!(page.results.len() <= limit);
        paths.extend(page.results.into_iter().map(|summary| summary.path));
        cursor = page.next_cursor;
        if cursor.is_none() {
            assert_eq!(paths.len(), page.total);
            return paths;
        }
    }
}

#[test]
fn operations_are_in_the_order_of_utf16_code_units_by_first_name_and_then_by_path() {
    // By UTF-8 U+FF21 comes before U+1D49C, by UTF-16 after it.
    let paths = ["b.a", "Ａ.x", "𝒜.x", "a_.x", "a.z.y", "a.z_", "a.b", "a1.x", "Z.x"];
    let expected = ["Z.x", "a.b", "a.z.y", "a.z_", "a1.x", "a_.x", "b.a", "𝒜.x", "Ａ.x"];
    assert_eq!(all(&catalog(&paths), 50, None), expected);
}

#[test]
fn a_page_has_results_total_stamp_and_cursor_and_a_summary_scores_nothing() {
    let read = defined("files.read").describe("Reads.").note("Only small files.");
    let catalog = create_catalog("1", [read, defined("files.write")]).unwrap();
    let answer = catalog.answer(Helper::List, &json!({"limit": 1})).unwrap();
    let stamp = catalog.stamp().to_string();
    assert_eq!((&answer["total"], &answer["catalogStamp"]), (&json!(2), &json!(stamp)));
    assert_eq!(answer["results"][0]["path"], "files.read");
    assert_eq!(answer["results"][0]["description"], "Reads.");
    assert_eq!(answer["results"][0]["sample"], "await env.files.read({})");
    assert_eq!(answer["results"][0]["capabilityNotes"], json!(["Only small files."]));
    assert_eq!(answer["results"][0]["score"], 0.0);
    let last = json!({"limit": 1, "cursor": answer["nextCursor"]});
    assert_eq!(catalog.answer(Helper::List, &last).unwrap()["nextCursor"], Value::Null);
    let keys: Vec<_> = answer.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["catalogStamp", "nextCursor", "results", "total"]);
}

#[test]
fn a_limit_is_a_whole_number_from_1_to_50_and_is_never_clamped() {
    let paths: Vec<String> = (0..60).map(|number| format!("a.b{number:02}")).collect();
    let catalog = catalog(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    for limit in
        [json!(0), json!(51), json!(1.5), json!("10"), json!(-1), json!(null), json!(1e300)]
    {
        let error = catalog.answer(Helper::List, &json!({"limit": limit})).unwrap_err();
        assert!(error.to_string().contains("limit is a whole number from 1 to 50"), "{error}");
    }
    for (input, count) in [(json!({}), 50), (json!({"limit": 50.0}), 50), (json!({"limit": 1}), 1)]
    {
        let answer = catalog.answer(Helper::List, &input).unwrap();
        assert_eq!(answer["results"].as_array().unwrap().len(), count);
    }
}

#[test]
fn a_namespace_is_whole_names_and_has_what_is_nested_in_it() {
    let paths = ["apps.baz.o", "apps.bazaar.o", "apps.bazaar.windows.open", "apps.o"];
    let catalog = catalog(&paths);
    assert_eq!(all(&catalog, 1, Some("apps.bazaar")), paths[1..3]);
    assert_eq!(all(&catalog, 50, Some("apps.baz")), paths[..1]);
    assert_eq!(all(&catalog, 2, Some("apps")), paths);
    for unknown in ["app", "apps.bazaa", "apps.", "", "apps.o", "nobody"] {
        assert_eq!(all(&catalog, 50, Some(unknown)), [""; 0], "{unknown}");
    }
}

#[test]
fn equivalent_operations_are_not_merged_in_a_list() {
    assert_eq!(all(&catalog(&["a.read", "b.read"]), 50, None), ["a.read", "b.read"]);
}

#[test]
fn a_cursor_of_another_catalog_namespace_or_view_fails_and_so_does_a_forged_one() {
    let ours = catalog(&["a.b", "a.c", "a.d"]);
    let cursor = page(&ours, 1, None).unwrap().next_cursor.unwrap();
    assert!(page(&ours, 1, Some(&cursor)).is_ok());
    let fault = |result: Result<Page, ForageError>| match result {
        Err(ForageError::Cursor(fault)) => fault,
        other => panic!("{other:?}"),
    };
    let other = catalog(&["a.b", "a.c", "a.e"]);
    assert_eq!(fault(page(&other, 1, Some(&cursor))), CursorFault::Catalog);
    let namespace = Some("a".to_owned());
    let query = ListQuery { limit: Some(1), cursor: Some(cursor.clone()), namespace };
    assert_eq!(fault(ours.list(&query)), CursorFault::Namespace);
    let whole = Catalog::over(&bound(&["a", "b", "c"]));
    let view = whole.filtered(|module| module != "c");
    let cursor_of = |catalog| page(catalog, 1, None).unwrap().next_cursor.unwrap();
    assert_eq!(fault(page(&view, 1, Some(&cursor_of(&whole)))), CursorFault::Catalog);
    assert_eq!(fault(page(&whole, 1, Some(&cursor_of(&view)))), CursorFault::Catalog);
    let further = format!("00000002{}", &cursor[8..]);
    let longer = format!("{cursor}0");
    for forged in ["", "1", "zz", "日本", &"0".repeat(56), &further, &longer, &cursor[..55]] {
        assert_eq!(fault(page(&ours, 1, Some(forged))), CursorFault::Forged, "{forged}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_list_has_each_operation_exactly_once(
        names in proptest::collection::btree_set("[a-cＡ𝒜]{1,2}\\.[a-z]{1,3}", 1..40),
        seed in any::<u64>(),
        limit in 1..=50_usize,
    ) {
        let mut paths: Vec<&String> = names.iter().collect();
        let turn = usize::try_from(seed).unwrap_or_default() % paths.len();
        paths.rotate_left(turn);
        let catalog = create_catalog("1", paths.iter().map(|path| defined(path))).unwrap();
        let listed = all(&catalog, limit, None);
        let mut expected: Vec<String> = names.iter().cloned().collect();
        expected.sort_by(|left, right| left.encode_utf16().cmp(right.encode_utf16()));
        prop_assert_eq!(listed, expected);
    }

    #[test]
    fn no_text_is_a_cursor_by_chance(text in ".{0,80}") {
        let ours = catalog(&["a.b", "a.c"]);
        prop_assert!(page(&ours, 1, Some(&text)).is_err());
    }
}
