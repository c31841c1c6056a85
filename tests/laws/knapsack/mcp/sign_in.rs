//! Signing in by OAuth: one owner, one refresh.

use std::{cell::Cell, rc::Rc};

use mycelium::{
    knapsack::mcp::{Endpoint, McpServer, SignIn, SignInGrant},
    operation::Context,
    port::fetch::Request,
    testing::{FakeFetch, Reply},
};
use serde_json::json;

use super::fake::{Fake, Speaks, World, header, server, text, tool, with};

const TOKEN_URL: &str = "https://auth.example/token";

/// An authorization server that gives `token-1`, `token-2`, …, and takes only the last refresh
/// token it gave.
#[derive(Clone, Default)]
struct Authority {
    given: Rc<Cell<u64>>,
    /// The only token that the MCP server takes; none when it takes the last.
    refused: Rc<Cell<u64>>,
    expires_in: Rc<Cell<Option<u64>>>,
    broken: Rc<Cell<Option<u16>>>,
}

impl Authority {
    fn answer(&self, request: &Request) -> Reply {
        let body = String::from_utf8(request.body.clone().unwrap()).unwrap();
        if let Some(status) = self.broken.get() {
            return Reply::json(status, "");
        }
        let refresh = body.split('&').find_map(|field| field.strip_prefix("refresh_token="));
        if let Some(refresh) = refresh {
            let expected = match self.given.get() {
                0 => "seed".to_owned(),
                given => format!("refresh-{given}"),
            };
            if refresh != expected {
                return Reply::json(400, r#"{"error": "invalid_grant"}"#);
            }
        }
        let given = self.given.get() + 1;
        self.given.set(given);
        let mut answer = json!({"access_token": format!("token-{given}"), "token_type": "Bearer"});
        if let Some(seconds) = self.expires_in.get() {
            answer["expires_in"] = json!(seconds);
        }
        if refresh.is_some() {
            answer["refresh_token"] = json!(format!("refresh-{given}"));
        }
        Reply::json(200, &answer.to_string())
    }

    /// A world whose server takes only tokens of this authority that it hasn't refused.
    fn world(&self, server: McpServer) -> World {
        let fake = Fake::new(Speaks::Sessions("2025-11-25"), vec![tool("t")])
            .answering(|called| with(called, &text("done")));
        self.world_of(&fake, server)
    }

    fn world_of(&self, fake: &Fake, server: McpServer) -> World {
        let (authority, mcp) = (self.clone(), fake.clone());
        let network = FakeFetch::new(move |request| {
            if request.url == TOKEN_URL {
                return authority.answer(request);
            }
            let token = header(request, "authorization").unwrap_or_default();
            let number: Option<u64> =
                token.strip_prefix("Bearer token-").and_then(|number| number.parse().ok());
            match number {
                Some(number) if number > authority.refused.get() => mcp.reply(request),
                _ => Reply::json(401, ""),
            }
        });
        let world = World::over(fake, server, network, Rc::default());
        world.secrets.set("SECRET", "client-secret");
        world.secrets.set("REFRESH", "seed");
        world
    }
}

fn signed_in(grant: SignInGrant) -> McpServer {
    let mut server = server();
    let token_url = Endpoint::new(TOKEN_URL).unwrap();
    let mut sign_in = SignIn::new(token_url, "client", "SECRET");
    sign_in.grant = grant;
    sign_in.scope = Some("a b".to_owned());
    server.sign_in = Some(sign_in);
    server
}

fn refreshing() -> McpServer {
    signed_in(SignInGrant::RefreshToken { secret: "REFRESH".to_owned() })
}

#[test]
fn a_client_signs_in_with_its_own_secret_once() {
    let authority = Authority::default();
    let world = authority.world(signed_in(SignInGrant::ClientCredentials));
    for _ in 0..3 {
        assert!(world.only().is_ok());
    }
    assert_eq!(authority.given.get(), 1);
    let asked = world.network.requests();
    let asked = asked.iter().find(|request| request.url == TOKEN_URL).unwrap();
    let body = String::from_utf8(asked.body.clone().unwrap()).unwrap();
    assert_eq!(body, "grant_type=client_credentials&scope=a%20b");
    assert_eq!(
        header(asked, "authorization").as_deref(),
        Some("Basic Y2xpZW50OmNsaWVudC1zZWNyZXQ=")
    );
}

#[test]
fn a_refresh_token_is_spent_once_by_many_who_find_their_token_refused() {
    let authority = Authority::default();
    let world = authority.world(refreshing());
    world.only().unwrap();
    let catalog = world.catalog().unwrap();
    authority.refused.set(1);
    let run = |_| {
        let entry = catalog.find("mcp.fake.t").unwrap().clone();
        async move {
            let run = entry.operation().decode(json!({})).unwrap();
            run.run(Context::builder().build()).await
        }
    };
    // All at once: each has been refused before any asks for another token.
    let answers = world.host.run(futures::future::join_all((0..20).map(run)));
    assert!(answers.unwrap().iter().all(Result::is_ok));
    // A second use of one refresh token would have been refused.
    assert_eq!(authority.given.get(), 2);
}

#[test]
fn a_token_is_renewed_before_its_end_and_the_last_refresh_token_outlives_the_process() {
    let authority = Authority::default();
    authority.expires_in.set(Some(100));
    let world = authority.world(refreshing());
    world.only().unwrap();
    world.host.pass(69_999);
    world.only().unwrap();
    assert_eq!(authority.given.get(), 1);
    world.host.pass(1);
    world.only().unwrap();
    assert_eq!(authority.given.get(), 2);
    let next = authority.world_of(&world.fake, refreshing());
    let next = World::over(&world.fake, refreshing(), next.network, world.storage.clone());
    next.secrets.set("SECRET", "client-secret");
    next.secrets.set("REFRESH", "seed");
    authority.refused.set(2);
    assert!(next.only().is_ok(), "the owner's own refresh token was spent long ago");
    assert_eq!(authority.given.get(), 3);
}

#[test]
fn a_spent_refresh_token_asks_for_its_owner_and_a_new_one_helps() {
    let authority = Authority::default();
    let world = authority.world(refreshing());
    world.secrets.set("REFRESH", "stolen");
    for _ in 0..3 {
        let error = world.catalog().unwrap_err();
        assert!(error.contains("sign-in is needed") && error.contains("REFRESH"), "{error}");
        assert!(!error.contains("stolen"), "{error}");
    }
    let asked = || world.network.requests().iter().filter(|sent| sent.url == TOKEN_URL).count();
    assert_eq!(asked(), 1, "a spent one is never sent again");
    world.secrets.set("REFRESH", "seed");
    assert!(world.only().is_ok());
}

#[test]
fn a_token_that_is_refused_at_once_is_said_plainly_and_not_asked_for_without_end() {
    let authority = Authority::default();
    let world = authority.world(signed_in(SignInGrant::ClientCredentials));
    world.only().unwrap();
    let mut started = {
        let catalog = world.catalog().unwrap();
        authority.refused.set(u64::MAX);
        let entry = catalog.find("mcp.fake.t").unwrap().clone();
        world.host.start(async move {
            let run = entry.operation().decode(json!({})).unwrap();
            run.run(Context::builder().build()).await
        })
    };
    let failure = started.end().unwrap().unwrap_err().failure("p").0.to_string();
    assert!(failure.contains("sign-in is needed"), "{failure}");
    assert_eq!(authority.given.get(), 2);
}

#[test]
fn an_authority_that_is_away_loses_nothing() {
    let authority = Authority::default();
    let world = authority.world(refreshing());
    for status in [500, 503, 302, 404] {
        authority.broken.set(Some(status));
        let error = world.catalog().unwrap_err();
        assert!(error.contains("can't be asked"), "{error}");
    }
    authority.broken.set(None);
    assert!(world.only().is_ok(), "the refresh token wasn't spent");
}

#[test]
fn a_missing_secret_is_named() {
    let authority = Authority::default();
    let world = authority.world(refreshing());
    world.secrets.0.borrow_mut().remove("REFRESH");
    assert!(world.catalog().unwrap_err().contains("the secret REFRESH isn't set"));
    assert_eq!(world.network.requests().len(), 0);
}
