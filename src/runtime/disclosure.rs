//! What the log has of code and of inputs: nothing, unless the owner asks.
//!
//! Owns how much is shown, and what is masked in it. Doesn't own where it is written.

use std::rc::Rc;

use serde::Serialize;
use serde_json::Value;

use crate::{
    json::parse,
    limits::{SHOWN_CODE_BYTES, SHOWN_INPUT_BYTES, SHOWN_INPUTS_BYTES},
};

/// What stands for a secret.
const MASK: &str = "[masked]";

/// A secret of fewer bytes would be found in words that are none.
const SECRET_BYTES: usize = 8;

/// Parts of a member's name, in lower case and without what isn't a letter, that tell a secret.
const SECRET_NAMES: &[&str] =
    &["password", "passwd", "secret", "token", "apikey", "credential", "authorization", "cookie"];

/// What of an execution its line in the log shows beside facts. By default, nothing.
///
/// ```
/// use mycelium::runtime::Disclosure;
/// let shown = Disclosure::new(true, false).hiding(["a-long-secret"]);
/// assert!(shown.code && !shown.inputs);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disclosure {
    /// The program's text.
    pub code: bool,
    /// The inputs of its calls.
    pub inputs: bool,
    secrets: Rc<[String]>,
}

impl Disclosure {
    /// Shows the program's text, the inputs of its calls, both or neither; masks no text yet.
    #[must_use]
    pub fn new(code: bool, inputs: bool) -> Self {
        Self { code, inputs, ..Self::default() }
    }

    /// Masks these texts wherever they stand; those of fewer than eight bytes are no secrets.
    #[must_use]
    pub fn hiding<S: Into<String>>(mut self, secrets: impl IntoIterator<Item = S>) -> Self {
        let long = secrets.into_iter().map(Into::into).filter(|text| text.len() >= SECRET_BYTES);
        // In a JSON text a secret is written as JSON has it.
        self.secrets = long.flat_map(|text: String| [quoted(&text), text]).collect();
        self
    }

    /// Whether anything is shown.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.code || self.inputs
    }

    /// The program's text, where it is shown.
    pub(super) fn code(&self, code: &str) -> Option<Excerpt> {
        self.code.then(|| self.excerpt(code, SHOWN_CODE_BYTES))
    }

    /// Where inputs are collected, if they are shown.
    pub(super) fn inputs(&self) -> Option<Inputs> {
        self.inputs.then(Inputs::default)
    }

    fn excerpt(&self, text: &str, limit: usize) -> Excerpt {
        let (mut shown, mut rest) = (String::new(), text);
        while let Some(letter) = rest.chars().next() {
            let after = self.secrets.iter().filter_map(|secret| rest.strip_prefix(secret.as_str()));
            // Of two secrets that begin here, the longer.
            let (piece, after) = match after.min_by_key(|after| after.len()) {
                Some(after) => (MASK, after),
                None => rest.split_at(letter.len_utf8()),
            };
            if shown.len().saturating_add(piece.len()) > limit {
                break;
            }
            shown.push_str(piece);
            rest = after;
        }
        Excerpt { text: shown, bytes: text.len(), cut: !rest.is_empty() }
    }
}

/// The beginning of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    /// As much as is shown, with its secrets masked.
    pub text: String,
    /// Bytes of the whole text.
    pub bytes: usize,
    /// Whether it goes on.
    pub cut: bool,
}

/// One call's input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownInput {
    /// The call's ordinal.
    pub ordinal: usize,
    /// The operation's path.
    pub path: String,
    /// The input as JSON.
    pub input: Excerpt,
}

/// The inputs of an execution's calls, the first ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Inputs {
    /// In the order of their ordinals.
    pub listed: Vec<ShownInput>,
    /// How many calls there were besides.
    pub omitted: usize,
    #[serde(skip)]
    bytes: usize,
}

impl Inputs {
    /// Takes one call's input, unless there is enough.
    pub(super) fn take(&mut self, of: &Disclosure, ordinal: usize, path: &str, input: &str) {
        let room = SHOWN_INPUTS_BYTES.saturating_sub(self.bytes);
        if self.omitted > 0 || room < path.len() {
            self.omitted = self.omitted.saturating_add(1);
            return;
        }
        let text = parse(input).map(|value| masked(value).to_string());
        // What is no JSON is refused, and may hold anything.
        let text = text.unwrap_or_else(|_| MASK.to_owned());
        let limit = room.saturating_sub(path.len()).min(SHOWN_INPUT_BYTES);
        let excerpt = Excerpt { bytes: input.len(), ..of.excerpt(&text, limit) };
        self.bytes = self.bytes.saturating_add(path.len()).saturating_add(excerpt.text.len());
        self.listed.push(ShownInput { ordinal, path: path.to_owned(), input: excerpt });
    }
}

/// The value with everything masked that a member's name tells to be a secret. Its depth is
/// bounded where it was parsed.
fn masked(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(masked).collect(),
        Value::Object(entries) => {
            let entries = entries.into_iter().map(|(name, value)| {
                let value = if is_secret(&name) { Value::from(MASK) } else { masked(value) };
                (name, value)
            });
            Value::Object(entries.collect())
        }
        scalar => scalar,
    }
}

fn is_secret(name: &str) -> bool {
    let letters = name.chars().filter(char::is_ascii_alphabetic);
    let plain: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    SECRET_NAMES.iter().any(|secret| plain.contains(secret))
}

/// The text as it stands between the quotes of a JSON text.
fn quoted(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, proptest};

    use super::{Disclosure, Inputs, MASK};
    use crate::limits::{SHOWN_CODE_BYTES, SHOWN_INPUT_BYTES, SHOWN_INPUTS_BYTES};

    fn all() -> Disclosure {
        Disclosure::new(true, true)
    }

    fn input(of: &Disclosure, text: &str) -> String {
        let mut inputs = Inputs::default();
        inputs.take(of, 0, "m.say", text);
        inputs.listed.remove(0).input.text
    }

    #[test]
    fn nothing_is_shown_by_default() {
        let none = Disclosure::default();
        assert_eq!((none.code("return 1"), none.inputs(), none.is_any()), (None, None, false));
    }

    #[test]
    fn a_secret_is_masked_wherever_it_stands_and_the_longer_of_two_whole() {
        let shown = all().hiding(["hush-hush", "hush-hush-hush", "a\"b\\c\ndefg", "short"]);
        let code = shown.code("hush-hush-hush; hush-hush; short").unwrap();
        assert_eq!(code.text, format!("{MASK}; {MASK}; short"));
        assert_eq!(
            input(&shown, r#"["a\"b\\c\ndefg","xhush-hushx"]"#),
            r#"["[masked]","x[masked]x"]"#
        );
    }

    #[test]
    fn what_a_name_tells_to_be_secret_is_masked_at_every_depth() {
        let said =
            r#"{"a":[{"X-Api-Key":["k"],"userPassword":{"x":1}}],"access_token":1,"taken":2}"#;
        assert_eq!(
            input(&all(), said),
            r#"{"a":[{"X-Api-Key":"[masked]","userPassword":"[masked]"}],"access_token":"[masked]","taken":2}"#
        );
        assert_eq!(input(&all(), "{\"password\": hunter2}"), MASK);
    }

    #[test]
    fn what_is_cut_says_so_and_how_much_there_was() {
        let code = all().code(&"é".repeat(SHOWN_CODE_BYTES)).unwrap();
        assert_eq!(
            (code.text.len(), code.bytes, code.cut),
            (SHOWN_CODE_BYTES, 2 * SHOWN_CODE_BYTES, true)
        );
        let whole = all().code(&"x".repeat(SHOWN_CODE_BYTES)).unwrap();
        assert_eq!((whole.text.len(), whole.cut), (SHOWN_CODE_BYTES, false));
    }

    #[test]
    fn inputs_are_shown_up_to_their_bounds_and_further_ones_counted() {
        let (shown, mut inputs) = (all(), Inputs::default());
        let long = format!("{:?}", "y".repeat(10_000));
        (0..100).for_each(|ordinal| inputs.take(&shown, ordinal, "m.say", &long));
        assert!(inputs.listed.iter().all(|one| one.input.text.len() <= SHOWN_INPUT_BYTES));
        assert!(inputs.listed.iter().all(|one| one.input.cut && one.input.bytes == 10_002));
        let bytes: usize =
            inputs.listed.iter().map(|one| one.path.len() + one.input.text.len()).sum();
        assert!(bytes <= SHOWN_INPUTS_BYTES && bytes > SHOWN_INPUTS_BYTES / 2, "{bytes}");
        assert_eq!(inputs.listed.len() + inputs.omitted, 100);
        let mut many = Inputs::default();
        (0..100_000).for_each(|ordinal| many.take(&shown, ordinal, "m.say", "1"));
        assert!(many.listed.len() < 10_000 && many.listed.len() + many.omitted == 100_000);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn no_secret_is_ever_in_an_excerpt(before in ".{0,40}", after in ".{0,40}", limit in 0_usize..60) {
            let shown = all().hiding(["a-long-secret"]);
            let excerpt = shown.excerpt(&format!("{before}a-long-secret{after}"), limit);
            assert!(excerpt.text.len() <= limit);
            // Nor the beginning of one at the cut.
            assert!(!excerpt.text.contains("a-long-s"));
        }
    }
}
