//! What comes out of an executed call: how far it has come, and at last what it came to.

use futures::{
    future::{Either, LocalBoxFuture, select},
    stream::{LocalBoxStream, StreamExt, unfold},
};

use crate::runtime::{
    Outcome,
    progress::{Progress, Steps},
};

/// A tool's result, as texts for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolResult {
    /// The texts; the first is the answer or the failure, by itself.
    pub content: Vec<String>,
    /// Whether it is a failure.
    pub is_error: bool,
}

/// One part of an executed call.
///
/// Any number of [`Progress`](Self::Progress) come first, then exactly one
/// [`Last`](Self::Last), which ends the stream. A call without progress gives the last
/// part alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// How far it has come; for whoever waits, not for the model.
    Progress(Progress),
    /// What it came to.
    Last(Box<LastPart>),
}

/// What an executed call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastPart {
    /// What the model is shown.
    pub result: ToolResult,
    /// The outcome behind it.
    pub outcome: Outcome,
}

impl Part {
    /// What the call came to, if this is the last part.
    #[must_use]
    pub fn last(self) -> Option<LastPart> {
        match self {
            Self::Progress(_) => None,
            Self::Last(last) => Some(*last),
        }
    }
}

/// What came of `parts`, the rest of a call; `told` hears of each part before the last.
/// None where they ended without one.
pub async fn last_part(
    mut parts: LocalBoxStream<'static, Part>,
    mut told: impl FnMut(&Progress),
) -> Option<LastPart> {
    loop {
        match parts.next().await? {
            Part::Progress(progress) => told(&progress),
            Part::Last(last) => return Some(*last),
        }
    }
}

impl From<Outcome> for LastPart {
    fn from(outcome: Outcome) -> Self {
        let result = ToolResult { content: outcome.texts(), is_error: outcome.is_failure() };
        Self { result, outcome }
    }
}

/// What is left of an executed call.
#[allow(clippy::large_enum_variant, reason = "there is one for each execution")]
enum Rest {
    Running(LocalBoxFuture<'static, Outcome>),
    Ended(Outcome),
    Nothing,
}

/// The parts of an executed call, in their order: what was told before the end is told
/// before the end.
pub(super) fn parts(
    outcome: LocalBoxFuture<'static, Outcome>,
    steps: Steps,
) -> LocalBoxStream<'static, Part> {
    unfold((Rest::Running(outcome), steps), next).boxed_local()
}

async fn next((mut rest, steps): (Rest, Steps)) -> Option<(Part, (Rest, Steps))> {
    loop {
        if let Some(progress) = steps.take() {
            return Some((Part::Progress(progress), (rest, steps)));
        }
        rest = match rest {
            Rest::Running(outcome) => match select(outcome, steps.told()).await {
                Either::Left((outcome, _)) => {
                    steps.close();
                    Rest::Ended(outcome)
                }
                Either::Right(((), outcome)) => Rest::Running(outcome),
            },
            Rest::Ended(outcome) => {
                let last = Part::Last(Box::new(outcome.into()));
                return Some((last, (Rest::Nothing, steps)));
            }
            Rest::Nothing => return None,
        };
    }
}
