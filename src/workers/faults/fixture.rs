//! The tools that the protocol's conformance suite asks for, and an operation that a
//! person must confirm. This file is all by which the fixture differs from the product.

use std::rc::Rc;

use futures::{FutureExt, future::LocalBoxFuture, join};
use serde_json::{Map, Value, json};

use super::super::ports::PlatformTimer;
use crate::{
    mcp::{Asked, CallResult, McpTool, Peer, Question, wire::RpcError},
    operation::{Access, Module, Operation},
    port::Timer,
};

/// A picture of one point.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/// A sound of no length.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

/// The module `guarded`, whose operation `remove` a person must confirm.
pub(super) fn module() -> Module {
    let remove = Operation::new(json!({}), |_, _| async { Ok(json!("removed")) });
    let look = Operation::new(json!({}), |_, _| async { Ok(json!("seen")) });
    Module::new("test-guarded", "guarded")
        .operation("remove", remove.confirm(true))
        .operation("look", look.access(Access::Read))
}

type Called = LocalBoxFuture<'static, Result<CallResult, RpcError>>;

/// One of the fixture's tools.
struct Fixture {
    name: &'static str,
    schema: Value,
    asks: bool,
    requires: Map<String, Value>,
    call: fn(Value, Rc<dyn Peer>) -> Called,
}

impl McpTool for Fixture {
    fn listed(&self) -> Value {
        json!({
            "name": self.name,
            "description": format!("The suite's {}.", self.name),
            "inputSchema": self.schema,
        })
    }

    fn requires(&self) -> Map<String, Value> {
        self.requires.clone()
    }

    fn asks(&self) -> bool {
        self.asks
    }

    fn call(&self, arguments: Value, peer: Rc<dyn Peer>) -> Called {
        (self.call)(arguments, peer)
    }
}

fn plain(name: &'static str, call: fn(Value, Rc<dyn Peer>) -> Called) -> Fixture {
    Fixture { name, schema: json!({ "type": "object" }), asks: false, requires: Map::new(), call }
}

fn asking(name: &'static str, call: fn(Value, Rc<dyn Peer>) -> Called) -> Fixture {
    Fixture { asks: true, ..plain(name, call) }
}

/// The fixture's tools.
pub(crate) fn tools() -> Vec<Rc<dyn McpTool>> {
    let tools = [
        plain("test_simple_text", |_, _| content(json!([text("A simple text.")]))),
        plain("test_image_content", |_, _| content(json!([picture()]))),
        plain("test_audio_content", |_, _| {
            content(json!([{ "type": "audio", "data": WAV, "mimeType": "audio/wav" }]))
        }),
        plain("test_embedded_resource", |_, _| content(json!([resource()]))),
        plain("test_multiple_content_types", |_, _| {
            content(json!([text("Several kinds:"), picture(), resource()]))
        }),
        plain("test_error_handling", |_, _| {
            async { Ok(CallResult::failure("It fails, as it is meant to.")) }.boxed_local()
        }),
        plain("test_tool_with_progress", |_, peer| progress(peer).boxed_local()),
        plain("test_reconnection", |_, peer| reconnection(peer).boxed_local()),
        plain("test_logging_tool", |_, _| content(json!([text("It logs nothing.")]))),
        Fixture {
            requires: capability("sampling"),
            ..plain("test_missing_capability", |_, _| content(json!([text("It may sample.")])))
        },
        Fixture {
            schema: drafted(),
            ..plain("json_schema_2020_12_tool", |input, _| {
                content(json!([text(&input.to_string())]))
            })
        },
        asking("test_elicitation", |input, peer| elicitation(&input, peer)),
        asking("test_elicitation_sep1034_defaults", |_, peer| {
            answered(peer, form("form", defaults()))
        }),
        asking("test_elicitation_sep1330_enums", |_, peer| answered(peer, form("form", enums()))),
        asking("test_streaming_elicitation", |_, peer| answered(peer, form("name", named("name")))),
        asking("test_input_required_result_elicitation", |_, peer| {
            answered(peer, form("user_name", named("name")))
        }),
        asking("test_input_required_result_request_state", |_, peer| stated(peer).boxed_local()),
        asking("test_input_required_result_tampered_state", |_, peer| stated(peer).boxed_local()),
        asking("test_input_required_result_multi_round", |_, peer| rounds(peer).boxed_local()),
        asking("test_input_required_result_sampling", |_, peer| {
            answered(peer, sampling("capital_question"))
        }),
        asking("test_input_required_result_list_roots", |_, peer| answered(peer, roots())),
        asking("test_input_required_result_multiple_inputs", |_, peer| several(peer).boxed_local()),
        asking("test_input_required_result_capabilities", |_, peer| either(peer).boxed_local()),
    ];
    tools.into_iter().map(|tool| Rc::new(tool) as Rc<dyn McpTool>).collect()
}

fn content(content: Value) -> Called {
    let mut result = Map::new();
    result.insert("content".to_owned(), content);
    async { Ok(CallResult::own(result)) }.boxed_local()
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn picture() -> Value {
    json!({ "type": "image", "data": PNG, "mimeType": "image/png" })
}

fn resource() -> Value {
    let resource =
        json!({ "uri": "test://resource", "mimeType": "text/plain", "text": "A resource." });
    json!({ "type": "resource", "resource": resource })
}

fn capability(name: &str) -> Map<String, Value> {
    [(name.to_owned(), json!({}))].into_iter().collect()
}

async fn progress(peer: Rc<dyn Peer>) -> Result<CallResult, RpcError> {
    for at in [0.0, 50.0, 100.0] {
        peer.progress(at, Some(100.0), None);
        PlatformTimer.sleep(50).await;
    }
    Ok(CallResult::text("It is done."))
}

async fn reconnection(peer: Rc<dyn Peer>) -> Result<CallResult, RpcError> {
    PlatformTimer.sleep(50).await;
    peer.cut();
    PlatformTimer.sleep(300).await;
    Ok(CallResult::text("It came back."))
}

fn form(key: &str, schema: Value) -> Question {
    let params = json!({ "mode": "form", "message": "Please answer.", "requestedSchema": schema });
    Question { key: key.to_owned(), method: "elicitation/create", params }
}

fn named(name: &str) -> Value {
    json!({ "type": "object", "properties": { name: { "type": "string" } }, "required": [name] })
}

fn sampling(key: &str) -> Question {
    let content = text("What is the capital of France?");
    let messages = json!([{ "role": "user", "content": content }]);
    let params = json!({ "messages": messages, "maxTokens": 100 });
    Question { key: key.to_owned(), method: "sampling/createMessage", params }
}

fn roots() -> Question {
    Question { key: "client_roots".to_owned(), method: "roots/list", params: json!({}) }
}

fn said(asked: &Asked) -> CallResult {
    match asked {
        Asked::Answered(result) => CallResult::text(format!("It was answered: {result}")),
        Asked::Failed(error) => CallResult::failure(format!("The client failed: {error}")),
        Asked::Unreachable => CallResult::failure("The client can't be asked."),
    }
}

fn answered(peer: Rc<dyn Peer>, question: Question) -> Called {
    let asked = peer.ask(question);
    // The peer stays for as long as the question does.
    async move {
        let result = said(&asked.await);
        drop(peer);
        Ok(result)
    }
    .boxed_local()
}

fn elicitation(input: &Value, peer: Rc<dyn Peer>) -> Called {
    let field = json!({ "type": "string" });
    let schema = json!({
        "type": "object",
        "properties": { "username": field, "email": field },
        "required": ["username", "email"],
    });
    let mut question = form("form", schema);
    if let Some(params) = question.params.as_object_mut() {
        params.insert(
            "message".to_owned(),
            input.get("message").cloned().unwrap_or_else(|| json!("?")),
        );
    }
    answered(peer, question)
}

async fn stated(peer: Rc<dyn Peer>) -> Result<CallResult, RpcError> {
    let schema = json!({
        "type": "object", "properties": { "ok": { "type": "boolean" } }, "required": ["ok"],
    });
    peer.ask(form("confirm", schema)).await;
    Ok(CallResult::text("state-ok"))
}

async fn rounds(peer: Rc<dyn Peer>) -> Result<CallResult, RpcError> {
    peer.ask(form("step1", named("name"))).await;
    peer.ask(form("step2", named("color"))).await;
    Ok(CallResult::text("It is done."))
}

async fn several(peer: Rc<dyn Peer>) -> Result<CallResult, RpcError> {
    join!(
        peer.ask(form("user_name", named("name"))),
        peer.ask(sampling("greeting")),
        peer.ask(roots())
    );
    Ok(CallResult::text("It is done."))
}

async fn either(peer: Rc<dyn Peer>) -> Result<CallResult, RpcError> {
    join!(peer.ask(form("user_name", named("name"))), peer.ask(sampling("greeting")));
    Ok(CallResult::text("It is done."))
}

fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
            "verified": { "type": "boolean", "default": true },
        },
    })
}

fn enums() -> Value {
    let options = ["option1", "option2", "option3"];
    let titled = json!([
        { "const": "value1", "title": "First" },
        { "const": "value2", "title": "Second" },
        { "const": "value3", "title": "Third" },
    ]);
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": options },
            "titledSingle": { "type": "string", "oneOf": titled },
            "legacyEnum": { "type": "string", "enum": options, "enumNames": ["One", "Two", "Three"] },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": options } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled } },
        },
    })
}

fn drafted() -> Value {
    let string = json!({ "type": "string" });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": string, "city": string },
            },
        },
        "properties": {
            "name": string,
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": string,
            "email": string,
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}
