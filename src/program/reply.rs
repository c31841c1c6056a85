//! The intake module's reply.

use serde::Deserialize;

use super::Program;
use crate::failure::{Failure, Place};

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Reply {
    Program { module: String },
    Refusal(Refusal),
}

#[derive(Deserialize)]
struct Refusal {
    code: String,
    message: String,
    #[serde(flatten)]
    place: Place,
}

/// Decodes the bytes that the intake module gives back.
///
/// # Errors
///
/// The refusal as its failure, or [`Failure::Unknown`] for bytes that are no reply.
pub fn read_reply(bytes: &[u8]) -> Result<Program, Failure> {
    match serde_json::from_slice(bytes) {
        Ok(Reply::Program { module }) => Ok(Program::new(module)),
        Ok(Reply::Refusal(refusal)) => Err(refusal.into()),
        Err(_) => Err(Failure::Unknown {}),
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let Refusal { code, message: problem, place } = refusal;
        match code.as_str() {
            "no-answer" => Self::NoAnswer { problem, place },
            "program-too-deep" => Self::ProgramTooDeep { place },
            _ => Self::SyntaxError { problem, place },
        }
    }
}
