//! Holds callers to the rules: each sleeps in its own context until it is its turn.

use std::{cell::RefCell, collections::BTreeMap, fmt, rc::Rc};

use futures::{
    future::{LocalBoxFuture, select},
    pin_mut,
};

use super::{
    AdmissionPolicy, Deadline, Refusal, SemaphoreEffect, SemaphoreEvent, SemaphoreState, Ticket,
};
use crate::{
    failure::{Failure, Party},
    port::{Clock, Give, Handoff, Ports, Timer},
    sandbox::Cancellation,
};

/// The one queue of a runtime. Clones are the same queue.
///
/// First come, first served among the living: whoever is cancelled, dropped or out
/// of time leaves, and never starts later.
#[derive(Clone)]
pub struct Semaphore {
    pool: Rc<Pool>,
}

impl Semaphore {
    /// An open queue.
    #[must_use]
    pub fn new(policy: AdmissionPolicy, ports: &Ports) -> Self {
        let queue = Queue { state: SemaphoreState::new(policy.capacity()), slots: BTreeMap::new() };
        let pool = Pool {
            policy,
            clock: Rc::clone(&ports.clock),
            timer: Rc::clone(&ports.timer),
            handoff: Rc::clone(&ports.handoff),
            queue: RefCell::new(queue),
        };
        Self { pool: Rc::new(pool) }
    }

    /// Waits for a permit. The caller has its place from the first poll on; dropping
    /// the future gives it up.
    ///
    /// # Errors
    ///
    /// `deadline-exceeded` that wasn't started, when the invocation's time ends first
    /// or together with the wait; `sandbox-busy` when a shorter wait ends; the cause of
    /// a cancellation; `cancelled` by the host when the queue is closed.
    pub async fn acquire(
        &self,
        deadline: Deadline,
        cancellation: &Cancellation,
    ) -> Result<Permit, Failure> {
        if let Some(cause) = cancellation.cause() {
            return Err(cause);
        }
        Seat::take(&self.pool, deadline).permit(cancellation).await
    }

    /// Ends everyone who waits, as cancelled by the host, and lets nobody in again.
    /// Permits that are held stay with their holders.
    pub fn close(&self) {
        self.pool.apply(SemaphoreEvent::Close);
    }

    /// How many programs may run at once.
    #[must_use]
    pub fn capacity(&self) -> u64 {
        self.pool.policy.capacity()
    }

    /// How many permits are held.
    #[must_use]
    pub fn held(&self) -> usize {
        self.pool.queue.borrow().state.held()
    }

    /// How many wait.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.pool.queue.borrow().state.queued()
    }
}

impl fmt::Debug for Semaphore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pool.queue.borrow().state.fmt(formatter)
    }
}

/// The right to run one program.
///
/// Dropping it passes it on, so whoever watches the work behind it keeps it until
/// that work has settled, also after a cancellation that nobody acknowledged.
#[must_use = "dropping a permit passes it on"]
pub struct Permit {
    seat: Seat,
}

impl Permit {
    /// Goes back to wait, before all who came later: for a program that the platform
    /// refused to load. The deadline and the wait are those of the arrival.
    ///
    /// # Errors
    ///
    /// Those of [`Semaphore::acquire`].
    pub async fn requeue(self, cancellation: &Cancellation) -> Result<Self, Failure> {
        self.seat.slot(|slot| slot.verdict = None);
        self.seat.pool.apply(SemaphoreEvent::Requeue(self.seat.ticket));
        self.seat.permit(cancellation).await
    }
}

impl fmt::Debug for Permit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Permit").field(&self.seat.ticket).finish()
    }
}

struct Pool {
    policy: AdmissionPolicy,
    clock: Rc<dyn Clock>,
    timer: Rc<dyn Timer>,
    handoff: Rc<dyn Handoff>,
    queue: RefCell<Queue>,
}

struct Queue {
    state: SemaphoreState,
    slots: BTreeMap<Ticket, Slot>,
}

/// What one seat has been told, and how it is woken to hear it.
#[derive(Default)]
struct Slot {
    verdict: Option<Result<(), Refusal>>,
    sleeper: Option<Give>,
}

impl Pool {
    /// Applies an event, then wakes whom it concerns: waking runs foreign code, so the
    /// borrow ends first.
    fn apply(&self, event: SemaphoreEvent) {
        let now_ms = self.clock.now_ms();
        let woken = self.queue.borrow_mut().apply(now_ms, event);
        woken.into_iter().for_each(Give::give);
    }
}

impl Queue {
    fn apply(&mut self, now_ms: u64, event: SemaphoreEvent) -> Vec<Give> {
        let effects = self.state.apply(now_ms, event);
        effects.into_iter().filter_map(|effect| self.tell(effect)).collect()
    }

    fn tell(&mut self, effect: SemaphoreEffect) -> Option<Give> {
        let (ticket, verdict) = match effect {
            SemaphoreEffect::Granted(ticket) => (ticket, Some(Ok(()))),
            SemaphoreEffect::Refused(ticket, refusal) => (ticket, Some(Err(refusal))),
            SemaphoreEffect::Watch(ticket) => (ticket, None),
        };
        let slot = self.slots.get_mut(&ticket)?;
        slot.verdict = verdict.or(slot.verdict);
        slot.sleeper.take()
    }
}

/// One arrival, waiting or holding, until it is dropped.
struct Seat {
    pool: Rc<Pool>,
    ticket: Ticket,
    deadline: Deadline,
}

impl Seat {
    fn take(pool: &Rc<Pool>, deadline: Deadline) -> Self {
        let ticket = {
            let mut queue = pool.queue.borrow_mut();
            let ticket = queue.state.next_ticket();
            queue.slots.insert(ticket, Slot::default());
            ticket
        };
        let seat = Self { pool: Rc::clone(pool), ticket, deadline };
        pool.apply(SemaphoreEvent::Arrive {
            wait_ends_ms: pool.policy.wait_ends_ms(pool.clock.now_ms(), deadline),
            deadline_ms: deadline.at_ms(),
        });
        seat
    }

    async fn permit(self, cancellation: &Cancellation) -> Result<Permit, Failure> {
        // One for all turns of the loop: each leaves a wake-up with the cancellation.
        let cancelled = cancellation.cancelled();
        pin_mut!(cancelled);
        loop {
            if let Some(cause) = cancellation.cause() {
                return Err(cause);
            }
            match self.verdict() {
                Some(Ok(())) => return Ok(Permit { seat: self }),
                Some(Err(refusal)) => return Err(self.failure(refusal)),
                None => {}
            }
            let woken = self.woken();
            pin_mut!(woken);
            select(woken, cancelled.as_mut()).await;
        }
    }

    /// What it was told. A permit that came in time and was seen too late is none: the
    /// program wouldn't start before its deadline.
    fn verdict(&self) -> Option<Result<(), Refusal>> {
        let verdict = self.slot(|slot| slot.verdict)??;
        let now_ms = self.pool.clock.now_ms();
        Some(verdict.and_then(|()| match self.deadline.remaining_ms(now_ms) {
            0 => Err(Refusal::DeadlineExceeded),
            _ => Ok(()),
        }))
    }

    fn failure(&self, refusal: Refusal) -> Failure {
        match refusal {
            Refusal::Busy { waited_ms } => {
                Failure::SandboxBusy { capacity: self.pool.policy.capacity(), waited_ms }
            }
            Refusal::DeadlineExceeded => {
                Failure::DeadlineExceeded { timeout_ms: self.deadline.timeout_ms(), started: false }
            }
            Refusal::Cancelled | Refusal::Closed => Failure::Cancelled { by: Party::Host },
        }
    }

    /// Lets its moment count when that has come; else sleeps until then, or until it is
    /// told something.
    async fn woken(&self) {
        let Some(due_ms) = self.pool.queue.borrow().state.due_ms(self.ticket) else { return };
        let wait_ms = due_ms.saturating_sub(self.pool.clock.now_ms());
        if wait_ms == 0 {
            return self.pool.apply(SemaphoreEvent::Elapse(self.ticket));
        }
        let given = self.sleep();
        select(given, self.pool.timer.sleep(wait_ms)).await;
    }

    fn sleep(&self) -> LocalBoxFuture<'static, ()> {
        let (give, given) = self.pool.handoff.pair();
        // The one it replaces wakes when dropped: outside the borrow.
        let replaced = self.slot(|slot| slot.sleeper.replace(give));
        drop(replaced);
        given
    }

    fn slot<T>(&self, read: impl FnOnce(&mut Slot) -> T) -> Option<T> {
        self.pool.queue.borrow_mut().slots.get_mut(&self.ticket).map(read)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let (slot, holds) = {
            let mut queue = self.pool.queue.borrow_mut();
            (queue.slots.remove(&self.ticket), queue.state.holds(self.ticket))
        };
        drop(slot);
        self.pool.apply(if holds {
            SemaphoreEvent::Settle(self.ticket)
        } else {
            SemaphoreEvent::Cancel(self.ticket)
        });
    }
}
