//! Dependencies point left.

use std::{fs, path::Path};

/// Every part of the library and those it may know, all of which come before it.
const PARTS: &[(&str, &[&str])] = &[
    ("limits", &[]),
    ("failure", &["limits"]),
    ("port", &[]),
    ("json", &["failure"]),
    ("schema", &["failure", "json"]),
    ("operation", &["limits", "failure", "port", "json", "schema"]),
    ("forage", &["limits", "failure", "json", "schema", "operation"]),
    ("program", &["failure"]),
    ("sandbox", &["limits", "failure", "port", "operation", "program"]),
    (
        "runtime",
        &["limits", "failure", "port", "json", "operation", "forage", "program", "sandbox"],
    ),
    ("testing", &["failure", "port", "operation", "forage", "program", "sandbox", "runtime"]),
    // What single messages of the protocol say, to its server and to its client.
    ("wire", &["failure", "json"]),
    ("mcp", &["limits", "failure", "port", "json", "operation", "runtime", "sandbox", "wire"]),
    // A part of the knapsack that stands alone: whoever shows patches needs nothing else.
    ("patch", &["json", "schema"]),
    (
        "knapsack",
        &["limits", "failure", "port", "json", "schema", "operation", "forage", "runtime", "wire"],
    ),
    (
        "pen",
        &[
            "limits",
            "failure",
            "port",
            "json",
            "schema",
            "operation",
            "program",
            "sandbox",
            "runtime",
            "knapsack",
        ],
    ),
    ("auth", &["failure", "port", "json", "mcp"]),
    (
        "config",
        &[
            "limits",
            "failure",
            "json",
            "operation",
            "forage",
            "sandbox",
            "runtime",
            "mcp",
            "knapsack",
            "auth",
            "pen",
        ],
    ),
    ("service", &["limits", "failure", "json", "operation", "forage", "runtime", "sandbox", "mcp"]),
    ("demo", &["operation"]),
    (
        "workers",
        &[
            "limits",
            "failure",
            "port",
            "json",
            "schema",
            "operation",
            "forage",
            "program",
            "sandbox",
            "runtime",
            "wire",
            "mcp",
            "knapsack",
            "pen",
            "config",
            "auth",
            "service",
            "demo",
        ],
    ),
    // A part of the Worker's that only a test build has.
    (
        "faults",
        &[
            "port",
            "operation",
            "forage",
            "program",
            "sandbox",
            "runtime",
            "wire",
            "mcp",
            "testing",
            "knapsack",
            "pen",
        ],
    ),
];

/// Parts that lie within another and may know less, or more, than it does.
const APART: &[&str] = &["workers/faults", "knapsack/patch", "mcp/wire"];

fn files(folder: &Path, found: &mut Vec<(String, String)>, part: Option<&str>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let apart =
            APART.iter().any(|apart| path.with_extension("").ends_with(format!("src/{apart}")));
        let part = part.filter(|_| !apart).unwrap_or(&stem);
        if path.is_dir() {
            files(&path, found, Some(part));
        } else if path.extension().is_some_and(|extension| extension == "rs") && part != "lib" {
            found.push((part.to_owned(), fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The parts that a file names after `crate::`, in a path or in a braced list.
fn named(text: &str) -> Vec<String> {
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| [line, "\n"])
        .collect();
    let mut names = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let before = &code[..at];
        // Another crate's name, or how far something is visible.
        if before.ends_with(|before: char| before.is_alphanumeric() || before == '_')
            || before.ends_with("pub(in ")
        {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(list) => names.extend(first_level(list)),
            None => names.push(word(rest)),
        }
    }
    names
}

/// The first name of each item of a braced list.
fn first_level(list: &str) -> Vec<String> {
    let (mut depth, mut names, mut fresh) = (1, Vec::new(), true);
    for (at, letter) in list.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => fresh = true,
            _ if fresh && depth == 1 && letter.is_alphabetic() => {
                names.push(word(&list[at..]));
                fresh = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

fn word(text: &str) -> String {
    if text.starts_with("mcp::wire") {
        return "wire".to_owned();
    }
    text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

/// What the crate's root gives under its own name, and the part it comes from.
fn home(name: &str) -> &str {
    match name {
        "Failure" => "failure",
        "Catalog" | "Module" | "Operation" => "operation",
        "Mycelium" => "runtime",
        "Schema" => "schema",
        // The macro that writes a Worker's exports.
        "entry" => "workers",
        other => other,
    }
}

#[test]
fn dependencies_point_left() {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found, None);
    assert!(found.len() > 40, "the sources are where they are looked for");
    for (part, text) in found {
        let allowed = PARTS.iter().find(|(name, _)| *name == part);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("{part} isn't in the list"));
        for name in named(&text) {
            let known = home(&name);
            assert!(known == part || allowed.contains(&known), "{part} may not know {known}");
        }
    }
}

/// A part within another reaches nothing of it by a relative path either.
#[test]
fn patches_know_nothing_of_the_knapsack() {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found, None);
    let patch: Vec<_> = found.iter().filter(|(part, _)| part == "patch").collect();
    assert!(patch.len() > 10, "the sources are where they are looked for");
    for (_, text) in patch {
        let code = text.split("#[cfg(test)]").next().unwrap();
        let reaches = if code.contains("\nmod apply;") { "super::" } else { "super::super" };
        assert!(!code.contains(reaches), "{text}");
    }
}

#[test]
fn the_list_itself_points_left() {
    for (position, (part, allowed)) in PARTS.iter().enumerate() {
        for known in *allowed {
            assert!(
                PARTS[..position].iter().any(|(name, _)| name == known),
                "{part} before {known}"
            );
        }
    }
}

#[test]
fn names_are_found_in_paths_and_in_lists() {
    let text = "use crate::a::B;\nuse crate::{\n    c::{D, e::F},\n    g,\n};\n// crate::h\nlet x = crate::i(1); mycrate::j();";
    assert_eq!(named(text), ["a", "c", "g", "i"]);
}
