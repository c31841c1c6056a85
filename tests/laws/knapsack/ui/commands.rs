//! Commands from a program to a page and back.

use mycelium::Failure;
use serde_json::json;

use super::{World, code, declaration};

#[test]
fn discover_lists_the_commands_that_the_page_declares_now_and_shows_agents() {
    let world = World::new();
    let mut page = world.page();
    let mut hidden = declaration();
    hidden["hidden"] = json!(true);
    for (methods, names) in [
        (json!({"list.add": declaration(), "secret": hidden}), vec!["list.add"]),
        (json!({"b": declaration(), "a": declaration()}), vec!["a", "b"]),
        (json!({}), vec![]),
    ] {
        let mut calling = world.calling("discover", json!({}));
        let request = page.asked().unwrap();
        let (status, told) = page.claim(&request, &json!({}));
        assert_eq!(status, 200);
        let claim = told["claim"].as_str().unwrap();
        assert!(told.get("input").is_none());
        assert_eq!(page.result(&request, claim, json!({"methods": methods})), 204);
        let found = calling.end().unwrap().unwrap();
        let listed: Vec<&str> = found["commands"]
            .as_array()
            .unwrap()
            .iter()
            .map(|command| command["name"].as_str().unwrap())
            .collect();
        assert_eq!(listed, names);
        if let Some(first) = found["commands"].get(0) {
            assert_eq!(first["input"]["required"], json!(["text"]));
            assert_eq!(first["output"], json!({"type": "integer"}));
            assert_eq!(first["effect"], "write");
        }
    }
}

#[test]
fn a_command_is_claimed_then_run_and_its_result_is_the_programs() {
    let world = World::new();
    let mut page = world.page();
    let mut executing = world.executing();
    let event = page.next("request").unwrap();
    assert_eq!(event["command"], "list.add");
    assert!(!event.to_string().contains("milk"), "before it claims, a page can't run it");
    let request = event["request"].as_str().unwrap();
    let (status, told) = page.claim(request, &json!({"declaration": declaration()}));
    assert_eq!((status, &told["input"]), (200, &json!({"text": "milk"})));
    assert!(executing.end().is_none());
    assert_eq!(page.result(request, told["claim"].as_str().unwrap(), 7), 204);
    let last = executing.end().unwrap();
    assert_eq!(last.result.content[0], "7");
}

#[test]
fn of_two_pages_the_first_claim_wins_and_only_its_result_is_taken_once() {
    let world = World::new();
    let (mut one, mut other) = (world.page(), world.page());
    let mut adding = world.adding("milk");
    let request = one.asked().unwrap();
    assert_eq!(other.asked().as_deref(), Some(&*request), "both hear it");
    assert_eq!(one.result(&request, "", 1), 409, "a result without a claim");
    let claim = one.take(&request);
    let (status, told) = other.claim(&request, &json!({"declaration": declaration()}));
    assert_eq!(status, 409, "{told}");
    assert!(told.get("input").is_none() && told.get("claim").is_none());
    assert_eq!(other.result(&request, &claim, 2), 409, "another page's result");
    assert_eq!(one.result(&request, "other", 3), 409, "another claim");
    assert!(adding.end().is_none());
    assert_eq!(one.result(&request, &claim, 4), 204);
    assert_eq!(one.result(&request, &claim, 5), 409, "a second result");
    assert_eq!(adding.end().unwrap().unwrap(), json!(4));
    assert_eq!(one.claim(&request, &json!({})).0, 409, "what is over can't be claimed");
}

#[test]
fn a_claim_whose_answer_was_lost_is_answered_the_same_again() {
    let world = World::new();
    let mut page = world.page();
    let _adding = world.adding("milk");
    let request = page.asked().unwrap();
    assert_eq!(page.take(&request), page.take(&request));
}

#[test]
fn input_that_the_command_does_not_take_reaches_no_page() {
    let world = World::new();
    let mut page = world.page();
    let mut adding = world.adding("");
    let request = page.asked().unwrap();
    let (status, told) = page.claim(&request, &json!({"declaration": declaration()}));
    assert!(status == 409 && told.get("input").is_none(), "{told}");
    let failure = adding.end().unwrap().unwrap_err();
    assert_eq!(failure.code(), "input-invalid");
    assert!(failure.to_string().contains("/text"), "{failure}");
}

#[test]
fn a_command_that_the_app_has_not_is_answered_with_those_that_it_has() {
    let world = World::new();
    let mut page = world.page();
    for (said, listed) in [(json!({"known": ["list.put", "list.drop"]}), true), (json!({}), false)]
    {
        let mut adding = world.adding("milk");
        let request = page.asked().unwrap();
        assert_eq!(page.claim(&request, &said).0, 409);
        let failure = adding.end().unwrap().unwrap_err();
        assert_eq!(failure.code(), "operation-unknown");
        assert_eq!(failure.to_string().contains("list.put, list.drop"), listed, "{failure}");
        assert!(failure.to_string().contains("ui.discover"), "{failure}");
    }
}

#[test]
fn a_declaration_that_breaks_a_rule_is_told_to_program_and_page() {
    let world = World::new();
    let mut page = world.page();
    let mut adding = world.adding("milk");
    let request = page.asked().unwrap();
    let bad = json!({"input": {"$ref": "#/x"}, "output": {}});
    assert_eq!(page.claim(&request, &json!({"declaration": bad})).0, 409);
    let failure = adding.end().unwrap().unwrap_err();
    assert!(failure.to_string().contains("nothing was run"), "{failure}");
    let mut calling = world.calling("discover", json!({}));
    let request = page.asked().unwrap();
    let claim = page.claim(&request, &json!({})).1["claim"].as_str().unwrap().to_owned();
    let (status, told) = page.send(&request, &claim, &json!({"value": {"methods": {"a": bad}}}));
    assert!(status == 422 && told["error"].as_str().unwrap().contains("refused"), "{told}");
    assert_eq!(code(calling.end()), "output-invalid");
}

#[test]
fn a_result_other_than_declared_is_told_to_program_and_page() {
    let world = World::new();
    let mut page = world.page();
    let mut adding = world.adding("milk");
    let request = page.asked().unwrap();
    let claim = page.take(&request);
    let (status, told) = page.send(&request, &claim, &json!({"value": "seven"}));
    assert_eq!(status, 422, "{told}");
    assert_eq!(code(adding.end()), "output-invalid");
}

#[test]
fn a_command_that_fails_says_so_in_its_own_words() {
    let world = World::new();
    let mut page = world.page();
    let mut adding = world.adding("milk");
    let request = page.asked().unwrap();
    let claim = page.take(&request);
    assert_eq!(page.send(&request, &claim, &json!({"error": {"message": "no milk"}})).0, 204);
    let failure = adding.end().unwrap().unwrap_err();
    assert_eq!(failure.code(), "capability-failed");
    assert!(failure.to_string().contains("no milk"), "{failure}");
}

#[test]
fn bodies_that_are_not_as_they_must_be_change_nothing() {
    let world = World::new();
    let mut page = world.page();
    let mut adding = world.adding("milk");
    let request = page.asked().unwrap();
    let claim = page.take(&request);
    let huge = "x".repeat(mycelium::limits::BROWSER_BODY_BYTES);
    for (body, status) in [
        (json!([]), 400),
        (json!({"client": page.client, "request": request}), 400),
        (json!({"client": page.client, "request": 1, "claim": claim, "value": 1}), 400),
        (json!({"client": page.client, "request": request, "claim": claim, "value": huge}), 413),
    ] {
        assert_eq!(page.post("results", &body).0, status);
        assert!(adding.end().is_none());
    }
    assert_eq!(page.post("claims", &json!({"client": page.client})).0, 400);
    assert_eq!(page.result(&request, &claim, 1), 204);
    assert!(matches!(adding.end(), Some(Ok::<_, Failure>(_))));
}
