//! A token, and the key set that its issuer serves.
#![no_main]

use std::rc::Rc;

use data_encoding::BASE64URL_NOPAD;
use futures::{FutureExt, executor::block_on, future::LocalBoxFuture};
use libfuzzer_sys::fuzz_target;
use mycelium::auth::{Algorithm, Jwks, JwksCache, Jwt, JwtRules, Signatures};
use serde_json::{Map, Value};

/// Serves what it was given.
struct Served(String);

impl Jwks for Served {
    fn fetch(&self, _: &str) -> LocalBoxFuture<'static, Option<String>> {
        let text = self.0.clone();
        async move { Some(text) }.boxed_local()
    }
}

/// Takes no signature: nobody may come in by a token that nobody signed.
struct Never;

impl Signatures for Never {
    fn verify(
        &self,
        _: Algorithm,
        _: Map<String, Value>,
        _: Vec<u8>,
        _: Vec<u8>,
    ) -> LocalBoxFuture<'static, bool> {
        async { false }.boxed_local()
    }
}

fuzz_target!(|text: &str| {
    let mut parts = text.splitn(3, '\n');
    let mut part = || parts.next().unwrap_or_default();
    let (header, claims, keys) = (part(), part(), part());
    let coded = |text: &str| BASE64URL_NOPAD.encode(text.as_bytes());
    let jwt = Jwt {
        rules: JwtRules {
            issuer: "i".into(),
            audience: "a".into(),
            jwks_url: "https://i.example/keys".into(),
            kind: "member".into(),
            role_claim: "role".into(),
        },
        cache: JwksCache::default(),
        jwks: Rc::new(Served(keys.to_owned())),
        signatures: Rc::new(Never),
    };
    for token in [text.to_owned(), format!("{}.{}.AAAA", coded(header), coded(claims))] {
        assert!(block_on(jwt.find(&token, 1_800_000_000_000)).is_none());
    }
});
