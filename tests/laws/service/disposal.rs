//! A caller's functions are let go, whatever comes.

use futures::FutureExt;
use mycelium::{
    limits::GRACE_MS,
    service::{self, RemoteError},
    testing::Host,
};
use serde_json::{Value, json};

use super::world::{FIND, Fake, argument, calling, crm, executed, service};

fn request() -> Value {
    json!({"code": "return 1", "modules": crm(json!({}))})
}

#[test]
fn a_function_is_let_go_once_before_the_reply_whatever_the_end() {
    let ends: [(&str, Value, Result<Value, RemoteError>); 4] = [
        ("", json!({}), Ok(json!(1))),
        ("input-invalid", json!([]), Ok(json!(1))),
        ("capability-failed", json!({}), Err(RemoteError::Threw("no".into()))),
        ("output-invalid", json!({}), Err(RemoteError::Answer("no".into()))),
    ];
    for (code, input, answer) in ends {
        let host = Host::new();
        let fake = Fake::new(move |_| answer.clone());
        let service = service(&host, json!({}), calling("crm.find", input));
        let reply = executed(&host, service, argument(request(), &[(FIND, &fake)]));
        assert_eq!(reply["code"].as_str().unwrap_or_default(), code, "{reply}");
        assert_eq!(fake.disposed.get(), 1, "{code}");
    }
}

#[test]
fn a_cancelled_execution_says_so_with_its_reason_and_lets_its_functions_go() {
    let host = Host::new();
    let fake = Fake::echo();
    let waiting = |_| futures::future::pending::<Result<Value, _>>().boxed_local();
    let service = service(&host, json!({}), waiting);
    let (execution, reply) = service::begin(service, Ok(argument(request(), &[(FIND, &fake)])));
    let mut reply = host.start(reply);
    host.pass(10);
    assert!(reply.end().is_none());
    assert_eq!(fake.disposed.get(), 0);
    execution.cancel(Some("the user went home".to_owned()));
    execution.cancel(Some("another".to_owned()));
    host.pass(GRACE_MS);
    let reply: Value = serde_json::from_str(&reply.end().unwrap()).unwrap();
    assert_eq!((&reply["ok"], &reply["code"]), (&json!(false), &json!("cancelled")), "{reply}");
    assert_eq!(reply["reason"], "the user went home");
    assert_eq!(reply["acknowledged"], true);
    assert_eq!(fake.disposed.get(), 1);
}

#[test]
fn a_reply_that_is_not_waited_for_lets_the_functions_go_too() {
    let host = Host::new();
    let fake = Fake::echo();
    let service = service(&host, json!({}), calling("crm.find", json!({})));
    let (_, reply) = service::begin(service, Ok(argument(request(), &[(FIND, &fake)])));
    drop(reply);
    host.settle();
    assert_eq!(fake.disposed.get(), 1);
}

#[test]
fn an_execution_has_no_more_time_than_its_caller_gives_it() {
    let host = Host::new();
    let fake = Fake::echo();
    let waiting = |_| futures::future::pending::<Result<Value, _>>().boxed_local();
    let service = service(&host, json!({}), waiting);
    let mut request = request();
    request["timeoutMs"] = json!(50);
    let reply = executed(&host, service, argument(request, &[(FIND, &fake)]));
    assert_eq!(reply["code"], "deadline-exceeded", "{reply}");
    assert_eq!(fake.disposed.get(), 1);
}
