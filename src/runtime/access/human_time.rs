//! The time of an execution that belongs to people and isn't charged to it.

use std::{cell::RefCell, rc::Rc};

use crate::port::{Clock, Give, Handoff, Ports, Timer};

/// How long one execution has been waiting for people.
///
/// Questions that are open at the same time are counted once: two answers awaited
/// together for a minute are one minute.
#[derive(Clone)]
pub struct HumanTime {
    clock: Rc<dyn Clock>,
    timer: Rc<dyn Timer>,
    handoff: Rc<dyn Handoff>,
    spent: Rc<RefCell<Spent>>,
}

#[derive(Default)]
struct Spent {
    /// Of the questions that are over.
    ms: u64,
    open: u64,
    since_ms: u64,
    resuming: Vec<Give>,
}

impl HumanTime {
    /// For an execution that hasn't asked anybody.
    #[must_use]
    pub fn new(ports: &Ports) -> Self {
        Self {
            clock: Rc::clone(&ports.clock),
            timer: Rc::clone(&ports.timer),
            handoff: Rc::clone(&ports.handoff),
            spent: Rc::default(),
        }
    }

    /// A person is asked from now until the answer is dropped.
    #[must_use]
    pub fn ask(&self) -> Asking {
        let since_ms = self.clock.now_ms();
        let mut spent = self.spent.borrow_mut();
        if spent.open == 0 {
            spent.since_ms = since_ms;
        }
        spent.open = spent.open.saturating_add(1);
        drop(spent);
        Asking { human_time: self.clone(), since_ms }
    }

    /// Whether somebody is being asked.
    #[must_use]
    pub fn is_asking(&self) -> bool {
        self.spent.borrow().open > 0
    }

    /// The milliseconds so far, the question that is open included.
    #[must_use]
    pub fn waited_ms(&self) -> u64 {
        let now_ms = self.clock.now_ms();
        let spent = self.spent.borrow();
        let open_ms = if spent.open > 0 { now_ms.saturating_sub(spent.since_ms) } else { 0 };
        spent.ms.saturating_add(open_ms)
    }

    /// Resolves when the execution that began at `began_ms` has had `budget_ms`
    /// of its own: a deadline that stands still while a person is asked.
    pub async fn used_up(&self, began_ms: u64, budget_ms: u64) {
        loop {
            if self.is_asking() {
                self.resumed().await;
                continue;
            }
            let elapsed_ms = self.clock.now_ms().saturating_sub(began_ms);
            let charged_ms = elapsed_ms.saturating_sub(self.waited_ms());
            match budget_ms.saturating_sub(charged_ms) {
                0 => return,
                left_ms => self.timer.sleep(left_ms).await,
            }
        }
    }

    async fn resumed(&self) {
        let (give, given) = self.handoff.pair();
        self.spent.borrow_mut().resuming.push(give);
        given.await;
    }

    fn answered(&self) {
        let now_ms = self.clock.now_ms();
        let mut spent = self.spent.borrow_mut();
        spent.open = spent.open.saturating_sub(1);
        if spent.open > 0 {
            return;
        }
        spent.ms = spent.ms.saturating_add(now_ms.saturating_sub(spent.since_ms));
        // Waking runs foreign code: the borrow ends first.
        let resuming = std::mem::take(&mut spent.resuming);
        drop(spent);
        resuming.into_iter().for_each(Give::give);
    }
}

/// A question that is open; dropping it lets the execution's time go on.
pub struct Asking {
    human_time: HumanTime,
    since_ms: u64,
}

impl Asking {
    /// The milliseconds that this question has been open.
    #[must_use]
    pub fn waited_ms(&self) -> u64 {
        self.human_time.clock.now_ms().saturating_sub(self.since_ms)
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.human_time.answered();
    }
}
