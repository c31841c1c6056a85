//! Every document of the corpus: nothing is dropped silently.
//!
//! Which operations a document has is found by a walk of its own here, over another
//! reader of YAML.

use std::{collections::BTreeMap, fs, path::PathBuf};

use mycelium::forage::openapi::{
    Code, Formats, Options, Preview, Refusal, Serialization, normalize_open_api,
};
use serde_json::Value;

/// The documents, by name; none where they aren't, which isn't so where everything is tested.
pub(super) fn documents() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora/openapi");
    let Ok(entries) = fs::read_dir(&folder) else {
        assert!(std::env::var_os("CI").is_none(), "the documents aren't at {}", folder.display());
        eprintln!("openapi: skipped, for the documents aren't at {}", folder.display());
        return Vec::new();
    };
    let mut documents: Vec<_> = entries
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    documents.sort();
    documents
}

pub(super) fn taken_in() -> Vec<(String, String)> {
    documents().into_iter().filter(|(name, _)| !name.starts_with("refuse-")).collect()
}

pub(super) fn options(full: bool) -> Options {
    let mut options = Options::default();
    if full {
        options.formats = Formats::Annotate;
        options.serialization = Serialization::Full;
    }
    options
}

/// The document as another reader reads it.
pub(super) fn read_otherwise(name: &str, text: &str) -> Value {
    let text = text.trim_start_matches('\u{feff}');
    if name.ends_with(".json") {
        return serde_json::from_str(text).unwrap();
    }
    as_json(serde_yaml_ng::from_str(text).unwrap())
}

fn as_json(value: serde_yaml_ng::Value) -> Value {
    use serde_yaml_ng::Value as Yaml;
    match value {
        Yaml::Null => Value::Null,
        Yaml::Bool(value) => value.into(),
        Yaml::Number(number) => serde_json::to_value(number).unwrap(),
        Yaml::String(text) => text.into(),
        Yaml::Sequence(items) => items.into_iter().map(as_json).collect(),
        Yaml::Tagged(tagged) => as_json(tagged.value),
        Yaml::Mapping(map) => Value::Object(
            map.into_iter()
                .map(|(key, value)| {
                    let key = match key {
                        Yaml::String(key) => key,
                        key => serde_yaml_ng::to_string(&key).unwrap().trim_end().to_owned(),
                    };
                    (key, as_json(value))
                })
                .collect(),
        ),
    }
}

/// The operations that a document has, found without the library.
fn walked(document: &Value) -> Vec<String> {
    let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for method in methods {
            if item.get(method).is_some() {
                found.push(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    found.sort();
    found
}

fn accounted(preview: &Preview) -> Vec<String> {
    let offered = preview.offered().iter().map(|offered| offered.selector.clone());
    let unsupported = preview.unsupported().iter().map(|unsupported| {
        assert!(!unsupported.reasons.is_empty(), "{} has no reason", unsupported.selector);
        unsupported.selector.clone()
    });
    let from_us =
        |selector: &String| !selector.starts_with("webhook ") && !selector.starts_with("callback ");
    let mut found: Vec<_> = offered.chain(unsupported).filter(from_us).collect();
    found.sort();
    found
}

#[test]
fn every_operation_of_every_document_is_offered_or_has_a_reason() {
    println!("openapi: document | operations | offered | with formats and full serialization");
    let (mut all, mut strict, mut wide) = (0, 0, 0);
    let mut why: BTreeMap<Code, usize> = BTreeMap::new();
    let mut skipped = 0;
    let documents = taken_in();
    for (name, text) in &documents {
        let operations = walked(&read_otherwise(name, text));
        let mut offered = [0, 0];
        for (full, count) in [false, true].into_iter().zip(&mut offered) {
            let preview = normalize_open_api(text, options(full)).unwrap();
            assert_eq!(accounted(&preview), operations, "{name}");
            *count = preview.offered().len();
            if full {
                for unsupported in preview.unsupported() {
                    for code in unsupported
                        .reasons
                        .iter()
                        .map(mycelium::forage::openapi::Reason::code)
                        .collect::<std::collections::BTreeSet<_>>()
                    {
                        *why.entry(code).or_default() += 1;
                    }
                }
            }
        }
        skipped += usize::from(offered[1] < offered[0]);
        println!("openapi: {name} | {} | {} | {}", operations.len(), offered[0], offered[1]);
        all += operations.len();
        strict += offered[0];
        wide += offered[1];
    }
    println!("openapi: all | {all} | {strict} | {wide}");
    for (code, count) in why {
        println!("openapi: left out with both: {code} {count}");
    }
    println!("openapi: documents run {} skipped 0", documents.len());
    assert_eq!(skipped, 0, "more options never offer less");
    assert!(documents.is_empty() || wide * 10 >= all * 9, "{wide} of {all} are offered");
}

#[test]
fn what_is_offered_can_be_stored_and_read_again() {
    let mut stored = 0;
    for (name, text) in taken_in() {
        for full in [false, true] {
            let preview = normalize_open_api(&text, options(full)).unwrap();
            for offered in preview.offered() {
                let table = preview
                    .select(&[&offered.selector])
                    .unwrap_or_else(|error| panic!("{name} {}: {error}", offered.selector));
                let again = mycelium::forage::openapi::Table::read(table.to_json()).unwrap();
                assert_eq!(again, table, "{name} {}", offered.selector);
                stored += 1;
            }
        }
    }
    println!("openapi: {stored} tables stored and read");
}

#[test]
fn a_document_that_is_refused_says_where_and_how_often() {
    let refusals: BTreeMap<_, _> = documents()
        .into_iter()
        .filter(|(name, _)| name.starts_with("refuse-"))
        .map(|(name, text)| {
            let refusal = normalize_open_api(&text, Options::default()).unwrap_err();
            println!("openapi: {name} | {}", refusal.code());
            (name, refusal)
        })
        .collect();
    if refusals.is_empty() {
        return;
    }
    let of = |part: &str| {
        refusals.iter().find(|(name, _)| name.contains(part)).map(|(_, refusal)| refusal).unwrap()
    };
    assert!(matches!(of("digitalocean"), Refusal::ExternalReference { count: 661, .. }));
    assert!(matches!(of("petstore-2.0"), Refusal::Swagger {}));
    assert_eq!(of("1072"), &Refusal::TooManyOperations { count: 1_072 });
    assert!(matches!(of("aliases"), Refusal::Alias { count: 31, .. }));
    assert_eq!(of("over-2mib"), &Refusal::TooLarge { bytes: 2_650_227 });
    assert_eq!(refusals.len(), 5);
}
