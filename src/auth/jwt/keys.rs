//! An issuer's keys, kept for a while.

use std::{cell::RefCell, rc::Rc};

use serde_json::{Map, Value};

use super::{Algorithm, Jwks};
use crate::json;

/// Milliseconds that keys are kept.
const KEPT_MS: u64 = 60 * 60 * 1_000;

/// Milliseconds between two fetches for the sake of a key that isn't there, or of an issuer
/// that gives none: whoever invents key ids can't have the issuer asked at will.
const AGAIN_MS: u64 = 30_000;

/// The most keys that are looked at.
const KEYS: usize = 100;

/// The keys that were fetched last, from where, and when. A finished value: many
/// requests may share it, and those that race each fetch for themselves.
#[derive(Clone, Debug, Default)]
pub struct JwksCache {
    kept: Rc<RefCell<Option<Kept>>>,
}

#[derive(Clone, Debug)]
struct Kept {
    url: String,
    keys: Rc<Vec<Map<String, Value>>>,
    /// When the keys came; none when none came yet.
    at_ms: Option<u64>,
    /// When they were asked for last.
    asked_ms: u64,
}

impl JwksCache {
    /// The key of this id for this algorithm. An unknown id may be a new key: then the
    /// issuer is asked again.
    pub(super) async fn key(
        &self,
        jwks: &dyn Jwks,
        url: &str,
        now_ms: u64,
        wanted: (Algorithm, Option<&str>),
    ) -> Option<Map<String, Value>> {
        let kept = self.kept.borrow().clone().filter(|kept| kept.url == url);
        let since = |ms: u64| now_ms.saturating_sub(ms);
        if let Some(kept) = &kept {
            let fresh = kept.at_ms.is_some_and(|at_ms| since(at_ms) < KEPT_MS);
            let found = find(&kept.keys, wanted).filter(|_| fresh);
            if found.is_some() || since(kept.asked_ms) < AGAIN_MS {
                return found;
            }
        }
        let Some(keys) = jwks.fetch(url).await.and_then(|text| keys(&text)) else {
            self.missed(url, now_ms);
            return None;
        };
        let (keys, url) = (Rc::new(keys), url.to_owned());
        let found = find(&keys, wanted);
        self.kept.replace(Some(Kept { url, keys, at_ms: Some(now_ms), asked_ms: now_ms }));
        found
    }

    /// Notes that none could be had; those that were kept are kept as long as before.
    fn missed(&self, url: &str, now_ms: u64) {
        let mut kept = self.kept.borrow_mut();
        match kept.as_mut().filter(|kept| kept.url == url) {
            Some(kept) => kept.asked_ms = now_ms,
            None => {
                let (keys, url) = (Rc::default(), url.to_owned());
                *kept = Some(Kept { url, keys, at_ms: None, asked_ms: now_ms });
            }
        }
    }
}

fn keys(text: &str) -> Option<Vec<Map<String, Value>>> {
    let Ok(Value::Object(mut set)) = json::parse(text) else { return None };
    let Some(Value::Array(keys)) = set.remove("keys") else { return None };
    let object = |key| match key {
        Value::Object(key) => Some(key),
        _ => None,
    };
    Some(keys.into_iter().take(KEYS).filter_map(object).collect())
}

/// A token without a key id is taken only when there is one key it can mean.
fn find(
    keys: &[Map<String, Value>],
    (algorithm, id): (Algorithm, Option<&str>),
) -> Option<Map<String, Value>> {
    let text = |key: &Map<String, Value>, name: &str| {
        key.get(name).and_then(Value::as_str).map(str::to_owned)
    };
    let fits = |key: &&Map<String, Value>| {
        let alg = text(key, "alg").and_then(|alg| Algorithm::named(&alg));
        text(key, "kty").as_deref() == Some(algorithm.key_type())
            && (!key.contains_key("alg") || alg == Some(algorithm))
            && text(key, "use").is_none_or(|used| used == "sig")
            && id.is_none_or(|id| text(key, "kid").as_deref() == Some(id))
    };
    let mut fitting = keys.iter().filter(fits);
    let found = fitting.next();
    if fitting.next().is_some() { None } else { found.cloned() }
}
