//! Texts as words: names are split as their authors write them, words reduced to stems.

/// The most characters of a word: what is longer is data, not language.
const LONGEST: usize = 40;

/// Words of a question that say nothing of what is looked for, as stems.
const IDLE: [&str; 48] = [
    "a", "am", "an", "and", "any", "are", "as", "at", "be", "by", "can", "could", "do", "doe",
    "for", "from", "hav", "how", "i", "if", "in", "into", "is", "it", "its", "me", "my", "need",
    "of", "on", "or", "our", "pleas", "so", "som", "that", "the", "their", "this", "to", "us",
    "want", "we", "what", "which", "with", "you", "your",
];

/// The stems of a text's words, in their order.
///
/// ```
/// assert_eq!(mycelium::forage::words("createHTTPRequests_v2"), ["creat", "http", "request", "v2"]);
/// ```
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, &mut String::new(), |word| {
        words.push(word.to_owned());
        true
    });
    words
}

/// Hands the stems of a text's words to `take`, in their order, for as long as it wants more.
/// `word` is room for one.
pub(super) fn each_word(text: &str, word: &mut String, mut take: impl FnMut(&str) -> bool) {
    if text.is_ascii() {
        return each_part(text, |part| {
            reduce(part, word);
            take(word)
        });
    }
    let mut splitter = Splitter::default();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let ends = !is_word(letter) || is_ideograph(letter);
        if (ends || splitter.begins(letter, letters.peek().copied())) && !splitter.end(&mut take) {
            return;
        }
        if !ends {
            splitter.take(letter);
        } else if is_ideograph(letter) && !take(letter.encode_utf8(&mut [0; 4])) {
            return;
        }
    }
    splitter.end(&mut take);
}

/// Hands the words of a text that is ASCII to `take` as they are written.
pub(super) fn each_part(text: &str, mut take: impl FnMut(&str) -> bool) {
    let letters = text.as_bytes();
    let (mut start, mut at, mut last) = (0_usize, 0_usize, b' ');
    // One more than there are, which ends the last word.
    while at <= letters.len() {
        let letter = letters.get(at).copied().unwrap_or(b' ');
        let after = at.saturating_add(1);
        let goes_on = letter.is_ascii_alphanumeric();
        if !goes_on || letter.is_ascii_uppercase() && begins(last, letters.get(after)) {
            let is_word = start < at && at.saturating_sub(start) <= LONGEST;
            if is_word && !take(text.get(start..at).unwrap_or_default()) {
                return;
            }
            start = if goes_on { at } else { after };
        }
        (last, at) = (letter, after);
    }
}

/// Reduces a word that is ASCII to its stem, which is put into `word`.
pub(super) fn reduce(part: &str, word: &mut String) {
    word.clear();
    word.push_str(part);
    word.make_ascii_lowercase();
    stem(word);
}

/// Whether a capital begins a word, as [`Splitter::begins`] has it.
fn begins(last: u8, next: Option<&u8>) -> bool {
    last.is_ascii_lowercase()
        || last.is_ascii_digit()
        || last.is_ascii_uppercase() && next.is_some_and(u8::is_ascii_lowercase)
}

/// The words of a question: idle ones count only where there is nothing else.
pub(super) fn asked(text: &str) -> Vec<String> {
    let all = words(text);
    let telling: Vec<String> =
        all.iter().filter(|word| IDLE.binary_search(&word.as_str()).is_err()).cloned().collect();
    let mut kept = if telling.is_empty() { all } else { telling };
    let mut seen = std::collections::BTreeSet::new();
    kept.retain(|word| seen.insert(word.clone()));
    kept
}

/// The word that is being read.
#[derive(Default)]
struct Splitter {
    word: String,
    length: usize,
    last: Option<char>,
}

impl Splitter {
    fn take(&mut self, letter: char) {
        if letter.is_ascii() {
            self.word.push(letter.to_ascii_lowercase());
        } else {
            self.word.extend(letter.to_lowercase());
        }
        self.length = self.length.saturating_add(1);
        self.last = Some(letter);
    }

    /// Whether a capital begins a word: `createIssue`, `v2Api`, the `R` of `HTTPRequest`.
    fn begins(&self, letter: char, next: Option<char>) -> bool {
        if !letter.is_uppercase() {
            return false;
        }
        let Some(last) = self.last else { return false };
        let after_small = last.is_lowercase() || last.is_numeric();
        let before_small = last.is_uppercase() && next.is_some_and(char::is_lowercase);
        after_small || before_small
    }

    /// Ends the word, if there is one; whether more are wanted.
    fn end(&mut self, take: &mut impl FnMut(&str) -> bool) -> bool {
        self.last = None;
        let length = std::mem::take(&mut self.length);
        if (1..=LONGEST).contains(&length) {
            stem(&mut self.word);
            let more = take(&self.word);
            self.word.clear();
            return more;
        }
        self.word.clear();
        true
    }
}

fn is_word(letter: char) -> bool {
    letter != '_' && unicode_ident::is_xid_continue(letter)
}

/// Scripts without blanks between words: each character is one.
fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Reduces an English word to what it shares with its inflections. Others are left.
fn stem(word: &mut String) {
    if word.len() <= 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return;
    }
    if word.ends_with('s') {
        plural(word);
    }
    for ending in ["ing", "ed"] {
        if cut(word, ending, 3, true) {
            undouble(word);
            break;
        }
    }
    let _ = cut(word, "ment", 5, false) || cut(word, "ly", 4, false);
    let acts = word.ends_with("tion") || word.ends_with("sion");
    let _ = acts && cut(word, "ion", 4, false);
    let _ = cut(word, "e", 3, false);
}

fn plural(word: &mut String) {
    if word.ends_with("ies") && word.len() > 4 {
        word.truncate(word.len().saturating_sub(3));
        word.push('y');
        return;
    }
    for ending in ["sses", "xes", "ches", "shes", "zes"] {
        if word.ends_with(ending) {
            word.truncate(word.len().saturating_sub(2));
            return;
        }
    }
    if !["ss", "us", "is"].iter().any(|ending| word.ends_with(ending)) {
        let _ = cut(word, "s", 3, false);
    }
}

/// Takes `ending` off when at least `kept` letters stay, one of them a vowel if asked.
fn cut(word: &mut String, ending: &str, kept: usize, vowel: bool) -> bool {
    // Of most words the last letter tells already.
    if word.as_bytes().last() != ending.as_bytes().last() {
        return false;
    }
    let Some(rest) = word.strip_suffix(ending) else { return false };
    let speaks = || rest.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    if rest.len() < kept || (vowel && !speaks()) {
        return false;
    }
    let length = rest.len();
    word.truncate(length);
    true
}

/// `running` is `run`, and `calling` stays `call`.
fn undouble(word: &mut String) {
    let mut last = word.bytes().rev();
    if let (Some(one), Some(other)) = (last.next(), last.next())
        && one == other
        && !b"lsz".contains(&one)
    {
        word.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::{IDLE, asked, words};

    #[test]
    fn names_are_split_as_they_are_written() {
        for (text, expected) in [
            ("create_pull-request.now", vec!["creat", "pull", "request", "now"]),
            ("createIssue", vec!["creat", "issu"]),
            ("HTTPServer", vec!["http", "server"]),
            ("listV2Items", vec!["list", "v2", "item"]),
            ("base64", vec!["base64"]),
            ("  ", vec![]),
            ("读取 file", vec!["读", "取", "fil"]),
            ("Été", vec!["été"]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
        assert!(words(&"x".repeat(41)).is_empty());
    }

    proptest::proptest! {
        #[test]
        fn a_text_is_split_alike_whatever_stands_behind_it(text in "[a-zA-Z0-9_. -]{0,60}") {
            // The ideograph has the text read letter by letter.
            let (mut plain, mut beside) = (words(&text), words(&format!("{text} 读")));
            plain.push("读".to_owned());
            proptest::prop_assert_eq!(&plain, &beside);
            beside.pop();
            let mut taken = Vec::new();
            super::each_word(&text, &mut String::new(), |word| {
                taken.push(word.to_owned());
                taken.len() < 2
            });
            beside.truncate(2);
            proptest::prop_assert_eq!(taken, beside);
        }
    }

    #[test]
    fn inflections_share_a_stem() {
        for group in [
            ["create", "creates", "created", "creating", "creation"].as_slice(),
            &["delete", "deleted", "deleting", "deletion", "deletes"],
            &["query", "queries"],
            &["run", "running", "runs"],
            &["call", "called", "calling", "calls"],
            &["deploy", "deployment", "deploys", "deployed"],
            &["match", "matches", "matching"],
            &["repository", "repositories"],
        ] {
            let stems: std::collections::BTreeSet<_> =
                group.iter().flat_map(|w| words(w)).collect();
            assert_eq!(stems.len(), 1, "{stems:?}");
        }
        assert_eq!(words("status bus this is"), ["status", "bus", "this", "is"]);
    }

    #[test]
    fn idle_words_count_where_there_are_no_others() {
        assert!(IDLE.is_sorted());
        assert_eq!(asked("how do I read the file, please read"), ["read", "fil"]);
        assert_eq!(asked("what is it"), ["what", "is", "it"]);
    }
}
