//! A connection while it is being opened: it has a place, and nothing else yet.

use std::rc::Rc;

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    mcp::{
        Answering, Authority, Connection, McpCatalogProvider, McpSession, MemoryStorage, NotOpen,
        Parking, Posted, Principal, ServerParts,
    },
    port::Timer,
    runtime::access::{Moment, Unreadable},
};
use serde_json::json;

use super::world::{World, caller, initialize};

/// A catalog in which opening takes a while.
struct Slow {
    inner: Rc<dyn McpCatalogProvider>,
    timer: Rc<dyn Timer>,
}

impl McpCatalogProvider for Slow {
    fn open(
        &self,
        principal: &Principal,
        id: &str,
        bound: usize,
    ) -> LocalBoxFuture<'static, Result<Rc<dyn McpSession>, NotOpen>> {
        let opened = self.inner.open(principal, id, bound);
        let slept = self.timer.sleep(50);
        async move {
            slept.await;
            opened.await
        }
        .boxed_local()
    }

    fn resume(
        &self,
        principal: &Principal,
        id: &str,
    ) -> LocalBoxFuture<'static, Result<Option<Rc<dyn McpSession>>, NotOpen>> {
        self.inner.resume(principal, id)
    }

    fn refresh(
        &self,
        principal: &Principal,
        moment: Moment,
    ) -> LocalBoxFuture<'static, Result<Rc<Authority>, Unreadable>> {
        self.inner.refresh(principal, moment)
    }

    fn end(&self, principal: &Principal, id: &str) -> LocalBoxFuture<'static, ()> {
        self.inner.end(principal, id)
    }

    fn visit(&self, principal: &Principal) -> Rc<dyn McpSession> {
        self.inner.visit(principal)
    }
}

#[test]
fn a_connection_that_is_being_opened_keeps_its_place() {
    let world = World::new();
    let timer = Rc::clone(&world.host.ports().timer);
    let catalog = Rc::new(Slow { inner: world.catalog.clone(), timer });
    let parts = ServerParts::new(catalog, world.door.clone(), world.host.ports());
    let connection = Connection::new("one", parts, Rc::new(MemoryStorage::new()));
    assert_eq!(connection.park(0), Ok(Parking::Gone), "nobody has asked for it");
    let opened = connection.clone();
    let mut opening = world.host.start(async move {
        let (caller, body) = (caller("ada"), initialize("2025-11-25", &json!({})));
        let answering = Answering::Either;
        opened.post(Posted { caller: &caller, fresh: true, answering, body: &body }).await.status
    });
    assert_eq!(connection.park(0), Ok(Parking::Busy));
    world.host.pass(50);
    assert_eq!(opening.end(), Some(200));
    assert_eq!(connection.park(0), Ok(Parking::Parked));
}

#[test]
fn one_whose_client_went_away_while_it_was_opened_keeps_none() {
    let world = World::new();
    let timer = Rc::clone(&world.host.ports().timer);
    let catalog = Rc::new(Slow { inner: world.catalog.clone(), timer });
    let parts = ServerParts::new(catalog, world.door.clone(), world.host.ports());
    let connection = Connection::new("one", parts, Rc::new(MemoryStorage::new()));
    let opened = connection.clone();
    let opening = world.host.start(async move {
        let (caller, body) = (caller("ada"), initialize("2025-11-25", &json!({})));
        let answering = Answering::Either;
        opened.post(Posted { caller: &caller, fresh: true, answering, body: &body }).await.status
    });
    drop(opening);
    assert_eq!(connection.park(0), Ok(Parking::Gone));
}
