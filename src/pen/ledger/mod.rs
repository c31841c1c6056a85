//! The book of one persona's pens: where each is, what it holds until it is decided, and the
//! audit of all that ever happened to it.
//!
//! Owns the orders that a book takes and their answers. [`Desk`] keeps one over an object's
//! rows. Doesn't own who may give an order, nor the objects in which pens are kept and shared.
//!
//! Spec: 002, §2 `audit`, §3 and §5.

mod audit;
mod book;
mod desk;
mod order;
mod rows;

use std::fmt;

use futures::{FutureExt, future::LocalBoxFuture};
use serde::{Deserialize, Serialize};

pub use audit::{AuditEntry, AuditPage};
pub use book::{Contents, Pen, Record, Summary};
pub use desk::Desk;
pub use order::{Ended, Order, Reply};

use super::Persona;

/// Keeps the books of all personas.
pub trait Ledger {
    /// Gives the persona's book an order. What the book says is written before it answers;
    /// an order that isn't answered may have been carried out, and can be given again.
    fn ask(
        &self,
        persona: &Persona,
        order: Order,
    ) -> LocalBoxFuture<'static, Result<Reply, LedgerError>>;
}

/// Why a book didn't take an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum LedgerError {
    /// It has no such pen.
    Missing,
    /// The pen is where the order can't be taken; the text says where, and what to do.
    Illegal {
        /// The text.
        problem: String,
    },
    /// It can't be reached, read or written now.
    Unavailable {
        /// For the operator alone.
        evidence: String,
    },
}

impl LedgerError {
    pub(crate) fn unavailable(evidence: &dyn fmt::Display) -> Self {
        Self::Unavailable { evidence: evidence.to_string() }
    }
}

impl fmt::Display for LedgerError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => {
                formatter.write_str("there is no such pen: take the pen_id that pen.write gave")
            }
            Self::Illegal { problem } => formatter.write_str(problem),
            Self::Unavailable { .. } => {
                formatter.write_str("the pens' book can't be reached now: try again later")
            }
        }
    }
}

impl std::error::Error for LedgerError {}

/// A ledger over one desk a persona, in this process.
pub struct Desks<F>(F);

impl<F: Fn(&Persona) -> Desk> Desks<F> {
    /// A ledger whose desks `make` gives.
    pub fn new(make: F) -> Self {
        Self(make)
    }
}

impl<F: Fn(&Persona) -> Desk> Ledger for Desks<F> {
    fn ask(
        &self,
        persona: &Persona,
        order: Order,
    ) -> LocalBoxFuture<'static, Result<Reply, LedgerError>> {
        let answer = (self.0)(persona).answer(persona, order);
        async move { answer }.boxed_local()
    }
}
