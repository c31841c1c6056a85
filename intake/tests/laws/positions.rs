//! Laws of positions: a place in the module leads back to what was sent.

use mycelium_intake::{Position, read};

use super::refusal;

/// Finds a mark in the module and tells where it was in what was sent.
fn sent(source: &str, mark: &str) -> Option<(u32, u32)> {
    let program = read(source).expect("a program");
    let before = &program.module[..program.module.find(mark).expect("the mark")];
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.rsplit('\n').next().unwrap_or("").encode_utf16().count() as u32 + 1;
    let place = program.map.sent(Position { line, column })?;
    Some((place.line, place.column))
}

/// The same mark in the source.
fn place(source: &str, mark: &str) -> (u32, u32) {
    let before = &source[..source.find(mark).expect("the mark")];
    let column = before.rsplit('\n').next().unwrap_or("").encode_utf16().count() as u32 + 1;
    (before.matches('\n').count() as u32 + 1, column)
}

#[test]
fn a_place_in_the_module_leads_back_to_what_was_sent() {
    for source in [
        "HERE()",
        "const a: number = 1;\nHERE(a)",
        "const x: Array<string> = []; HERE(x)",
        "Run this:\n```js\nconst a = 1;\nreturn HERE(a)\n```\nDone.",
        "1. Like so\n   ```ts\n   const a: X = HERE()\n   ```",
        "```js return HERE() ```",
        "{ a: 1, b: HERE() }",
        "const n = 1;\n{ a: n, b: HERE() }",
        "async () => { HERE() }",
        "for (const x of y) { HERE(); a }",
        "const 𝒜 = '𝒜', b = <T>HERE(<U>𝒜)",
        "enum E { A = HERE(), B }\nreturn E",
        "\n#!/usr/bin/env node\nreturn HERE()",
        "export default async function () { return HERE() }",
    ] {
        assert_eq!(sent(source, "HERE"), Some(place(source, "HERE")), "{source}");
    }
}

#[test]
fn an_escaped_program_is_counted_in_itself() {
    assert_eq!(sent("{\"code\": \"const a = 1;\\nreturn HERE(a)\"}", "HERE"), Some((2, 8)));
    assert_eq!(sent("const a = 1;\\nreturn HERE(a)", "HERE"), Some((2, 8)));
}

#[test]
fn the_lines_around_the_program_lead_nowhere() {
    let program = read("return 1").expect("a program");
    for line in [0, 1, 3, 4, u32::MAX] {
        assert_eq!(program.map.sent(Position { line, column: 1 }), None);
    }
    let inserted = read("a").expect("a program");
    assert_eq!(
        inserted.map.sent(Position { line: 2, column: 4 }),
        Some(Position { line: 1, column: 1 })
    );
}

#[test]
fn an_error_in_a_fence_is_placed_in_what_was_sent() {
    let refusal = refusal("Run:\n```js\nconst a = ;\n```");
    assert_eq!((refusal.line, refusal.column), (3, 11));
    assert!(refusal.frame.contains("   3 | const a = ;"), "{}", refusal.frame);
}
