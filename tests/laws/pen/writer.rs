//! Whatever a model's endpoint answers.

use std::rc::Rc;

use mycelium::{
    pen::{OfflineWriter, OpenAiWriter},
    port::fetch::FetchError,
    testing::Reply,
};
use serde_json::{Value, json};

use super::world::{Does, World, endpoint};

fn completion(content: &Value, finish: &str) -> Reply {
    let body = json!({"id": "x", "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish}]});
    Reply::json(200, &body.to_string())
}

fn world(reply: impl Fn(&mycelium::port::fetch::Request) -> Reply + 'static) -> World {
    let (writer, _) = endpoint(reply);
    World::with_writer(writer, vec![Does::Done(json!(1))])
}

#[test]
fn every_answer_that_is_a_program_is_run() {
    for answer in [
        "return 1",
        "```js\nreturn 1\n```",
        "Sure!\n```typescript\nconst a: number = 1;\nreturn a\n```\nDone.",
    ] {
        let world = world(move |_| completion(&json!(answer), "stop"));
        let output = world.write(json!({})).unwrap();
        assert!(
            output["code"].as_str().unwrap().starts_with("export default async () => {\n"),
            "{output}"
        );
        assert_eq!(output["suggestion"], "erase", "the answer to the second question is no word");
    }
}

/// What an answer is, how it is made, and what is told of it.
type Case = (&'static str, Box<dyn Fn() -> Reply>, &'static str);

#[test]
fn every_answer_that_is_none_is_e003_with_its_cause() {
    let cut = || Reply::BreaksOff { status: 200, parts: vec![b"{\"choices\"".to_vec()] };
    let refusal = json!({"choices": [{"message": {"content": null, "refusal": "canary"}, "finish_reason": "stop"}]});
    let status = |status: u16| Reply::json(status, r#"{"error":{"message":"canary"}}"#);
    let busy = || Reply::Answer {
        status: 429,
        headers: vec![("retry-after".into(), "7".into())],
        parts: vec![b"canary".to_vec()],
    };
    let cases: Vec<Case> = vec![
        (
            "prose",
            Box::new(|| completion(&json!("I am sorry, but I can't do that."), "stop")),
            "no program",
        ),
        (
            "two languages",
            Box::new(|| completion(&json!("```python\nx = 1\n```"), "stop")),
            "python",
        ),
        (
            "imports",
            Box::new(|| completion(&json!("import fs from 'fs'; return 1"), "stop")),
            "no program",
        ),
        ("refusal", Box::new(move || Reply::json(200, &refusal.to_string())), "the model refused"),
        ("filtered", Box::new(|| completion(&json!(""), "content_filter")), "filter withheld"),
        (
            "cut at its length",
            Box::new(|| completion(&json!("return 1"), "length")),
            "length limit",
        ),
        ("empty", Box::new(|| completion(&json!("  "), "stop")), "is empty"),
        ("null", Box::new(|| completion(&Value::Null, "stop")), "is empty"),
        ("no choice", Box::new(|| Reply::json(200, r#"{"choices":[]}"#)), "no choice"),
        (
            "other JSON",
            Box::new(|| Reply::json(200, r#"{"result":"canary"}"#)),
            "no chat completion",
        ),
        ("no JSON", Box::new(|| Reply::json(200, "<html>canary</html>")), "no chat completion"),
        (
            "too long a program",
            Box::new(|| completion(&json!(format!("return '{}'", "x".repeat(70_000))), "stop")),
            "65536",
        ),
        ("401", Box::new(move || status(401)), "401"),
        ("404", Box::new(move || status(404)), "404"),
        ("500", Box::new(move || status(500)), "failed (500)"),
        ("redirect", Box::new(move || status(302)), "redirect"),
        ("429", Box::new(busy), "after 7 s"),
        ("cut body", Box::new(cut), "broke off"),
        ("endless", Box::new(|| Reply::Endless { part: vec![b'['; 1 << 16] }), "1048576"),
        (
            "unreachable",
            Box::new(|| Reply::Fails(FetchError::Unreachable { evidence: "canary".into() })),
            "can't be reached",
        ),
        ("silent", Box::new(|| Reply::Silent), "in 60000 ms"),
    ];
    for (kind, reply, cause) in cases {
        let world = world(move |_| reply());
        let failure = world.write(json!({})).unwrap_err();
        assert_eq!(failure.code(), "MPP-E003", "{kind}");
        let told = failure.to_string();
        assert!(told.contains(cause), "{kind}: {told}");
        assert!(!told.contains("canary"), "{kind}: {told}");
        assert_eq!(world.state("MPP-ink-20260501-001"), "draft");
        assert_eq!(world.events(), ["drafted", "failed"], "{kind}");
        assert!(world.isolates.programs.borrow().is_empty());
    }
}

#[test]
fn a_request_is_whole_and_carries_the_secret_in_its_header_alone() {
    let (writer, network) = endpoint(|_| completion(&json!("return 1"), "stop"));
    let world = World::with_writer(writer, vec![Does::Done(json!(1))]);
    let output = world.write(json!({"sandbox": {"network": {"allow": ["api.example"]}}})).unwrap();
    let request = network.requests()[0].clone();
    assert_eq!(
        (request.method.as_str(), request.url.as_str()),
        ("POST", "https://model.example/v1/chat/completions")
    );
    let secret = ("authorization".to_owned(), "Bearer canary-token".to_owned());
    assert!(request.headers.contains(&secret));
    let body: Value = serde_json::from_slice(&request.body.unwrap()).unwrap();
    assert_eq!((&body["stream"], &body["model"]), (&json!(false), &json!("mp-1.5b")));
    let text = body.to_string();
    for said in ["sum the numbers", "env.tmp.write", "api.example"] {
        assert!(text.contains(said), "{said}");
    }
    assert!(!text.contains("env.files"), "what is out of reach isn't offered");
    assert!(!text.contains("canary-token") && !output.to_string().contains("canary-token"));
    assert_eq!(network.requests().len(), 2, "asked again what should become of it");
}

#[test]
fn a_writer_without_its_secret_asks_nobody() {
    struct Bare;
    impl mycelium::port::Secrets for Bare {
        fn secret(&self, _: &str) -> Option<String> {
            None
        }
    }
    let network = mycelium::testing::FakeFetch::new(|_| Reply::Silent);
    let fetch = Rc::new(network.clone());
    let writer =
        OpenAiWriter::new("https://m.example", "m", Some("NAME"), fetch.clone(), Rc::new(Bare));
    let world = World::with_writer(Rc::new(writer.unwrap()), Vec::new());
    let failure = world.write(json!({})).unwrap_err().to_string();
    assert!(failure.contains("no credential") && !failure.contains("NAME"), "{failure}");
    assert!(network.requests().is_empty());
    for url in ["http://m.example", "ftp://m", "m.example", "https://u:p@m.example"] {
        assert!(OpenAiWriter::new(url, "m", None, fetch.clone(), Rc::new(Bare)).is_err(), "{url}");
    }
}

#[test]
fn the_offline_writer_says_what_it_is() {
    let world = World::with_writer(Rc::new(OfflineWriter), vec![Does::Done(json!(1))]);
    let first = world.write(json!({})).unwrap();
    assert!(
        first["code"]
            .as_str()
            .unwrap()
            .contains("written by the offline writer, which always writes this")
    );
    assert_eq!(first["suggestion"], "keep");
    assert_eq!(world.write(json!({})).unwrap()["code"], first["code"]);
}
