//! Asking the owner of a server's standing from elsewhere.
//!
//! Owns what is asked and answered, as JSON, and what whoever asks keeps of it. Doesn't own
//! how the two reach each other.

use std::{cell::RefCell, fmt, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use serde::{Deserialize, Serialize};

use super::{Listing, LocalUpstream, Stale, Standing, Upstream, UpstreamError};
use crate::port::Clock;

/// What an owner is asked.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Order {
    /// The tools; those that were listed after this time, where one is said.
    Tools { after_ms: Option<u64> },
    /// How the server is spoken to now.
    Standing { stale: Option<Stale> },
}

/// What an owner answers.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Reply {
    Tools { text: String, listed_ms: u64, fresh_ms: u64 },
    Standing(Standing),
    Failed(UpstreamError),
}

/// Answers what a [`RemoteUpstream`] asks.
pub async fn answer(upstream: &LocalUpstream, order: &str) -> String {
    let reply = match serde_json::from_str(order) {
        Ok(Order::Tools { after_ms }) => tools(upstream, after_ms).await,
        Ok(Order::Standing { stale }) => upstream.standing(stale).await.map(Reply::Standing),
        Err(_) => Err(UpstreamError::unavailable("its owner is asked for what it doesn't know")),
    };
    // These types have only string keys and whole numbers, so encoding can't fail.
    serde_json::to_string(&reply.unwrap_or_else(Reply::Failed)).unwrap_or_default()
}

async fn tools(upstream: &LocalUpstream, after_ms: Option<u64>) -> Result<Reply, UpstreamError> {
    // Many ask for news of the same: what one of them brought is news for all.
    let is_news = |kept: &Rc<Listing>| after_ms.is_none_or(|after_ms| kept.listed_ms > after_ms);
    let listing = match upstream.kept().filter(is_news) {
        Some(kept) => kept,
        None => upstream.list(after_ms.is_some()).await?,
    };
    let Listing { listed_ms, fresh_ms, .. } = *listing;
    Ok(Reply::Tools { text: listing.text().to_owned(), listed_ms, fresh_ms })
}

/// The way to an owner.
pub trait Owner {
    /// Hands over an order, and gives the answer; else what happened.
    fn ask(&self, order: String) -> LocalBoxFuture<'static, Result<String, String>>;
}

/// What is known of an owner's answers; whoever asks in one place shares it. It holds finished
/// values alone.
#[derive(Default)]
pub struct Known {
    listing: RefCell<Option<Rc<Listing>>>,
    standing: RefCell<Option<Standing>>,
}

impl Known {
    /// The tools that are known.
    #[must_use]
    pub fn listing(&self) -> Option<Rc<Listing>> {
        self.listing.borrow().clone()
    }
}

impl fmt::Debug for Known {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Known").field("listing", &self.listing).finish_non_exhaustive()
    }
}

/// An upstream whose owner is elsewhere.
#[derive(Clone)]
pub struct RemoteUpstream {
    owner: Rc<dyn Owner>,
    known: Rc<Known>,
    clock: Rc<dyn Clock>,
}

impl RemoteUpstream {
    /// The upstream of `owner`, of whom `known` is known here.
    #[must_use]
    pub fn new(owner: Rc<dyn Owner>, known: Rc<Known>, clock: Rc<dyn Clock>) -> Self {
        Self { owner, known, clock }
    }

    fn ask(&self, order: &Order) -> LocalBoxFuture<'static, Result<Reply, UpstreamError>> {
        let asked = self.owner.ask(serde_json::to_string(order).unwrap_or_default());
        async move {
            let said = asked.await;
            let said = said.map_err(|evidence| {
                UpstreamError::unavailable(&format!("its owner can't be asked: {evidence}"))
            })?;
            match serde_json::from_str(&said) {
                Ok(Reply::Failed(error)) => Err(error),
                Ok(reply) => Ok(reply),
                Err(_) => Err(senseless()),
            }
        }
        .boxed_local()
    }
}

fn senseless() -> UpstreamError {
    UpstreamError::unavailable("its owner gives an answer that isn't one")
}

impl Upstream for RemoteUpstream {
    fn kept(&self) -> Option<Rc<Listing>> {
        self.known.listing()
    }

    fn list(&self, anew: bool) -> LocalBoxFuture<'static, Result<Rc<Listing>, UpstreamError>> {
        let after_ms = self.kept().filter(|_| anew).map(|kept| kept.listed_ms);
        let (asked, known) = (self.ask(&Order::Tools { after_ms }), Rc::clone(&self.known));
        async move {
            let Reply::Tools { text, listed_ms, fresh_ms } = asked.await? else {
                return Err(senseless());
            };
            let listing = Rc::new(Listing::read(&text, listed_ms, fresh_ms)?);
            known.listing.replace(Some(Rc::clone(&listing)));
            Ok(listing)
        }
        .boxed_local()
    }

    fn standing(
        &self,
        stale: Option<Stale>,
    ) -> LocalBoxFuture<'static, Result<Standing, UpstreamError>> {
        let now_ms = self.clock.now_ms();
        let kept = self.known.standing.borrow().clone();
        if let Some(kept) = kept.filter(|kept| kept.holds(now_ms, stale.as_ref())) {
            return async { Ok(kept) }.boxed_local();
        }
        let (asked, known) = (self.ask(&Order::Standing { stale }), Rc::clone(&self.known));
        async move {
            let Reply::Standing(standing) = asked.await? else { return Err(senseless()) };
            known.standing.replace(Some(standing.clone()));
            Ok(standing)
        }
        .boxed_local()
    }
}
