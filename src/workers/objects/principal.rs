//! The object that has the table of one principal's sessions, and their grants.

use std::{cell::RefCell, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::json;
use wasm_bindgen::{JsCast, JsValue};
use worker::{Env, Request, Response};

use super::super::{
    http::{self, Order},
    ports::{self, ObjectStorage},
    runtime,
};
use crate::{
    limits::CONNECTIONS,
    mcp::{Neighbours, Parking, Reply, Seating, Seats},
    port::Storage,
    runtime::access::{Grants, StoredGrants, Unreadable},
};

/// What the object keeps in memory.
pub(crate) struct PrincipalState {
    env: Env,
    storage: Rc<dyn Storage>,
    grants: StoredGrants,
    places: usize,
    seats: RefCell<Option<Rc<Seats>>>,
}

impl PrincipalState {
    /// The state of the object whose context is `context`.
    ///
    /// # Errors
    ///
    /// A text when the settings are wrong.
    pub(crate) fn new(context: &JsValue, env: Env) -> Result<Self, JsValue> {
        let settings = runtime::settings(&env).map_err(|errors| http::config_text(&errors))?;
        let storage: Rc<dyn Storage> =
            Rc::new(ObjectStorage::new(context.clone().unchecked_into()));
        let grants = StoredGrants::new(Rc::clone(&storage));
        let places = settings.max_connections.and_then(|places| usize::try_from(places).ok());
        let places = places.unwrap_or(CONNECTIONS);
        Ok(Self { env, storage, grants, places, seats: RefCell::default() })
    }

    /// Answers a session's object.
    pub(crate) async fn fetch(&self, request: Request) -> worker::Result<Response> {
        let (order, body) = Order::read(request).await?;
        let reply = match order {
            Order::Admit { session, owner } => match self.seats(&owner).admit(&session).await {
                Ok(Seating::Seated) => Reply::json(200, "\"seated\"".to_owned()),
                Ok(Seating::Full) => Reply::json(200, "\"full\"".to_owned()),
                Err(error) => error.into(),
            },
            Order::End { session, owner } => match self.seats(&owner).end(&session) {
                Ok(()) => Reply::empty(204),
                Err(error) => error.into(),
            },
            Order::TellGrants {} => told(self.grants.standing()),
            Order::SetGrants {} => self.set_grants(&body),
            _ => Reply::refusal(400, "this is a principal's object"),
        };
        http::response(reply, None)
    }

    /// Puts the grants in the body in the place of those that stood, and tells of those.
    fn set_grants(&self, body: &str) -> Reply {
        let said = serde_json::from_str(body).ok().and_then(|said| Grants::parse(&said).ok());
        let Some(said) = said else { return Reply::refusal(400, "these are no grants") };
        let stood = self.grants.standing();
        match self.grants.replace(&said) {
            Ok(()) => told(stood),
            Err(error) => error.into(),
        }
    }

    fn seats(&self, owner: &str) -> Rc<Seats> {
        let mut seats = self.seats.borrow_mut();
        let make = || {
            let neighbours = Objects { env: self.env.clone(), owner: owner.to_owned() };
            let ports = ports::ports();
            let storage = Rc::clone(&self.storage);
            let seats = Seats::new(storage, ports.clock, Rc::new(neighbours), self.places);
            Rc::new(seats.waiting(ports.timer))
        };
        Rc::clone(seats.get_or_insert_with(make))
    }
}

/// Grants as an object tells them: null for those that can't be read.
fn told(standing: Result<Grants, Unreadable>) -> Reply {
    let grants = standing.map_err(|error| ports::ports().console.warn(&error.to_string()));
    Reply::json(200, json!(grants.ok().map(|grants| grants.to_json())).to_string())
}

/// The sessions' objects of one principal.
struct Objects {
    env: Env,
    owner: String,
}

impl Objects {
    async fn asked(env: Env, name: String, order: Order) -> worker::Result<Parking> {
        let object = env.durable_object(http::CONNECTIONS)?.get_by_name(&name)?;
        let request = order.request("https://connection/park", None)?;
        let said = object.fetch_with_request(request).await?.text().await?;
        Ok(match said.as_str() {
            "\"parked\"" => Parking::Parked,
            "\"gone\"" => Parking::Gone,
            _ => Parking::Busy,
        })
    }
}

impl Neighbours for Objects {
    fn park(&self, session: &str, idle_ms: u64) -> LocalBoxFuture<'static, Parking> {
        let (env, name) = (self.env.clone(), format!("{}/{session}", self.owner));
        let order = Order::Park { id: session.to_owned(), idle_ms };
        async move {
            Self::asked(env, name, order).await.unwrap_or_else(|error| {
                // One that doesn't answer keeps its place: nothing of it is known.
                ports::ports().console.warn(&format!("a session can't be parked: {error}"));
                Parking::Busy
            })
        }
        .boxed_local()
    }
}
