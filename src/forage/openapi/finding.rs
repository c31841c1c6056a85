//! What is found out about one operation: why it can't be offered, and what to remark.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    pointer::Pointer,
    reason::{Code, Reason},
    remark::{Kind, Remark},
};

/// Reasons and remarks, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    reasons: BTreeSet<Reason>,
    remarks: BTreeMap<Kind, BTreeSet<Pointer>>,
}

impl Findings {
    /// Notes a reason.
    pub(super) fn refuse(&mut self, code: Code, pointer: &Pointer) {
        self.reasons.insert(Reason::new(code, pointer));
    }

    /// Notes a remark.
    pub(super) fn remark(&mut self, kind: Kind, pointer: &Pointer) {
        self.remarks.entry(kind).or_default().insert(pointer.clone());
    }

    /// Takes over what was found elsewhere.
    pub(super) fn join(&mut self, other: &Self) {
        self.reasons.extend(other.reasons.iter().cloned());
        for (kind, pointers) in &other.remarks {
            self.remarks.entry(*kind).or_default().extend(pointers.iter().cloned());
        }
    }

    /// Whether nothing stands in the way.
    pub(super) fn is_clear(&self) -> bool {
        self.reasons.is_empty()
    }

    /// The first reasons, at most `most`, and how many more there are.
    pub(super) fn reasons(&self, most: usize) -> (Vec<Reason>, usize) {
        let listed = self.reasons.iter().take(most).cloned().collect();
        (listed, self.reasons.len().saturating_sub(most))
    }

    /// The remarks.
    pub(super) fn remarks(&self) -> Vec<Remark> {
        let remark = |(kind, pointers): (&Kind, &BTreeSet<Pointer>)| {
            let pointer = pointers.first().cloned()?;
            Some(Remark { kind: *kind, pointer, count: pointers.len() })
        };
        self.remarks.iter().filter_map(remark).collect()
    }
}
