//! The rules of the queue: from a state and an event to a state and its effects.
//!
//! Nothing here waits, knows a clock or wakes anybody, so a host with its own way
//! of waiting can keep the same rules.

use std::collections::BTreeMap;

use super::room::Room;

/// The place of one arrival; earlier arrivals have lower tickets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(u64);

/// Something that happened to the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemaphoreEvent {
    /// Somebody asks for a permit, under [`SemaphoreState::next_ticket`].
    Arrive {
        /// The first moment at which it has waited too long.
        wait_ends_ms: u64,
        /// The first moment at which its invocation's time is over.
        deadline_ms: u64,
    },
    /// The moment that [`SemaphoreState::due_ms`] named for this waiter has come.
    Elapse(Ticket),
    /// This waiter doesn't want a permit any more. A holder isn't touched: its
    /// permit stays until the work behind it has settled.
    Cancel(Ticket),
    /// The work behind this permit has settled, or was never begun.
    Settle(Ticket),
    /// The platform refused to load this holder's program, so nothing of it has run:
    /// it goes back to its place, before all who came later.
    Requeue(Ticket),
    /// No permit is given any more; holders keep theirs.
    Close,
}

/// What the host does after an event.
///
/// Every ticket that waits is granted or refused exactly once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemaphoreEffect {
    /// The waiter holds a permit now.
    Granted(Ticket),
    /// The waiter is out of the queue.
    Refused(Ticket, Refusal),
    /// The waiter's [`SemaphoreState::due_ms`] is sooner than it was told.
    Watch(Ticket),
}

/// Why a waiter gets no permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its wait ended before its invocation's time did.
    Busy {
        /// How long it had waited.
        waited_ms: u64,
    },
    /// Its invocation's time was over first, or at the same moment.
    DeadlineExceeded,
    /// It was cancelled.
    Cancelled,
    /// The queue is closed.
    Closed,
}

/// Who holds a permit and who waits for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SemaphoreState {
    capacity: u64,
    room: Room,
    held: BTreeMap<Ticket, Stay>,
    queue: BTreeMap<Ticket, Stay>,
    next: Ticket,
    closed: bool,
}

/// The times of one ticket, fixed at its arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stay {
    arrived_ms: u64,
    wait_ends_ms: u64,
    deadline_ms: u64,
}

impl Stay {
    fn ends_ms(self) -> u64 {
        self.wait_ends_ms.min(self.deadline_ms)
    }

    /// Which end came first decides, not when it was noticed.
    fn refusal(self, now_ms: u64) -> Option<Refusal> {
        if now_ms < self.ends_ms() {
            return None;
        }
        Some(if self.wait_ends_ms < self.deadline_ms {
            Refusal::Busy { waited_ms: now_ms.saturating_sub(self.arrived_ms) }
        } else {
            Refusal::DeadlineExceeded
        })
    }
}

/// Applies one event that happens at `now_ms`.
///
/// An event for a ticket that isn't where the event expects it does no more than let
/// the time pass.
///
/// ```
/// use mycelium::runtime::admission::{
///     SemaphoreEffect, SemaphoreEvent, SemaphoreState, semaphore_transition,
/// };
///
/// let arrive = SemaphoreEvent::Arrive { wait_ends_ms: 500, deadline_ms: 500 };
/// let state = SemaphoreState::new(1);
/// let first = state.next_ticket();
/// let (state, effects) = semaphore_transition(state, 0, arrive);
/// assert_eq!(effects, [SemaphoreEffect::Granted(first)]);
///
/// let second = state.next_ticket();
/// let (state, effects) = semaphore_transition(state, 1, arrive);
/// assert_eq!((effects.len(), state.due_ms(second)), (0, Some(500)));
///
/// let (_, effects) = semaphore_transition(state, 2, SemaphoreEvent::Settle(first));
/// assert_eq!(effects, [SemaphoreEffect::Granted(second)]);
/// ```
#[must_use]
pub fn semaphore_transition(
    mut state: SemaphoreState,
    now_ms: u64,
    event: SemaphoreEvent,
) -> (SemaphoreState, Vec<SemaphoreEffect>) {
    let effects = state.apply(now_ms, event);
    (state, effects)
}

impl SemaphoreState {
    /// An open queue before `capacity` permits.
    #[must_use]
    pub fn new(capacity: u64) -> Self {
        Self {
            capacity,
            room: Room::Free,
            held: BTreeMap::new(),
            queue: BTreeMap::new(),
            next: Ticket(0),
            closed: false,
        }
    }

    /// The ticket that the next arrival will have.
    #[must_use]
    pub fn next_ticket(&self) -> Ticket {
        self.next
    }

    /// How many hold a permit.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// How many wait.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Whether this ticket holds a permit.
    #[must_use]
    pub fn holds(&self, ticket: Ticket) -> bool {
        self.held.contains_key(&ticket)
    }

    /// When this waiter is to be told that time has passed; none when it doesn't wait.
    #[must_use]
    pub fn due_ms(&self, ticket: Ticket) -> Option<u64> {
        let ends_ms = self.queue.get(&ticket)?.ends_ms();
        Some(match self.watch() {
            Some((front, probe_ms)) if front == ticket => ends_ms.min(probe_ms),
            _ => ends_ms,
        })
    }

    pub(super) fn apply(&mut self, now_ms: u64, event: SemaphoreEvent) -> Vec<SemaphoreEffect> {
        let watch = self.watch();
        self.room = self.room.widened(now_ms, self.capacity);
        let mut effects = Vec::new();
        match event {
            SemaphoreEvent::Arrive { wait_ends_ms, deadline_ms } => {
                self.arrive(Stay { arrived_ms: now_ms, wait_ends_ms, deadline_ms });
            }
            SemaphoreEvent::Elapse(ticket) => effects.extend(self.elapse(now_ms, ticket)),
            SemaphoreEvent::Cancel(ticket) => effects.extend(self.cancel(ticket)),
            SemaphoreEvent::Settle(ticket) => drop(self.held.remove(&ticket)),
            SemaphoreEvent::Requeue(ticket) => self.requeue(now_ms, ticket),
            SemaphoreEvent::Close => self.closed = true,
        }
        self.serve(now_ms, &mut effects);
        effects.extend(
            self.watch()
                .filter(|new| Some(*new) != watch)
                .map(|(front, _)| SemaphoreEffect::Watch(front)),
        );
        effects
    }

    /// Who tries the platform again, and when: the first in the queue.
    fn watch(&self) -> Option<(Ticket, u64)> {
        let (front, _) = self.queue.first_key_value()?;
        Some((*front, self.room.probe_ms()?))
    }

    fn arrive(&mut self, stay: Stay) {
        self.queue.insert(self.next, stay);
        self.next = Ticket(self.next.0.saturating_add(1));
    }

    fn elapse(&mut self, now_ms: u64, ticket: Ticket) -> Option<SemaphoreEffect> {
        let refusal = self.queue.get(&ticket)?.refusal(now_ms)?;
        self.queue.remove(&ticket);
        Some(SemaphoreEffect::Refused(ticket, refusal))
    }

    fn cancel(&mut self, ticket: Ticket) -> Option<SemaphoreEffect> {
        self.queue.remove(&ticket)?;
        Some(SemaphoreEffect::Refused(ticket, Refusal::Cancelled))
    }

    fn requeue(&mut self, now_ms: u64, ticket: Ticket) {
        if let Some(stay) = self.held.remove(&ticket) {
            self.queue.insert(ticket, stay);
            self.room = self.room.narrowed(now_ms, self.running());
        }
    }

    /// Grants from the front while there is room. Who has waited too long is refused
    /// when its turn comes, though nobody told it yet.
    fn serve(&mut self, now_ms: u64, effects: &mut Vec<SemaphoreEffect>) {
        while self.closed || self.running() < self.room.limit(self.capacity) {
            let Some((ticket, stay)) = self.queue.pop_first() else { return };
            let refusal = if self.closed { Some(Refusal::Closed) } else { stay.refusal(now_ms) };
            effects.push(match refusal {
                Some(refusal) => SemaphoreEffect::Refused(ticket, refusal),
                None => {
                    self.held.insert(ticket, stay);
                    SemaphoreEffect::Granted(ticket)
                }
            });
        }
    }

    fn running(&self) -> u64 {
        u64::try_from(self.held.len()).unwrap_or(u64::MAX)
    }
}
