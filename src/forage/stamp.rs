//! What tells two catalogs apart.

use super::item::Item;
use crate::{
    json::{Digest, write_string},
    schema::Schema,
};

/// The stamp of these operations in their order: the digest of their digests.
pub(super) fn of<'a>(items: impl Iterator<Item = &'a Item>) -> Digest {
    let mut said = Vec::new();
    let digests: Vec<Digest> = items.map(|item| digest(item, &mut said)).collect();
    Digest::of_digests(&digests)
}

/// The digest of all that is said of one operation, made once. `said` is room for it.
fn digest(item: &Item, said: &mut Vec<u8>) -> Digest {
    *item.digest.get_or_init(|| {
        said.clear();
        say(item, said);
        Digest::of_bytes(said)
    })
}

/// All that is said of one operation as canonical text: keys stand in the order of their
/// bytes; whoever adds one keeps it.
fn say(item: &Item, said: &mut Vec<u8>) {
    let labels = item.labels();
    plainly(b"{\"access\":", labels.access.as_str(), said);
    truth(b",\"confirm\":", labels.confirm, said);
    plainly(b",\"description\":", item.description(), said);
    raw(b",\"input\":", item.input().text(), said);
    match item.instructions() {
        Some(text) => plainly(b",\"instructions\":", text, said),
        None => raw(b",\"instructions\":", "null", said),
    }
    raw(b",\"notes\":", "[", said);
    for (index, note) in item.notes().iter().enumerate() {
        plainly(if index == 0 { b"" } else { b"," }, note, said);
    }
    raw(b"],\"output\":", item.output().map_or("null", Schema::text), said);
    plainly(b",\"path\":", item.path(), said);
    plainly(b",\"replay\":", labels.replay.as_str(), said);
    truth(b",\"thirdParty\":", item.is_third_party(), said);
    said.push(b'}');
}

fn plainly(head: &[u8], text: &str, said: &mut Vec<u8>) {
    said.extend_from_slice(head);
    write_string(text, said);
}

fn raw(head: &[u8], text: &str, said: &mut Vec<u8>) {
    said.extend_from_slice(head);
    said.extend_from_slice(text.as_bytes());
}

fn truth(head: &[u8], is_so: bool, said: &mut Vec<u8>) {
    raw(head, if is_so { "true" } else { "false" }, said);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::say;
    use crate::{
        forage::{OperationDefinition, item::Item},
        json::canonical,
        operation::Labels,
    };

    #[test]
    fn what_is_said_is_written_as_a_canonical_text() {
        let labels = Labels::parse(&json!({"access": "read", "replay": "safe"})).unwrap();
        let bare = OperationDefinition::new("a.b", json!({"type": "object"}));
        let full = bare.clone().describe("\u{7}é").note("a").note("\"").instructions("\n");
        let full = full.output(json!({"b": 1.5, "a": {}})).labels(labels).third_party();
        for definition in [bare, full] {
            let mut said = Vec::new();
            say(&Item::from(definition.finish().unwrap()), &mut said);
            let text = String::from_utf8(said).unwrap();
            assert_eq!(text, canonical(&serde_json::from_str(&text).unwrap()));
        }
    }
}
