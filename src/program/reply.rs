//! The intake module's reply.

use mycelium_intake::{CODE_LIMIT, Program, Refusal, RefusalCode, abi::Answer};

use crate::failure::{Failure, Place};

/// Decodes the bytes that the intake module gives back.
///
/// # Errors
///
/// The refusal as its failure, or [`Failure::Unknown`] for bytes that are no reply.
pub fn read_reply(bytes: &[u8]) -> Result<Program, Failure> {
    let answer: Answer = serde_json::from_slice(bytes).map_err(|_| Failure::Unknown {})?;
    answer.into_result().map_err(Failure::from)
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
