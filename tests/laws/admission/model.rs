//! What admission must answer, said a second time and as plainly as possible: a list
//! of callers that is searched from the start at every step.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Waits,
    Permit,
    Busy(u64),
    Late,
    Cancelled,
    Closed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    /// It has asked and wasn't looked at yet.
    New,
    /// In the queue.
    Waiting,
    /// It has a permit and doesn't know it yet.
    Called,
    /// It has a permit and runs.
    Running,
    /// The platform refused it, and it didn't go back yet.
    Bounced,
    /// It is out and doesn't know it yet.
    Out(Answer),
    Gone,
}

struct One {
    is: Is,
    place: usize,
    arrived: u64,
    wait_ends: u64,
    deadline: u64,
    timeout: u64,
    cancelled: bool,
}

struct Bounce {
    at: u64,
    beside: usize,
    pause: u64,
}

pub(crate) struct Model {
    capacity: usize,
    wait: Option<u64>,
    ones: Vec<One>,
    places: usize,
    bounce: Option<Bounce>,
    closed: bool,
}

impl Model {
    pub(crate) fn new(capacity: usize, wait: Option<u64>) -> Self {
        Self { capacity, wait, ones: vec![], places: 0, bounce: None, closed: false }
    }

    pub(crate) fn ask(&mut self, began: u64, timeout: u64) {
        let (is, deadline) = (Is::New, began + timeout);
        let one =
            One { is, place: 0, arrived: 0, wait_ends: 0, deadline, timeout, cancelled: false };
        self.ones.push(one);
    }

    /// What caller `n` learns when it is looked at.
    pub(crate) fn look(&mut self, n: usize, now: u64) -> Answer {
        match self.ones[n].is {
            Is::New if !self.ones[n].cancelled => self.arrive(n, now),
            Is::Bounced => self.go_back(n, now),
            _ => {}
        }
        if self.ones[n].cancelled {
            self.leave(n, now);
            return Answer::Cancelled;
        }
        if self.ones[n].is == Is::Waiting && self.is_due(n, now) {
            if let Some(answer) = self.over(n, now) {
                self.ones[n].is = Is::Out(answer);
            }
            self.call(now);
        }
        match self.ones[n].is {
            Is::Called if self.ones[n].deadline <= now => {
                self.leave(n, now);
                Answer::Late
            }
            Is::Called => {
                self.ones[n].is = Is::Running;
                Answer::Permit
            }
            Is::Out(answer) => {
                self.leave(n, now);
                answer
            }
            Is::Waiting => Answer::Waits,
            other => panic!("{other:?} is not looked at"),
        }
    }

    /// Whether looking at this one would tell it nothing: it was rightly left asleep.
    pub(crate) fn may_sleep(&self, n: usize, now: u64) -> bool {
        self.ones[n].is == Is::Waiting && !self.ones[n].cancelled && !self.is_due(n, now)
    }

    pub(crate) fn cancel(&mut self, n: usize) {
        self.ones[n].cancelled = true;
    }

    pub(crate) fn leave(&mut self, n: usize, now: u64) {
        // Nobody hears of one that goes before it had a place.
        let unheard = self.ones[n].is == Is::New;
        self.ones[n].is = Is::Gone;
        if !unheard {
            self.call(now);
        }
    }

    pub(crate) fn bounce(&mut self, n: usize) {
        self.ones[n].is = Is::Bounced;
    }

    pub(crate) fn close(&mut self) {
        self.closed = true;
        for one in self.ones.iter_mut().filter(|one| one.is == Is::Waiting) {
            one.is = Is::Out(Answer::Closed);
        }
    }

    pub(crate) fn held(&self) -> usize {
        let holds = |one: &&One| matches!(one.is, Is::Called | Is::Running | Is::Bounced);
        self.ones.iter().filter(holds).count()
    }

    pub(crate) fn queued(&self) -> usize {
        self.ones.iter().filter(|one| one.is == Is::Waiting).count()
    }

    /// How many may run: one more for each pause since the platform refused one.
    pub(crate) fn limit(&self, now: u64) -> usize {
        let Some(bounce) = &self.bounce else { return self.capacity };
        let pauses = (now - bounce.at) / bounce.pause;
        self.capacity.min(bounce.beside + usize::try_from(pauses).expect("a small number"))
    }

    fn arrive(&mut self, n: usize, now: u64) {
        let one = &mut self.ones[n];
        one.place = self.places;
        one.arrived = now;
        one.wait_ends = now + self.wait.unwrap_or(one.timeout);
        self.places += 1;
        self.enter(n);
        self.call(now);
    }

    fn go_back(&mut self, n: usize, now: u64) {
        let forgotten = self.bounce.as_ref().is_none_or(|bounce| {
            let pauses = usize::try_from((now - bounce.at) / bounce.pause).expect("small");
            bounce.beside + pauses > self.capacity
        });
        let last = self.bounce.as_ref().map_or(0, |bounce| bounce.pause);
        let pause = if forgotten { 50 } else { 2_000.min(last * 2) };
        self.ones[n].is = Is::Gone;
        self.bounce = Some(Bounce { at: now, beside: self.held(), pause });
        self.enter(n);
        self.call(now);
    }

    fn enter(&mut self, n: usize) {
        self.ones[n].is = if self.closed { Is::Out(Answer::Closed) } else { Is::Waiting };
    }

    /// Calls the first in the queue as long as there is room.
    fn call(&mut self, now: u64) {
        while self.held() < self.limit(now) {
            let Some(first) = self.first() else { return };
            self.ones[first].is = self.over(first, now).map_or(Is::Called, Is::Out);
        }
    }

    fn first(&self) -> Option<usize> {
        let waiting = (0..self.ones.len()).filter(|n| self.ones[*n].is == Is::Waiting);
        waiting.min_by_key(|n| self.ones[*n].place)
    }

    fn over(&self, n: usize, now: u64) -> Option<Answer> {
        let one = &self.ones[n];
        match (one.deadline <= now, one.wait_ends <= now) {
            (false, false) => None,
            (_, true) if one.wait_ends < one.deadline => Some(Answer::Busy(now - one.arrived)),
            _ => Some(Answer::Late),
        }
    }

    fn is_due(&self, n: usize, now: u64) -> bool {
        let turn = self.first() == Some(n) && self.held() < self.limit(now);
        turn || self.over(n, now).is_some()
    }
}
