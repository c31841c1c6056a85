//! Handing out places: asking those who have one until one gives it up.

use std::{cell::RefCell, rc::Rc};

use futures::future::LocalBoxFuture;

use super::{Admitted, Table};
use crate::{
    limits::{SESSION_TTL_MS, SESSIONS_KEPT},
    port::{Clock, Storage, StorageError, Timer},
};

const KEY: &str = "table";

/// How long a session must have been idle to be parked while there are others.
const IDLE_MS: u64 = 60_000;

/// How long one that finds every place taken waits before it looks again: those that work
/// often do for a moment only, and some clients never come back after a 429.
const AGAIN_MS: [u64; 4] = [100, 200, 400, 800];

/// What a session answers that is asked to be parked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parking {
    /// It has work or an approval in flight, or was used too recently.
    Busy,
    /// It is parked.
    Parked,
    /// There is no such session any more.
    Gone,
}

/// The principal's sessions, wherever they live.
pub trait Neighbours {
    /// Asks a session to be parked, if it has been idle for `idle_ms`.
    fn park(&self, session: &str, idle_ms: u64) -> LocalBoxFuture<'static, Parking>;
}

/// Whether there was a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seating {
    /// The session has one.
    Seated,
    /// All of them work: try again later.
    Full,
}

/// The places of one principal.
pub struct Seats {
    storage: Rc<dyn Storage>,
    clock: Rc<dyn Clock>,
    neighbours: Rc<dyn Neighbours>,
    bound: usize,
    timer: Option<Rc<dyn Timer>>,
    table: RefCell<Option<Table>>,
}

impl Seats {
    /// The `bound` places whose table is in `storage`.
    #[must_use]
    pub fn new(
        storage: Rc<dyn Storage>,
        clock: Rc<dyn Clock>,
        neighbours: Rc<dyn Neighbours>,
        bound: usize,
    ) -> Self {
        Self { storage, clock, neighbours, bound, timer: None, table: RefCell::default() }
    }

    /// Has one that finds every place taken wait for a moment, and look again.
    #[must_use]
    pub fn waiting(mut self, timer: Rc<dyn Timer>) -> Self {
        self.timer = Some(timer);
        self
    }

    /// Gives `session` a place, parking another if it must.
    ///
    /// # Errors
    ///
    /// [`StorageError`] when the table can't be kept.
    pub async fn admit(&self, session: &str) -> Result<Seating, StorageError> {
        for idle_ms in [IDLE_MS, 0] {
            if self.seated(session, idle_ms).await? {
                return Ok(Seating::Seated);
            }
        }
        let Some(timer) = &self.timer else { return Ok(Seating::Full) };
        for again_ms in AGAIN_MS {
            timer.sleep(again_ms).await;
            if self.seated(session, 0).await? {
                return Ok(Seating::Seated);
            }
        }
        Ok(Seating::Full)
    }

    /// Whether `session` has a place now, its own, a free one or that of another which has
    /// been idle for so long.
    async fn seated(&self, session: &str, idle_ms: u64) -> Result<bool, StorageError> {
        let others = match self.change(|table, now_ms| table.admit(session, now_ms))? {
            Admitted::Seated => return Ok(true),
            Admitted::Full(others) => others,
        };
        for other in others {
            let parking = self.neighbours.park(&other, idle_ms).await;
            let seated = self.change(|table, now_ms| match parking {
                Parking::Busy => false,
                // It may have lost its place to somebody else meanwhile.
                Parking::Parked => table.replace(&other, session, now_ms),
                Parking::Gone => {
                    table.end(&other);
                    table.admit(session, now_ms) == Admitted::Seated
                }
            })?;
            if seated {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes note that a session has ended.
    ///
    /// # Errors
    ///
    /// [`StorageError`] when the table can't be kept.
    pub fn end(&self, session: &str) -> Result<(), StorageError> {
        self.change(|table, _| table.end(session))
    }

    /// One change of the table, kept before anybody hears of it.
    fn change<T>(&self, change: impl FnOnce(&mut Table, u64) -> T) -> Result<T, StorageError> {
        let now_ms = self.clock.now_ms();
        let mut table = self.read()?;
        let before = table.clone();
        table.expire(now_ms, SESSION_TTL_MS, SESSIONS_KEPT);
        let outcome = change(&mut table, now_ms);
        if table != before {
            let text = serde_json::to_string(&table).map_err(|_| StorageError)?;
            self.storage.put(KEY, &text)?;
        }
        self.table.replace(Some(table));
        Ok(outcome)
    }

    fn read(&self) -> Result<Table, StorageError> {
        if let Some(table) = self.table.borrow().clone() {
            return Ok(table);
        }
        match self.storage.get(KEY)? {
            None => Ok(Table::new(self.bound)),
            Some(text) => {
                let table: Table = serde_json::from_str(&text).map_err(|_| StorageError)?;
                Ok(table.bounded(self.bound))
            }
        }
    }
}
