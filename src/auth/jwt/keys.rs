//! An issuer's keys, kept for a while.

use std::{cell::RefCell, rc::Rc};

use serde_json::{Map, Value};

use super::{Algorithm, Jwks};
use crate::json;

/// Milliseconds that keys are kept.
const KEPT_MS: u64 = 60 * 60 * 1_000;

/// Milliseconds between two fetches for the sake of a key that isn't there: whoever
/// invents key ids can't have the issuer asked at will.
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
    at_ms: u64,
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
        let age_ms = kept.as_ref().map(|kept| now_ms.saturating_sub(kept.at_ms));
        if let (Some(kept), Some(age_ms)) = (kept, age_ms) {
            let found = find(&kept.keys, wanted);
            let fresh = age_ms < KEPT_MS;
            if (found.is_some() && fresh) || age_ms < AGAIN_MS {
                return found;
            }
        }
        let text = jwks.fetch(url).await?;
        let keys = Rc::new(keys(&text)?);
        let found = find(&keys, wanted);
        self.kept.replace(Some(Kept { url: url.to_owned(), keys, at_ms: now_ms }));
        found
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
