//! Questions with the tools that answer them, and how well a search does. The bench reads it too.

use std::fmt;

/// One question.
pub(crate) struct Question {
    /// What is asked.
    pub(crate) text: &'static str,
    /// Server and name of each tool that answers it.
    pub(crate) tools: Vec<String>,
}

/// All questions.
pub(crate) fn questions() -> Vec<Question> {
    let lines = include_str!("queries.txt").lines().filter(|line| !line.starts_with('#'));
    let question = |line: &'static str| {
        let (text, tools) = line.split_once(" | ").unwrap();
        Question { text, tools: tools.split(", ").map(str::to_owned).collect() }
    };
    lines.map(question).collect()
}

/// For each question the rank of the first tool that answers it, from 0.
pub(crate) fn ranks(
    questions: &[Question],
    search: impl Fn(&str) -> Vec<String>,
) -> Vec<Option<usize>> {
    let rank = |question: &Question| {
        search(question.text).iter().position(|found| question.tools.contains(found))
    };
    questions.iter().map(rank).collect()
}

/// How well a search does.
#[derive(Debug)]
pub(crate) struct Measure {
    count: usize,
    pub(crate) first: f64,
    pub(crate) five: f64,
    pub(crate) reciprocal: f64,
}

/// The measure of these ranks.
pub(crate) fn measure(ranks: &[Option<usize>]) -> Measure {
    let count = ranks.len();
    let all = count as f64;
    let within = |most: usize| ranks.iter().flatten().filter(|rank| **rank < most).count() as f64;
    let reciprocal: f64 = ranks.iter().flatten().map(|rank| 1.0 / (*rank as f64 + 1.0)).sum();
    Measure { count, first: within(1) / all, five: within(5) / all, reciprocal: reciprocal / all }
}

impl fmt::Display for Measure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, first, five, reciprocal } = self;
        write!(formatter, "{count} questions, hit@1 {first:.3} hit@5 {five:.3} MRR {reciprocal:.3}")
    }
}
