//! A reason points to its cause: without that node it is gone.

use std::collections::{BTreeMap, BTreeSet};

use mycelium::forage::openapi::{Code, Reason, Unsupported, normalize_open_api};
use serde_json::{Value, json};

use super::corpus::{options, read_otherwise, taken_in};

/// The document with one operation only, and with what that reaches.
fn alone(document: &Value, path: &str, method: &str) -> Value {
    let mut item = document["paths"][path].clone();
    item.as_object_mut().unwrap().retain(|key, _| {
        let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
        key == method || !methods.contains(&key.as_str())
    });
    let mut small = json!({"openapi": document["openapi"], "paths": {path: item}});
    if let Some(schemes) = document["components"].get("securitySchemes") {
        small["components"]["securitySchemes"] = schemes.clone();
    }
    let mut wanted = references(&small["paths"]);
    let mut known = BTreeSet::new();
    while let Some(reference) = wanted.pop() {
        // As far as a component: what stands within it comes along.
        let parts: Vec<_> = reference.split('/').take(4).collect();
        let [_, "components", kind, name] = parts[..] else { continue };
        let name = name.replace("%20", " ").replace("~1", "/").replace("~0", "~");
        if known.insert((kind.to_owned(), name.clone()))
            && let Some(component) = document["components"][kind].get(&name)
        {
            wanted.extend(references(component));
            small["components"][kind][name] = component.clone();
        }
    }
    small
}

fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Object(map) => {
            let own = map.get("$ref").and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(map.values().flat_map(references)).collect()
        }
        _ => Vec::new(),
    }
}

fn without(document: &Value, pointer: &str) -> Value {
    let mut document = document.clone();
    let (holder, key) = pointer.rsplit_once('/').unwrap();
    let key = key.replace("~1", "/").replace("~0", "~");
    match document.pointer_mut(holder).unwrap() {
        Value::Object(map) => drop(map.remove(&key).unwrap()),
        Value::Array(items) => drop(items.remove(key.parse().unwrap())),
        other => panic!("{pointer} is in {other}"),
    }
    document
}

fn of(document: &Value, full: bool, selector: &str) -> Option<Unsupported> {
    let preview = normalize_open_api(&document.to_string(), options(full)).unwrap();
    preview.unsupported().iter().find(|found| found.selector == selector).cloned()
}

fn codes(unsupported: &Unsupported) -> BTreeSet<Code> {
    unsupported.reasons.iter().map(Reason::code).collect()
}

#[test]
fn without_the_node_that_a_reason_names_the_reason_is_gone() {
    let (mut operations, mut reasons, mut seen) = (0, 0, BTreeSet::new());
    for (name, text) in taken_in() {
        let document = read_otherwise(&name, &text);
        for full in [false, true] {
            let preview = normalize_open_api(&text, options(full)).unwrap();
            for unsupported in preview.unsupported() {
                let Some((method, path)) = unsupported.selector.split_once(' ') else { continue };
                if ["webhook", "callback"].contains(&method) {
                    continue;
                }
                operations += 1;
                let small = alone(&document, path, &method.to_lowercase());
                let before = of(&small, full, &unsupported.selector).unwrap();
                // Which reference of a cycle closes it depends on where one comes from.
                assert_eq!(codes(&before), codes(unsupported), "{name} {path}");
                let mut tried: BTreeMap<Code, usize> = BTreeMap::new();
                for reason in &before.reasons {
                    let tries = tried.entry(reason.code()).or_default();
                    *tries += 1;
                    if *tries > 2 {
                        continue;
                    }
                    reasons += 1;
                    seen.insert(reason.code());
                    let rest = without(&small, &reason.pointer());
                    let Some(after) = of(&rest, full, &unsupported.selector) else { continue };
                    let count = |found: &Unsupported| {
                        found.reasons.iter().filter(|other| other.code() == reason.code()).count()
                            + found.more_reasons
                    };
                    assert!(
                        count(&after) < count(&before),
                        "{name} {}: {reason}",
                        unsupported.selector
                    );
                }
            }
        }
    }
    let codes: Vec<_> = seen.iter().map(|code| code.as_str()).collect();
    println!("openapi: {reasons} reasons of {operations} operations removed: {codes:?}");
}
