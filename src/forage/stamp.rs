//! What tells two catalogs apart.

use serde::Serialize;

use super::item::Item;
use crate::json::Digest;

/// The stamp of these operations in their order: the digest of their digests.
pub(super) fn of<'a>(items: impl Iterator<Item = &'a Item>) -> Digest {
    Digest::of_sorted(&items.map(digest).collect::<Vec<_>>())
}

/// All that is said of one operation. Keys stand in the order of their bytes, as in every
/// canonical text; whoever adds one keeps it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Said<'a> {
    access: &'a str,
    confirm: bool,
    description: &'a str,
    input: Digest,
    instructions: Option<&'a str>,
    notes: &'a [String],
    output: Option<Digest>,
    path: &'a str,
    replay: &'a str,
    third_party: bool,
}

/// The digest of all that is said of one operation, made once.
pub(super) fn digest(item: &Item) -> Digest {
    *item.digest.get_or_init(|| {
        let labels = item.labels();
        Digest::of_sorted(&Said {
            access: labels.access.as_str(),
            confirm: labels.confirm,
            description: item.description(),
            input: item.input().digest(),
            instructions: item.instructions(),
            notes: item.notes(),
            output: item.output().map(crate::schema::Schema::digest),
            path: item.path(),
            replay: labels.replay.as_str(),
            third_party: item.is_third_party(),
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::Said;
    use crate::json::{Digest, canonical};

    #[test]
    fn what_is_said_is_written_as_a_canonical_text() {
        let said = Said {
            access: "read",
            confirm: false,
            description: "\u{7}é",
            input: Digest::of(&Value::Null),
            instructions: None,
            notes: &["a".to_owned()],
            output: None,
            path: "a.b",
            replay: "safe",
            third_party: true,
        };
        let text = serde_json::to_string(&said).unwrap();
        assert_eq!(text, canonical(&serde_json::from_str(&text).unwrap()));
    }
}
