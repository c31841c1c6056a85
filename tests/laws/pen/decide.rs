//! Deciding, sharing and reviewing.

use mycelium::port::Storage;
use serde_json::{Value, json};

use super::world::{Does, World, manifest};

const ID: &str = "MPP-ink-20260501-001";
const KEPT: &str = ".github/persona-brain/ink/pen-private/MPP-ink-20260501-001/";
const INBOX: &str = "factory/module-registry/inbox/MPP-ink-20260501-001/";
const LIBRARY: &str = "factory/shared/MPP-ink-20260501-001/";

/// A world with one completed pen.
fn world() -> World {
    let world = World::new(
        "return 3",
        vec![Does::Log("log", "canary-out"), Does::Done(json!("canary-result"))],
    );
    assert_eq!(world.write(json!({})).unwrap()["pen_id"], ID);
    world
}

fn decide(world: &World, action: &str) -> Result<Value, mycelium::Failure> {
    let mut input = json!({"pen_id": ID, "action": action});
    if action == "share" {
        input["manifest"] = manifest(ID);
    }
    world.call("decide", input)
}

fn review(world: &World, verdict: &str) -> Result<Value, mycelium::Failure> {
    let input = json!({"pen_id": ID, "verdict": verdict, "reason": "because of canary"});
    world.call_as("member:zhu", "review", input)
}

fn objects(folder: &str, names: &[&str]) -> Vec<String> {
    names.iter().map(|name| format!("{folder}{name}")).collect()
}

/// Everything that a persona's book has written.
fn rows(world: &World) -> String {
    let rows = world.books.of("ink");
    rows.list("").unwrap().into_iter().map(|(key, text)| format!("{key} {text}\n")).collect()
}

#[test]
fn what_is_kept_lies_under_its_persona_and_is_the_output() {
    let world = world();
    let decided = decide(&world, "keep").unwrap();
    assert_eq!(decided["state"], "kept");
    assert_eq!(world.bucket.keys(), objects(KEPT, &["code.mjs", "pen.json"]));
    let pen: Value =
        serde_json::from_str(&world.bucket.text(&format!("{KEPT}pen.json")).unwrap()).unwrap();
    assert_eq!(pen["execution"]["result"], "canary-result");
    assert_eq!(pen["code"].as_str(), world.bucket.text(&format!("{KEPT}code.mjs")).as_deref());
    assert_eq!(pen["pen_id"], ID);
    assert!(!rows(&world).contains("canary"), "it lies in its objects alone");
}

#[test]
fn what_is_erased_is_gone_and_its_audit_stays() {
    let world = world();
    assert!(rows(&world).contains("canary-result"));
    assert_eq!(decide(&world, "erase").unwrap()["state"], "erased");
    assert!(world.bucket.keys().is_empty());
    let left = rows(&world);
    assert!(!left.contains("canary") && !left.contains("return 3"), "{left}");
    assert!(!world.host.lines().join("\n").contains("canary"));
    assert_eq!(
        world.events(),
        ["drafted", "executing", "completed", "suggested", "decided", "erased"]
    );
    let page = world.call("audit", json!({"persona_id": "ink", "pen_id": ID})).unwrap();
    let last = page["entries"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((last["state"].as_str(), last["pen_id"].as_str()), (Some("erased"), Some(ID)));
    assert_eq!(last["code_hash"].as_str().unwrap().len(), 64);
    assert_eq!(last["intent_hash"].as_str().unwrap().len(), 64);
}

#[test]
fn what_is_shared_lies_in_the_inbox_with_its_whole_manifest() {
    let world = world();
    world.host.time().pass(1_234);
    assert_eq!(decide(&world, "share").unwrap()["state"], "shared");
    assert_eq!(world.bucket.keys(), objects(INBOX, &["code.mjs", "manifest.json", "pen.json"]));
    let text = world.bucket.text(&format!("{INBOX}manifest.json")).unwrap();
    let mut expected = manifest(ID);
    expected["shared_at"] = json!("2026-05-01T12:00:01.234Z");
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
}

#[test]
fn sharing_needs_the_whole_manifest_and_nothing_else_has_one() {
    let world = world();
    let mut wrong = manifest(ID);
    wrong["copyright"] = json!("mine");
    let with = |action: &str, manifest: Value| json!({"pen_id": ID, "action": action, "manifest": manifest});
    for (input, says) in [
        (json!({"pen_id": ID, "action": "share"}), "needs the manifest"),
        (with("share", wrong), "copyright"),
        (with("share", manifest("MPP-ink-20260501-002")), "pen_id"),
        (with("share", json!({"pen_id": ID})), "persona_id"),
        (with("keep", manifest(ID)), "only share has a manifest"),
    ] {
        let failure = world.call("decide", input).unwrap_err();
        assert_eq!(failure.code(), "input-invalid");
        assert!(failure.to_string().contains(says), "{failure}");
    }
    assert_eq!(world.state(ID), "completed");
    assert!(world.bucket.keys().is_empty());
}

#[test]
fn a_pen_is_decided_on_once_and_only_when_it_has_run() {
    let world = world();
    let draft = json!({"intent": "", "context": {"persona_id": "ink"}});
    world.call("write", draft).unwrap_err();
    let input = json!({"pen_id": "MPP-ink-20260501-002", "action": "keep"});
    let failure = world.call("decide", input).unwrap_err();
    assert!(failure.to_string().contains("the pen is draft"), "{failure}");
    decide(&world, "keep").unwrap();
    for action in ["keep", "erase", "share"] {
        let failure = decide(&world, action).unwrap_err();
        assert!(failure.to_string().contains("the pen is kept"), "{failure}");
    }
    assert_eq!(world.bucket.keys(), objects(KEPT, &["code.mjs", "pen.json"]));
    assert!(world.events().iter().filter(|event| *event == "refused").count() >= 4);
    let missing = json!({"pen_id": "MPP-ink-20260501-999", "action": "keep"});
    assert!(world.call("decide", missing).unwrap_err().to_string().contains("no such pen"));
}

#[test]
fn an_accepted_pen_is_copied_into_the_shared_library() {
    let world = world();
    decide(&world, "share").unwrap();
    let reviewed = review(&world, "accept").unwrap();
    assert_eq!(reviewed["state"], "accepted");
    for name in ["code.mjs", "manifest.json", "pen.json"] {
        let copy = world.bucket.text(&format!("{LIBRARY}{name}"));
        assert!(copy.is_some() && copy == world.bucket.text(&format!("{INBOX}{name}")), "{name}");
    }
    assert_eq!(world.bucket.keys().len(), 6);
    assert!(world.events().ends_with(&["shared".into(), "reviewed".into(), "accepted".into()]));
}

#[test]
fn a_rejection_tells_the_author_why() {
    let world = world();
    decide(&world, "share").unwrap();
    let silent = json!({"pen_id": ID, "verdict": "reject"});
    let failure = world.call_as("member:zhu", "review", silent).unwrap_err();
    assert!(failure.to_string().contains("a rejection says why"));
    assert_eq!(review(&world, "reject").unwrap()["state"], "rejected");
    let status = world.call("status", json!({"pen_id": ID})).unwrap();
    assert_eq!(status["error"]["code"], "MPP-E006");
    assert!(status["error"]["message"].as_str().unwrap().contains("because of canary"));
    let page = world.call("audit", json!({"persona_id": "ink", "pen_id": ID})).unwrap();
    let last = page["entries"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (last["code"].as_str(), last["event"].as_str()),
        (Some("MPP-E006"), Some("rejected"))
    );
    assert!(world.bucket.keys().iter().all(|key| key.starts_with(INBOX)), "nothing is accepted");
}

#[test]
fn an_observed_pen_stays_where_it_is() {
    let world = world();
    decide(&world, "share").unwrap();
    assert_eq!(review(&world, "observe").unwrap()["state"], "observation");
    for verdict in ["accept", "reject", "observe"] {
        assert!(
            review(&world, verdict).unwrap_err().to_string().contains("the pen is observation")
        );
    }
    assert_eq!(world.bucket.keys().len(), 3);
}

#[test]
fn only_a_reviewer_reviews_and_only_what_is_shared() {
    let world = world();
    let failure = review(&world, "accept").unwrap_err();
    assert!(failure.to_string().contains("only a shared pen"), "{failure}");
    decide(&world, "share").unwrap();
    for stranger in ["member:ada", "agent:ink", "agent:zhu"] {
        let input = json!({"pen_id": ID, "verdict": "accept"});
        let failure = world.call_as(stranger, "review", input).unwrap_err();
        assert!(failure.to_string().contains("no reviewer"), "{failure}");
    }
    assert_eq!(world.state(ID), "shared");
}

#[test]
fn reviewing_is_confirmed_by_a_person_and_what_changes_is_write() {
    use mycelium::operation::Access;
    let world = world();
    let module = mycelium::pen::Pens::new(world.parts.clone()).module("pen", "pen");
    let catalog = mycelium::Catalog::new([module]).unwrap();
    for (path, access, confirm) in [
        ("pen.write", Access::Write, false),
        ("pen.decide", Access::Write, false),
        ("pen.review", Access::Write, true),
        ("pen.status", Access::Read, false),
        ("pen.audit", Access::Read, false),
    ] {
        let labels = catalog.find(path).unwrap().operation().labels();
        assert_eq!((labels.access, labels.confirm), (access, confirm), "{path}");
    }
}

#[test]
fn every_step_is_finished_after_a_restart_between_any_two() {
    // Where the book can't be told, it is as if the host had ended there.
    for (action, state, lost) in [
        ("keep", "kept", "settle"),
        ("erase", "erased", "settle"),
        ("share", "shared", "settle"),
        ("keep", "kept", "decide"),
        ("share", "shared", "decide"),
    ] {
        let world = world();
        world.books.deaf_to.replace(vec![lost]);
        assert!(decide(&world, action).unwrap_err().to_string().contains("try again later"));
        assert_eq!(world.state(ID), "completed");
        world.books.deaf_to.replace(Vec::new());
        world.host.time().pass(60_000);
        if lost == "settle" {
            let other = if action == "keep" { "erase" } else { "keep" };
            let failure = decide(&world, other).unwrap_err().to_string();
            assert!(failure.contains("it was decided before and is not done yet"), "{failure}");
        }
        assert_eq!(decide(&world, action).unwrap()["state"], state, "{action} after {lost}");
    }
    for (verdict, state) in
        [("accept", "accepted"), ("reject", "rejected"), ("observe", "observation")]
    {
        let world = world();
        decide(&world, "share").unwrap();
        world.books.deaf_to.replace(vec!["conclude"]);
        review(&world, verdict).unwrap_err();
        assert_eq!(world.state(ID), "reviewed");
        world.books.deaf_to.replace(Vec::new());
        assert_eq!(review(&world, verdict).unwrap()["state"], state);
    }
}

#[test]
fn objects_that_cannot_be_written_leave_a_decision_to_be_finished() {
    let world = world();
    world.bucket.failing_put.set(Some((2, false)));
    let failure = decide(&world, "keep").unwrap_err().to_string();
    assert!(
        failure.contains("is noted and not done yet") && !failure.contains("canary of"),
        "{failure}"
    );
    assert_eq!(world.state(ID), "completed");
    assert_eq!(decide(&world, "keep").unwrap()["state"], "kept");
    assert_eq!(world.bucket.keys().len(), 2);
}

#[test]
fn what_is_nested_deep_is_kept_as_compactly_as_it_came() {
    let deep = (0..100).fold(json!(vec![1; 20_000]), |inner, _| json!([inner]));
    let world = World::new("return 3", vec![Does::Done(deep.clone())]);
    assert_eq!(world.write(json!({})).unwrap()["pen_id"], ID);
    decide(&world, "keep").unwrap();
    let text = world.bucket.text(&format!("{KEPT}pen.json")).unwrap();
    assert!(text.len() < deep.to_string().len() + 4_096, "{}", text.len());
}

#[test]
fn what_is_accepted_is_the_program_that_ran_and_whole() {
    let cases: [(&str, Vec<u8>, &str); 3] = [
        ("code.mjs", b"return 4".to_vec(), "is not the program that ran"),
        ("code.mjs", vec![b' '; 4 * 1_024 * 1_024 + 1], "has 4194305 bytes, and at most"),
        ("pen.json", vec![b' '; 4 * 1_024 * 1_024 + 1], "has 4194305 bytes, and at most"),
    ];
    for (name, content, says) in cases {
        let world = world();
        decide(&world, "share").unwrap();
        let (key, before) = (format!("{INBOX}{name}"), world.bucket.keys());
        let ran = world.bucket.text(&key).unwrap();
        world.bucket.set(&key, &content);
        let failure = review(&world, "accept").unwrap_err().to_string();
        assert!(failure.contains(says) && failure.contains(&key), "{failure}");
        assert_eq!(world.bucket.keys(), before, "nothing of it is in the library");
        assert_eq!(world.state(ID), "reviewed");
        world.bucket.set(&key, ran.as_bytes());
        assert_eq!(review(&world, "accept").unwrap()["state"], "accepted");
    }
}

#[test]
fn an_object_that_is_there_is_never_written_over() {
    for (folder, name) in [(KEPT, "pen.json"), (INBOX, "code.mjs"), (LIBRARY, "manifest.json")] {
        let world = world();
        let key = format!("{folder}{name}");
        world.bucket.set(&key, b"another connection's");
        let action = if folder == KEPT { "keep" } else { "share" };
        let mut decided = decide(&world, action);
        if folder == LIBRARY {
            decided.unwrap();
            decided = review(&world, "accept");
        }
        let failure = decided.unwrap_err().to_string();
        assert!(failure.contains(&key) && failure.contains("another content"), "{failure}");
        assert_eq!(world.bucket.text(&key).as_deref(), Some("another connection's"));
    }
}
