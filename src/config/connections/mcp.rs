//! `type = "mcp"`: a server of the Model Context Protocol, over Streamable HTTP.

use std::collections::BTreeMap;

use super::{Connection, Type};
use crate::{
    config::{
        error::Errors,
        form::{Fields, Form, Rule, Text, Whole, section, words},
        node::{Node, Place},
        rule::{Said, Scope, SecretName},
    },
    knapsack::{
        mcp::{Endpoint, McpServer, Protocol, SecretHeader, SignIn, SignInGrant, ToolRule},
        openapi::Credential,
    },
    limits::LONGEST_TIMEOUT_MS,
    operation::Access,
};

section! {
    /// As it is written.
    pub(in crate::config) struct Written {
        url: Text<IsEndpoint>, "", "Where the server answers, as it says itself: to some `/mcp` and `/mcp/` are two places. Redirects are refused.";
        credential: Option<Credential>, "none", "What every request carries; it can't be a parameter of the query.";
        sign_in: Option<WrittenSignIn>, "none", "How the server is signed in to by OAuth. Either this or `credential`.";
        protocol: Option<Era>, "either", "The era of the protocol: with `sessions` (2025-11-25 and before), `stateless` (2026-07-28), or the first where the server has it.";
        trust_annotations: Option<bool>, "true", "Whether a tool that says of itself that it only reads is taken at its word.";
        timeout_ms: Option<Whole<1, LONGEST_TIMEOUT_MS>>, "180000", "Milliseconds that the server has for one call; the program's own time comes before.";
        tools: BTreeMap<String, WrittenTool>, "none", "What you say of single tools, by the server's own names for them.";
    }
}

section! {
    /// How a server is signed in to.
    pub(in crate::config) struct WrittenSignIn {
        token_url: Text<IsEndpoint>, "", "Where the authorization server gives out tokens.";
        client_id: Said, "", "The client's public id.";
        client_secret: Option<SecretName>, "none", "The secret that is the client's own. Without `refresh_token` it is what a token is asked for with.";
        refresh_token: Option<SecretName>, "none", "The secret that is a refresh token, which a person has got.";
        scope: Option<Scope>, "none", "The scopes to ask for.";
        resource: Option<Said>, "none", "For which resource the token is, where the authorization server wants to know.";
        secret_in_body: Option<bool>, "false", "Whether the client's secret is sent in the body, and not in a header.";
    }
}

section! {
    /// What is said of one tool.
    pub(in crate::config) struct WrittenTool {
        access: Option<Word>, "what the tool says of itself, else write", "Whether it reads or writes.";
        confirm: Option<bool>, "false", "Whether a person is asked before every call.";
        hidden: Option<bool>, "false", "Whether it isn't offered at all.";
    }
}

words! {
    /// An era of the protocol.
    Era(Protocol) {
        "either" => Protocol::Either,
        "sessions" => Protocol::Sessions,
        "stateless" => Protocol::Stateless,
    }
}

words! {
    /// What a tool does to the world.
    Word(Access) {
        "read" => Access::Read,
        "write" => Access::Write,
    }
}

/// Of a URL at which an MCP server, or who gives out its tokens, is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::config) struct IsEndpoint;

impl Rule for IsEndpoint {
    const ACCEPTED: &'static str =
        "a URL such as https://mcp.example/mcp (http on this machine only; no fragment)";
    const PATTERN: &'static str = "^https?://[^\\s#]+$";

    fn holds(text: &str) -> bool {
        Endpoint::new(text).is_ok()
    }
}

/// A server of the Model Context Protocol; the key that it stands under is its name and id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mcp {
    /// What the client is told of it.
    pub server: McpServer,
}

pub(super) const TYPE: Type =
    Type { word: "mcp", keys: Written::KEYS, read, schema: Written::schema, rows: Written::keys };

fn read(
    fields: &Fields<'_>,
    node: &Node,
    place: &Place<'_>,
    errors: &mut Errors,
) -> Option<Connection> {
    let written = Written::read_fields(fields, errors)?;
    let mut server = McpServer::new(place.name(), place.name(), endpoint(&written.url)?);
    if written.credential.is_some() && written.sign_in.is_some() {
        errors.wrong(place, node, "a server with either credential or sign_in");
        return None;
    }
    if let Some(credential) = written.credential {
        let Some(header) = header(credential) else {
            let accepted = "a credential in a header that the protocol doesn't write itself";
            errors.wrong(&place.of("credential"), node, accepted);
            return None;
        };
        server.headers = vec![header];
    }
    if let Some(written) = written.sign_in {
        let Some(sign_in) = sign_in(written) else {
            let accepted = "a client_secret, a refresh_token, or both";
            errors.wrong(&place.of("sign_in"), node, accepted);
            return None;
        };
        server.sign_in = Some(sign_in);
    }
    server.protocol = written.protocol.map(|Era(protocol)| protocol).unwrap_or_default();
    server.trust_annotations = written.trust_annotations.unwrap_or(true);
    server.timeout_ms = written.timeout_ms.map_or(server.timeout_ms, |Whole(ms)| ms);
    server.tools = written.tools.into_iter().map(|(name, tool)| (name, tool.into())).collect();
    Some(Connection::Mcp(Mcp { server }))
}

fn endpoint(url: &Text<IsEndpoint>) -> Option<Endpoint> {
    Endpoint::new(&url.0).ok()
}

fn header(credential: Credential) -> Option<SecretHeader> {
    match credential {
        Credential::Bearer { secret } => Some(SecretHeader::bearer(&secret)),
        Credential::Basic { secret } => Some(SecretHeader::basic(&secret)),
        Credential::Header { name, secret } => SecretHeader::new(&name, None, &secret).ok(),
        _ => None,
    }
}

fn sign_in(written: WrittenSignIn) -> Option<SignIn> {
    let token_url = endpoint(&written.token_url)?;
    let refresh = written.refresh_token.map(|name| name.0);
    let client_secret = written.client_secret.map(|name| name.0);
    if refresh.is_none() && client_secret.is_none() {
        return None;
    }
    let mut sign_in = SignIn::new(token_url, &written.client_id.0, "");
    sign_in.client_secret = client_secret;
    sign_in.grant = refresh
        .map_or(SignInGrant::ClientCredentials, |secret| SignInGrant::RefreshToken { secret });
    sign_in.scope = written.scope.map(|scope| scope.0);
    sign_in.resource = written.resource.map(|resource| resource.0);
    sign_in.secret_in_body = written.secret_in_body.unwrap_or(false);
    Some(sign_in)
}

impl From<WrittenTool> for ToolRule {
    fn from(written: WrittenTool) -> Self {
        Self {
            access: written.access.map(|Word(access)| access),
            confirm: written.confirm.unwrap_or(false),
            hidden: written.hidden.unwrap_or(false),
        }
    }
}

impl Mcp {
    pub(super) fn target(&self) -> String {
        self.server.endpoint.to_string()
    }

    pub(super) fn secrets(&self) -> Vec<&str> {
        self.server.secret_names()
    }
}
