//! Whether a search finds what is meant: questions with the tools that answer them.

use std::collections::{BTreeMap, BTreeSet};

use mycelium::forage::{Catalog, SearchQuery, create_catalog, words};

use super::servers::{Tool, tools};

struct Question {
    text: &'static str,
    tools: Vec<String>,
}

fn questions() -> Vec<Question> {
    let lines = include_str!("queries.txt").lines().filter(|line| !line.starts_with('#'));
    let question = |line: &'static str| {
        let (text, tools) = line.split_once(" | ").unwrap();
        Question { text, tools: tools.split(", ").map(str::to_owned).collect() }
    };
    lines.map(question).collect()
}

/// For each question the rank of the first tool that answers it, from 0.
fn ranks(questions: &[Question], search: impl Fn(&str) -> Vec<String>) -> Vec<Option<usize>> {
    let rank = |question: &Question| {
        search(question.text).iter().position(|found| question.tools.contains(found))
    };
    questions.iter().map(rank).collect()
}

#[derive(Debug)]
struct Measure {
    first: f64,
    five: f64,
    reciprocal: f64,
}

fn measure(ranks: &[Option<usize>]) -> Measure {
    let all = ranks.len() as f64;
    let within = |most: usize| ranks.iter().flatten().filter(|rank| **rank < most).count() as f64;
    let reciprocal: f64 = ranks.iter().flatten().map(|rank| 1.0 / (*rank as f64 + 1.0)).sum();
    Measure { first: within(1) / all, five: within(5) / all, reciprocal: reciprocal / all }
}

fn ours(tools: &[Tool]) -> impl Fn(&str) -> Vec<String> {
    let catalog: Catalog = create_catalog("corpus", tools.iter().map(Tool::definition)).unwrap();
    let names: BTreeMap<String, String> =
        tools.iter().map(|tool| (tool.path(), format!("{} {}", tool.server, tool.name))).collect();
    move |text| {
        let query = SearchQuery { limit: Some(50), ..SearchQuery::new(text) };
        let found = catalog.search(&query).unwrap().results;
        found.into_iter().map(|summary| names[&summary.path].clone()).collect()
    }
}

/// Plain BM25 over the same texts: small letters, no stems, every field alike.
fn plain(tools: &[Tool]) -> impl Fn(&str) -> Vec<String> {
    let split = |text: &str| -> Vec<String> {
        let text = text.to_lowercase();
        let parts = text.split(|letter: char| !letter.is_alphanumeric());
        parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let documents: Vec<Vec<String>> = tools.iter().map(|tool| split(&tool.text())).collect();
    let names: Vec<String> =
        tools.iter().map(|tool| format!("{} {}", tool.server, tool.name)).collect();
    let mean = documents.iter().map(Vec::len).sum::<usize>() as f64 / documents.len() as f64;
    move |text| {
        let mut scores = vec![0.0; documents.len()];
        for word in split(text) {
            let counts: Vec<f64> = documents
                .iter()
                .map(|words| words.iter().filter(|other| **other == word).count() as f64)
                .collect();
            let having = counts.iter().filter(|count| **count > 0.0).count() as f64;
            let rarity = (1.0 + (documents.len() as f64 - having + 0.5) / (having + 0.5)).ln();
            for ((score, count), words) in scores.iter_mut().zip(counts).zip(&documents) {
                let length = 1.2 * (0.25 + 0.75 * words.len() as f64 / mean);
                *score += rarity * count * 2.2 / (count + length);
            }
        }
        let mut order: Vec<usize> = (0..scores.len()).filter(|at| scores[*at] > 0.0).collect();
        order.sort_by(|left, right| scores[*right].total_cmp(&scores[*left]));
        order.into_iter().take(50).map(|at| names[at].clone()).collect()
    }
}

#[test]
fn a_search_finds_what_is_meant_and_more_than_plain_bm25_does() {
    let Some(tools) = tools() else { return };
    let questions = questions();
    let ours = ranks(&questions, ours(&tools));
    for (question, rank) in questions.iter().zip(&ours) {
        if rank.is_none_or(|rank| rank > 4) {
            println!("rank {rank:?}: {} -> {:?}", question.text, question.tools);
        }
    }
    let (ours, plain) = (measure(&ours), measure(&ranks(&questions, plain(&tools))));
    for (name, Measure { first, five, reciprocal }) in [("ours", &ours), ("plain BM25", &plain)] {
        let count = questions.len();
        println!(
            "relevance {name}: {count} questions, hit@1 {first:.3} hit@5 {five:.3} MRR {reciprocal:.3}"
        );
    }
    assert!(ours.first >= 0.60 && ours.five >= 0.85, "{ours:?}");
    assert!(ours.first >= plain.first && ours.five >= plain.five, "{ours:?} {plain:?}");
    assert!(ours.reciprocal >= plain.reciprocal, "{ours:?} {plain:?}");
}

#[test]
fn half_of_the_questions_share_no_stem_with_the_name_of_what_they_mean() {
    let Some(tools) = tools() else { return };
    let known: BTreeSet<String> =
        tools.iter().map(|tool| format!("{} {}", tool.server, tool.name)).collect();
    let questions = questions();
    let shares = |question: &&Question| {
        let asked: BTreeSet<String> = words(question.text).into_iter().collect();
        let name = |tool: &String| words(tool.split_once(' ').unwrap().1);
        question.tools.iter().flat_map(name).any(|word| asked.contains(&word))
    };
    for question in &questions {
        assert!(question.tools.iter().all(|tool| known.contains(tool)), "{:?}", question.tools);
    }
    let sharing = questions.iter().filter(shares).count();
    println!("{} questions, {sharing} share a stem", questions.len());
    assert!(questions.len() >= 120 && sharing * 2 <= questions.len());
}
