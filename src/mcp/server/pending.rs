//! Questions that a client hasn't answered.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use futures::{
    future::{Either, LocalBoxFuture, select},
    pin_mut,
};
use serde_json::Value;

use super::super::Asked;
use crate::{
    limits::PROGRESS_MS,
    port::{Give, Ports},
};

/// The open questions of one connection, or of one call, by their names.
///
/// A question is answered once: the first answer stands, and one that nobody waits for
/// is nobody's.
#[derive(Clone, Default)]
pub(super) struct Pending {
    open: Rc<RefCell<BTreeMap<String, Open>>>,
}

struct Open {
    answer: Rc<RefCell<Option<Asked>>>,
    give: Give,
}

impl Pending {
    /// How many are open.
    pub(super) fn len(&self) -> usize {
        self.open.borrow().len()
    }

    /// Opens a question.
    pub(super) fn open(&self, name: &str, ports: &Ports) -> Waiting {
        let (give, given) = ports.handoff.pair();
        let answer = Rc::new(RefCell::new(None));
        let open = Open { answer: Rc::clone(&answer), give };
        self.open.borrow_mut().insert(name.to_owned(), open);
        Waiting { place: Place { pending: self.clone(), name: name.to_owned() }, answer, given }
    }

    /// Answers the question of this name; whether there is one.
    pub(super) fn answer(&self, name: &str, outcome: Result<Value, Value>) -> bool {
        let open = self.open.borrow_mut().remove(name);
        let Some(Open { answer, give }) = open else { return false };
        let asked = match outcome {
            Ok(result) => Asked::Answered(result),
            Err(error) => Asked::Failed(error),
        };
        answer.replace(Some(asked));
        // Waking runs foreign code: no borrow is held.
        give.give();
        true
    }

    /// Lets nobody wait any longer.
    pub(super) fn end(&self) {
        let open = self.open.take();
        for Open { answer, give } in open.into_values() {
            answer.replace(Some(Asked::Unreachable));
            give.give();
        }
    }
}

/// One who waits for an answer; going away withdraws the question.
pub(super) struct Waiting {
    place: Place,
    answer: Rc<RefCell<Option<Asked>>>,
    given: LocalBoxFuture<'static, ()>,
}

struct Place {
    pending: Pending,
    name: String,
}

impl Drop for Place {
    fn drop(&mut self) {
        // Dropping the waking side wakes: not under the borrow.
        let open = self.pending.open.borrow_mut().remove(&self.name);
        drop(open);
    }
}

impl Waiting {
    /// The answer, when it comes; `tick` meanwhile, now and again.
    pub(super) async fn answered(self, ports: &Ports, tick: impl Fn()) -> Asked {
        let Self { place, answer, given } = self;
        pin_mut!(given);
        loop {
            tick();
            let pause = ports.timer.sleep(PROGRESS_MS);
            match select(given.as_mut(), pause).await {
                Either::Left(_) => break,
                Either::Right(_) => {}
            }
        }
        let said = answer.borrow_mut().take();
        drop(place);
        said.unwrap_or(Asked::Unreachable)
    }
}

/// Numbers that only rise, as progress must.
#[derive(Default)]
pub(super) struct Rising(Cell<f64>);

impl Rising {
    /// The number itself, if it is above all before; the first may be 0.
    pub(super) fn to(&self, progress: f64) -> Option<f64> {
        let rises = progress.is_finite() && (progress > self.0.get() || self.0.get() == 0.0);
        rises.then(|| {
            self.0.set(progress);
            progress
        })
    }

    /// The next number.
    pub(super) fn next(&self) -> f64 {
        self.0.set(self.0.get() + 1.0);
        self.0.get()
    }
}

#[cfg(test)]
mod tests {
    use super::Rising;

    #[test]
    fn progress_only_rises() {
        let rising = Rising::default();
        let said: Vec<_> = [0.0, 50.0, 50.0, 40.0, f64::NAN, 100.0].map(|at| rising.to(at)).into();
        assert_eq!(said, [Some(0.0), Some(50.0), None, None, None, Some(100.0)]);
        assert!(rising.next() > 100.0);
    }
}
