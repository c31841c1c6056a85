//! What tells two catalogs apart.

use serde_json::json;

use super::item::Item;
use crate::json::Digest;

/// The stamp of these operations in their order: the digest of their digests.
pub(super) fn of<'a>(items: impl Iterator<Item = &'a Item>) -> Digest {
    let digests: Vec<_> = items.map(|item| digest(item).to_string().into()).collect();
    Digest::of(&serde_json::Value::Array(digests))
}

/// The digest of all that is said of one operation, made once.
pub(super) fn digest(item: &Item) -> Digest {
    *item.digest.get_or_init(|| {
        let labels = item.labels();
        Digest::of(&json!({
            "path": item.path(),
            "description": item.description(),
            "notes": item.notes(),
            "instructions": item.instructions(),
            "access": labels.access.as_str(),
            "confirm": labels.confirm,
            "replay": labels.replay.as_str(),
            "thirdParty": item.is_third_party(),
            "input": item.input().digest().to_string(),
            "output": item.output().map(|schema| schema.digest().to_string()),
        }))
    })
}
