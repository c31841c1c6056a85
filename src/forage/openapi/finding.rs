//! What is found out about one operation: why it can't be offered, and what to remark.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    pointer::Pointer,
    reason::{Code, Reason},
    remark::{Kind, Remark},
};

/// Reasons and remarks, each once. Beyond [`KEPT`] of either they are only counted, so
/// that an operation costs no more the more there is to say.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    reasons: Few<Reason>,
    remarks: BTreeMap<Kind, Few<Pointer>>,
}

/// How many are kept of each.
const KEPT: usize = 2 * crate::limits::OPENAPI_REASONS;

impl Findings {
    /// Notes a reason.
    pub(super) fn refuse(&mut self, code: Code, pointer: &Pointer) {
        self.reasons.insert(&Reason::new(code, pointer));
    }

    /// Notes a remark.
    pub(super) fn remark(&mut self, kind: Kind, pointer: &Pointer) {
        self.remarks.entry(kind).or_default().insert(pointer);
    }

    /// Takes over what was found elsewhere.
    pub(super) fn join(&mut self, other: &Self) {
        self.reasons.join(&other.reasons);
        for (kind, pointers) in &other.remarks {
            self.remarks.entry(*kind).or_default().join(pointers);
        }
    }

    /// Whether nothing stands in the way.
    pub(super) fn is_clear(&self) -> bool {
        self.reasons.kept.is_empty()
    }

    /// The first reasons, at most `most`, and how many more there are.
    pub(super) fn reasons(&self, most: usize) -> (Vec<Reason>, usize) {
        let listed = self.reasons.kept.iter().take(most).cloned().collect();
        (listed, self.reasons.count().saturating_sub(most))
    }

    /// The remarks.
    pub(super) fn remarks(&self) -> Vec<Remark> {
        let remark = |(kind, pointers): (&Kind, &Few<Pointer>)| {
            let pointer = pointers.kept.first().cloned()?;
            Some(Remark { kind: *kind, pointer, count: pointers.count() })
        };
        self.remarks.iter().filter_map(remark).collect()
    }
}

/// Some things, and how many more there are.
#[derive(Clone, Debug)]
struct Few<T> {
    kept: BTreeSet<T>,
    more: usize,
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self { kept: BTreeSet::new(), more: 0 }
    }
}

impl<T: Clone + Ord> Few<T> {
    fn insert(&mut self, thing: &T) {
        if self.kept.len() < KEPT {
            self.kept.insert(thing.clone());
        } else if !self.kept.contains(thing) {
            self.more = self.more.saturating_add(1);
        }
    }

    fn join(&mut self, other: &Self) {
        if self.kept.len() < KEPT {
            other.kept.iter().for_each(|thing| self.insert(thing));
            self.more = self.more.saturating_add(other.more);
        } else {
            self.more = self.more.saturating_add(other.count());
        }
    }

    fn count(&self) -> usize {
        self.kept.len().saturating_add(self.more)
    }
}
