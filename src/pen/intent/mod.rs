//! Whether an intent can be written from, and may leave the host.
//!
//! Owns the rules of `MPP-E001`. An intent goes to a writer, often on another host, so one
//! with a secret in it is refused, and the refusal repeats nothing of it.
//!
//! Spec: 002, §6 `MPP-E001`.

mod secrets;

use crate::{failure::Failure, limits::PEN_INTENT_BYTES};

/// The fewest letters or ideographs of an intent.
const LETTERS: usize = 4;
/// The fewest words of an intent in a script that has words.
const WORDS: usize = 2;

/// Checks an intent.
///
/// # Errors
///
/// `MPP-E001` naming the rule that it breaks.
///
/// ```
/// use mycelium::pen::check_intent;
///
/// assert!(check_intent("Sum the amounts by country").is_ok());
/// assert!(check_intent("按国家汇总金额").is_ok());
/// assert_eq!(check_intent(" \n").unwrap_err().code(), "MPP-E001");
/// ```
pub fn check_intent(intent: &str) -> Result<(), Failure> {
    let refused = |problem: String| Err(Failure::PenIntent { problem });
    if intent.trim().is_empty() {
        return refused("it is empty; say in a sentence what the program is to do".to_owned());
    }
    if intent.len() > PEN_INTENT_BYTES {
        let problem = format!(
            "it has more than {PEN_INTENT_BYTES} bytes; say it shorter, and hand data over as \
             context.upstream_inputs"
        );
        return refused(problem);
    }
    if let Some(kind) = secrets::find(intent) {
        let problem = format!(
            "it seems to hold a secret ({kind}); take it out, and let the owner bind an \
             operation that uses it"
        );
        return refused(problem);
    }
    if is_thin(intent) {
        let problem = format!(
            "it says too little (fewer than {WORDS} different words or {LETTERS} letters or \
             ideographs); say what goes in, what is done, and what comes out"
        );
        return refused(problem);
    }
    Ok(())
}

/// Whether there is too little in it to write from.
fn is_thin(intent: &str) -> bool {
    let letters: Vec<char> = intent.chars().filter(|letter| letter.is_alphabetic()).collect();
    let mut different = letters.clone();
    different.sort_unstable();
    different.dedup();
    if letters.len() < LETTERS || different.len() < 3 {
        return true;
    }
    let mut words: Vec<String> = intent
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.sort_unstable();
    words.dedup();
    words.len() < WORDS && !letters.iter().any(|letter| is_unspaced(*letter))
}

/// Whether a letter is of a script that is written without blanks between words.
fn is_unspaced(letter: char) -> bool {
    matches!(u32::from(letter),
        0x0E00..=0x0EFF | 0x0F00..=0x0FFF | 0x1000..=0x109F | 0x1780..=0x17FF
        | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF
        | 0x20000..=0x3FFFF)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::check_intent;

    fn problem(intent: &str) -> Option<String> {
        check_intent(intent).err().map(|failure| failure.to_string())
    }

    #[test]
    fn an_empty_intent_is_refused_by_that_rule() {
        for intent in ["", " ", "\u{3000}\n\t"] {
            assert!(problem(intent).is_some_and(|problem| problem.contains("it is empty")));
        }
    }

    #[test]
    fn an_intent_that_says_too_little_is_refused_by_that_rule() {
        for intent in [
            "x",
            "do",
            "sum",
            "aaaa aaaa",
            "summarise",
            "!!! ???",
            "123 456",
            "求和",
            "run run run",
            "哈哈哈哈哈",
        ] {
            let problem = problem(intent);
            assert!(
                problem.as_ref().is_some_and(|text| text.contains("too little")),
                "{intent}: {problem:?}"
            );
        }
    }

    #[test]
    fn an_intent_in_any_script_that_says_enough_is_taken() {
        for intent in [
            "sum numbers",
            "Sum the amounts by country, largest first",
            "按国家汇总金额",
            "读取输入并排序",
            "数値を合計してください",
            "Суммируй числа",
            "اجمع الأرقام",
            "숫자를 더해 줘",
        ] {
            assert_eq!(problem(intent), None, "{intent}");
        }
    }

    #[test]
    fn an_intent_over_its_bound_is_refused() {
        assert!(
            problem(&"sum all numbers ".repeat(1_100)).is_some_and(|text| text.contains("bytes"))
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn whatever_the_intent_a_refusal_is_typed_and_repeats_nothing(intent in "\\PC{0,40}") {
            if let Some(problem) = problem(&intent) {
                let told = intent.trim();
                prop_assert!(told.chars().count() < 12 || !problem.contains(told));
            }
        }
    }
}
