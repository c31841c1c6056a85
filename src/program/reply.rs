//! The intake module's reply.

use mycelium_intake::{CODE_LIMIT, Program, Refusal, RefusalCode};
use serde::Deserialize;

use crate::failure::{Failure, Place};

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Reply {
    Program(Program),
    Refusal(Refusal),
}

/// Decodes the bytes that the intake module gives back.
///
/// # Errors
///
/// The refusal as its failure, or [`Failure::Unknown`] for bytes that are no reply.
pub fn read_reply(bytes: &[u8]) -> Result<Program, Failure> {
    match serde_json::from_slice(bytes) {
        Ok(Reply::Program(program)) => Ok(program),
        Ok(Reply::Refusal(refusal)) => Err(refusal.into()),
        Err(_) => Err(Failure::Unknown {}),
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let Refusal { code, message: problem, line, column, frame, .. } = refusal;
        let place = Place { line, column, frame };
        match code {
            RefusalCode::SyntaxError => Self::SyntaxError { problem, place },
            RefusalCode::NoAnswer => Self::NoAnswer { problem, place },
            RefusalCode::ProgramTooDeep => Self::ProgramTooDeep { place },
            RefusalCode::ProgramTooLarge => Self::ProgramTooLarge { limit: CODE_LIMIT },
        }
    }
}
