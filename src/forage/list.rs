//! Every operation exactly once, page by page.

use serde::Serialize;

use super::{Catalog, ForageError, Summary, cursor};
use crate::limits::LIST_RESULTS;

/// Which page of which list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListQuery {
    /// How many operations, from 1 to [`LIST_RESULTS`], which is what none means.
    pub limit: Option<usize>,
    /// Where the page before ended.
    pub cursor: Option<String>,
    /// The namespace, nested ones included; none for all of them.
    pub namespace: Option<String>,
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// The operations, by first name and then by path, in the order of UTF-16 code units.
    pub results: Vec<Summary>,
    /// How many operations the namespace has, on this page or not.
    pub total: usize,
    /// The stamp of what the list was taken of.
    pub catalog_stamp: String,
    /// What the next page is asked for with; none after the last one.
    pub next_cursor: Option<String>,
}

impl Catalog {
    /// One page of the operations it shows.
    ///
    /// A namespace that nobody has is an empty page.
    ///
    /// # Errors
    ///
    /// A limit out of its bounds, a cursor of another list.
    pub fn list(&self, query: &ListQuery) -> Result<Page, ForageError> {
        let limit = super::helper::within("limit", query.limit, LIST_RESULTS, LIST_RESULTS)?;
        let namespace = query.namespace.as_deref();
        let stamp = self.stamp();
        let given = match &query.cursor {
            None => 0,
            Some(cursor) => cursor::read(cursor, stamp, namespace).map_err(ForageError::Cursor)?,
        };
        let total = self.within(namespace).count();
        let page = self.within(namespace).skip(given).take(limit);
        let results: Vec<Summary> = page.map(|item| Summary::of(item, 0.0)).collect();
        let given = given.saturating_add(results.len());
        let next_cursor = (given < total).then(|| cursor::write(stamp, namespace, given));
        Ok(Page { results, total, catalog_stamp: stamp.to_string(), next_cursor })
    }
}
