//! How many programs run at once, and who is next.
//!
//! Owns the policy, the rules of the queue as a function from state to state, and
//! the [`Semaphore`] that holds callers to them. Doesn't own what a permit is spent
//! on, nor the clock of a running program.
//!
//! A runtime is one object or one stateless request, and so is its queue: no waiter
//! of a stateless request is woken by another request, and nothing is claimed of the
//! platform as a whole. A permit belongs to its holder until the work behind it has
//! settled. What the platform itself refuses before it loads goes back to its place
//! in the queue.
//!
//! Spec: 000 and 003, "Sandbox admission".

mod deadline;
mod policy;
mod room;
mod semaphore;
mod transition;

pub use deadline::Deadline;
pub use policy::{
    AdmissionOptions, AdmissionPolicy, PolicyError, normalize_sandbox_admission_policy,
};
pub use semaphore::{Permit, Semaphore};
pub use transition::{
    Refusal, SemaphoreEffect, SemaphoreEvent, SemaphoreState, Ticket, semaphore_transition,
};
