//! A computer over HTTPS.

use std::rc::Rc;

use futures::StreamExt;
use futures::executor::block_on;
use mycelium::{
    Mycelium,
    knapsack::{
        computer::{Computer, ComputerError, Connection, HttpsComputer},
        computers::{ComputerList, Computers},
    },
    limits::{ADVERTISEMENT_BYTES, CONNECT_MS},
    operation::Context,
    port::{Clock as _, fetch::FetchError},
    runtime::{Part, ToolCall},
    testing::{FakeFetch, Host, Reply, direct_sandbox},
};
use serde_json::{Value, json};

use super::fake::advertisement;

const URL: &str = "https://desk.example/v1/";

fn computer(fetch: &FakeFetch) -> HttpsComputer {
    let headers = vec![("authorization".to_owned(), "Bearer canary".to_owned())];
    HttpsComputer::new(Rc::new(fetch.clone()), URL, headers).unwrap()
}

fn call(reply: Reply) -> Result<Value, ComputerError> {
    let fetch = FakeFetch::new(move |_| reply.clone());
    block_on(computer(&fetch).call("a".to_owned(), json!(1), Context::builder().build()))
}

fn kind(outcome: &Result<Value, ComputerError>) -> &'static str {
    match outcome {
        Ok(_) => "value",
        Err(ComputerError::Failed { .. }) => "failed",
        Err(ComputerError::NotDone { .. }) => "not done",
        Err(_) => "unknown",
    }
}

#[test]
fn only_an_https_url_without_secrets_is_one() {
    let fetch = FakeFetch::new(|_| Reply::Silent);
    for wrong in [
        "http://desk.example",
        "desk.example",
        "https://",
        "https:///x",
        "https://user:pass@desk.example",
        "https://desk.example/?token=1",
        "https://desk.example/#x",
        "https://desk.example\\x",
        "https://a b",
    ] {
        assert!(HttpsComputer::new(Rc::new(fetch.clone()), wrong, Vec::new()).is_err(), "{wrong}");
    }
}

#[test]
fn an_answer_is_a_value_a_failure_or_unknown() {
    let json = |status, text: &str| Reply::json(status, text);
    let moved = Reply::Answer {
        status: 302,
        headers: vec![("location".to_owned(), "https://elsewhere.example".to_owned())],
        parts: Vec::new(),
    };
    let evidence = || "canary".to_owned();
    for (reply, expected) in [
        (json(200, r#"{"value": {"n": 1}}"#), "value"),
        (json(200, r#"{"value": null}"#), "value"),
        (json(200, r#"{"error": {"message": "no"}}"#), "failed"),
        (json(200, r#"{"value": 1, "error": {"message": "no"}}"#), "unknown"),
        (json(200, "{}"), "unknown"),
        (json(200, "1"), "unknown"),
        (json(200, r#"{"value": 1, "value": 2}"#), "unknown"),
        (json(200, "not json"), "unknown"),
        (json(500, r#"{"value": 1}"#), "unknown"),
        (json(404, ""), "not done"),
        (json(401, ""), "not done"),
        (moved, "not done"),
        (Reply::BreaksOff { status: 200, parts: vec![b"{\"val".to_vec()] }, "unknown"),
        (Reply::Endless { part: vec![b' '; 65_536] }, "unknown"),
        (Reply::Fails(FetchError::Unsendable { evidence: evidence() }), "not done"),
        (Reply::Fails(FetchError::Unreachable { evidence: evidence() }), "unknown"),
    ] {
        let outcome = call(reply.clone());
        assert_eq!(kind(&outcome), expected, "{reply:?}: {outcome:?}");
    }
}

#[test]
fn a_redirect_is_not_followed() {
    let fetch = FakeFetch::new(|_| Reply::Answer {
        status: 307,
        headers: vec![("location".to_owned(), "https://elsewhere.example".to_owned())],
        parts: Vec::new(),
    });
    assert!(block_on(computer(&fetch).describe()).is_err());
    assert_eq!(fetch.requests().len(), 1);
}

#[test]
fn an_advertisement_over_the_bound_is_not_read_to_its_end() {
    let fetch = FakeFetch::new(|_| Reply::Endless { part: vec![b' '; ADVERTISEMENT_BYTES] });
    assert!(block_on(computer(&fetch).describe()).is_err());
    assert_eq!(fetch.open(), 0, "the request is let go");
}

/// A host over one computer at [`URL`], which answers calls with `reply`.
fn world(reply: Reply) -> (Host, FakeFetch, Mycelium) {
    let host = Host::new();
    let fetch = FakeFetch::new(move |request| {
        if request.method == "GET" {
            Reply::json(200, &advertisement().to_string())
        } else {
            reply.clone()
        }
    });
    let connection =
        Connection::new("test-desk", "desk", Rc::new(computer(&fetch))).namespace(["computers"]);
    let source = Computers::new(ComputerList::new(vec![connection]), host.ports());
    let sandbox = direct_sandbox(|bindings, _| async move {
        bindings.call("computers.desk.windows.open", json!({"url": "https://a.example"})).await
    });
    let mut options = host.options(Vec::new(), sandbox);
    options.sources = vec![Rc::new(source)];
    (host, fetch, Mycelium::open(options).unwrap())
}

fn execute(host: &Host, runtime: &Mycelium) -> mycelium::testing::Started<String> {
    let runtime = runtime.clone();
    host.start(async move {
        let lease = runtime.acquire(None).await.unwrap();
        let arguments = json!({"code": "return 1"});
        let call = ToolCall { id: "call-7".to_owned(), name: "execute".to_owned(), arguments };
        let prepared = lease.execute_tool().prepare(&call).unwrap();
        let mut parts: Vec<_> = prepared.execute(runtime.cancellation()).collect().await;
        lease.release().await;
        parts.pop().and_then(Part::last).unwrap().result.content.join("\n")
    })
}

#[test]
fn a_call_tells_the_provider_which_execution_it_is_and_until_when() {
    let (host, fetch, runtime) = world(Reply::json(200, r#"{"value": {"opened": true}}"#));
    let text = execute(&host, &runtime).end().unwrap();
    assert!(text.contains(r#"{"opened":true}"#), "{text}");
    let requests = fetch.requests();
    let [describe, call] = requests.as_slice() else { panic!("{requests:?}") };
    assert_eq!((&*describe.method, &*describe.url), ("GET", "https://desk.example/v1/describe"));
    assert_eq!((&*call.method, &*call.url), ("POST", "https://desk.example/v1/call"));
    let secret = ("authorization".to_owned(), "Bearer canary".to_owned());
    assert!(describe.headers.contains(&secret) && call.headers.contains(&secret));
    let body: Value = serde_json::from_slice(call.body.as_ref().unwrap()).unwrap();
    assert_eq!(body["operation"], "windows.open");
    assert_eq!(body["input"], json!({"url": "https://a.example"}));
    let context = &body["context"];
    assert_eq!(context["toolCallId"], "call-7");
    assert_eq!(context["operationOrdinal"], 0);
    assert!(context["deadlineMs"].as_u64().unwrap() > host.time().now_ms());
    assert_eq!(context["executionId"].as_str().unwrap().len(), 32);
    assert_eq!(context.as_object().unwrap().len(), 4);
}

#[test]
fn the_credential_is_shown_nowhere() {
    let (host, _, runtime) = world(Reply::json(500, "Bearer canary"));
    let text = execute(&host, &runtime).end().unwrap();
    assert!(text.contains("outcome-unknown"), "{text}");
    let lines = host.lines().join("\n");
    assert!(!text.contains("canary") && !lines.contains("canary"), "{text}\n{lines}");
}

#[test]
fn an_execution_that_ends_aborts_its_request() {
    let (host, fetch, runtime) = world(Reply::Silent);
    let mut executing = execute(&host, &runtime);
    assert!(executing.end().is_none());
    assert_eq!(fetch.open(), 1);
    // Its time is over, and the time to acknowledge that.
    host.pass(180_000);
    host.pass(5_000);
    let text = executing.end().unwrap();
    assert!(text.contains("deadline-exceeded"), "{text}");
    assert_eq!(fetch.open(), 0);
}

#[test]
fn a_call_without_a_context_invents_none() {
    let fetch = FakeFetch::new(|_| Reply::json(200, r#"{"value": 1}"#));
    let call = computer(&fetch).call("a".to_owned(), json!(1), Context::builder().build());
    assert_eq!(block_on(call), Ok(json!(1)));
    let body: Value = serde_json::from_slice(fetch.requests()[0].body.as_ref().unwrap()).unwrap();
    assert_eq!(body, json!({"operation": "a", "input": 1, "context": {}}));
}

#[test]
fn a_computer_that_never_answers_costs_its_timeout_and_its_connection_is_given_back() {
    let host = Host::new();
    let fetch = FakeFetch::new(|_| Reply::Silent);
    let named =
        |at| Connection::new(&format!("c{at}"), &format!("c{at}"), Rc::new(computer(&fetch)));
    let source = Computers::new(ComputerList::new((0..6).map(named).collect()), host.ports());
    let runtime = super::runtime(&host, source);
    assert!(super::paths(&super::lease(&host, &runtime).unwrap()).is_empty());
    assert_eq!((host.time().now_ms(), fetch.open(), fetch.most_open()), (CONNECT_MS, 0, 6));
}
