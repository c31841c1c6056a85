//! Process groups: the list of those alive, and signals to them.

use std::{
    collections::BTreeSet,
    os::unix::process::CommandExt,
    process::{Child, Command, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::interrupt;
use crate::failure::Failure;

static ALIVE: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn alive() -> MutexGuard<'static, BTreeSet<u32>> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A process group, on the list of those alive until it is dropped.
#[derive(Debug)]
pub(super) struct Group(u32);

impl Group {
    /// Starts `command` as the leader of a new group, unless an end was asked for.
    ///
    /// The list is locked meanwhile, so that a signal finds either no group or this one.
    pub(super) fn spawn(command: &mut Command) -> Result<(Child, Self), Failure> {
        let mut alive = alive();
        interrupt::check()?;
        let child = command.process_group(0).spawn().map_err(|error| {
            Failure::step(&format!("start {}", command.get_program().display()), &error)
        })?;
        let id = child.id();
        alive.insert(id);
        Ok((child, Self(id)))
    }

    /// Sends a signal to every process of the group; a group that ended is no error.
    pub(super) fn signal(&self, name: &str) {
        signal(self.0, name);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        alive().remove(&self.0);
    }
}

/// Sends a signal to every group that is alive.
pub(super) fn signal_all(name: &str) {
    for id in alive().iter() {
        signal(*id, name);
    }
}

/// By the shell's own `kill`, which is on every machine that has make.
fn signal(id: u32, name: &str) {
    let mut kill = Command::new("sh");
    kill.args(["-c", &format!("kill -{name} -{id}")]);
    drop(kill.stderr(Stdio::null()).status());
}
