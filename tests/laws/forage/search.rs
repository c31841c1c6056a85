//! What a search puts first, forgives and merges.

use mycelium::forage::{Catalog, Helper, OperationDefinition, SearchQuery, create_catalog};
use serde_json::{Value, json};

use super::catalog::{catalog, defined};

fn paths(catalog: &Catalog, query: &str) -> Vec<String> {
    let found = catalog.search(&SearchQuery::new(query)).unwrap();
    found.results.into_iter().map(|summary| summary.path).collect()
}

fn with(path: &str, properties: Value) -> OperationDefinition {
    OperationDefinition::new(path, json!({"type": "object", "properties": properties}))
}

#[test]
fn the_exact_path_comes_first_and_then_what_it_begins() {
    let catalog = create_catalog(
        "1",
        [
            defined("files.read").describe("x"),
            defined("files.readAll").describe("files read files read files read"),
            defined("other.files").describe("files.read files read read files"),
            defined("files.write"),
        ],
    )
    .unwrap();
    assert_eq!(paths(&catalog, "files.read")[..2], ["files.read", "files.readAll"]);
    assert_eq!(paths(&catalog, "env.files.readAll()")[0], "files.readAll");
    assert_eq!(paths(&catalog, "FILES.READ")[0], "files.read");
    assert_eq!(paths(&catalog, "files").last().unwrap(), "other.files");
}

#[test]
fn every_text_of_an_operation_is_searched() {
    let catalog = create_catalog(
        "1",
        [
            defined("a.createPullRequest"),
            defined("b.x").describe("Waters the garden."),
            with("c.x", json!({"temperature": {"type": "number"}})),
            with("d.x", json!({"p": {"description": "in furlongs"}})),
            defined("e.x").note("never on Sundays"),
            defined("f.x").instructions("first ask the librarian"),
            with("g.x", json!({"list": {"items": {"properties": {"surname": {}}}}})),
        ],
    )
    .unwrap();
    for (query, path) in [
        ("pull requests", "a.createPullRequest"),
        ("gardens", "b.x"),
        ("temperatures", "c.x"),
        ("furlong", "d.x"),
        ("sunday", "e.x"),
        ("librarians", "f.x"),
        ("surname", "g.x"),
        ("e", "e.x"),
    ] {
        assert_eq!(paths(&catalog, query)[0], path, "{query}");
    }
    assert_eq!(paths(&catalog, "zzzz"), [""; 0]);
}

#[test]
fn slips_of_letters_beginnings_and_other_words_are_forgiven() {
    let catalog = catalog(&["repos.deleteRepository", "mail.send", "time.zone"]);
    for query in ["repostiory", "repositry", "reposi", "remove repository", "erase"] {
        assert_eq!(
            paths(&catalog, query).first().map(String::as_str),
            Some("repos.deleteRepository"),
            "{query}"
        );
    }
}

#[test]
fn equal_scores_are_in_the_order_of_paths() {
    let operations = ["d.x", "b.x", "a.x", "c.x"]
        .map(|path| defined(path).describe(format!("does work {}", &path[..1])));
    let catalog = create_catalog("1", operations).unwrap();
    assert_eq!(paths(&catalog, "work"), ["a.x", "b.x", "c.x", "d.x"]);
}

#[test]
fn equivalent_operations_are_one_result_with_peers() {
    let read = |place: &str| defined(&format!("computers.{place}.read")).describe("Reads a file.");
    let mut operations: Vec<_> = ["local", "remote", "third"].map(read).into();
    operations.push(read("other").note("Only on Mondays."));
    operations.push(with("computers.more.read", json!({"path": {}})).describe("Reads a file."));
    let catalog = create_catalog("1", operations).unwrap();
    let found = catalog.search(&SearchQuery::new("read a file")).unwrap().results;
    assert_eq!(found.len(), 3);
    let merged = found.iter().find(|summary| !summary.peers.is_empty()).unwrap();
    let mut all = merged.peers.clone();
    all.push(merged.path.clone());
    all.sort();
    assert_eq!(all, ["computers.local.read", "computers.remote.read", "computers.third.read"]);
    let query =
        SearchQuery { namespace: Some("computers.remote".into()), ..SearchQuery::new("read") };
    let found = catalog.search(&query).unwrap().results;
    assert_eq!(
        (found.len(), found[0].path.as_str(), found[0].peers.len()),
        (1, "computers.remote.read", 0)
    );
}

#[test]
fn many_peers_are_counted_and_found_beyond_the_last_result() {
    let operations =
        (0..60).map(|number| defined(&format!("c.m{number:02}.read")).describe("Reads."));
    let catalog = create_catalog("1", operations).unwrap();
    let query = SearchQuery { limit: Some(1), ..SearchQuery::new("reads") };
    let found = catalog.search(&query).unwrap().results;
    assert_eq!((found.len(), found[0].peers.len(), found[0].more_peers), (1, 20, 39));
}

#[test]
fn a_hit_has_a_signature_a_sample_and_a_score() {
    let read = OperationDefinition::new(
        "files.read",
        json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"], "additionalProperties": false}),
    )
    .output(json!({"type": "string"}))
    .describe("Reads a file.");
    let catalog = create_catalog("1", [read]).unwrap();
    let answer = catalog.answer(Helper::Search, &json!({"query": "read"})).unwrap();
    let hit = &answer["results"][0];
    assert_eq!(hit["sample"], r#"await env.files.read({"path":"text"})"#);
    assert!(hit["signature"].as_str().unwrap().starts_with("files.read(input: "), "{hit}");
    assert!(hit["signature"].as_str().unwrap().contains("): Promise<"), "{hit}");
    assert!(hit["score"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_question_that_is_none_is_refused_with_one_that_is() {
    let catalog = catalog(&["a.b"]);
    for (input, expected) in [
        (json!(null), "the input is an object"),
        (json!(["read"]), "the input is an object"),
        (json!("  "), "query is empty"),
        (json!({}), "query is missing"),
        (json!({"query": 1}), "query is a string"),
        (json!({"query": "  "}), "query is empty"),
        (json!({"query": "x".repeat(1_025)}), "query has more than 1024 bytes"),
        (json!({"query": "x", "limit": 51}), "limit is a whole number from 1 to 50"),
        (
            json!({"query": "x", "text": 1}),
            "there is no key \"text\", the keys are query, limit, namespace",
        ),
        (json!({"query": "x", "namespace": 1}), "namespace is a string"),
    ] {
        let error = catalog.answer(Helper::Search, &input).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

#[test]
fn ten_results_are_given_and_fifty_at_most() {
    let operations = (0..60)
        .map(|number| defined(&format!("a.b{number:02}")).describe(format!("does work {number}")));
    let catalog = create_catalog("1", operations).unwrap();
    assert_eq!(paths(&catalog, "work").len(), 10);
    let query = SearchQuery { limit: Some(50), ..SearchQuery::new("work") };
    assert_eq!(catalog.search(&query).unwrap().results.len(), 50);
}
