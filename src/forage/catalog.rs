//! The operations of one catalog, and views of some of them.

use std::{cell::OnceCell, rc::Rc};

use super::{ForageError, OperationDefinition, item::Item, search::Index};
use crate::{
    json::Digest,
    limits::METADATA_BYTES,
    operation::{self, utf16_order},
};

/// A catalog of `operations` under the caller's own `revision`.
///
/// Every operation is described here already, so that all of them can be.
///
/// # Errors
///
/// The first [`ForageError`] in the order of paths: no operation at all, a path that can't
/// be said or is there twice or is a namespace too, a schema that is none, a description or
/// the whole over its bound.
pub fn create_catalog(
    revision: impl Into<String>,
    operations: impl IntoIterator<Item = OperationDefinition>,
) -> Result<Catalog, ForageError> {
    let items = operations.into_iter().map(|operation| operation.finish().map(Item::from));
    let mut items = items.collect::<Result<Vec<Item>, _>>()?;
    if items.is_empty() {
        return Err(ForageError::Empty);
    }
    items.sort_by(|left, right| utf16_order(left.path(), right.path()));
    refuse_conflicts(&items)?;
    refuse_weight(&items)?;
    let catalog = Catalog::over_items(revision.into(), items);
    catalog.items().try_for_each(|item| super::describe::complete(item).map(|_| ()))?;
    Ok(catalog)
}

/// An immutable catalog, or a view of some of its operations.
///
/// What is made of it (the index of the search, each description) is made once and shared
/// by all its views. Cloning it copies nothing.
///
/// Spec: 001, "Core concepts".
#[derive(Clone, Debug)]
pub struct Catalog {
    shared: Rc<Shared>,
    view: Rc<View>,
}

#[derive(Debug)]
struct Shared {
    revision: String,
    /// In the order of their paths.
    items: Vec<Item>,
    index: OnceCell<Index>,
}

#[derive(Debug, Default)]
struct View {
    /// For each item whether it shows; none when all do.
    shown: Option<Vec<bool>>,
    stamp: OnceCell<Digest>,
}

impl Catalog {
    /// The operations of a runtime's catalog; there may be none.
    ///
    /// Nothing is made of them before it is asked for.
    #[must_use]
    pub fn over(catalog: &operation::Catalog) -> Self {
        let items = catalog.entries().iter().cloned().map(Item::from).collect();
        Self::over_items(String::new(), items)
    }

    fn over_items(revision: String, items: Vec<Item>) -> Self {
        let shared = Shared { revision, items, index: OnceCell::new() };
        Self { shared: Rc::new(shared), view: Rc::default() }
    }

    /// A view of the operations whose module, by its id, `shows` keeps. Those of no module
    /// stay. It tells nothing of the others: not their number, not by its stamp.
    #[must_use]
    pub fn filtered(&self, shows: impl Fn(&str) -> bool) -> Self {
        let items = self.shared.items.iter().enumerate();
        let shown: Vec<bool> = items
            .map(|(index, item)| self.shows(index) && item.module().is_none_or(&shows))
            .collect();
        if shown.iter().all(|shown| *shown) {
            return self.clone();
        }
        let view = View { shown: Some(shown), stamp: OnceCell::new() };
        Self { shared: Rc::clone(&self.shared), view: Rc::new(view) }
    }

    /// The revision that the caller gave; empty for a runtime's catalog.
    #[must_use]
    pub fn revision(&self) -> &str {
        &self.shared.revision
    }

    /// How many operations it shows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items().count()
    }

    /// Whether it shows none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items().next().is_none()
    }

    /// The identity of what it shows: of every path, text, label and schema, and of nothing
    /// else. The order of registration, the order of keys in a schema and the revision don't
    /// count.
    ///
    /// It identifies a snapshot and gives no right to anything in it.
    #[must_use]
    pub fn stamp(&self) -> Digest {
        *self.view.stamp.get_or_init(|| super::stamp::of(self.items()))
    }

    pub(super) fn shows(&self, index: usize) -> bool {
        self.view.shown.as_ref().is_none_or(|shown| shown.get(index).copied().unwrap_or_default())
    }

    /// The operations it shows, in order.
    pub(super) fn items(&self) -> impl Iterator<Item = &Item> {
        self.numbered().map(|(_, item)| item)
    }

    /// The same with their positions in the whole.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (usize, &Item)> {
        self.shared.items.iter().enumerate().filter(|(index, _)| self.shows(*index))
    }

    /// The operation at this position in the whole, if it shows.
    pub(super) fn item(&self, index: usize) -> Option<&Item> {
        self.shared.items.get(index).filter(|_| self.shows(index))
    }

    /// The last name of the operation at this position, whether it shows or not.
    pub(super) fn name(&self, index: usize) -> &str {
        self.shared.items.get(index).map_or("", Item::name)
    }

    /// The operation at `path`, if it shows.
    pub(super) fn find(&self, path: &str) -> Option<&Item> {
        let place = self.shared.items.binary_search_by(|item| utf16_order(item.path(), path));
        place.ok().and_then(|place| self.item(place))
    }

    /// The operations within `namespace`, whole names counted; all of them without one.
    pub(super) fn within<'a>(
        &'a self,
        namespace: Option<&'a str>,
    ) -> impl Iterator<Item = &'a Item> {
        self.items().filter(move |item| namespace.is_none_or(|name| is_within(item.path(), name)))
    }

    /// The index of all operations, which is made for the first search.
    pub(super) fn index(&self) -> &Index {
        self.shared.index.get_or_init(|| Index::of(&self.shared.items))
    }
}

/// Whether `path` lies in `namespace`.
pub(super) fn is_within(path: &str, namespace: &str) -> bool {
    path.strip_prefix(namespace).is_some_and(|rest| rest.starts_with('.'))
}

fn refuse_conflicts(sorted: &[Item]) -> Result<(), ForageError> {
    for pair in sorted.windows(2) {
        let [first, second] = pair else { continue };
        let path = first.path().to_owned();
        if first.path() == second.path() {
            return Err(ForageError::Twice { path });
        }
        // A dot sorts before every character of a name: what is below comes next.
        if is_within(second.path(), first.path()) {
            return Err(ForageError::Conflict { path, below: second.path().to_owned() });
        }
    }
    Ok(())
}

fn refuse_weight(items: &[Item]) -> Result<(), ForageError> {
    let mut bytes = 0_usize;
    for item in items {
        bytes = bytes.saturating_add(weight(item));
        if bytes > METADATA_BYTES {
            let path = item.path().to_owned();
            return Err(ForageError::MetadataTooLarge { path, bytes, bound: METADATA_BYTES });
        }
    }
    Ok(())
}

fn weight(item: &Item) -> usize {
    let texts = item.notes().iter().map(String::len).sum::<usize>();
    let schemas = std::iter::once(item.input()).chain(item.output());
    let schemas = schemas.map(|schema| written(schema.document())).sum::<usize>();
    [item.path().len(), item.description().len(), item.instructions().map_or(0, str::len), texts]
        .iter()
        .fold(schemas, |sum, bytes| sum.saturating_add(*bytes))
}

/// The bytes of a value's text, which isn't made.
fn written(value: &serde_json::Value) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, part: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.saturating_add(part.len());
            Ok(part.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // Counting can't fail.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}
