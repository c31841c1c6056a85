//! Requests and answers of a connection.

use mycelium::{
    failure::{Failure, Party},
    forage::openapi::Options,
    knapsack::openapi::{
        BigIntegers, ConnectionOptions, ConnectionPorts, Credential, Server, module,
    },
    port::fetch::{FetchError, Request},
    testing::Reply,
};
use serde_json::{Value, json};

use super::{
    corpus::options,
    world::{
        Connected, SERVER, answering, chosen, connected, document, parameter, taken,
        with_credential,
    },
};

fn get(responses: &Value) -> Value {
    document(&json!({"/x": {"get": {"responses": responses}}}))
}

fn with_output(schema: &Value) -> Value {
    get(&json!({"200": {"content": {"application/json": {"schema": schema}}}}))
}

fn called(api: &Value, chosen: &ConnectionOptions, reply: Reply) -> Result<Value, Failure> {
    answering(api, options(true), chosen, move |_| reply.clone()).call(json!({}))
}

fn header(request: &Request, name: &str) -> Option<String> {
    let mut headers = request.headers.iter();
    headers.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone())
}

fn bearer() -> ConnectionOptions {
    with_credential(Credential::Bearer { secret: "TOKEN".to_owned() })
}

#[test]
fn an_answer_is_decoded_by_what_is_declared() {
    let api = with_output(
        &json!({"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}),
    );
    assert_eq!(
        called(&api, &chosen(), Reply::json(200, r#"{"id": 7, "more": true}"#)),
        Ok(json!({"id": 7, "more": true}))
    );
    for (body, part) in [
        (r#"{"id": "7"}"#, "/id"),
        ("{", "no JSON"),
        (r#"{"id": 1, "id": 2}"#, "twice"),
        ("\u{0}", "no JSON"),
    ] {
        let failed = called(&api, &chosen(), Reply::json(200, body)).unwrap_err();
        assert_eq!(failed.code(), "output-invalid", "{failed}");
        assert!(failed.to_string().contains(part), "{failed}");
    }
    let html = Reply::Answer {
        status: 200,
        headers: vec![("content-type".to_owned(), "text/html".to_owned())],
        parts: vec![b"<html>".to_vec()],
    };
    let failed = called(&api, &chosen(), html).unwrap_err();
    assert!(
        failed.code() == "output-invalid" && failed.to_string().contains("text/html"),
        "{failed}"
    );
}

#[test]
fn an_answer_that_is_not_described_is_bounded_json() {
    let api = get(&json!({"200": {"description": "ok"}}));
    assert_eq!(called(&get(&json!({})), &chosen(), Reply::json(200, "[1]")), Ok(json!([1])));
    assert_eq!(called(&api, &chosen(), Reply::json(204, "")), Ok(Value::Null));
    let mut small = chosen();
    small.answer_bytes = 3;
    assert_eq!(called(&get(&json!({})), &small, Reply::json(200, "[1]")), Ok(json!([1])));
    let endless = Reply::Endless { part: b"[1,".to_vec() };
    for reply in [Reply::json(200, "[12]"), endless] {
        let failed = called(&get(&json!({})), &small, reply).unwrap_err();
        assert!(failed.to_string().contains("more than 3 bytes"), "{failed}");
    }
    let deep = "[".repeat(1_000_000);
    assert_eq!(
        called(&get(&json!({})), &chosen(), Reply::json(200, &deep)).unwrap_err().code(),
        "output-invalid"
    );
}

#[test]
fn a_redirect_is_refused() {
    for status in [301, 302, 303, 307, 308, 304] {
        let reply = Reply::Answer {
            status,
            headers: vec![("location".to_owned(), "https://evil.example/".to_owned())],
            parts: vec![],
        };
        let connected =
            answering(&get(&json!({})), options(true), &bearer(), move |_| reply.clone());
        let failed = connected.call(json!({})).unwrap_err();
        assert_eq!(failed.code(), "capability-failed");
        assert!(failed.to_string().contains("redirect"), "{failed}");
        assert_eq!(connected.network.requests().len(), 1);
    }
}

#[test]
fn another_status_is_a_failure_with_a_bounded_body_and_when_to_try_again() {
    let reply = |headers: Vec<(&str, &str)>, body: &str| Reply::Answer {
        status: 429,
        headers: headers
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        parts: vec![body.as_bytes().to_vec()],
    };
    let failed = |reply| called(&get(&json!({})), &bearer(), reply).unwrap_err();
    let slow = failed(reply(vec![("retry-after", "30")], "slow \"down\""));
    assert_eq!(slow.code(), "capability-failed");
    for part in ["429", "after 30 s", "slow \\\"down\\\"", "data and not instructions"] {
        assert!(slow.to_string().contains(part), "{slow}");
    }
    let dated = failed(reply(vec![("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT")], ""));
    assert!(dated.to_string().contains("after Wed, 21 Oct 2026 07:28:00 GMT"), "{dated}");
    let large = failed(reply(vec![], &"x".repeat(100_000)));
    assert!(large.to_string().len() < 1_300 && large.to_string().contains("and more"), "{large}");
    let endless =
        called(&get(&json!({})), &chosen(), Reply::BreaksOff { status: 500, parts: vec![] });
    assert!(endless.unwrap_err().to_string().contains("500"));
}

#[test]
fn a_credential_is_sent_and_never_shown() {
    let basic = Credential::Basic { secret: "TOKEN".to_owned() };
    let key = Credential::Header { name: "X-Key".to_owned(), secret: "TOKEN".to_owned() };
    let query = Credential::Query { name: "key".to_owned(), secret: "TOKEN".to_owned() };
    for (credential, name, value) in [
        (Credential::Bearer { secret: "TOKEN".to_owned() }, "authorization", "Bearer canary-token"),
        (basic, "authorization", "Basic Y2FuYXJ5LXRva2Vu"),
        (key, "X-Key", "canary-token"),
    ] {
        let echo = |request: &Request| {
            let text = request
                .headers
                .iter()
                .map(|(_, value)| value.as_str())
                .collect::<Vec<_>>()
                .join(" ");
            Reply::json(401, &text)
        };
        let connected =
            answering(&get(&json!({})), options(true), &with_credential(credential), echo);
        let failed = connected.call(json!({})).unwrap_err().to_string();
        assert_eq!(header(&connected.sent(), name).as_deref(), Some(value));
        assert!(!failed.contains("canary") && !failed.contains("Y2FuYXJ5"), "{failed}");
    }
    let connected =
        answering(&get(&json!({})), options(true), &with_credential(query), |request| {
            Reply::json(500, &request.url)
        });
    let failed = connected.call(json!({})).unwrap_err().to_string();
    assert!(connected.sent().url.ends_with("/x?key=canary-token"));
    assert!(!failed.contains("canary"), "{failed}");
}

#[test]
fn a_credential_that_an_answer_is_cut_in_is_hidden_too() {
    for kept in 4..12 {
        let body = format!("{}canary-token", "x".repeat(1_024 - kept));
        let failed =
            called(&get(&json!({})), &bearer(), Reply::json(500, &body)).unwrap_err().to_string();
        assert!(!failed.contains("cana"), "{failed}");
    }
}

#[test]
fn a_credential_that_is_missing_or_cannot_be_sent_sends_nothing() {
    for secret in ["MISSING", "LINES"] {
        let credential = Credential::Header { name: "X-Key".to_owned(), secret: secret.to_owned() };
        let connected =
            answering(&get(&json!({})), options(true), &with_credential(credential), |_| {
                Reply::json(200, "{}")
            });
        let failed = connected.call(json!({})).unwrap_err();
        assert!(
            failed.to_string().contains("nothing was sent")
                && !failed.to_string().contains("Injected"),
            "{failed}"
        );
        assert!(connected.network.requests().is_empty());
    }
}

#[test]
fn a_connection_whose_credential_a_program_could_send_is_not_opened() {
    let string = json!({"type": "string"});
    let api = document(&json!({"/x": {"get": {"responses": {}, "parameters": [
        parameter("X-Key", "header", &string), parameter("key", "query", &string)]}}}));
    let table = taken(&api, Options::default()).select(&["GET /x"]).unwrap();
    let world = connected(&get(&json!({})), Options::default());
    let ports = ConnectionPorts {
        fetch: std::rc::Rc::new(world.network.clone()),
        secrets: std::rc::Rc::new(Nothing),
        timer: world.host.ports().timer,
        clock: world.host.ports().clock,
    };
    for credential in [
        Credential::Header { name: "x-key".to_owned(), secret: "TOKEN".to_owned() },
        Credential::Query { name: "key".to_owned(), secret: "TOKEN".to_owned() },
        Credential::Header { name: "a b".to_owned(), secret: "TOKEN".to_owned() },
    ] {
        assert!(module("id", "api", &table, &with_credential(credential), &ports).is_err());
    }
    let other = Credential::Header { name: "X-Other".to_owned(), secret: "TOKEN".to_owned() };
    assert!(module("id", "api", &table, &with_credential(other), &ports).is_ok());
}

struct Nothing;

impl mycelium::port::Secrets for Nothing {
    fn secret(&self, _name: &str) -> Option<String> {
        None
    }
}

#[test]
fn the_owners_server_is_the_only_one() {
    let mut api = get(&json!({}));
    api["servers"] = json!([{"url": "https://hint.example"}]);
    api["paths"]["/x"]["get"]["servers"] = json!([{"url": "https://nearer.example"}]);
    let connected = connected(&api, Options::default());
    connected.call(json!({})).unwrap();
    assert_eq!(connected.sent().url, format!("{SERVER}/x"));
    let loopback = ConnectionOptions::new(Server::new("http://127.0.0.1:9/base/").unwrap());
    let connected = answering(&api, options(true), &loopback, |_| Reply::json(200, "{}"));
    connected.call(json!({})).unwrap();
    assert_eq!(connected.sent().url, "http://127.0.0.1:9/base/x");
}

#[test]
fn an_answer_that_takes_too_long_is_given_up() {
    let connected = answering(&get(&json!({})), options(true), &chosen(), |_| Reply::Silent);
    let failed = connected.call(json!({})).unwrap_err();
    assert!(failed.to_string().contains("within 30000 ms"), "{failed}");
    assert_eq!((connected.network.open(), connected.host.time().sleepers()), (0, 0));
}

#[test]
fn a_cancelled_call_lets_go_of_its_request() {
    let connected = answering(&get(&json!({})), options(true), &chosen(), |_| Reply::Silent);
    connected.cancellation.cancel(Failure::Cancelled { by: Party::Caller });
    let failed = connected.call(json!({})).unwrap_err();
    assert!(failed.to_string().contains("cancelled"), "{failed}");
    assert_eq!(connected.network.open(), 0);
}

#[test]
fn what_a_network_does_is_told_without_its_evidence() {
    let evidence = || "canary".to_owned();
    for (error, part) in [
        (FetchError::Unsendable { evidence: evidence() }, "nothing was"),
        (FetchError::Unreachable { evidence: evidence() }, "may have arrived"),
    ] {
        let failed =
            called(&get(&json!({})), &chosen(), Reply::Fails(error)).unwrap_err().to_string();
        assert!(failed.contains(part) && !failed.contains("canary"), "{failed}");
    }
    let broken = Reply::BreaksOff { status: 200, parts: vec![b"{".to_vec()] };
    assert!(
        called(&get(&json!({})), &chosen(), broken).unwrap_err().to_string().contains("broke off")
    );
}

#[test]
fn big_integers_are_refused_or_texts_as_the_owner_says() {
    let api = with_output(&json!({"type": "object", "properties": {"id": {"type": "integer"}}}));
    let body = r#"{"id": 9007199254740993, "more": [123456789012345678901234567890]}"#;
    let mut texts = chosen();
    texts.big_integers = BigIntegers::Text;
    let expected = json!({"id": "9007199254740993", "more": ["123456789012345678901234567890"]});
    assert_eq!(called(&api, &texts, Reply::json(200, body)), Ok(expected));
    assert_eq!(called(&api, &texts, Reply::json(200, r#"{"id": 7}"#)), Ok(json!({"id": 7})));
    assert_eq!(
        called(&api, &chosen(), Reply::json(200, body)).unwrap_err().code(),
        "output-invalid"
    );
}

/// A connection with one body of this media type and schema.
fn with_body(media: &str, content: &Value) -> Connected {
    let api = document(
        &json!({"/b": {"post": {"requestBody": {"required": true, "content": {media: content}}, "responses": {}}}}),
    );
    connected(&api, options(true))
}

fn body(media: &str, content: &Value, value: Value) -> Result<(String, String), Failure> {
    let connected = with_body(media, content);
    connected.call(json!({"body": value}))?;
    let sent = connected.sent();
    Ok((header(&sent, "content-type").unwrap(), String::from_utf8(sent.body.unwrap()).unwrap()))
}

#[test]
fn a_form_is_written_as_forms_are() {
    let content = json!({
        "schema": {"type": "object", "properties": {
            "text": {"type": "string"}, "list": {"type": "array"}, "comma": {"type": "array"},
            "map": {"type": "object"}, "deep": {"type": "object"}, "n": {"type": "integer"},
        }},
        "encoding": {"comma": {"style": "form", "explode": false}, "deep": {"style": "deepObject", "explode": true}},
    });
    let value = json!({"text": "a b&c=d", "list": [1, "x,y"], "comma": ["a", "b,c"], "map": {"k": [1]}, "deep": {"k": "v"}, "n": 7});
    let (media, text) = body("application/x-www-form-urlencoded", &content, value).unwrap();
    assert_eq!(media, "application/x-www-form-urlencoded");
    let mut pairs: Vec<_> = text.split('&').collect();
    pairs.sort_unstable();
    assert_eq!(
        pairs,
        [
            "comma=a,b%2Cc",
            "deep%5Bk%5D=v",
            "list=1",
            "list=x%2Cy",
            "map=%7B%22k%22%3A%5B1%5D%7D",
            "n=7",
            "text=a%20b%26c%3Dd",
        ]
    );
    for value in [
        json!({"text": null}),
        json!({"list": []}),
        json!({"comma": []}),
        json!({"deep": {"k": {}}}),
    ] {
        let refused = body("application/x-www-form-urlencoded", &content, value).unwrap_err();
        assert_eq!(refused.code(), "input-invalid", "{refused}");
    }
}

#[test]
fn a_multipart_form_is_written_as_browsers_do() {
    let content = json!({
        "schema": {"type": "object", "properties": {
            "te\"xt\r\n": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}},
            "meta": {"type": "object"}, "file": {"type": "string", "format": "binary"}, "csv": {"type": "string"},
        }},
        "encoding": {"csv": {"contentType": "text/csv, text/plain"}},
    });
    let value = json!({"te\"xt\r\n": "a\r\nb", "tags": ["x", "y"], "meta": {"k": 1}, "file": "AAEC", "csv": "1,2"});
    let connected = with_body("multipart/form-data", &content);
    connected.call(json!({"body": value})).unwrap();
    let sent = connected.sent();
    let media = header(&sent, "content-type").unwrap();
    let boundary = media.strip_prefix("multipart/form-data; boundary=").unwrap();
    let body = sent.body.unwrap();
    let text = String::from_utf8_lossy(&body);
    let parts: Vec<_> = text.split(&format!("--{boundary}")).collect();
    assert_eq!((parts.len(), parts[0], parts[7]), (8, "", "--\r\n"));
    for part in [
        "\r\nContent-Disposition: form-data; name=\"te%22xt%0D%0A\"\r\n\r\na\r\nb\r\n",
        "\r\nContent-Disposition: form-data; name=\"tags\"\r\n\r\nx\r\n",
        "\r\nContent-Disposition: form-data; name=\"tags\"\r\n\r\ny\r\n",
        "\r\nContent-Disposition: form-data; name=\"meta\"\r\nContent-Type: application/json\r\n\r\n{\"k\":1}\r\n",
        "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"file\"\r\nContent-Type: application/octet-stream\r\n\r\n\u{0}\u{1}\u{2}\r\n",
        "\r\nContent-Disposition: form-data; name=\"csv\"\r\nContent-Type: text/csv\r\n\r\n1,2\r\n",
    ] {
        assert!(parts.contains(&part), "{part:?} in {text}");
    }
    let refused = with_body("multipart/form-data", &content)
        .call(json!({"body": {"file": "not base64!"}}))
        .unwrap_err();
    assert_eq!(refused.code(), "input-invalid", "{refused}");
}

#[test]
fn a_boundary_is_in_no_part() {
    let content = json!({"schema": {"type": "object"}});
    let boundary = |value: &Value| {
        let (media, text) = body("multipart/form-data", &content, value.clone()).unwrap();
        (media.rsplit('=').next().unwrap().to_owned(), text)
    };
    let (first, _) = boundary(&json!({"a": "x"}));
    let (second, text) = boundary(&json!({"a": format!("--{first}--")}));
    assert_eq!(text.matches(&format!("--{second}")).count(), 2);
}

#[test]
fn texts_and_files_are_sent_and_read_as_they_are() {
    assert_eq!(
        body("text/plain", &json!({}), json!("a\nb")),
        Ok(("text/plain".to_owned(), "a\nb".to_owned()))
    );
    assert_eq!(
        body("application/octet-stream", &json!({}), json!("AGJj")),
        Ok(("application/octet-stream".to_owned(), "\u{0}bc".to_owned()))
    );
    assert_eq!(
        body("application/octet-stream", &json!({}), json!("%")).unwrap_err().code(),
        "input-invalid"
    );
    let answer = |media: &str| {
        let api = get(&json!({"200": {"content": {media: {}}}}));
        let reply = Reply::Answer {
            status: 200,
            headers: vec![],
            parts: vec![b"a".to_vec(), b"bc".to_vec()],
        };
        called(&api, &chosen(), reply)
    };
    assert_eq!(answer("text/plain"), Ok(json!("abc")));
    assert_eq!(answer("image/png"), Ok(json!("YWJj")));
}

#[test]
fn a_head_has_no_body_and_says_so() {
    let api = document(
        &json!({"/x": {"head": {"responses": {"200": {"content": {"application/json": {"schema": {"type": "object"}}}}}}}}),
    );
    assert_eq!(called(&api, &chosen(), Reply::json(200, "ignored")), Ok(Value::Null));
}

#[test]
fn an_operation_says_whose_its_texts_are_and_what_it_does() {
    let api = document(
        &json!({"/x": {"delete": {"operationId": "drop", "summary": "Drops.", "deprecated": true, "responses": {}}}}),
    );
    let table = taken(&api, Options::default()).select(&["DELETE /x"]).unwrap();
    let world = connected(&get(&json!({})), Options::default());
    let ports = ConnectionPorts {
        fetch: std::rc::Rc::new(world.network.clone()),
        secrets: std::rc::Rc::new(Nothing),
        timer: world.host.ports().timer,
        clock: world.host.ports().clock,
    };
    let catalog =
        mycelium::Catalog::new([module("id", "api", &table, &chosen(), &ports).unwrap()]).unwrap();
    let entry = &catalog.entries()[0];
    let operation = entry.operation();
    assert_eq!(entry.path(), "api.drop");
    assert!(operation.is_third_party());
    assert_eq!(operation.labels().access.as_str(), "write");
    assert_eq!(operation.labels().replay.as_str(), "unsafe");
    assert_eq!(operation.notes(), ["DELETE /x", "Deprecated."]);
}
