//! What a successful answer is.

use super::{
    document::{Document, Part},
    finding::Findings,
    media,
    options::Serialization,
    pointer::Pointer,
    reason::Code,
    remark::Kind,
    table::Answer,
};

/// What a program gets.
#[derive(Clone, Debug)]
pub(super) struct Declared<'a> {
    pub(super) answer: Answer,
    /// What it may be; empty when some answer isn't described.
    pub(super) schemas: Vec<Part<'a>>,
    /// Whether it may have no content.
    pub(super) may_be_empty: bool,
    /// Whether the schemas say all of it.
    pub(super) described: bool,
}

/// What the operation's successful answers are; none when they aren't read.
pub(super) fn read<'a>(
    document: &'a Document,
    serialization: Serialization,
    operation: &Part<'a>,
    findings: &mut Findings,
) -> Option<Declared<'a>> {
    let mut declared = Declared {
        answer: Answer::Json,
        schemas: Vec::new(),
        may_be_empty: false,
        described: true,
    };
    let successes = successes(operation);
    if successes.is_empty() {
        declared.described = false;
        return Some(declared);
    }
    let mut answers = Vec::new();
    for part in successes {
        let pointer = part.pointer.clone();
        let response = match document.resolve(part) {
            Ok(response) if response.map().is_some() => response,
            Ok(_) => {
                findings.refuse(Code::ResponseMalformed, &pointer);
                continue;
            }
            Err(code) => {
                findings.refuse(code, &pointer);
                continue;
            }
        };
        match content(&response, &mut declared, findings) {
            Some(answer) => answers.push((answer, response.pointer.key("content"))),
            None => declared.may_be_empty = true,
        }
    }
    declared.answer = match common(serialization, &answers) {
        Ok(answer) => answer,
        Err(pointer) => {
            findings.refuse(Code::ResponseMedia, pointer);
            return None;
        }
    };
    if declared.answer != Answer::Json {
        declared.schemas.clear();
    }
    Some(declared)
}

/// What one response is read as; none when it has no content.
fn content<'a>(
    response: &Part<'a>,
    declared: &mut Declared<'a>,
    findings: &mut Findings,
) -> Option<Answer> {
    let entries: Vec<_> = response.get("content").iter().flat_map(Part::entries).collect();
    if entries.is_empty() {
        return None;
    }
    let json = entries.iter().filter(|(media, _)| media::is_json(media));
    let json = json.min_by_key(|(media, _)| (media::is_range(media), *media));
    let Some((_, media)) = json else {
        let text = entries.iter().all(|(media, _)| media::is_text(media));
        return Some(if text { Answer::Text } else { Answer::Base64 });
    };
    if entries.len() > 1 {
        findings.remark(Kind::MediaLeftOut, &media.pointer);
    }
    match media.get("schema") {
        // What is written the same is the same.
        Some(schema) if declared.schemas.iter().any(|known| known.value == schema.value) => {}
        Some(schema) => declared.schemas.push(schema),
        None => declared.described = false,
    }
    Some(Answer::Json)
}

/// What all the answers are read as, or where one is that can't be.
fn common(serialization: Serialization, answers: &[(Answer, Pointer)]) -> Result<Answer, &Pointer> {
    let json = answers.iter().any(|(answer, _)| *answer == Answer::Json);
    let only_json = json || serialization == Serialization::Simple;
    let mut found = Answer::Json;
    for (answer, pointer) in answers {
        match answer {
            Answer::Json => {}
            _ if only_json => return Err(pointer),
            Answer::Text if found == Answer::Base64 => {}
            other => found = *other,
        }
    }
    Ok(found)
}

/// The responses that mean success: the 2xx, or without one the default.
fn successes<'a>(operation: &Part<'a>) -> Vec<Part<'a>> {
    let Some(responses) = operation.get("responses") else { return Vec::new() };
    let successes: Vec<_> = responses
        .entries()
        .filter(|(status, _)| status.len() == 3 && status.starts_with('2'))
        .map(|(_, part)| part)
        .collect();
    if successes.is_empty() { responses.get("default").into_iter().collect() } else { successes }
}
