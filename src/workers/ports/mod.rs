//! The host's facts over the platform's own functions.

mod background;
mod clock;
mod console;
mod fetch;
mod handoff;
mod intake;
mod r2;
mod random;
mod remote;
mod secrets;
mod signatures;
mod socket;
mod storage;
mod timer;

use std::rc::Rc;

use crate::port::Ports;

pub(super) use fetch::PlatformFetch;
pub(super) use handoff::rejectable;
pub(super) use intake::{WasmIntake, install};
pub(super) use r2::R2Store;
pub(super) use remote::RemoteFunction;
pub(super) use secrets::{BoundSecrets, HeldSecrets};
pub(super) use signatures::{PlatformJwks, PlatformSignatures};
pub(super) use socket::{Abort, GuestSocket};
pub(super) use storage::ObjectStorage;
#[cfg(feature = "faults")]
pub(super) use {console::PlatformConsole, timer::PlatformTimer};

/// The platform's ports.
pub(super) fn ports() -> Ports {
    Ports {
        clock: Rc::new(clock::PlatformClock),
        timer: Rc::new(timer::PlatformTimer),
        random: Rc::new(random::PlatformRandom),
        handoff: Rc::new(handoff::PromiseHandoff),
        console: Rc::new(console::PlatformConsole),
        background: Rc::new(background::SpawnedBackground),
    }
}
