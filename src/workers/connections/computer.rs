//! Computers: in another Worker, over a service binding, or over HTTPS.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::Value;
use worker::Env;

use super::{
    super::ports::{self, BoundSecrets, PlatformFetch},
    binding, files,
    rpc::Remote,
};
use crate::{
    config::{self, ConnectionRow, Reached},
    knapsack::{
        computer::{Computer, ComputerError, Connection, HttpsComputer, answer, call_body},
        computers::{ComputerList, Computers, Unavailable, UnavailableObserver, WhyUnavailable},
    },
    limits::{ADVERTISEMENT_BYTES, CONNECT_AGAIN_MS, FRAME_BYTES},
    operation::Context,
    runtime::Source,
};

thread_local! {
    // What computers said of themselves, and when; finished values only.
    static SEEN: RefCell<BTreeMap<String, Seen>> = const { RefCell::new(BTreeMap::new()) };
}

/// What is known of a computer.
#[derive(Clone)]
enum Seen {
    Described { advertisement: Rc<Value>, at_ms: u64 },
    Missing { problem: String },
}

/// Whether there is what it is reached by.
pub(super) fn check(computer: &config::Computer, env: &Env) -> Result<(), String> {
    connection("computer", computer, env).map(drop)
}

/// The computer `name` for one runtime.
pub(super) fn connection(
    name: &str,
    computer: &config::Computer,
    env: &Env,
) -> Result<Connection, String> {
    let asked: Rc<dyn Computer> = match &computer.reached {
        Reached::Service(service) => {
            Rc::new(ServiceComputer(Remote::new(binding(env, service, "services")?)))
        }
        Reached::Url(url) => {
            let secrets = BoundSecrets::new(env.into());
            let headers = computer.credential.as_ref().map(|one| one.headers(&secrets));
            let headers = headers.transpose().map_err(str::to_owned)?.unwrap_or_default();
            let fetch = Rc::new(PlatformFetch);
            Rc::new(HttpsComputer::new(fetch, url, headers).map_err(|error| error.to_string())?)
        }
    };
    let remembered = Remembered { name: name.to_owned(), computer: asked };
    let mut connection = Connection::new(name, name, Rc::new(remembered))
        .namespace(computer.namespace.clone())
        .confirm_calls(computer.confirm);
    if let Some(own) = &computer.files {
        connection = connection.files(Rc::new(files::port(own, env)?));
    }
    Ok(connection)
}

/// The source of all that answer.
pub(super) fn source(connections: Vec<Connection>) -> Rc<dyn Source> {
    let computers = Computers::new(ComputerList::new(connections), ports::ports());
    Rc::new(computers.on_unavailable(Rc::new(Noting)))
}

/// A row with what is known of its computer by now, if it is one.
pub(super) fn seen(mut row: ConnectionRow) -> ConnectionRow {
    match SEEN.with_borrow(|seen| seen.get(&row.name).cloned()) {
        Some(Seen::Described { advertisement, .. }) => {
            let operations = advertisement.get("operations").and_then(Value::as_object);
            row.operations = operations.map(serde_json::Map::len);
        }
        Some(Seen::Missing { problem }) => row.problem = Some(problem),
        None => {}
    }
    row
}

/// Notes which computers were left out, for the status; the log has the evidence.
struct Noting;

impl UnavailableObserver for Noting {
    fn unavailable(&self, unavailable: Unavailable) -> LocalBoxFuture<'static, ()> {
        let problem = match &unavailable.why {
            WhyUnavailable::Failed { .. } => "it can't be used: the log says why".to_owned(),
            why => why.to_string(),
        };
        SEEN.with_borrow_mut(|seen| seen.insert(unavailable.name, Seen::Missing { problem }));
        async {}.boxed_local()
    }
}

/// A computer whose advertisement is kept for a while, since a runtime may live for one
/// request.
struct Remembered {
    name: String,
    computer: Rc<dyn Computer>,
}

impl Computer for Remembered {
    fn describe(&self) -> LocalBoxFuture<'static, Result<Value, ComputerError>> {
        let clock = ports::ports().clock;
        let known = SEEN.with_borrow(|seen| match seen.get(&self.name) {
            Some(Seen::Described { advertisement, at_ms })
                if clock.now_ms().saturating_sub(*at_ms) < CONNECT_AGAIN_MS =>
            {
                Some(Rc::clone(advertisement))
            }
            _ => None,
        });
        if let Some(known) = known {
            return async move { Ok((*known).clone()) }.boxed_local();
        }
        let (name, described) = (self.name.clone(), self.computer.describe());
        async move {
            let advertisement = described.await?;
            let (kept, at_ms) = (Rc::new(advertisement.clone()), clock.now_ms());
            let described = Seen::Described { advertisement: kept, at_ms };
            SEEN.with_borrow_mut(|seen| seen.insert(name, described));
            Ok(advertisement)
        }
        .boxed_local()
    }

    fn call(
        &self,
        operation: String,
        input: Value,
        context: Context,
    ) -> LocalBoxFuture<'static, Result<Value, ComputerError>> {
        self.computer.call(operation, input, context)
    }
}

/// A computer in another Worker: `describe()` gives the advertisement, `call({operation,
/// input, context})` gives `{value}` or `{error: {message}}`, and `cancel(context)`, if there
/// is one, hears of calls that were given up.
struct ServiceComputer(Remote);

impl Computer for ServiceComputer {
    fn describe(&self) -> LocalBoxFuture<'static, Result<Value, ComputerError>> {
        let asked = self.0.ask("describe", None, ADVERTISEMENT_BYTES);
        async move { asked.await.map_err(|evidence| ComputerError::NotDone { evidence }) }
            .boxed_local()
    }

    fn call(
        &self,
        operation: String,
        input: Value,
        context: Context,
    ) -> LocalBoxFuture<'static, Result<Value, ComputerError>> {
        let body = call_body(&operation, &input, &context);
        let asked = self.0.ask("call", Some(body.to_string()), FRAME_BYTES);
        let given_up = GivenUp { remote: self.0.clone(), context: body.get("context").cloned() };
        async move {
            let answered = asked.await;
            given_up.answered();
            // What was thrown says nothing of what was done before.
            answer(answered.map_err(|evidence| ComputerError::Unknown { evidence })?)
        }
        .boxed_local()
    }
}

/// A call that nobody waits for any more is told to the computer, by its context: no signal
/// crosses to another Worker. One without a method `cancel` isn't disturbed by that.
struct GivenUp {
    remote: Remote,
    context: Option<Value>,
}

impl GivenUp {
    /// There is an answer, so there is nothing to tell.
    fn answered(mut self) {
        self.context = None;
    }
}

impl Drop for GivenUp {
    fn drop(&mut self) {
        let Some(context) = self.context.take() else { return };
        let told = self.remote.ask("cancel", Some(context.to_string()), FRAME_BYTES);
        // Whatever comes of it: the outcome of the call is unknown as it is.
        ports::ports().background.spawn(told.map(drop).boxed_local());
    }
}
