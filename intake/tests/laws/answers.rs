//! Laws of the answer: where a program's value is returned.

use mycelium_intake::RefusalCode;

use super::{body, refusal};

#[test]
fn a_program_that_returns_everywhere_is_untouched() {
    for source in [
        "return 1",
        "const a = 1;\nif (a) { return a } else { return 2 }",
        "for (const x of [1]) { if (x) return x; count++ }",
        "switch (1) { case 1: return 'a'; default: log() }",
        "const f = () => { 5 };\nreturn f()",
        "return main();\nasync function main() { return 1 }",
        "/**\n```js\nfoo()\n```\n */\nreturn 1",
        "throw new Error('no')",
        "const f = x => { if (!x) { return; }\n return x };\nreturn f(2)",
    ] {
        assert_eq!(body(source), source);
    }
}

#[test]
fn the_value_of_the_last_statement_is_returned_where_it_arises() {
    for (source, expected) in [
        ("1 + 2", "return 1 + 2"),
        ("const x = 5;\nx // it", "const x = 5;\nreturn x // it"),
        ("a, b", "return a, b"),
        ("if (a) b; else { c }", "if (a) return b; else { return c }"),
        (
            "try { a } catch (e) { b } finally { c }",
            "try { return a } catch (e) { return b } finally { c }",
        ),
        ("{ const a = 1; a }", "{ const a = 1; return a }"),
        ("a;\nfunction f() { return 1 }\nf;\n;;", "a;\nfunction f() { return 1 }\nreturn f();\n;;"),
        ("1;\n{ }", "return 1;\n{ }"),
        ("if (x) return 1;\ny", "if (x) return 1;\nreturn y"),
        ("'use strict';\n'done'", "'use strict';\nreturn 'done'"),
        ("'just text'", "return 'just text'"),
    ] {
        assert_eq!(body(source), expected, "{source}");
    }
}

#[test]
fn a_value_that_arises_in_many_places_is_kept_until_the_end() {
    for (source, expected) in [
        ("for (const x of xs) x", "let answer_;for (const x of xs) answer_=(x);;return answer_;"),
        (
            "switch (k) { case 1: a; break; default: b; }",
            "let answer_;switch (k) { case 1: answer_=(a); break; default: answer_=(b); };return answer_;",
        ),
        (
            "while (a) if (b) c;",
            "let answer_;while (a) {answer_=void 0;if (b) answer_=(c);};return answer_;",
        ),
        ("out: { a; break out; }", "let answer_;out: { answer_=(a); break out; };return answer_;"),
        (
            "if (a) { b; const c = d }",
            "if (a) { let answer_;answer_=(b); const c = d;return answer_; }",
        ),
        (
            "let answer_ = 1;\ndo answer_++; while (0)",
            "let answer_ = 1;\nlet answer__;do answer__=(answer_++); while (0);return answer__;",
        ),
    ] {
        assert_eq!(body(source), expected, "{source}");
    }
}

#[test]
fn what_is_declared_last_is_the_answer() {
    for (source, appended) in [
        ("const x = 5", ";return x;"),
        ("const { a } = o", ";return a;"),
        ("const { a, b: [c] } = o", ";return {a,c};"),
        ("let a = 1, b = 2;", ";return b;"),
        ("const x = add(1);\nfunction add(n) { return n }", "function add"),
    ] {
        assert!(body(source).contains(appended), "{source}: {}", body(source));
    }
}

#[test]
fn a_function_nothing_calls_is_called() {
    for (source, call) in [
        ("async () => { return 3 };", "return (async () => { return 3 })();"),
        ("(async function () { return 7 })", "return ((async function () { return 7 }))();"),
        ("function () { return 1 }", "return ((function () { return 1 }))();"),
        ("async function run() { return 8 }", ";return run();"),
        ("const main = async () => 9;", ";return main();"),
        (
            "function help() { return 2 }\nasync function main() { return help() }",
            ";return main();",
        ),
        ("const add = (a, b) => a + b;\nconst run = () => add(1, 2);", ";return run();"),
        ("function main() { return 1 }\nmain", "return main();"),
        ("export default async () => 1;", "const answer_= async () => 1;"),
        ("export default async function () { return 1 }", ";return answer_();"),
        ("export default function main() { return 1 }", ";return main();"),
        ("const base = 10;\nasync function main() { return base }", ";return main();"),
        (
            "async ({ env }, x) => x",
            "({env:typeof env===\"undefined\"?undefined:env},typeof x===\"undefined\"?undefined:x)",
        ),
    ] {
        assert!(body(source).contains(call), "{source}: {}", body(source));
    }
}

#[test]
fn the_function_that_is_the_program_gives_its_last_value() {
    for (source, inside) in [
        ("async () => {\n  const r = 1;\n  r\n}", "\n  return r\n"),
        ("(async () => { a + 1 })()", "{ return a + 1 }"),
        ("async function main() { await go() }\nmain().catch(log)", "{ return await go() }"),
    ] {
        assert!(body(source).contains(inside), "{source}: {}", body(source));
    }
}

#[test]
fn exports_say_what_the_answer_is() {
    for (source, expected) in [
        ("export const result = 6;", "       const result = 6;;return result;"),
        (
            "const a = 6;\nexport { a as default };",
            "const a = 6;\n;                       ;return a;",
        ),
        ("export default { a: 1 };", "const answer_=  { a: 1 };;;return answer_;"),
    ] {
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeezed(&body(source)), squeezed(expected), "{source}");
    }
}

#[test]
fn braces_that_are_an_object_are_one() {
    for (source, expected) in [
        ("{ a: 1 }", "return ({ a: 1 });"),
        ("{ a: 1, b: 2 }", "return ({ a: 1, b: 2 })"),
        ("{ \"a\": [1] };", "return ({ \"a\": [1] });"),
        ("const n = 1;\n{ total: n }", "const n = 1;\nreturn ({ total: n });"),
        ("const n = 1;\n{ total: n, of: 2 }", "const n = 1;\nreturn ({ total: n, of: 2 })"),
        ("const a = 1, b = 2;\n{ a, b }", "const a = 1, b = 2;\nreturn ({ a, b });"),
    ] {
        assert_eq!(body(source), expected, "{source}");
    }
}

#[test]
fn an_answer_that_is_provably_lost_is_refused_with_its_fix() {
    for (source, fix) in [
        ("", "return"),
        ("// nothing to do\n", "return"),
        (";;", "return"),
        ("'use strict';", "return"),
        ("interface A { a: string }", "return"),
        ("return\n{ a: 1 }", "same line"),
        ("if (a) {\n  return\n  b\n}", "same line"),
        ("return [1].map(x => {\n  return\n  { id: x }\n})", "same line"),
        ("() => { a: 1 }", "({ a: … })"),
        ("return xs.map(x => { id: x })", "({ id: … })"),
        ("const n = 1;\ntotal: n", "return { total: … }"),
        ("function a() { return 1 }\nfunction b() { return 2 }", "return b()"),
        ("class A { run() { return 1 } }", "return new"),
        ("class A {}\nA", "return new"),
        ("```js\nreturn 1\n```\nor\n```js\nreturn 2\n```", "send one program"),
    ] {
        let refusal = refusal(source);
        assert_eq!(refusal.code, RefusalCode::NoAnswer, "{source}: {refusal}");
        assert!(refusal.message.contains(fix), "{source}: {refusal}");
    }
}
