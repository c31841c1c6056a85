//! A catalog over ordinary sources, with its sessions in memory.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};

use super::{Authority, McpCatalogProvider, McpSession, NotOpen, RuntimeSession};
use crate::{
    limits::CONNECTIONS,
    mcp::Principal,
    runtime::{
        Mycelium, OpenError, Options, Source,
        access::{Grants, Moment, Unreadable},
    },
};

/// What is authorized for a principal, now.
#[derive(Clone)]
pub struct Loaded {
    /// What the model is told.
    pub instructions: Option<String>,
    /// Where modules come from.
    pub sources: Vec<Rc<dyn Source>>,
    /// What is granted; a module that is left out is refused.
    pub grants: Grants,
}

/// Reads what is authorized for a principal: anew at each call, never from memory.
pub type Loader = Rc<dyn Fn(&Principal) -> LocalBoxFuture<'static, Result<Loaded, Unreadable>>>;

/// What a catalog is made of. Its sandbox, in `options`, is the one executor there is:
/// nothing here fetches.
pub struct McpCatalogOptions {
    /// Reads what a principal may use.
    pub load: Loader,
    /// The runtime that programs run in. Its own modules and sources are offered to
    /// nobody: what there is, `load` says.
    pub options: Options,
    /// Whether the runtime's direct tools are offered beside `execute`.
    pub direct_tools: bool,
}

/// A catalog that keeps at most [`CONNECTIONS`] open sessions, in memory.
pub struct McpCatalog {
    load: Loader,
    runtime: Mycelium,
    direct_tools: bool,
    sessions: RefCell<BTreeMap<String, RuntimeSession>>,
}

/// A catalog over what `load` says, for everybody who is admitted.
///
/// # Errors
///
/// [`OpenError`] when the runtime can't be opened.
pub fn create_mcp_catalog(options: McpCatalogOptions) -> Result<Rc<McpCatalog>, OpenError> {
    let McpCatalogOptions { load, mut options, direct_tools } = options;
    options.modules.clear();
    options.sources.clear();
    let runtime = Mycelium::open(options)?;
    Ok(Rc::new(McpCatalog { load, runtime, direct_tools, sessions: RefCell::default() }))
}

impl McpCatalog {
    fn session(&self, principal: &Principal, id: &str) -> RuntimeSession {
        RuntimeSession::new(id, principal.clone(), self.runtime.clone())
            .direct_tools(self.direct_tools)
    }

    /// How many sessions are open.
    #[must_use]
    pub fn open_sessions(&self) -> usize {
        self.sessions.borrow().len()
    }

    /// Ends the runtime: what runs is awaited, sources are given back.
    pub async fn close(&self) {
        self.runtime.close().await;
    }
}

impl McpCatalogProvider for McpCatalog {
    fn open(
        &self,
        principal: &Principal,
        id: &str,
        bound: usize,
    ) -> LocalBoxFuture<'static, Result<Rc<dyn McpSession>, NotOpen>> {
        let mut sessions = self.sessions.borrow_mut();
        if sessions.len() >= bound.min(CONNECTIONS) {
            return async { Err(NotOpen::Full) }.boxed_local();
        }
        let session = self.session(principal, id);
        sessions.insert(id.to_owned(), session.clone());
        async { Ok(Rc::new(session) as Rc<dyn McpSession>) }.boxed_local()
    }

    fn resume(
        &self,
        principal: &Principal,
        id: &str,
    ) -> LocalBoxFuture<'static, Result<Option<Rc<dyn McpSession>>, NotOpen>> {
        let session = self.sessions.borrow().get(id).cloned();
        let own = session.filter(|session| session.principal().is(principal));
        let session = own.map(|session| Rc::new(session) as Rc<dyn McpSession>);
        async { Ok(session) }.boxed_local()
    }

    fn refresh(
        &self,
        principal: &Principal,
        _: Moment,
    ) -> LocalBoxFuture<'static, Result<Rc<Authority>, Unreadable>> {
        let loading = (self.load)(principal);
        async move {
            let Loaded { instructions, sources, grants } = loading.await?;
            let grants = Some(Rc::new(grants));
            Ok(Rc::new(Authority { instructions, sources: Some(sources), grants, live: None }))
        }
        .boxed_local()
    }

    fn end(&self, principal: &Principal, id: &str) -> LocalBoxFuture<'static, ()> {
        let mut sessions = self.sessions.borrow_mut();
        if sessions.get(id).is_some_and(|session| session.principal().is(principal)) {
            sessions.remove(id);
        }
        async {}.boxed_local()
    }

    fn visit(&self, principal: &Principal) -> Rc<dyn McpSession> {
        Rc::new(self.session(principal, ""))
    }
}
