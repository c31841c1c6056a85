//! The operations that answer a question, the best first.
//!
//! BM25 over weighted fields: the path's words, the description, parameters, notes. A word
//! of the question also finds the words it begins, those that mean nearly the same and,
//! where nobody has it, those of nearly the same letters. Operations that are the same but
//! for where they stand are one result with peers.

mod index;
mod numbers;
mod parameters;
mod rank;
mod synonym;
mod term;
mod typo;
mod words;

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Catalog, ForageError, Summary, catalog::is_within, item::Item};
use crate::limits::{MOST_SEARCH_RESULTS, SEARCH_RESULTS};

pub(super) use index::Index;
pub(crate) use typo::nearest;
pub use words::words;

/// Peers that a result names; the rest is counted.
const PEERS: usize = 20;

/// What is looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchQuery {
    /// What the operation should do, in words; or its path, or the beginning of it.
    pub query: String,
    /// How many results at most, from 1 to [`MOST_SEARCH_RESULTS`]; [`SEARCH_RESULTS`] for none.
    pub limit: Option<usize>,
    /// The namespace to look in, nested ones included; none for all of them.
    pub namespace: Option<String>,
}

impl SearchQuery {
    /// A search for `query` everywhere.
    #[must_use]
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), limit: None, namespace: None }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// The best results, best first; equal ones in the order of their paths.
    pub results: Vec<Summary>,
}

impl Catalog {
    /// The operations that answer `query` best.
    ///
    /// A path that is exactly the query comes first, then those that it begins, then the
    /// others by their score.
    ///
    /// # Errors
    ///
    /// A query without text or over its bound, a limit out of its bounds.
    pub fn search(&self, query: &SearchQuery) -> Result<Found, ForageError> {
        let most = MOST_SEARCH_RESULTS;
        let limit = super::helper::within("limit", query.limit, SEARCH_RESULTS, most)?;
        let text = super::helper::query(&query.query)?;
        let namespace = query.namespace.as_deref();
        let mut kept: Vec<Summary> = Vec::new();
        let mut peers = BTreeSet::new();
        for hit in rank::ranked(self, text, namespace) {
            if kept.len() == limit {
                break;
            }
            let Some(item) = self.item(hit.document) else { continue };
            if !peers.contains(&hit.document) {
                let mut summary = Summary::of(item, f64::from(hit.score));
                for (document, peer) in self.peers(hit.document, item, namespace) {
                    peers.insert(document);
                    name_peer(&mut summary, peer.path());
                }
                kept.push(summary);
            }
        }
        Ok(Found { results: kept })
    }

    /// The operations that are the same but for where they stand.
    fn peers<'a>(
        &'a self,
        document: usize,
        item: &'a Item,
        namespace: Option<&'a str>,
    ) -> impl Iterator<Item = (usize, &'a Item)> {
        let named = self.index().named(item.name(), |other| self.name(other));
        let others = named.iter().filter(move |other| **other != document);
        others
            .filter_map(|other| Some((*other, self.item(*other)?)))
            .filter(move |(_, other)| is_wanted(other, namespace) && are_peers(item, other))
    }

    /// Paths that may have been meant by `path`, at most `most`.
    pub(super) fn nearest(&self, path: &str, most: usize) -> Vec<String> {
        let ranked = rank::ranked(self, path, None).into_iter().take(most);
        ranked
            .filter_map(|hit| self.item(hit.document))
            .map(|item| item.path().to_owned())
            .collect()
    }
}

fn name_peer(first: &mut Summary, path: &str) {
    if first.peers.len() < PEERS {
        first.peers.push(path.to_owned());
    } else {
        first.more_peers = first.more_peers.saturating_add(1);
    }
}

/// Whether two operations are the same but for where they stand.
fn are_peers(left: &Item, right: &Item) -> bool {
    let output = |item: &Item| item.output().map(crate::schema::Schema::digest);
    left.name() == right.name()
        && left.description() == right.description()
        && left.labels() == right.labels()
        && left.is_third_party() == right.is_third_party()
        && left.notes() == right.notes()
        && left.instructions() == right.instructions()
        && left.input().digest() == right.input().digest()
        && output(left) == output(right)
}

/// Whether the operation lies where is looked.
fn is_wanted(item: &Item, namespace: Option<&str>) -> bool {
    namespace.is_none_or(|namespace| is_within(item.path(), namespace))
}
