//! The questions that a guest asks of discovery: answered at once, counted, never trusted.

use super::{SandboxRequest, session::broken, wire};
use crate::failure::{Failure, MESSAGE_BYTES, bounded};

/// How many failed questions are kept: a program that lets one through lets a late one through.
const KEPT: usize = 32;

/// The questions of one session.
#[derive(Default)]
pub(super) struct Forage {
    asked: u64,
    failed: Vec<Failure>,
}

impl Forage {
    /// How many were asked: they count as calls do.
    pub(super) fn asked(&self) -> u64 {
        self.asked
    }

    /// The frame that answers a question.
    ///
    /// # Errors
    ///
    /// A question out of its turn, over the budget that it shares with the `calls` made, or to
    /// a helper that there isn't.
    pub(super) fn answer(
        &mut self,
        request: &SandboxRequest,
        calls: u64,
        id: u64,
        helper: &str,
        input: Option<&str>,
    ) -> Result<String, Failure> {
        if id != self.asked {
            return Err(broken(wire::Broken("questions count from f0 without gaps")));
        }
        let limit = request.limits.calls;
        if calls.saturating_add(id) >= limit {
            return Err(Failure::CallBudgetExceeded { limit });
        }
        self.asked = id.saturating_add(1);
        let answer = request.bindings.forage(helper, input.unwrap_or("{}"));
        match answer.ok_or_else(|| broken(wire::Broken("there is no helper of this name")))? {
            Ok(answer) => Ok(wire::answer(id, &answer)),
            Err(failure) => {
                let frame = wire::unanswered(id, &failure);
                self.failed.truncate(KEPT.saturating_sub(1));
                self.failed.insert(0, failure);
                Ok(frame)
            }
        }
    }

    /// The failure that the program let through: one of ours with this code and text, or one
    /// that the guest found by itself in an input that JSON can't say.
    pub(super) fn failure(&self, code: &str, message: &str) -> Failure {
        let ours = |failure: &&Failure| {
            failure.code() == code && bounded(&failure.to_string(), MESSAGE_BYTES) == message
        };
        let own = || match code {
            "input-invalid" => unsayable(&bounded(message, MESSAGE_BYTES)),
            _ => broken(wire::Broken("no question failed so")),
        };
        self.failed.iter().find(ours).cloned().unwrap_or_else(own)
    }
}

/// The guest's own words begin with the helper that it was.
fn unsayable(message: &str) -> Failure {
    let named = message.split_once(": ").filter(|(helper, _)| helper.starts_with("forage."));
    let (helper, problem) = named.unwrap_or(("forage", message));
    Failure::InputInvalid { operation: helper.to_owned(), problem: problem.to_owned() }
}
