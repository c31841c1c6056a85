//! MCP servers, where a test has some: the variable `MCP_SERVERS` is a list of objects with
//! `name`, `url` and perhaps `secret`, `timeoutMs`, `protocol` and `signIn`.

use serde_json::Value;
use wasm_bindgen::JsValue;
use worker::Env;

use super::super::ports::{BoundSecrets, PlatformConsole};
use crate::{
    knapsack::mcp::{Endpoint, McpServer, Protocol, SecretHeader, SignIn, SignInGrant},
    port::{Console, Secrets},
};

/// The servers that the variable says.
pub(crate) fn servers(env: &Env) -> Vec<McpServer> {
    let bindings: &JsValue = env.as_ref();
    let Some(said) = BoundSecrets::new(bindings.clone()).secret("MCP_SERVERS") else {
        return Vec::new();
    };
    let said: Value = serde_json::from_str(&said).unwrap_or_default();
    let read = |said: &Value| {
        let read = server(said);
        if read.is_none() {
            PlatformConsole.warn(&format!("no server is said by {said}"));
        }
        read
    };
    said.as_array().into_iter().flatten().filter_map(read).collect()
}

fn server(said: &Value) -> Option<McpServer> {
    let text = |key: &str| said.get(key).and_then(Value::as_str);
    let name = text("name")?;
    let mut server =
        McpServer::new(&format!("test-{name}"), name, Endpoint::new(text("url")?).ok()?);
    server.headers = text("secret").map(SecretHeader::bearer).into_iter().collect();
    if let Some(timeout_ms) = said.get("timeoutMs").and_then(Value::as_u64) {
        server.timeout_ms = timeout_ms;
    }
    server.protocol = match text("protocol") {
        Some("stateless") => Protocol::Stateless,
        Some("sessions") => Protocol::Sessions,
        _ => Protocol::Either,
    };
    if let Some(token_url) = text("signIn") {
        let mut sign_in = SignIn::new(Endpoint::new(token_url).ok()?, "client", "MCP_CLIENT");
        sign_in.grant = SignInGrant::RefreshToken { secret: "MCP_REFRESH".to_owned() };
        server.sign_in = Some(sign_in);
    }
    Some(server)
}
