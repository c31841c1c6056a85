//! Keys, tokens and the developer: who is let in as whom.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    auth::{Algorithm, ApiKeys, Authenticator, Jwks, JwksCache, Jwt, JwtRules, Signatures},
    mcp::{Admission, Authenticate, Denial, Head},
    testing::Host,
};
use p256::ecdsa::{
    Signature, SigningKey, VerifyingKey,
    signature::{Signer, Verifier},
};
use serde_json::{Map, Value, json};

/// Checks signatures as the platform does, by another implementation.
struct P256;

impl Signatures for P256 {
    fn verify(
        &self,
        algorithm: Algorithm,
        jwk: Map<String, Value>,
        signed: Vec<u8>,
        signature: Vec<u8>,
    ) -> LocalBoxFuture<'static, bool> {
        let verified = || {
            assert_eq!(algorithm, Algorithm::Es256);
            let part = |name: &str| decode(jwk.get(name)?.as_str()?);
            let point = [vec![4], part("x")?, part("y")?].concat();
            let key = VerifyingKey::from_sec1_bytes(&point).ok()?;
            key.verify(&signed, &Signature::from_slice(&signature).ok()?).ok()
        };
        let verified = verified().is_some();
        async move { verified }.boxed_local()
    }
}

#[derive(Default)]
struct Issuer {
    set: RefCell<Option<String>>,
    fetches: Cell<u64>,
}

impl Jwks for Issuer {
    fn fetch(&self, url: &str) -> LocalBoxFuture<'static, Option<String>> {
        assert_eq!(url, "https://login.example/keys");
        self.fetches.set(self.fetches.get() + 1);
        let set = self.set.borrow().clone();
        async move { set }.boxed_local()
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn encode(bytes: &[u8]) -> String {
    let bits: Vec<bool> =
        bytes.iter().flat_map(|byte| (0..8).rev().map(move |at| byte >> at & 1 == 1)).collect();
    let sextet = |bits: &[bool]| {
        bits.iter().chain([&false; 6]).take(6).fold(0, |sum, bit| sum * 2 + usize::from(*bit))
    };
    bits.chunks(6).map(|bits| char::from(ALPHABET[sextet(bits)])).collect()
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bits = Vec::new();
    for letter in text.bytes() {
        let value = ALPHABET.iter().position(|known| *known == letter)?;
        bits.extend((0..6).rev().map(|at| value >> at & 1 == 1));
    }
    let byte = |bits: &[bool]| bits.iter().fold(0_u8, |sum, bit| sum << 1 | u8::from(*bit));
    Some(bits.chunks_exact(8).map(byte).collect())
}

fn key(seed: u8) -> SigningKey {
    SigningKey::from_slice(&[seed; 32]).unwrap()
}

fn jwk(id: &str, key: &SigningKey) -> Value {
    let point = key.verifying_key().to_sec1_point(false);
    json!({
        "kty": "EC", "crv": "P-256", "kid": id, "use": "sig", "alg": "ES256",
        "x": encode(point.x().unwrap()), "y": encode(point.y().unwrap()),
    })
}

fn token(header: Value, claims: Value, key: &SigningKey) -> String {
    let signed = format!(
        "{}.{}",
        encode(header.to_string().as_bytes()),
        encode(claims.to_string().as_bytes())
    );
    let signature: Signature = key.sign(signed.as_bytes());
    format!("{signed}.{}", encode(&signature.to_bytes()))
}

fn header(id: &str) -> Value {
    json!({"alg": "ES256", "kid": id, "typ": "JWT"})
}

/// Good for an hour from the test's beginning.
fn claims() -> Value {
    json!({
        "iss": "https://login.example", "aud": "https://m.example/mcp", "sub": "ada", "exp": 3_600,
        "nbf": 0, "role": "admin", "jti": "t1",
    })
}

struct World {
    host: Host,
    issuer: Rc<Issuer>,
    authenticator: Authenticator,
}

impl World {
    fn new() -> Self {
        let host = Host::new();
        let issuer = Rc::new(Issuer::default());
        issuer.set.replace(Some(json!({"keys": [jwk("k1", &key(1))]}).to_string()));
        let rules = JwtRules {
            issuer: "https://login.example".to_owned(),
            audience: "https://m.example/mcp".to_owned(),
            jwks_url: "https://login.example/keys".to_owned(),
            kind: "member".to_owned(),
            role_claim: "role".to_owned(),
        };
        let jwt = Jwt {
            rules,
            cache: JwksCache::default(),
            jwks: issuer.clone(),
            signatures: Rc::new(P256),
        };
        let authenticator = Authenticator {
            dev: false,
            keys: Rc::new(ApiKeys::default()),
            jwt: Some(jwt),
            clock: Rc::clone(&host.ports().clock),
        };
        Self { host, issuer, authenticator }
    }

    fn admitted(&self, token: &str) -> Option<mycelium::mcp::Caller> {
        let head = Head::new("POST", "m.example").with("authorization", format!("Bearer {token}"));
        let asked = self.authenticator.authenticate(&head);
        match self.host.run(asked).unwrap() {
            Admission::Admitted(caller) => Some(caller),
            Admission::Refused(denial) => {
                assert_eq!(denial, Denial::Unauthenticated);
                None
            }
        }
    }
}

#[test]
fn a_good_token_is_its_subject_with_its_role() {
    let world = World::new();
    let caller = world.admitted(&token(header("k1"), claims(), &key(1))).unwrap();
    assert_eq!(
        (caller.principal.key().as_str(), caller.principal.has_role()),
        ("member:ada", Some("admin"))
    );
    assert_eq!(caller.credential.id, "jwt:t1");
}

#[test]
fn a_token_that_says_anything_else_is_refused() {
    let with = |name: &str, value: Value| {
        let mut claims = claims();
        claims[name] = value;
        claims
    };
    let without = |name: &str| {
        let mut claims = claims();
        claims.as_object_mut().unwrap().remove(name);
        claims
    };
    let world = World::new();
    world.host.pass(2_000_000);
    let wrong = [
        with("iss", json!("https://login.example.evil")),
        with("iss", json!(["https://login.example"])),
        with("aud", json!("https://other.example/mcp")),
        with("aud", json!(["https://other.example/mcp"])),
        with("aud", json!([])),
        with("exp", json!(1_900)),
        with("exp", json!("3600")),
        with("exp", json!(-1)),
        with("nbf", json!(2_100)),
        with("nbf", json!("0")),
        with("sub", json!("")),
        with("sub", json!(7)),
        without("iss"),
        without("aud"),
        without("exp"),
        without("sub"),
    ];
    for claims in wrong {
        assert_eq!(world.admitted(&token(header("k1"), claims.clone(), &key(1))), None, "{claims}");
    }
    assert_eq!(world.issuer.fetches.get(), 0, "nobody is asked for the sake of such a token");
    assert!(
        world
            .admitted(&token(
                header("k1"),
                with("aud", json!(["x", "https://m.example/mcp"])),
                &key(1)
            ))
            .is_some()
    );
}

#[test]
fn a_token_that_is_not_signed_by_its_issuer_is_refused() {
    let world = World::new();
    let good = token(header("k1"), claims(), &key(1));
    let (signed, signature) = good.rsplit_once('.').unwrap();
    let mut admin = claims();
    admin["sub"] = json!("root");
    let forged = format!(
        "{}.{}.{signature}",
        signed.split_once('.').unwrap().0,
        encode(admin.to_string().as_bytes())
    );
    let none = |alg: &str| {
        let head = encode(json!({"alg": alg}).to_string().as_bytes());
        format!("{head}.{}.", encode(claims().to_string().as_bytes()))
    };
    let wrong = [
        token(header("k1"), claims(), &key(2)),
        token(header("k2"), claims(), &key(2)),
        token(json!({"alg": "HS256", "kid": "k1"}), claims(), &key(1)),
        token(json!({"alg": "RS256", "kid": "k1"}), claims(), &key(1)),
        token(json!({"alg": "ES256", "kid": "k1", "crit": ["x"]}), claims(), &key(1)),
        token(json!({"kid": "k1"}), claims(), &key(1)),
        forged,
        none("none"),
        none("None"),
        format!("{signed}."),
        format!("{good}."),
        format!("{good}x"),
        signed.to_owned(),
        "a.b.c".to_owned(),
        ".".repeat(100),
        "a".repeat(20_000),
    ];
    for wrong in wrong {
        assert_eq!(world.admitted(&wrong), None, "{wrong:.60}");
    }
    assert!(world.admitted(&good).is_some());
}

#[test]
fn a_new_key_is_fetched_and_made_up_ones_don_t_have_the_issuer_asked_at_will() {
    let world = World::new();
    let old = token(header("k1"), claims(), &key(1));
    assert!(world.admitted(&old).is_some() && world.admitted(&old).is_some());
    assert_eq!(world.issuer.fetches.get(), 1, "keys are kept");
    world.issuer.set.replace(Some(json!({"keys": [jwk("k2", &key(2))]}).to_string()));
    let new = token(header("k2"), claims(), &key(2));
    assert!(world.admitted(&new).is_none(), "too soon after the last fetch");
    for made_up in 0..50 {
        assert!(
            world.admitted(&token(header(&format!("x{made_up}")), claims(), &key(3))).is_none()
        );
    }
    assert_eq!(world.issuer.fetches.get(), 1);
    world.host.pass(30_000);
    assert!(world.admitted(&new).is_some());
    assert!(world.admitted(&old).is_none(), "the issuer has taken the old key back");
    assert_eq!(world.issuer.fetches.get(), 2);
    world.host.pass(2 * 60 * 60 * 1_000);
    world.issuer.set.replace(None);
    assert!(world.admitted(&new).is_none(), "old keys don't outlive an issuer that is gone");
}

#[test]
fn an_issuer_that_gives_no_keys_is_not_asked_at_will() {
    for answer in [None, Some("no key set".to_owned())] {
        let world = World::new();
        let keys = world.issuer.set.replace(answer);
        for made_up in 0..50 {
            let token = token(header(&format!("x{made_up}")), claims(), &key(3));
            assert!(world.admitted(&token).is_none());
        }
        assert_eq!(world.issuer.fetches.get(), 1);
        world.issuer.set.replace(keys);
        let good = token(header("k1"), claims(), &key(1));
        assert!(world.admitted(&good).is_none(), "too soon after the last attempt");
        world.host.pass(30_000);
        assert!(world.admitted(&good).is_some());
        // A renewal that fails doesn't take away what is kept.
        world.host.pass(30_000);
        world.issuer.set.replace(None);
        assert!(world.admitted(&token(header("k2"), claims(), &key(2))).is_none());
        assert!(world.admitted(&good).is_some());
        assert_eq!(world.issuer.fetches.get(), 3);
    }
}

#[test]
fn a_token_s_end_ends_what_it_admitted() {
    let world = World::new();
    let caller = world.admitted(&token(header("k1"), claims(), &key(1))).unwrap();
    let still = || world.host.run(world.authenticator.is_admitted(&caller)).unwrap();
    assert!(still());
    world.host.pass(3_600_000);
    assert!(still(), "clocks differ by a minute");
    world.host.pass(60_000);
    assert!(!still());
}

#[test]
fn nothing_configured_admits_nobody_and_the_developer_only_here() {
    let host = Host::new();
    let authenticator = |dev| Authenticator {
        dev,
        keys: Rc::new(ApiKeys::default()),
        jwt: None,
        clock: Rc::clone(&host.ports().clock),
    };
    let admitted = |dev: bool, head: Head| {
        let asked = authenticator(dev).authenticate(&head);
        matches!(host.run(asked).unwrap(), Admission::Admitted(_))
    };
    let here = || Head::new("POST", "localhost:8787");
    assert!(!authenticator(false).is_configured() && authenticator(true).is_configured());
    assert!(!admitted(false, here()));
    assert!(admitted(true, here()));
    assert!(!admitted(true, Head::new("POST", "m.example")));
    assert!(!admitted(true, here().with("x-forwarded-for", "1.2.3.4")));
    assert!(!admitted(true, here().with("cf-ray", "x")));
    assert!(!admitted(true, here().with("authorization", "Bearer wrong")));
}
