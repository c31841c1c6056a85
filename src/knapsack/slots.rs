//! Asking many providers at once, in as many slots as the platform has connections.
//!
//! Owns the slots and the timeout of each; doesn't own what is asked.

use std::{panic::AssertUnwindSafe, rc::Rc};

use futures::{FutureExt, StreamExt, future::LocalBoxFuture, stream};

use crate::{
    limits::CONNECT_SLOTS,
    port::{Timer, within},
};

/// Why a provider that was asked gave nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missed {
    /// Its time was over.
    TimedOut,
    /// Its code panicked.
    Panicked,
}

/// Does all of `jobs`, in the order of their slots; the answers are in the order of the
/// jobs. Each has `ms` from when it is given its slot, and is dropped then.
pub(super) async fn in_slots<T>(
    timer: Rc<dyn Timer>,
    ms: u64,
    jobs: Vec<LocalBoxFuture<'static, T>>,
) -> Vec<Result<T, Missed>> {
    let timed = jobs.into_iter().enumerate().map(|(at, job)| {
        let timer = Rc::clone(&timer);
        async move {
            let caught = AssertUnwindSafe(job).catch_unwind();
            let answer = match within(&*timer, ms, caught).await {
                None => Err(Missed::TimedOut),
                Some(answer) => answer.map_err(|_| Missed::Panicked),
            };
            (at, answer)
        }
    });
    let mut answers: Vec<_> = stream::iter(timed).buffer_unordered(CONNECT_SLOTS).collect().await;
    answers.sort_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
}
