//! What the runtime costs natively, at three sizes each, four times as much from one to
//! the next: `cargo bench --bench runtime`.
//!
//! Each line is the best of several runs in processor time, where the system tells it, so
//! that a busy machine shows little. A line that takes more than five times what the line
//! before it takes isn't linear, and fails.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::exit,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measurement ends where it fails, and has a clock"
)]

use std::{fs, process::exit, rc::Rc, sync::OnceLock, time::Instant};

use mycelium::{
    program::NativeIntake,
    testing::{Host, Texts, Workload},
};

/// The system counts a thread's time in steps of some milliseconds.
const BATCH_MS: f64 = 120.0;
const BATCHES: u32 = 5;

/// The most that four times as much may take, in times.
const LINEAR: f64 = 5.0;

/// Milliseconds of one, at best of several batches that are each long enough for the clock.
fn best<T: 'static, F>(mut work: impl FnMut(Workload) -> F) -> f64
where
    F: Future<Output = Result<T, String>> + 'static,
{
    let mut best = f64::INFINITY;
    for _ in 0..BATCHES {
        let (mut took, mut times) = (0.0, 0_u32);
        while took < BATCH_MS {
            let host = Host::new();
            let work = work(Workload::new(host.ports(), Rc::new(NativeIntake)));
            let begun_ms = clock();
            // Kept until the clock has stopped: giving it back is no part of it.
            let _kept = host.run(work).unwrap().unwrap();
            took += clock() - begun_ms;
            times += 1;
        }
        best = best.min(took / f64::from(times));
    }
    best
}

/// Milliseconds of processor time that this thread has had, or of the clock where nobody
/// tells; the first number of `schedstat` is in nanoseconds.
fn clock() -> f64 {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || BEGUN.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3,
        |ns| ns / 1e6,
    )
}

/// Prints what each size takes, and says whether that is linear.
fn sizes(name: &str, sizes: [usize; 3], unit: &str, mut measure: impl FnMut(usize) -> f64) -> bool {
    let (mut before, mut linear) = (None, true);
    for size in sizes {
        let took = measure(size);
        let times = before.map_or_else(String::new, |before: f64| {
            linear &= took / before <= LINEAR;
            format!("  {:.1} times the last", took / before)
        });
        println!("{name:<34} {size:>7} {took:>9.3} {unit}{times}");
        before = Some(took);
    }
    linear
}

fn main() {
    const CALLS: u64 = 200;
    let linear = [
        sizes("a graph is ready, operations", [750, 3_000, 12_000], "ms", |size| {
            let texts = Rc::new(Texts::of(size));
            best(|work| {
                let texts = Rc::clone(&texts);
                async move { work.graph(&texts).await }
            })
        }),
        sizes("a call by its input, bytes", [100, 400, 1_600], "ms", |size| {
            best(|work| async move { work.calls(CALLS, size).await }) / CALLS as f64
        }),
        sizes("a call by its input, bytes", [6_400, 25_600, 102_400], "ms", |size| {
            best(|work| async move { work.calls(CALLS / 10, size).await }) / (CALLS / 10) as f64
        }),
        sizes("everyone waits and is admitted", [2_500, 10_000, 40_000], "ms", |size| {
            best(|work| async move { work.admissions(size).await })
        }),
    ];
    if !linear.iter().all(|linear| *linear) {
        println!("more than {LINEAR} times for four times as much");
        exit(1);
    }
}
