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

/// One file of the library.
struct Source {
    part: String,
    /// How many modules it lies below its part's own.
    depth: usize,
    text: String,
}

fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found, None);
    assert!(found.len() > 40, "the sources are where they are looked for");
    found
}

/// The files of a folder; `inside` is the part it lies in, and how deep.
fn files(folder: &Path, found: &mut Vec<Source>, inside: Option<(&str, usize)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let apart =
            APART.iter().any(|apart| path.with_extension("").ends_with(format!("src/{apart}")));
        let (part, depth) = match inside.filter(|_| !apart) {
            Some((part, depth)) if stem == "mod" => (part, depth),
            Some((part, depth)) => (part, depth + 1),
            None => (stem.as_str(), 0),
        };
        if path.is_dir() {
            files(&path, found, Some((part, depth)));
        } else if path.extension().is_some_and(|extension| extension == "rs") && part != "lib" {
            let text = fs::read_to_string(&path).unwrap();
            found.push(Source { part: part.to_owned(), depth, text });
        }
    }
}

/// A file without its comments.
fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// How far up the longest relative path in some code goes.
fn highest(code: &str) -> usize {
    let paths = code.match_indices("super::").map(|(at, _)| &code[at..]);
    paths
        .map(|path| path.split("::").take_while(|name| *name == "super").count())
        .max()
        .unwrap_or(0)
}

/// The parts that a file names after `crate::`, in a path or in a braced list.
fn named(text: &str) -> Vec<String> {
    let code = code(text);
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
    for Source { part, text, .. } in sources() {
        let allowed = PARTS.iter().find(|(name, _)| *name == part);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("{part} isn't in the list"));
        for name in named(&text) {
            let known = home(&name);
            assert!(known == part || allowed.contains(&known), "{part} may not know {known}");
        }
    }
}

/// What a part knows of others stands after `crate::`, where the law above reads it. This
/// holds a part within another to its own list too, but for the faults: they break the Worker
/// from within.
#[test]
fn relative_paths_stay_within_their_part() {
    for Source { part, depth, text } in sources() {
        let code = code(&text);
        let code = code.split("#[cfg(test)]").next().unwrap();
        let within = highest(code) <= depth || part == "faults";
        assert!(within, "a path leaves {part}, {depth} deep: {text}");
    }
    assert_eq!(highest("use super::super::a; super::b();"), 2);
    assert_eq!(highest("use self::a;"), 0);
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

/// The page says that dependencies point one way in the order of its list.
#[test]
fn the_architecture_lists_the_parts_in_this_order() {
    let page = include_str!("../../ARCHITECTURE.md");
    let (_, house) = page.split_once("\nsrc/\n").unwrap();
    let named: Vec<&str> = house
        .lines()
        .map_while(|line| line.strip_prefix("  "))
        .filter_map(|line| line.split([' ', '/', '.']).next())
        // A line that goes on from the one before names none.
        .filter(|name| !name.is_empty())
        .collect();
    let parts = PARTS.iter().map(|(part, _)| *part);
    let outer: Vec<&str> = parts
        .filter(|part| !APART.iter().any(|apart| apart.ends_with(&format!("/{part}"))))
        .collect();
    // The last is the entry, in the folder of the Worker itself.
    assert_eq!(named.strip_suffix(&["workers"]).unwrap(), outer);
}

#[test]
fn names_are_found_in_paths_and_in_lists() {
    let text = "use crate::a::B;\nuse crate::{\n    c::{D, e::F},\n    g,\n};\n// crate::h\nlet x = crate::i(1); mycrate::j();";
    assert_eq!(named(text), ["a", "c", "g", "i"]);
}
