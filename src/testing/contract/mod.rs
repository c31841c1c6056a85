//! The laws that every sandbox keeps, whatever it runs programs in.
//!
//! Owns the scenarios and what must come of them. Doesn't own how a sandbox is made to
//! run one: a [`Candidate`] does. Nothing here runs futures, so that it can be awaited
//! wherever the sandbox lives.
//!
//! Spec: 000 and 003, "Sandbox admission"; design, "The life of one execute".

mod laws;
mod probe;
mod scenario;

use std::{fmt, rc::Rc};

pub use scenario::Scenario;

use crate::{port::Ports, program::Program, sandbox::Sandbox};

/// A sandbox on trial.
pub trait Candidate {
    /// A sandbox that is about to run `scenario` once, and the program it is handed.
    ///
    /// One that runs programs reads [`Scenario::code`]; one that runs something else
    /// does what the scenario's own text says.
    fn ready(&self, scenario: Scenario) -> (Rc<dyn Sandbox>, Rc<Program>);
}

/// A law that a sandbox broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenLaw {
    /// The law.
    pub law: &'static str,
    /// What came instead of what it asks.
    pub found: String,
}

impl fmt::Display for BrokenLaw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.law, self.found)
    }
}

/// Tries every law, one after another, and gives those that were broken.
///
/// It takes real time where the ports' time is real: some 100 ms a law at most, and
/// 5 seconds for one whose run doesn't end.
pub async fn sandbox_contract(candidate: &dyn Candidate, ports: &Ports) -> Vec<BrokenLaw> {
    let mut broken = Vec::new();
    for (law, holds) in laws::LAWS {
        if let Err(found) = laws::within_time(holds(candidate, ports), ports).await {
            broken.push(BrokenLaw { law, found });
        }
    }
    broken
}
