//! How many executions may wait for people at once in one runtime, and how many
//! questions one of them may have open.

use std::{cell::Cell, rc::Rc};

use crate::limits::OPEN_QUESTIONS;

/// The executions of a runtime that wait for people, shared by all of them.
///
/// One execution of the runtime's capacity always stays free of them, so that
/// waiting people can't stop all work. An execution counts once, however many
/// questions it has open.
#[derive(Clone, Debug)]
pub struct Approvals {
    bound: u64,
    suspended: Rc<Cell<u64>>,
}

impl Approvals {
    /// None suspended yet; at most `capacity` − 1 may be. A runtime that runs one
    /// program at a time (`capacity` 1) therefore asks nobody.
    #[must_use]
    pub fn new(capacity: u64) -> Self {
        Self { bound: capacity.saturating_sub(1), suspended: Rc::default() }
    }

    /// One execution's questions, of which none is open.
    #[must_use]
    pub fn execution(&self) -> Suspension {
        Suspension { approvals: Some(self.clone()), questions: Rc::default() }
    }

    /// How many executions wait for people.
    #[must_use]
    pub fn suspended(&self) -> u64 {
        self.suspended.get()
    }

    fn enter(&self) -> Result<(), NoRoom> {
        let suspended = self.suspended.get();
        if self.bound == 0 {
            return Err(NoRoom::Never);
        }
        if suspended >= self.bound {
            return Err(NoRoom::Full);
        }
        self.suspended.set(suspended.saturating_add(1));
        Ok(())
    }

    fn leave(&self) {
        self.suspended.set(self.suspended.get().saturating_sub(1));
    }
}

/// Why nobody more can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRoom {
    /// The runtime runs one program at a time, which must not wait for people.
    Never,
    /// As many executions wait for people as may.
    Full,
    /// This execution has [`OPEN_QUESTIONS`] open already.
    Questions,
}

/// The open questions of one execution. Clones are the same execution.
#[derive(Clone, Debug)]
pub struct Suspension {
    /// None where there is no permit that could be held up.
    approvals: Option<Approvals>,
    questions: Rc<Cell<u64>>,
}

impl Suspension {
    /// For a call outside an execution: it holds no permit, and so keeps nobody from
    /// running.
    #[must_use]
    pub fn of_direct_call() -> Self {
        Self { approvals: None, questions: Rc::default() }
    }

    /// Opens a question.
    ///
    /// # Errors
    ///
    /// [`NoRoom`] says which bound is reached.
    pub fn try_open(&self) -> Result<OpenQuestion, NoRoom> {
        match (self.questions.get(), &self.approvals) {
            (OPEN_QUESTIONS.., _) => return Err(NoRoom::Questions),
            (0, Some(approvals)) => approvals.enter()?,
            _ => {}
        }
        self.questions.set(self.questions.get().saturating_add(1));
        Ok(OpenQuestion { suspension: self.clone() })
    }
}

/// One open question; dropping it closes it.
#[derive(Debug)]
pub struct OpenQuestion {
    suspension: Suspension,
}

impl Drop for OpenQuestion {
    fn drop(&mut self) {
        let Suspension { approvals, questions } = &self.suspension;
        questions.set(questions.get().saturating_sub(1));
        if let (0, Some(approvals)) = (questions.get(), approvals) {
            approvals.leave();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Approvals, NoRoom, OPEN_QUESTIONS, Suspension};

    #[test]
    fn one_execution_always_stays_free_of_approvals() {
        for (capacity, refused) in [
            (0_u64, NoRoom::Never),
            (1, NoRoom::Never),
            (2, NoRoom::Full),
            (6, NoRoom::Full),
            (64, NoRoom::Full),
        ] {
            let approvals = Approvals::new(capacity);
            let open: Vec<_> = (0..100).map(|_| approvals.execution().try_open()).collect();
            let asked = open.iter().filter(|question| question.is_ok()).count();
            assert_eq!(asked as u64, capacity.saturating_sub(1), "{capacity}");
            assert_eq!(approvals.suspended(), capacity.saturating_sub(1));
            let last = open.into_iter().next_back().unwrap();
            assert_eq!(last.err(), Some(refused), "{capacity}");
        }
    }

    #[test]
    fn an_execution_counts_once_until_its_last_question_is_closed() {
        let approvals = Approvals::new(2);
        let (one, other) = (approvals.execution(), approvals.execution());
        let mut open: Vec<_> = (0..3).map(|_| one.clone().try_open().unwrap()).collect();
        while !open.is_empty() {
            assert_eq!(approvals.suspended(), 1);
            assert_eq!(other.try_open().err(), Some(NoRoom::Full));
            open.pop();
        }
        assert_eq!(approvals.suspended(), 0);
        let question = other.try_open();
        assert!(question.is_ok());
        assert_eq!(one.try_open().err(), Some(NoRoom::Full));
    }

    #[test]
    fn the_open_questions_of_one_execution_are_bounded() {
        for suspension in [Approvals::new(64).execution(), Suspension::of_direct_call()] {
            let open: Vec<_> = (0..OPEN_QUESTIONS).map(|_| suspension.try_open()).collect();
            assert!(open.iter().all(Result::is_ok));
            assert_eq!(suspension.try_open().err(), Some(NoRoom::Questions));
            drop(open);
            assert!(suspension.try_open().is_ok());
        }
    }
}
