//! What an endpoint answers, as the OpenAI chat API has it.

use serde::Deserialize;

use super::WriterError;

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Said,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Said {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
}

/// The text of a whole chat completion.
///
/// # Errors
///
/// It is none, it was refused or cut, or there is nothing in it.
///
/// ```
/// use mycelium::pen::read_reply;
///
/// let body = br#"{"choices":[{"message":{"content":"return 1"},"finish_reason":"stop"}]}"#;
/// assert_eq!(read_reply(body).unwrap(), "return 1");
/// assert!(read_reply(br#"{"choices":[]}"#).is_err());
/// ```
pub fn read_reply(body: &[u8]) -> Result<String, WriterError> {
    let completion: Completion = serde_json::from_slice(body).map_err(|error| {
        WriterError::new(
            "the model's endpoint gave no chat completion; tell the owner of this host",
        )
        .with_evidence(error.to_string())
    })?;
    let choice = completion.choices.into_iter().next();
    let choice = choice.ok_or_else(|| empty("the model gave no choice"))?;
    if choice.message.refusal.is_some_and(|refusal| !refusal.is_empty()) {
        return Err(empty("the model refused"));
    }
    match choice.finish_reason.as_deref() {
        Some("length") => return Err(empty("the model's answer was cut at its length limit")),
        Some("content_filter") => return Err(empty("the model's filter withheld the answer")),
        _ => {}
    }
    let content = choice.message.content.filter(|content| !content.trim().is_empty());
    content.ok_or_else(|| empty("the model's answer is empty"))
}

fn empty(what: &str) -> WriterError {
    WriterError::new(format!("{what}; say the intent in other words, or ask for less"))
}
