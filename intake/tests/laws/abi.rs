//! Laws of what crosses the WebAssembly boundary.

use mycelium_intake::RefusalCode;
use mycelium_intake::abi::{Answer, answer};

#[test]
fn a_program_crosses_as_compact_json() {
    assert_eq!(
        answer(b"1"),
        r#"{"program":{"module":"export default async () => {\nreturn 1\n};\n","map":{"line":0,"column":0,"lines":1,"inserted":[[2,1,7]]}}}"#
    );
}

#[test]
fn a_refusal_crosses_as_compact_json() {
    assert_eq!(
        answer(b"return ("),
        r#"{"refusal":{"code":"syntax-error","message":"Expected `)` but found `EOF`","line":1,"column":9,"frame":"   1 | return (\n     |         ^"}}"#
    );
}

#[test]
fn what_crosses_comes_back_whole() {
    for source in ["1", "return (", "", "const a: X = 1; a"] {
        let back: Answer = serde_json::from_str(&answer(source.as_bytes())).expect("an answer");
        assert_eq!(back.into_result(), mycelium_intake::read(source));
    }
}

#[test]
fn bytes_that_are_not_utf8_are_refused_at_their_place() {
    let back: Answer =
        serde_json::from_str(&answer(b"const a = 1;\nreturn \xFF")).expect("an answer");
    let refusal = back.into_result().expect_err("not UTF-8");
    assert_eq!((refusal.code, refusal.line, refusal.column), (RefusalCode::SyntaxError, 2, 8));
}
