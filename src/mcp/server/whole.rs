//! The whole server in one process.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use super::{
    super::{
        Answering, Authenticate, Caller, Head, McpCatalogProvider, MemoryStorage, NotOpen, Origins,
        Reply,
    },
    Challenge, Connection, Gate, Modern, Posted, Routed, ServerParts, Stateless, SuspendedCall,
    suspended_in,
};
use crate::{limits::CONNECTIONS, port::Ports};

/// What a server is made of.
pub struct McpOptions {
    /// What principals may use.
    pub catalog: Rc<dyn McpCatalogProvider>,
    /// Who calls.
    pub authenticate: Rc<dyn Authenticate>,
    /// The host.
    pub ports: Ports,
    /// The pages that are served, beside the host's own.
    pub origins: Origins,
    /// What a refused client is told.
    pub challenge: Challenge,
}

/// A server that is mounted at one path.
pub struct Mcp {
    gate: Gate,
    parts: ServerParts,
    stateless: Stateless,
    connections: RefCell<BTreeMap<String, Connection>>,
    suspended: RefCell<BTreeMap<String, SuspendedCall>>,
    closed: Cell<bool>,
}

/// Makes a server: mount [`Mcp::handle_request`] at a route.
#[must_use]
pub fn create_mcp(options: McpOptions) -> Mcp {
    let McpOptions { catalog, authenticate, ports, origins, challenge } = options;
    let gate = Gate { origins, challenge, authenticate: Rc::clone(&authenticate) };
    let parts = ServerParts::new(catalog, authenticate, ports).connections(CONNECTIONS);
    let stateless = Stateless::new(parts.clone());
    Mcp {
        gate,
        parts,
        stateless,
        connections: RefCell::default(),
        suspended: RefCell::default(),
        closed: Cell::new(false),
    }
}

impl Mcp {
    /// Answers one HTTP request.
    pub async fn handle_request(&self, head: &Head, body: &str) -> Reply {
        if self.closed.get() {
            return Reply::refusal(503, "this server is closed");
        }
        let reply = match self.gate.admit(head).await {
            Ok((caller, answering)) => self.admitted(head, body, &caller, answering).await,
            Err(reply) => reply,
        };
        self.gate.told(head, reply)
    }

    /// Ends the connections to every stream and refuses what comes later. Sessions
    /// stay with the catalog.
    pub fn close(&self) {
        self.closed.set(true);
        for connection in self.connections.borrow().values() {
            connection.close();
        }
    }

    async fn admitted(
        &self,
        head: &Head,
        body: &str,
        caller: &Caller,
        answering: Answering,
    ) -> Reply {
        if body.len() > crate::limits::BODY_BYTES {
            return Reply::refusal(413, "a message has at most 4 MiB");
        }
        match Routed::of(head, body, || self.parts.ports.name()) {
            Routed::Answered(reply) => reply,
            Routed::Stateless(modern) => self.stateless(caller, &modern, answering).await,
            Routed::Session { id, fresh } => {
                self.session(head, body, caller, (answering, id, fresh)).await
            }
        }
    }

    async fn session(
        &self,
        head: &Head,
        body: &str,
        caller: &Caller,
        (answering, id, fresh): (Answering, String, bool),
    ) -> Reply {
        let connection = match self.connection(caller, &id, fresh).await {
            Ok(Some(connection)) => connection,
            // A client may keep an old session's name while it opens a new one.
            Ok(None) if head.method() == "POST" && is_initialize(body) => {
                let id = self.parts.ports.name();
                return Box::pin(self.session(head, body, caller, (answering, id, true))).await;
            }
            Ok(None) => return Reply::no_session(),
            Err(reply) => return reply,
        };
        match head.method() {
            "GET" => connection.get(caller, head.field("last-event-id")),
            "DELETE" => {
                let reply = connection.delete(caller).await;
                if reply.status == 204 {
                    self.connections.borrow_mut().remove(&id);
                }
                reply
            }
            _ => {
                let posted = Posted { caller, fresh, answering, body };
                let reply = connection.post(posted).await;
                if fresh && reply.status == 200 {
                    self.connections.borrow_mut().insert(id, connection);
                }
                reply
            }
        }
    }

    /// The connection named `id`: made anew for a fresh one, or over what the catalog
    /// still has after this process forgot it.
    async fn connection(
        &self,
        caller: &Caller,
        id: &str,
        fresh: bool,
    ) -> Result<Option<Connection>, Reply> {
        let storage = Rc::new(MemoryStorage::new());
        if fresh {
            self.expire().await;
            return Ok(Some(Connection::new(id, self.parts.clone(), storage)));
        }
        let known = self.connections.borrow().get(id).cloned();
        if known.is_some() {
            return Ok(known);
        }
        let session = match self.parts.catalog.resume(&caller.principal, id).await {
            Ok(session) => session,
            Err(NotOpen::Full) => {
                return Err(Reply::refusal(429, "try again later").with("retry-after", "5"));
            }
            Err(NotOpen::Unavailable(evidence)) => {
                self.parts.ports.console.warn(&evidence);
                return Err(Reply::refusal(500, "the catalog can't be reached: try again later"));
            }
        };
        // Whatever the catalog gave, it must be this principal's.
        let own = session.filter(|session| session.principal().is(&caller.principal));
        let Some(session) = own else { return Ok(None) };
        let connection = Connection::resumed(session, self.parts.clone(), storage)?;
        self.connections.borrow_mut().insert(id.to_owned(), connection.clone());
        Ok(Some(connection))
    }

    /// Forgets sessions whose time is over.
    async fn expire(&self) {
        let all: Vec<_> = {
            let connections = self.connections.borrow();
            connections.iter().map(|(id, connection)| (id.clone(), connection.clone())).collect()
        };
        for (id, connection) in all {
            if connection.wake().await.unwrap_or(false) {
                self.connections.borrow_mut().remove(&id);
            }
        }
    }

    async fn stateless(&self, caller: &Caller, modern: &Modern, answering: Answering) -> Reply {
        if let Some(id) = suspended_in(modern) {
            // Under the owner's name, so that it is worthless to anybody else.
            let name = format!("{}/{id}", caller.principal.digest());
            let known = self.suspended.borrow().get(&name).cloned();
            let call = known.unwrap_or_else(|| self.suspended_call(&id));
            let reply = call.answer(caller, modern, answering).await;
            return reply;
        }
        match self.stateless.answer(caller, modern, answering).await {
            Some(reply) => reply,
            None => {
                let id = self.parts.ports.name();
                let call = self.suspended_call(&id);
                let name = format!("{}/{id}", caller.principal.digest());
                self.suspended.borrow_mut().insert(name, call.clone());
                call.answer(caller, modern, answering).await
            }
        }
    }

    fn suspended_call(&self, id: &str) -> SuspendedCall {
        SuspendedCall::new(id, self.parts.clone(), Rc::new(MemoryStorage::new()))
    }
}

fn is_initialize(body: &str) -> bool {
    use super::super::wire::Message;
    matches!(Message::read(body), Ok(Message::Request { method, .. }) if method == "initialize")
}
