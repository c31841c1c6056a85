//! Every operation that a document has, wherever it stands.

use super::{
    document::{Document, Part},
    operation::Site,
};

/// The keys of a path item that are operations.
const METHODS: [&str; 8] = ["delete", "get", "head", "options", "patch", "post", "put", "trace"];

/// The operations under paths, in the order of path and method.
pub(super) fn operations(document: &Document) -> Vec<Site<'_>> {
    let paths = document.root().get("paths");
    let items = paths.iter().flat_map(Part::entries).filter(|(path, _)| !path.starts_with("x-"));
    items.flat_map(|(path, item)| sites(document, path, &item)).collect()
}

/// The operations of a path item, those behind its reference included.
fn sites<'a>(document: &'a Document, path: &'a str, item: &Part<'a>) -> Vec<Site<'a>> {
    let mut found = own(path, item, item);
    let referenced = item.value.get("$ref").and_then(|_| document.resolve(item.clone()).ok());
    for site in referenced.iter().flat_map(|target| own(path, item, target)) {
        if found.iter().all(|known| known.method != site.method) {
            found.push(site);
        }
    }
    found
}

/// The operations that stand in `holder`, for the path item `item`.
fn own<'a>(path: &'a str, item: &Part<'a>, holder: &Part<'a>) -> Vec<Site<'a>> {
    let site = |method| {
        let operation = holder.get(method)?;
        Some(Site { path, method, item: item.clone(), operation })
    };
    METHODS.into_iter().filter_map(site).collect()
}

/// Operations that the server calls: each the name it has, its method and its place.
pub(super) fn inbound<'a>(holder: &Part<'a>) -> Vec<(String, &'static str, Part<'a>)> {
    let mut found = Vec::new();
    for (name, item) in holder.entries() {
        for method in METHODS {
            found.extend(item.get(method).map(|part| (name.to_owned(), method, part)));
        }
    }
    found
}
