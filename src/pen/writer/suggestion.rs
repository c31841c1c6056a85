//! A writer's opinion: one of three words, or none.

use crate::pen::Action;

/// The action that an answer says; none when it says anything else.
pub(in crate::pen) fn read_suggestion(answer: &str) -> Option<Action> {
    let word = answer.trim().trim_matches(['`', '"', '\'', '*', '.', '!']).to_ascii_lowercase();
    [Action::Erase, Action::Keep, Action::Share].into_iter().find(|action| action.name() == word)
}

#[cfg(test)]
mod tests {
    use super::{Action, read_suggestion};

    #[test]
    fn a_suggestion_is_one_word_or_none() {
        for (answer, action) in [
            ("keep", Some(Action::Keep)),
            (" **Share**.\n", Some(Action::Share)),
            ("`erase`", Some(Action::Erase)),
            ("", None),
            ("keep or share", None),
            ("I would not keep it", None),
            ("delete", None),
        ] {
            assert_eq!(read_suggestion(answer), action, "{answer:?}");
        }
    }
}
