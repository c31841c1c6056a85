//! What the stateless Worker tells a connection's object, and back.
//!
//! Only the Worker can address an object, so its word is taken.

use worker::{Headers, Method, Request, RequestInit};

const SESSION: &str = "mycelium-session";
const PRINCIPAL: &str = "mycelium-principal";
const FRESH: &str = "mycelium-fresh";

/// One request on its way to an object.
pub(crate) struct Forwarded {
    /// The session's id.
    pub(crate) session: String,
    /// Whether the session was made for this request.
    pub(crate) fresh: bool,
    /// On whose behalf, as an owner key.
    pub(crate) principal: String,
    /// What was posted; none for DELETE.
    pub(crate) body: Option<String>,
}

impl Forwarded {
    /// The request as the object gets it.
    pub(crate) fn write(self, url: &str) -> worker::Result<Request> {
        let headers = Headers::new();
        headers.set(SESSION, &self.session)?;
        headers.set(PRINCIPAL, &self.principal)?;
        if self.fresh {
            headers.set(FRESH, "1")?;
        }
        let method = if self.body.is_some() { Method::Post } else { Method::Delete };
        let mut init = RequestInit::new();
        init.with_method(method).with_headers(headers).with_body(self.body.map(Into::into));
        Request::new_with_init(url, &init)
    }

    /// The request as the Worker sent it.
    pub(crate) async fn read(mut request: Request) -> worker::Result<Self> {
        let session = request.headers().get(SESSION)?.unwrap_or_default();
        let principal = request.headers().get(PRINCIPAL)?.unwrap_or_default();
        let fresh = request.headers().get(FRESH)?.is_some();
        let body = match request.method() {
            Method::Post => Some(request.text().await?),
            _ => None,
        };
        Ok(Self { session, fresh, principal, body })
    }
}
