//! How many questions to people may be open at once in one runtime.

use std::{cell::Cell, rc::Rc};

/// The open confirmations of a runtime, shared by its executions.
///
/// One execution of the runtime's capacity always stays free of them, so that
/// waiting people can't stop all work.
#[derive(Clone, Debug)]
pub struct Approvals {
    bound: u64,
    open: Rc<Cell<u64>>,
}

impl Approvals {
    /// None open yet; at most `capacity` − 1 may be. A runtime that runs one
    /// program at a time (`capacity` 1) therefore asks nobody.
    #[must_use]
    pub fn new(capacity: u64) -> Self {
        Self { bound: capacity.saturating_sub(1), open: Rc::default() }
    }

    /// Opens one, unless as many are open as may be.
    #[must_use]
    pub fn try_open(&self) -> Option<ApprovalGuard> {
        let open = self.open.get();
        if open >= self.bound {
            return None;
        }
        self.open.set(open.saturating_add(1));
        Some(ApprovalGuard { open: Rc::clone(&self.open) })
    }

    /// How many are open.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.open.get()
    }
}

/// One open confirmation; dropping it closes it.
#[derive(Debug)]
pub struct ApprovalGuard {
    open: Rc<Cell<u64>>,
}

impl Drop for ApprovalGuard {
    fn drop(&mut self) {
        self.open.set(self.open.get().saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::Approvals;

    #[test]
    fn one_execution_always_stays_free_of_approvals() {
        for capacity in [0_u64, 1, 2, 6, 64] {
            let approvals = Approvals::new(capacity);
            let open: Vec<_> = std::iter::from_fn(|| approvals.try_open()).take(100).collect();
            assert_eq!(open.len() as u64, capacity.saturating_sub(1), "{capacity}");
            assert_eq!(approvals.open(), capacity.saturating_sub(1));
        }
    }

    #[test]
    fn a_closed_approval_makes_room_for_one() {
        let approvals = Approvals::new(2);
        let first = approvals.try_open();
        assert!(first.is_some() && approvals.clone().try_open().is_none());
        drop(first);
        let second = approvals.try_open();
        assert!(second.is_some() && approvals.try_open().is_none());
    }
}
