//! Laws of depth: whatever nests too deep is a typed refusal, never an abort.
use mycelium_intake::{CODE_LIMIT, RefusalCode, read, read_on_own_stack};

/// What is repeated, what stands in the middle, what closes each repetition.
const BOMBS: [(&str, &str, &str, &str); 24] = [
    ("parentheses", "(", "1", ")"),
    ("arrays", "[", "1", "]"),
    ("objects", "({a:", "1", "})"),
    ("blocks", "{", "1", "}"),
    ("arrows", "a=>", "1", ""),
    ("async arrows", "async a=>", "1", ""),
    ("ternaries", "a?b:", "1", ""),
    ("ternaries in the middle", "a?", "1", ":b"),
    ("assignments", "a=", "1", ""),
    ("unary operators", "!", "1", ""),
    ("signs", "- ", "1", ""),
    ("await", "await ", "1", ""),
    ("templates", "`${", "1", "}`"),
    ("if", "if(1)", "1", ""),
    ("else if", "if(1)a;else ", "1", ""),
    ("loops", "for(;;)", "1", ""),
    ("functions", "function f(){", "1", "}"),
    ("classes", "(class extends ", "A", "{})"),
    ("types", "let x:A<", "1", ">"),
    ("type arguments", "A<", "1", ">"),
    ("members", "", "a", ".a"),
    ("calls", "", "a", "()"),
    ("operators", "a+", "1", ""),
    ("powers", "a**", "1", ""),
];

fn bomb((_, open, middle, close): (&str, &str, &str, &str), times: usize, closed: bool) -> String {
    let tail = if closed || open.is_empty() { close.repeat(times) } else { String::new() };
    format!("{}{middle}{tail}", open.repeat(times))
}

/// How often a bomb repeats to fill a size.
fn times((_, open, _, close): (&str, &str, &str, &str), size: usize) -> usize {
    size / (open.len() + close.len())
}

#[test]
fn a_program_that_nests_too_deep_is_refused_with_its_name() {
    for kind in BOMBS {
        for (size, closed) in [16 * 1024, 64 * 1024, CODE_LIMIT - 1]
            .into_iter()
            .flat_map(|size| [(size, true), (size, false)])
        {
            let refusal =
                read_on_own_stack(&bomb(kind, times(kind, size), closed)).expect_err(kind.0);
            assert_eq!(
                refusal.code,
                RefusalCode::ProgramTooDeep,
                "{} of {size}, closed: {closed}: {refusal}",
                kind.0
            );
            assert!(refusal.frame.len() < 1000, "a frame stays small");
        }
    }
}

#[test]
fn a_bomb_of_a_mebibyte_is_refused_for_its_size() {
    for kind in BOMBS {
        let refusal =
            read_on_own_stack(&bomb(kind, times(kind, 1024 * 1024), true)).expect_err(kind.0);
        assert_eq!(refusal.code, RefusalCode::ProgramTooLarge, "{}", kind.0);
    }
}

/// No own stack here: a program within the limit needs little.
#[test]
fn nesting_that_is_written_by_hand_is_read() {
    for kind in BOMBS {
        let source = bomb(kind, 24, true);
        if let Err(refusal) = read(&source) {
            assert_ne!(refusal.code, RefusalCode::ProgramTooDeep, "{}: {source}", kind.0);
        }
    }
}

/// The parser would read a text like this for seconds, over and over.
#[test]
fn a_text_the_parser_would_read_again_and_again_is_refused() {
    for line in ["A<".repeat(100) + "1;\n", "(a=".repeat(60) + "1" + &")".repeat(60) + ";\n"] {
        let refusal =
            read_on_own_stack(&line.repeat(250_000 / line.len())).expect_err("too much work");
        assert_eq!(refusal.code, RefusalCode::ProgramTooDeep);
    }
}

/// After a block a slash starts a regular expression, after an object it
/// divides. Brackets hide in neither.
#[test]
fn no_slash_hides_a_bomb() {
    let bomb = "(".repeat(200_000);
    for lure in
        ["{}/\"/;", "a={}/1;b=/`/;{}/\"/;", "async/\"/;\"", "of/`/2;`", "#!`\n", "'\\\r\n';"]
    {
        let refusal = read_on_own_stack(&format!("{lure}{bomb}")).expect_err(lure);
        assert_eq!(refusal.code, RefusalCode::ProgramTooDeep, "{lure}");
    }
}
