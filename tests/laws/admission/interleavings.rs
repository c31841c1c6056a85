//! Any order of arrivals, settlements, cancellations, expiries, refusals and polls:
//! the semaphore answers what the model answers, and nobody sleeps through their turn.

use std::collections::BTreeMap;

use mycelium::{Failure, failure::Party};

use super::{
    model::{Answer, Model},
    world::{Caller, World},
};

const RUNS: u64 = 20_000;
const STEPS: usize = 70;

/// Set to a printed seed, this variable runs that one alone.
const SEED: &str = "ADMISSION_SEED";

/// How often something happened that a law is about.
type Seen = BTreeMap<&'static str, u64>;

#[test]
fn every_interleaving_keeps_the_laws_of_the_queue() {
    let alone = std::env::var(SEED).ok().map(|seed| seed.parse().expect("a number"));
    let seeds = alone.map_or(0..RUNS, |seed: u64| seed..seed + 1);
    println!("seeds {seeds:?}, {STEPS} steps each; {SEED} runs one alone");
    let mut seen = Seen::new();
    seeds.for_each(|seed| Run::new(seed, &mut seen).run());
    println!("{seen:?}");
    if alone.is_none() {
        let kinds = ["Permit", "Busy", "Late", "Cancelled", "Closed", "bounced", "aborted"];
        for kind in kinds {
            assert!(seen.get(kind).is_some_and(|count| *count > 1_000), "few {kind}: {seen:?}");
        }
    }
}

/// One seed's run; a failed assertion names the seed when it unwinds.
struct Run<'a> {
    seed: u64,
    dice: Dice,
    world: World,
    model: Model,
    callers: Vec<Caller>,
    bounced: bool,
    seen: &'a mut Seen,
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("{SEED}={} breaks it", self.seed);
        }
    }
}

impl<'a> Run<'a> {
    fn new(seed: u64, seen: &'a mut Seen) -> Self {
        let mut dice = Dice(seed);
        let capacity = 1 + dice.below(4);
        let wait = (dice.below(2) == 0).then(|| 1 + dice.below(80));
        let (world, model) = (World::new(capacity, wait), Model::new(index(capacity), wait));
        Self { seed, dice, world, model, callers: vec![], bounced: false, seen }
    }

    fn run(&mut self) {
        for _ in 0..STEPS {
            self.step();
            self.check();
        }
        self.drain();
    }

    fn step(&mut self) {
        match self.dice.below(100) {
            0..20 => self.ask(),
            20..58 => self.one(Caller::is_woken, Self::poll),
            58..68 => self.pass(20),
            68..70 => self.pass(300),
            70..78 => self.world.fire(),
            78..84 => self.one(|caller| caller.asks() || caller.holds(), Self::cancel),
            84..90 => self.one(Caller::holds, Self::leave),
            90..92 => self.one(Caller::asks, Self::leave),
            92..96 => self.one(Caller::holds, Self::bounce),
            96..99 => self.quiesce(),
            _ => self.perhaps_close(),
        }
    }

    /// Does something to one caller of a kind, if there is one.
    fn one(&mut self, is: impl Fn(&Caller) -> bool, act: impl Fn(&mut Self, usize)) {
        let some: Vec<_> = (0..self.callers.len()).filter(|n| is(&self.callers[*n])).collect();
        if !some.is_empty() {
            let chosen = self.dice.below(some.len() as u64);
            act(self, some[index(chosen)]);
        }
    }

    /// Some of the invocation's time may be used already, or all of it.
    fn ask(&mut self) {
        let began = self.world.now_ms().saturating_sub(self.dice.below(10));
        let longest = [4, 60, 60, 2_000][index(self.dice.below(4))];
        let timeout = 1 + self.dice.below(longest);
        self.callers.push(self.world.caller_since(began, timeout));
        self.model.ask(began, timeout);
    }

    fn poll(&mut self, n: usize) {
        let expected = self.model.look(n, self.world.now_ms());
        let answer = answer(self.callers[n].poll());
        assert_eq!(answer, expected, "caller {n} at {}", self.world.now_ms());
        let kind = match answer {
            Answer::Waits => "Waits",
            Answer::Permit => "Permit",
            Answer::Busy(_) => "Busy",
            Answer::Late => "Late",
            Answer::Cancelled => "Cancelled",
            Answer::Closed => "Closed",
        };
        self.saw(kind);
    }

    fn pass(&mut self, longest: u64) {
        let ms = self.dice.below(longest);
        self.world.pass(ms);
    }

    /// A holder that is cancelled doesn't acknowledge: it stays until it leaves.
    fn cancel(&mut self, n: usize) {
        if self.callers[n].holds() {
            self.saw("aborted");
        }
        self.callers[n].cancel();
        self.model.cancel(n);
    }

    fn leave(&mut self, n: usize) {
        self.callers[n].leave();
        self.model.leave(n, self.world.now_ms());
    }

    fn bounce(&mut self, n: usize) {
        self.callers[n].requeue();
        self.model.bounce(n);
        self.bounced = true;
        self.saw("bounced");
    }

    fn perhaps_close(&mut self) {
        if self.dice.below(4) == 0 {
            self.world.semaphore.close();
            self.model.close();
        }
    }

    /// Everybody who was woken is polled until nobody is: who still waits, waits rightly.
    fn quiesce(&mut self) {
        self.world.fire();
        while let Some(n) = self.callers.iter().position(Caller::is_woken) {
            self.poll(n);
            self.world.fire();
        }
        let now = self.world.now_ms();
        for (n, caller) in self.callers.iter().enumerate().filter(|(_, caller)| caller.asks()) {
            assert!(self.model.may_sleep(n, now), "caller {n} ({:?}) sleeps on", caller.deadline);
        }
        let full = self.world.semaphore.held() as u64 == self.world.semaphore.capacity();
        assert!(full || self.bounced || self.world.semaphore.queued() == 0, "a permit is lost");
    }

    fn check(&self) {
        let semaphore = &self.world.semaphore;
        assert!(semaphore.held() as u64 <= semaphore.capacity(), "over capacity");
        assert_eq!(semaphore.held(), self.model.held());
        assert_eq!(semaphore.queued(), self.model.queued());
    }

    /// When all that runs settles and time goes on, nobody is left.
    fn drain(&mut self) {
        while self.callers.iter().any(|caller| caller.asks() || caller.holds()) {
            self.quiesce();
            self.one(Caller::holds, Self::leave);
            self.pass(300);
            self.check();
        }
        assert_eq!((self.world.semaphore.held(), self.world.semaphore.queued()), (0, 0));
    }

    fn saw(&mut self, kind: &'static str) {
        let count = self.seen.entry(kind).or_default();
        *count += 1;
    }
}

fn answer(state: Option<Result<(), Failure>>) -> Answer {
    match state {
        None => Answer::Waits,
        Some(Ok(())) => Answer::Permit,
        Some(Err(Failure::SandboxBusy { waited_ms, .. })) => Answer::Busy(waited_ms),
        Some(Err(Failure::DeadlineExceeded { started: false, .. })) => Answer::Late,
        Some(Err(Failure::Cancelled { by: Party::Caller })) => Answer::Cancelled,
        Some(Err(Failure::Cancelled { by: Party::Host })) => Answer::Closed,
        Some(Err(other)) => panic!("admission doesn't fail with {other}"),
    }
}

fn index(number: u64) -> usize {
    usize::try_from(number).expect("a small number")
}

/// Repeatable chance: the splitmix64 sequence of a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}
