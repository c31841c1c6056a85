//! Waiting for a page, no longer than each stage may take.

use std::rc::Rc;

use futures::channel::oneshot;

use super::{
    failing::{Answer, Overdue},
    host::BrowserHost,
};
use crate::{
    limits::{BROWSER_CLAIM_MS, BROWSER_GRACE_MS, BROWSER_RUN_MS},
    port::{Timer, within},
};

/// The stages of a wait, each with its own end.
#[derive(Clone, Copy)]
pub(super) enum Stage {
    /// Until there is a page.
    Open,
    /// Until a page has taken it.
    Claim,
    /// Until the page has sent what came of it.
    Run,
}

impl Stage {
    fn ms(self) -> u64 {
        match self {
            Self::Open => BROWSER_GRACE_MS,
            Self::Claim => BROWSER_CLAIM_MS.saturating_sub(BROWSER_GRACE_MS),
            Self::Run => BROWSER_RUN_MS,
        }
    }
}

/// A request that somebody waits for. Dropping it takes the request back.
pub(super) struct Asked {
    pub(super) host: Rc<BrowserHost>,
    pub(super) id: u64,
}

impl Asked {
    /// What came of it.
    pub(super) async fn answered(
        self,
        timer: Rc<dyn Timer>,
        mut answer: oneshot::Receiver<Answer>,
    ) -> Result<Answer, Overdue> {
        for stage in [Stage::Open, Stage::Claim, Stage::Run] {
            if let Some(answer) = within(&*timer, stage.ms(), &mut answer).await {
                return answer.map_err(|_| Overdue::Closed { claimed: true });
            }
            if let Some(overdue) = self.host.overdue(self.id, stage) {
                return Err(overdue);
            }
        }
        Err(Overdue::Unanswered)
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.host.withdraw(self.id);
    }
}
