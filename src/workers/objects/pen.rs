//! The object that keeps one persona's book of pens.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, JsValue};
use worker::{Request, Response};

use super::super::ports::{self, ObjectStorage};
use crate::pen::{
    Persona,
    ledger::{Desk, LedgerError, Order, Reply},
};

/// The binding of the books' objects in `wrangler.toml`.
pub(crate) const PENS: &str = "PENS";

/// An order as it crosses to the object. Only the Worker reaches an object.
#[derive(Serialize, Deserialize)]
pub(crate) struct PenOrder {
    /// Whose book it is.
    pub(crate) persona: Persona,
    /// The order.
    pub(crate) order: Order,
}

/// What the object keeps in memory.
pub(crate) struct PenState {
    desk: Desk,
}

impl PenState {
    /// The state of the object whose context is `context`.
    pub(crate) fn new(context: JsValue) -> Self {
        let rows = Rc::new(ObjectStorage::new(context.unchecked_into()));
        Self { desk: Desk::new(rows, ports::ports().clock) }
    }

    /// Answers the Worker.
    pub(crate) async fn fetch(&self, mut request: Request) -> worker::Result<Response> {
        let body = request.text().await?;
        let answer: Result<Reply, LedgerError> = match serde_json::from_str(&body) {
            Ok(PenOrder { persona, order }) => self.desk.answer(&persona, order),
            Err(error) => Err(LedgerError::Unavailable { evidence: format!("no order: {error}") }),
        };
        let text = serde_json::to_string(&answer).map_err(worker::Error::from)?;
        Response::ok(text)
    }
}
