//! Laws of TypeScript: types go, every line and column stays.

use mycelium_intake::RefusalCode;

use super::{body, is_module, refusal};
use mycelium_intake::read;

#[test]
fn types_become_spaces() {
    for (source, expected) in [
        ("const n: number = 5;\nreturn n", "const n         = 5;\nreturn n"),
        ("return (a as any)!.b satisfies T", "return (a       ) .b            "),
        ("return f<A, B>(x)", "return f      (x)"),
        ("return <T,>(x?: T): T => x!", "return     (x    )    => x "),
        ("return <T>{ a: 1 }", "return (  { a: 1 })"),
        ("type A = {\n  b: 1;\n};\nreturn 1", ";         \n       \n  \nreturn 1"),
        ("import type { A } from 'a';\nreturn 1", ";                          \nreturn 1"),
        ("declare const env: any;\nreturn 1", ";                      \nreturn 1"),
        (
            "return class<T> extends B<T> implements C { private a?: T; }",
            "return class    extends B                 { ;       a    ; }",
        ),
        ("return function (this: X, é: Ünï) {}", "return function (         é     ) {}"),
    ] {
        assert_eq!(body(source), expected, "{source}");
    }
}

/// Where a line end or a bracket would mean something else without the type.
#[test]
fn what_a_type_held_apart_stays_apart() {
    for (source, expected) in [
        ("const f = (a: A)\n  : B => a;\nreturn f", "const f = (a    \n    ) => a;\nreturn f"),
        (
            "const f = async <\nA>(a: A) => a;\nreturn f",
            "const f = async (\n   a   ) => a;\nreturn f",
        ),
        ("const a = b as C\n[1].map(f)\nreturn a", "const a = b     ;\n[1].map(f)\nreturn a"),
        ("a\ntype B = C\n(d)", "a\n;         \nreturn (d)"),
        (
            "class A {\n  x = 1\n  public *g() {}\n}\nreturn A",
            "class A {\n  x = 1\n  ;      *g() {}\n}\nreturn A",
        ),
    ] {
        assert_eq!(body(source), expected, "{source}");
    }
}

#[test]
fn an_enum_becomes_the_object_typescript_makes_of_it() {
    let source = "enum E {\n  A = 1,\n  B,\n  C = 'x',\n  D = A | 4,\n}\nreturn E.B";
    let expected = "var E;(function(E){\n  E[E[\"A\"]=1]=\"A\"; \n  E[E[\"B\"]=E[\"A\"]+1]=\"B\"; \n  E[\"C\"]='x'; \n  \
                    E[E[\"D\"]=E.A | 4]=\"D\"; \n})(E||(E={}));\nreturn E.B";
    assert_eq!(body(source), expected);
}

#[test]
fn a_parameter_property_sets_its_field() {
    let own = "class P { constructor(private x: number, readonly y = 2) { f() } }\nreturn P";
    assert!(body(own).contains("{this.x=x;this.y=y; f() }"), "{}", body(own));
    let derived = "class P extends Q { constructor(public x: number) { super(); f() } }\nreturn P";
    assert!(body(derived).contains("{ super();;this.x=x; f() }"), "{}", body(derived));
}

#[test]
fn typescript_that_is_more_than_types_is_refused_by_name() {
    for (source, word) in [
        ("namespace N { export const a = 1 }\nreturn N.a", "namespace"),
        ("@d class A {}\nreturn 1", "decorators"),
        ("class A { accessor x = 1 }\nreturn 1", "accessor"),
        ("import fs = require('fs');\nreturn 1", "no imports"),
        ("export = 1", "export ="),
    ] {
        let refusal = refusal(source);
        assert_eq!(refusal.code, RefusalCode::SyntaxError, "{source}");
        assert!(refusal.message.contains(word), "{source}: {refusal}");
    }
}

/// Every accepted text, cut and spliced at random: what is given out is always
/// JavaScript, with the lines of what was read.
#[test]
fn what_is_accepted_is_always_javascript() {
    let seeds = include_str!("../data/programs.txt").split("\n=====\n").collect::<Vec<_>>();
    let tokens: Vec<&str> = seeds.iter().flat_map(|seed| pieces(seed)).collect();
    let mut random = Random(7);
    let mut accepted = 0;
    for _ in 0..2000 {
        let mut text: Vec<&str> = pieces(seeds[random.below(seeds.len())]);
        for _ in 0..=random.below(3) {
            let at = random.below(text.len() + 1);
            match random.below(3) {
                0 if at < text.len() => drop(text.remove(at)),
                1 => text.insert(at, tokens[random.below(tokens.len())]),
                _ => drop(text.splice(at..at, pieces(seeds[random.below(seeds.len())]))),
            }
        }
        let text = text.concat();
        if let Ok(program) = read(&text) {
            accepted += 1;
            assert!(is_module(&program.module), "{text:?} became {}", program.module);
            assert_eq!(lines(&program.module), program.map.lines + 3, "{text:?}");
        }
    }
    assert!(accepted > 200, "only {accepted} were accepted: the law was hardly tried");
}

/// Lines as JavaScript counts them.
fn lines(text: &str) -> u32 {
    let ends = text.replace("\r\n", "\n");
    ends.split(['\n', '\r', '\u{2028}', '\u{2029}']).count() as u32
}

/// Words, runs of space and single characters.
fn pieces(text: &str) -> Vec<&str> {
    text.split_inclusive(|c: char| !c.is_alphanumeric())
        .flat_map(|piece| {
            let last = piece.char_indices().next_back().map_or(0, |(at, _)| at);
            [&piece[..last], &piece[last..]]
        })
        .filter(|piece| !piece.is_empty())
        .collect()
}

/// A linear congruential generator: the same texts on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}
