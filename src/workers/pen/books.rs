//! Books in objects, one a persona.

use futures::{FutureExt, future::LocalBoxFuture};
use worker::{Env, Method, RequestInit};

use super::super::objects::{PENS, PenOrder};
use crate::pen::{
    Persona,
    ledger::{Ledger, LedgerError, Order, Reply},
};

/// The books of the pens of one bucket: an id is one pen's, whichever connection wrote it.
pub(crate) struct ObjectBooks {
    env: Env,
    bucket: String,
}

impl ObjectBooks {
    /// The books of the bucket with this binding.
    pub(crate) fn new(env: Env, bucket: &str) -> Self {
        Self { env, bucket: bucket.to_owned() }
    }

    async fn asked(env: Env, name: String, body: String) -> worker::Result<String> {
        let object = env.durable_object(PENS)?.get_by_name(&name)?;
        let mut init = RequestInit::new();
        init.with_method(Method::Post).with_body(Some(body.into()));
        let request = worker::Request::new_with_init("https://pen/order", &init)?;
        object.fetch_with_request(request).await?.text().await
    }
}

/// The name of the object that has a persona's book. A persona's name has no `/`.
pub(crate) fn book(bucket: &str, persona: &Persona) -> String {
    format!("{bucket}/{persona}")
}

impl Ledger for ObjectBooks {
    fn ask(
        &self,
        persona: &Persona,
        order: Order,
    ) -> LocalBoxFuture<'static, Result<Reply, LedgerError>> {
        let (env, name) = (self.env.clone(), book(&self.bucket, persona));
        let order = PenOrder { persona: persona.clone(), order };
        async move {
            let unavailable = |evidence: String| LedgerError::Unavailable { evidence };
            let body = serde_json::to_string(&order);
            let body = body.map_err(|error| unavailable(error.to_string()))?;
            let text = Self::asked(env, name, body).await;
            let text = text.map_err(|error| unavailable(error.to_string()))?;
            let answer: Result<Reply, LedgerError> = serde_json::from_str(&text)
                .map_err(|error| unavailable(format!("the book's answer: {error}")))?;
            answer
        }
        .boxed_local()
    }
}
