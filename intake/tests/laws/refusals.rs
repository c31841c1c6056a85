//! Laws of refusals: each names what is wrong, where, and the way out.

use mycelium_intake::{CODE_LIMIT, RefusalCode};

use super::refusal;

#[test]
fn a_syntax_error_has_its_line_its_column_and_a_frame() {
    let refusal = refusal("const a = 1;\nconst fs = ... ; // not here\nreturn a");
    assert_eq!((refusal.code, refusal.line, refusal.column), (RefusalCode::SyntaxError, 2, 12));
    assert_eq!(
        refusal.frame,
        "   1 | const a = 1;\n   2 | const fs = ... ; // not here\n     |            ^\n   3 | return a"
    );
}

/// An engine would refuse the whole module for these.
#[test]
fn early_errors_have_a_place_too() {
    for (source, line, column) in [
        ("const a = 1;\nconst a = 2;\nreturn a", 1, 7),
        ("return 1;\nbreak", 2, 1),
        ("for (;;) { break x }\nreturn 1", 1, 18),
        ("return class { f() { return this.#x } }", 1, 34),
        ("return 010", 1, 8),
        ("<!-- x\nreturn 1", 1, 1),
        ("let a: number = 1; with (a) {}", 1, 20),
    ] {
        let refusal = refusal(source);
        assert_eq!(
            (refusal.code, refusal.line, refusal.column),
            (RefusalCode::SyntaxError, line, column),
            "{source}: {refusal}"
        );
    }
}

#[test]
fn nothing_can_be_loaded() {
    for source in [
        "import fs from 'fs';\nreturn 1",
        "import 'x'",
        "export * from 'x'",
        "export { a } from 'x'",
        "const fs = await import('node:fs');\nreturn fs",
        "const fs = require('fs');\nreturn fs",
    ] {
        let refusal = refusal(source);
        assert_eq!(refusal.code, RefusalCode::SyntaxError, "{source}");
        assert!(refusal.message.contains("env"), "{source}: {refusal}");
    }
    assert!(mycelium_intake::read("const require = x => x;\nreturn require(1)").is_ok());
}

#[test]
fn a_text_over_the_limit_is_refused_by_its_size() {
    let longest = format!("return '{}'", "x".repeat(CODE_LIMIT - 9));
    assert_eq!(longest.len(), CODE_LIMIT);
    assert!(mycelium_intake::read(&longest).is_ok());
    let refusal = refusal(&format!("{longest} "));
    assert_eq!(refusal.code, RefusalCode::ProgramTooLarge);
    assert!(refusal.message.contains("262145") && refusal.message.contains("262144"), "{refusal}");
}

#[test]
fn a_refusal_stays_small() {
    for source in [
        format!("const {} = ;", "x".repeat(100_000)),
        format!("{}(", "é".repeat(90_000)),
        "\t".repeat(9000) + ")",
    ] {
        let refusal = refusal(&source);
        assert!(
            refusal.message.len() <= 600 && refusal.frame.len() < 1000,
            "{}",
            refusal.frame.len()
        );
    }
}
