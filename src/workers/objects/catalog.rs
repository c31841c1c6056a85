//! The Worker's catalog: one runtime, sessions in objects, places in the principal's.

use std::rc::Rc;

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::Value;
use worker::{Env, Response};

use super::super::http::Order;
use crate::{
    config::{GrantRules, SessionRule},
    mcp::{Authority, McpCatalogProvider, McpSession, McpTool, NotOpen, Principal, RuntimeSession},
    runtime::{
        Mycelium,
        access::{Grants, Moment, SessionGrants, Unreadable},
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

/// Tells the principal's object an order.
async fn told(
    env: &Env,
    owner: &str,
    order: &Order,
    body: Option<&str>,
) -> worker::Result<Response> {
    let object = env.durable_object(PRINCIPALS)?.get_by_name(owner)?;
    object.fetch_with_request(order.request("https://principal/", body)?).await
}

/// What the principal's object says of the grants of its sessions.
async fn grants_told(
    env: &Env,
    principal: &Principal,
    order: &Order,
    body: Option<&str>,
) -> Result<Option<Grants>, String> {
    let asked = async {
        let mut response = told(env, &principal.digest(), order, body).await?;
        Ok::<_, worker::Error>((response.status_code(), response.text().await?))
    };
    let (status, text) = asked.await.map_err(|error| error.to_string())?;
    if status != 200 {
        return Err(format!("the principal's object says {status}"));
    }
    match serde_json::from_str(&text).map_err(|error| error.to_string())? {
        Value::Null => Ok(None),
        said => Grants::parse(&said).map(Some).map_err(|error| error.to_string()),
    }
}

/// Puts `grants` in the place of those that the principal's sessions had, and gives those,
/// where they could be read.
///
/// # Errors
///
/// A text for the operator.
pub(crate) async fn set_grants(
    env: &Env,
    principal: &Principal,
    grants: &Grants,
) -> Result<Option<Grants>, String> {
    let body = grants.to_json().to_string();
    grants_told(env, principal, &Order::SetGrants {}, Some(&body)).await
}

/// What a principal has at each moment: what is written, under the grants of its sessions.
struct PrincipalGrants {
    env: Env,
    rules: GrantRules,
    principal: Principal,
}

impl SessionGrants for PrincipalGrants {
    fn read(&self, _: Moment) -> LocalBoxFuture<'static, Result<Rc<Grants>, Unreadable>> {
        let (env, rules, principal) =
            (self.env.clone(), self.rules.clone(), self.principal.clone());
        async move {
            let stored = grants_told(&env, &principal, &Order::TellGrants {}, None).await;
            let stored = stored.map_err(Unreadable::new)?;
            let stored = stored.ok_or_else(|| Unreadable::new("what is stored is no grants"))?;
            Ok(Rc::new(rules.under(&principal, &stored)))
        }
        .boxed_local()
    }
}

impl ObjectCatalog {
    fn session(&self, principal: &Principal, id: &str) -> Rc<dyn McpSession> {
        let session = RuntimeSession::new(id, principal.clone(), self.runtime.clone());
        Rc::new(session.tools(self.tools.clone()))
    }

    async fn seated(env: Env, owner: String, session: String) -> Result<(), NotOpen> {
        let order = Order::Admit { session, owner: owner.clone() };
        let asked = async {
            let mut response = told(&env, &owner, &order, None).await?;
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
        moment: Moment,
    ) -> LocalBoxFuture<'static, Result<Rc<Authority>, Unreadable>> {
        // A build for tests or benches grants all of its own modules, by the host's policy.
        let tried = cfg!(any(feature = "faults", feature = "bench"));
        let (env, rules, principal) = (self.env.clone(), self.grants.clone(), principal.clone());
        async move {
            if tried {
                return Ok(Rc::default());
            }
            if rules.session() == SessionRule::Off {
                let grants = Some(Rc::new(rules.of(&principal)));
                return Ok(Rc::new(Authority { grants, ..Authority::default() }));
            }
            let live = Rc::new(PrincipalGrants { env, rules, principal });
            let grants = Some(live.read(moment).await?);
            Ok(Rc::new(Authority { grants, live: Some(live), ..Authority::default() }))
        }
        .boxed_local()
    }

    fn end(&self, principal: &Principal, id: &str) -> LocalBoxFuture<'static, ()> {
        let owner = principal.digest();
        let order = Order::End { session: id.to_owned(), owner: owner.clone() };
        let env = self.env.clone();
        async move {
            if let Err(error) = told(&env, &owner, &order, None).await {
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
