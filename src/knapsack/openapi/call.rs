//! One call, from its input to its output.

use futures::future::{Either, select};
use serde_json::Value;

use super::{ConnectionOptions, ConnectionPorts, answer, request};
use crate::{
    forage::openapi::{Entry, path::Template},
    operation::{Context, OperationError, Trace},
    port::within,
};

/// An operation of a connection.
pub(super) struct Call {
    pub(super) entry: Entry,
    pub(super) template: Template,
    pub(super) options: ConnectionOptions,
    pub(super) ports: ConnectionPorts,
}

impl Call {
    /// Sends the request for `input` and reads its answer, unless it is cancelled.
    pub(super) async fn run(
        &self,
        input: Value,
        context: Context,
    ) -> Result<Value, OperationError> {
        let timeout_ms = self.timeout_ms(&context);
        let work =
            Box::pin(within(&*self.ports.timer, timeout_ms, self.ask(&input, context.trace())));
        // What is dropped here aborts the request.
        match select(work, Box::pin(context.cancellation().cancelled())).await {
            Either::Left((Some(answered), _)) => answered,
            Either::Left((None, _)) => Err(OperationError::new(format!(
                "the server gave no whole answer within {timeout_ms} ms, and the request may \
                 have arrived: look before you send it again"
            ))),
            Either::Right(((), _)) => Err(OperationError::new(
                "the call was cancelled, and the request may have arrived: look before you \
                 send it again",
            )),
        }
    }

    async fn ask(&self, input: &Value, trace: Option<Trace>) -> Result<Value, OperationError> {
        let Self { entry, template, options, ports } = self;
        let credential = &options.credential;
        let query = credential.query_name();
        let mut request = request::build(entry, template, &options.server, query, input)
            .map_err(|unsayable| OperationError::input(unsayable.to_string()))?;
        let masked = credential.put(&*ports.secrets, &mut request).map_err(|problem| {
            OperationError::new(format!("{problem}, and nothing was sent: tell its owner"))
        })?;
        if let Some(trace) = trace {
            trace.put(&mut request.headers);
        }
        let mut answered =
            ports.fetch.fetch(request).await.map_err(|error| answer::unread(&error))?;
        answer::read(&mut answered, entry.answer, entry.method, options, &masked).await
    }

    /// The connection's own time, or what is left of the call's.
    fn timeout_ms(&self, context: &Context) -> u64 {
        let left = context
            .deadline_ms()
            .map(|deadline_ms| deadline_ms.saturating_sub(self.ports.clock.now_ms()));
        left.unwrap_or(u64::MAX).min(self.options.timeout_ms)
    }
}
