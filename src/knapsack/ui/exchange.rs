//! What is asked of an app's pages and who has taken it: states and transitions alone.
//!
//! A request waits, is claimed by one page, and is over; nothing brings it back. Every
//! method is one transition. Doesn't own who is told of it, nor any time.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{
    limits::{BROWSER_PAGES, BROWSER_REQUESTS},
    schema::Schema,
};

/// What a page is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ask {
    /// Its commands.
    Discover,
    /// To run one.
    Execute {
        /// The command's name.
        command: String,
        /// What it is given; a page has it only by claiming the request.
        input: Value,
    },
}

/// What a page holds a request by.
#[derive(Clone)]
pub(super) struct Held {
    /// The page.
    pub(super) client: String,
    /// What the page shows with the result. Only it was told.
    pub(super) claim: String,
    /// What the result must look like.
    pub(super) output: Option<Schema>,
}

enum Phase {
    Waiting,
    Claimed(Held),
}

struct Request {
    ask: Ask,
    phase: Phase,
}

/// A page, as the number of its last stream.
struct Page {
    stream: u64,
    open: bool,
}

/// How a request stands.
#[derive(Clone)]
pub(super) enum Standing<'a> {
    /// Nobody has it.
    Waiting(&'a Ask),
    /// A page has it.
    Claimed(&'a Ask, &'a Held),
}

/// A page's stream, and what the page has to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attached {
    /// The page's name.
    pub(super) client: String,
    /// The stream's number.
    pub(super) stream: u64,
    /// The requests that the page has claimed and that aren't over.
    pub(super) claimed: Vec<u64>,
    /// The requests that nobody has claimed.
    pub(super) waiting: Vec<u64>,
}

/// There are as many already as there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

/// A result that is of no request which its sender holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotHeld;

/// The requests and the pages of one session.
#[derive(Default)]
pub(super) struct Exchange {
    requests: BTreeMap<u64, Request>,
    pages: BTreeMap<String, Page>,
    next: u64,
}

impl Exchange {
    /// Opens a stream of the page `known`, when there is such a page, or else of a page
    /// named `fresh`.
    pub(super) fn attach(&mut self, known: Option<&str>, fresh: String) -> Result<Attached, Full> {
        let client = match known.filter(|known| self.pages.contains_key(*known)) {
            Some(known) => known.to_owned(),
            None if self.pages.len() < BROWSER_PAGES => fresh,
            None => return Err(Full),
        };
        let stream = self.number();
        self.pages.insert(client.clone(), Page { stream, open: true });
        let claimed = self.held_by(&client);
        Ok(Attached { claimed, waiting: self.waiting(), client, stream })
    }

    /// A stream is cut; whether it was the page's last.
    pub(super) fn cut(&mut self, client: &str, stream: u64) -> bool {
        match self.pages.get_mut(client) {
            Some(page) if page.stream == stream => {
                page.open = false;
                true
            }
            _ => false,
        }
    }

    /// Forgets a page that hasn't come back since `stream` was cut: the requests that it
    /// held, which are over with it.
    pub(super) fn forget(&mut self, client: &str, stream: u64) -> Vec<u64> {
        let gone = |page: &Page| !page.open && page.stream == stream;
        if !self.pages.get(client).is_some_and(gone) {
            return Vec::new();
        }
        self.pages.remove(client);
        let held = self.held_by(client);
        self.requests.retain(|id, _| !held.contains(id));
        held
    }

    /// Whether any page's stream is open.
    pub(super) fn is_open(&self) -> bool {
        self.pages.values().any(|page| page.open)
    }

    /// Whether there is such a page, its stream open or cut a moment ago.
    pub(super) fn knows(&self, client: &str) -> bool {
        self.pages.contains_key(client)
    }

    /// A new request, which waits.
    pub(super) fn ask(&mut self, ask: Ask) -> Result<u64, Full> {
        if self.requests.len() >= BROWSER_REQUESTS {
            return Err(Full);
        }
        let id = self.number();
        self.requests.insert(id, Request { ask, phase: Phase::Waiting });
        Ok(id)
    }

    /// How a request stands; none when it is over or never was.
    pub(super) fn standing(&self, id: u64) -> Option<Standing<'_>> {
        self.requests.get(&id).map(|request| match &request.phase {
            Phase::Waiting => Standing::Waiting(&request.ask),
            Phase::Claimed(held) => Standing::Claimed(&request.ask, held),
        })
    }

    /// Gives a waiting request to a page; whether it was there to be given.
    pub(super) fn claim(&mut self, id: u64, held: Held) -> bool {
        let known = self.knows(&held.client);
        match self.requests.get_mut(&id) {
            Some(request) if known && matches!(request.phase, Phase::Waiting) => {
                request.phase = Phase::Claimed(held);
                true
            }
            _ => false,
        }
    }

    /// Takes a request from the page that holds it: it is over.
    pub(super) fn settle(
        &mut self,
        id: u64,
        client: &str,
        claim: &str,
    ) -> Result<(Ask, Held), NotHeld> {
        let held = |request: &Request| match &request.phase {
            Phase::Claimed(held) => same(&held.client, client) & same(&held.claim, claim),
            Phase::Waiting => false,
        };
        if !self.requests.get(&id).is_some_and(held) {
            return Err(NotHeld);
        }
        match self.requests.remove(&id) {
            Some(Request { ask, phase: Phase::Claimed(held) }) => Ok((ask, held)),
            _ => Err(NotHeld),
        }
    }

    /// Takes a request back: it is over. Who held it, if anybody did; none when it was over.
    pub(super) fn withdraw(&mut self, id: u64) -> Option<Option<Held>> {
        self.requests.remove(&id).map(|request| match request.phase {
            Phase::Waiting => None,
            Phase::Claimed(held) => Some(held),
        })
    }

    /// Ends everything: the requests, and whether each was claimed.
    pub(super) fn close(&mut self) -> Vec<(u64, bool)> {
        self.pages.clear();
        let all = std::mem::take(&mut self.requests).into_iter();
        all.map(|(id, request)| (id, matches!(request.phase, Phase::Claimed(_)))).collect()
    }

    fn waiting(&self) -> Vec<u64> {
        let waiting = |(id, request): (&u64, &Request)| {
            matches!(request.phase, Phase::Waiting).then_some(*id)
        };
        self.requests.iter().filter_map(waiting).collect()
    }

    fn held_by(&self, client: &str) -> Vec<u64> {
        let held = |(id, request): (&u64, &Request)| match &request.phase {
            Phase::Claimed(held) if held.client == client => Some(*id),
            _ => None,
        };
        self.requests.iter().filter_map(held).collect()
    }

    /// A number that there hasn't been. At one a nanosecond they last five centuries.
    fn number(&mut self) -> u64 {
        self.next = self.next.saturating_add(1);
        self.next
    }
}

/// Whether two secrets are the same, told in a time that says nothing of where they differ.
fn same(one: &str, other: &str) -> bool {
    Sha256::digest(one) == Sha256::digest(other)
}

#[cfg(test)]
mod tests;
