//! The Worker's catalog: one runtime, sessions in objects, places in the principal's.

use std::rc::Rc;

use futures::{FutureExt, future::LocalBoxFuture};
use worker::{Env, Response};

use super::super::http::Order;
use crate::{
    config::GrantRules,
    mcp::{Authority, McpCatalogProvider, McpSession, McpTool, NotOpen, Principal, RuntimeSession},
    runtime::{
        Mycelium,
        access::{Moment, Unreadable},
    },
};

/// The binding of the principals' objects in `wrangler.toml`.
const PRINCIPALS: &str = "PRINCIPALS";

/// A catalog over `runtime`, of whoever is admitted.
pub(crate) struct ObjectCatalog {
    pub(crate) env: Env,
    pub(crate) runtime: Mycelium,
    pub(crate) tools: Vec<Rc<dyn McpTool>>,
    pub(crate) grants: GrantRules,
}

impl ObjectCatalog {
    fn session(&self, principal: &Principal, id: &str) -> Rc<dyn McpSession> {
        let session = RuntimeSession::new(id, principal.clone(), self.runtime.clone());
        Rc::new(session.tools(self.tools.clone()))
    }

    async fn told(env: Env, owner: String, order: Order) -> worker::Result<Response> {
        let object = env.durable_object(PRINCIPALS)?.get_by_name(&owner)?;
        object.fetch_with_request(order.request("https://principal/", None)?).await
    }

    async fn seated(env: Env, owner: String, session: String) -> Result<(), NotOpen> {
        let order = Order::Admit { session, owner: owner.clone() };
        let asked = async {
            let mut response = Self::told(env, owner, order).await?;
            response.text().await
        };
        match asked.await.as_deref() {
            Ok("\"seated\"") => Ok(()),
            Ok("\"full\"") => Err(NotOpen::Full),
            Ok(other) => Err(NotOpen::Unavailable(format!("the table of sessions says {other}"))),
            Err(error) => Err(NotOpen::Unavailable(format!("the table of sessions: {error}"))),
        }
    }
}

impl McpCatalogProvider for ObjectCatalog {
    fn open(
        &self,
        principal: &Principal,
        id: &str,
        _: usize,
    ) -> LocalBoxFuture<'static, Result<Rc<dyn McpSession>, NotOpen>> {
        let session = self.session(principal, id);
        let seated = Self::seated(self.env.clone(), principal.digest(), id.to_owned());
        async move { seated.await.map(|()| session) }.boxed_local()
    }

    fn resume(
        &self,
        principal: &Principal,
        id: &str,
    ) -> LocalBoxFuture<'static, Result<Option<Rc<dyn McpSession>>, NotOpen>> {
        self.open(principal, id, 0).map(|session| session.map(Some)).boxed_local()
    }

    fn refresh(
        &self,
        principal: &Principal,
        _: Moment,
    ) -> LocalBoxFuture<'static, Result<Rc<Authority>, Unreadable>> {
        // A build for tests or benches grants all of its own modules, by the host's policy.
        let tried = cfg!(any(feature = "faults", feature = "bench"));
        let grants = (!tried).then(|| Rc::new(self.grants.of(principal)));
        async { Ok(Rc::new(Authority { grants, ..Authority::default() })) }.boxed_local()
    }

    fn end(&self, principal: &Principal, id: &str) -> LocalBoxFuture<'static, ()> {
        let owner = principal.digest();
        let order = Order::End { session: id.to_owned(), owner: owner.clone() };
        let told = Self::told(self.env.clone(), owner, order);
        async move {
            if let Err(error) = told.await {
                // Its row ends by its own time.
                super::super::ports::ports()
                    .console
                    .warn(&format!("a session's end can't be noted: {error}"));
            }
        }
        .boxed_local()
    }

    fn visit(&self, principal: &Principal) -> Rc<dyn McpSession> {
        self.session(principal, "")
    }
}
