//! How long an execution may still take.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use crate::port::{Give, Ports};

/// The host's clock over one execution.
///
/// It counts from the moment the execution is asked for, the queue included. It
/// stands still while a person is asked: human time isn't the program's.
pub(crate) struct Deadline {
    ports: Ports,
    at_ms: Cell<u64>,
    asking: Cell<usize>,
    asking_since_ms: Cell<u64>,
    waiting: RefCell<Vec<Give>>,
}

impl Deadline {
    /// A deadline `timeout_ms` from now.
    pub(crate) fn new(ports: &Ports, timeout_ms: u64) -> Rc<Self> {
        Rc::new(Self {
            ports: ports.clone(),
            at_ms: Cell::new(ports.clock.now_ms().saturating_add(timeout_ms)),
            asking: Cell::new(0),
            asking_since_ms: Cell::new(0),
            waiting: RefCell::default(),
        })
    }

    /// When it is, in milliseconds since 1970, were nobody asked any more.
    pub(crate) fn at_ms(&self) -> u64 {
        self.at_ms.get()
    }

    /// What is left, in milliseconds; it doesn't shrink while a person is asked.
    pub(crate) fn remaining_ms(&self) -> u64 {
        let now = match self.asking.get() {
            0 => self.ports.clock.now_ms(),
            _ => self.asking_since_ms.get(),
        };
        self.at_ms.get().saturating_sub(now)
    }

    /// Stops the clock until the pause is dropped; pauses may overlap.
    pub(crate) fn pause(self: &Rc<Self>) -> Pause {
        if self.asking.get() == 0 {
            self.asking_since_ms.set(self.ports.clock.now_ms());
        }
        self.asking.set(self.asking.get().saturating_add(1));
        Pause { deadline: Rc::clone(self) }
    }

    /// Resolves when no time is left.
    pub(crate) async fn expired(&self) {
        loop {
            if self.asking.get() > 0 {
                let (give, resumed) = self.ports.handoff.pair();
                self.waiting.borrow_mut().push(give);
                resumed.await;
                continue;
            }
            match self.remaining_ms() {
                0 => return,
                left => self.ports.timer.sleep(left).await,
            }
        }
    }
}

/// The clock stands still while this lives.
pub(crate) struct Pause {
    deadline: Rc<Deadline>,
}

impl Drop for Pause {
    fn drop(&mut self) {
        let deadline = &self.deadline;
        deadline.asking.set(deadline.asking.get().saturating_sub(1));
        if deadline.asking.get() > 0 {
            return;
        }
        let since = deadline.asking_since_ms.get();
        let asked_ms = deadline.ports.clock.now_ms().saturating_sub(since);
        deadline.at_ms.set(deadline.at_ms.get().saturating_add(asked_ms));
        // Waking runs foreign code: the borrow ends first.
        let waiting = deadline.waiting.take();
        waiting.into_iter().for_each(Give::give);
    }
}
