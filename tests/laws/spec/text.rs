//! A text of the specification as the sentences that it says.
//!
//! Owns where a sentence ends and what is code. Which lines are headings, nothing in the
//! text tells: the table does.

use std::mem;

/// What a line of code begins with that stands alone, or until its brackets are closed.
const CODE: [&str; 6] = ["import ", "const ", "try {", "npm ", "pnpm ", "TS"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Heading(String),
    Sentence(String),
}

/// Without line ends and repeated blanks, which are the page's and not the text's.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The units of a text as they are found, one character after another.
#[derive(Default)]
struct Reader {
    units: Vec<Unit>,
    current: String,
}

impl Reader {
    fn end(&mut self) {
        let sentence = plain(&mem::take(&mut self.current));
        if sentence.contains(char::is_alphanumeric) {
            self.units.push(Unit::Sentence(sentence));
        } else if let (Some(Unit::Sentence(last)), false) =
            (self.units.last_mut(), sentence.is_empty())
        {
            // Stray full stops belong to what they follow.
            *last = format!("{last} {sentence}");
        }
    }

    fn line(&mut self, line: &str) {
        let mut letters = line.chars().peekable();
        while let Some(letter) = letters.next() {
            self.current.push(letter);
            let last = letters.peek().is_none_or(|next| next.is_whitespace());
            if letter == '。' || (letter == '.' && last) {
                self.end();
            }
        }
        self.current.push(' ');
    }
}

fn depth(line: &str) -> isize {
    let of = |letter| match letter {
        '(' | '[' | '{' => 1,
        ')' | ']' | '}' => -1,
        _ => 0,
    };
    line.chars().map(of).sum()
}

/// Headings and sentences of a text, in order, without its code.
pub(super) fn units(text: &str, headings: &[&str]) -> Vec<Unit> {
    let (mut reader, mut open) = (Reader::default(), 0);
    for line in text.lines().map(str::trim) {
        if open > 0 || CODE.iter().any(|begin| line.starts_with(begin)) {
            reader.end();
            open += depth(line);
        } else if headings.contains(&line) {
            reader.end();
            reader.units.push(Unit::Heading(line.to_owned()));
        } else {
            reader.line(line);
        }
    }
    reader.end();
    reader.units
}

/// Headings and lines of a contract in Markdown, in order: the page that it was on puts bars
/// between its lines, and what has no letter or digit says nothing.
pub(super) fn lines(text: &str) -> Vec<Unit> {
    let lines = text.lines().map(str::trim).skip_while(|line| !line.starts_with("# "));
    let said =
        lines.filter(|line| !line.starts_with("```") && line.contains(char::is_alphanumeric));
    let unit = |line: &str| match line.trim_start_matches('#') {
        heading if heading.len() < line.len() => Unit::Heading(heading.trim().to_owned()),
        _ => Unit::Sentence(plain(line)),
    };
    said.map(unit).collect()
}
