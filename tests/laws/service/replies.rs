//! Replies are data within what the platform carries.

use std::rc::Rc;

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    Module, Operation,
    limits::{SERVICE_LISTED, SERVICE_REPLY_BYTES},
    runtime::{Invalidation, Snapshot, Source, SourceError},
    service::{self, RequestError},
    testing::{DirectError, Host},
};
use serde_json::{Value, json};

use super::world::{FIND, Fake, argument, asked, calling, crm, executed, service};

#[test]
fn a_reply_over_the_bound_is_a_failure_that_says_so() {
    let host = Host::new();
    let long = "x".repeat(SERVICE_REPLY_BYTES);
    let mut service = service(&host, json!({}), move |_| {
        let long = long.clone();
        async move { Ok::<_, DirectError>(json!(long)) }.boxed_local()
    });
    service.options.limits.result_bytes = 2 * SERVICE_REPLY_BYTES;
    let reply = executed(&host, service, argument(json!({"code": "return 1"}), &[]));
    assert_eq!((&reply["ok"], &reply["code"]), (&json!(false), &json!("reply-too-large")));
    assert_eq!(reply["ran"], "perhaps");
}

#[test]
fn a_reply_that_is_too_large_still_says_what_was_done() {
    let host = Host::new();
    let long = "x".repeat(SERVICE_REPLY_BYTES);
    let mut service = service(&host, json!({}), move |bindings| {
        let long = long.clone();
        async move {
            let _ = bindings.call("crm.find", json!({})).await;
            Ok::<_, DirectError>(json!(long))
        }
        .boxed_local()
    });
    service.options.limits.result_bytes = 2 * SERVICE_REPLY_BYTES;
    let request = json!({"code": "return 1", "modules": crm(json!({})), "grants": {"crm": "read"}});
    let reply = executed(&host, service, argument(request, &[(FIND, &Fake::echo())]));
    assert_eq!((&reply["ok"], &reply["code"]), (&json!(false), &json!("reply-too-large")));
    assert!(reply["executionId"].is_string(), "{reply}");
    assert_eq!(reply["calls"]["listed"][0]["path"], "crm.find");
    assert_eq!(reply["refusals"]["listed"][0]["reason"], "read-only");
    assert_eq!((&reply["texts"], &reply["logs"]["lines"]), (&json!([]), &json!([])));
    assert!(reply["logs"]["dropped"].is_u64() && reply.get("value").is_none());
}

#[test]
fn the_calls_beyond_those_listed_are_counted() {
    let host = Host::new();
    let fake = Fake::echo();
    let more = SERVICE_LISTED + 3;
    let service = service(&host, json!({}), move |bindings| async move {
        for _ in 0..more {
            bindings.call("crm.find", json!({})).await?;
        }
        Ok::<_, DirectError>(json!(null))
    });
    let request = json!({"code": "return 1", "modules": crm(json!({})), "grants": {"crm": "read"}});
    let reply = executed(&host, service, argument(request, &[(FIND, &fake)]));
    for list in ["calls", "refusals"] {
        assert_eq!(reply[list]["listed"].as_array().unwrap().len(), SERVICE_LISTED);
        assert_eq!(reply[list]["omitted"], 3);
    }
    assert_eq!(reply["calls"]["listed"][0]["code"], "read-only");
}

#[test]
fn a_direct_answer_is_bounded_as_a_program_s_call_is() {
    let host = Host::new();
    let long = "x".repeat(100);
    let fake = Fake::new(move |_| Ok(json!(long)));
    let mut service = service(&host, json!({}), calling("", json!({})));
    service.options.limits.frame_bytes = 50;
    let request =
        json!({"module": "crm", "operation": "find", "input": {}, "modules": crm(json!({}))});
    let mut wide = request.clone();
    wide["input"] = json!({"long": "x".repeat(60)});
    let reply = asked(&host, service.clone(), "invoke", argument(request, &[(FIND, &fake)]));
    assert_eq!(reply["code"], "output-invalid", "{reply}");
    let reply = asked(&host, service, "invoke", argument(wide, &[(FIND, &Fake::echo())]));
    assert_eq!(reply["code"], "input-invalid", "{reply}");
}

#[test]
fn what_did_not_cross_is_answered_with_its_place() {
    let host = Host::new();
    let service = service(&host, json!({}), calling("", json!({})));
    let crossed = Err(RequestError::new("/input/a", "a Date: give its text"));
    let (_, reply) = service::begin(service, crossed);
    let reply: Value = serde_json::from_str(&host.run(reply).unwrap()).unwrap();
    assert_eq!(reply["message"], "at /input/a: a Date: give its text");
}

#[test]
fn a_status_says_what_a_caller_may_see() {
    let host = Host::new();
    let ask = |granted| {
        let service = service(&host, granted, calling("", json!({})));
        asked(&host, service, "status", argument(json!(null), &[]))
    };
    assert_eq!(ask(json!({}))["value"]["modules"], json!([]));
    let expected = json!([{"id": "files", "operations": ["files.read", "files.write"]}]);
    let status = ask(json!({"files": "read"}));
    assert_eq!(status["value"]["modules"], expected);
    assert_eq!(status["value"]["limits"]["resultBytes"], 1_048_576);
}

/// A source of one module that services may use and one that they mayn't.
struct Both;

impl Source for Both {
    fn name(&self) -> Rc<str> {
        "both".into()
    }

    fn acquire(&self, _: Invalidation) -> LocalBoxFuture<'static, Result<Snapshot, SourceError>> {
        let module = |id: &str| {
            let operation = Operation::new(json!({}), |_, _| async { Ok(json!(null)) });
            Module::new(id, id).operation("read", operation)
        };
        let modules = vec![module("shown"), module("canary")];
        async move { Ok(Snapshot::unheld(modules)) }.boxed_local()
    }
}

#[test]
fn a_status_says_nothing_of_a_source_s_modules_that_services_were_not_granted() {
    let host = Host::new();
    let mut service = service(&host, json!({"shown": "read"}), calling("", json!({})));
    service.options.sources.push(Rc::new(Both));
    let status = asked(&host, service, "status", argument(json!(null), &[]));
    let expected = json!([{"id": "shown", "operations": ["shown.read"]}]);
    assert_eq!(status["value"]["modules"], expected);
}

#[test]
fn the_failure_of_a_lost_instance_is_a_reply_like_others() {
    let reply: Value = serde_json::from_str(&service::lost()).unwrap();
    assert_eq!((&reply["ok"], &reply["code"]), (&json!(false), &json!("execution-lost")));
    assert_eq!(reply["retryable"], true);
}
