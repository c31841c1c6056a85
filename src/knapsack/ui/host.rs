//! The browser host of one session: who asks, which pages hear it, and who waits how long.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::{Rc, Weak},
};

use futures::{
    FutureExt,
    channel::{
        mpsc::{UnboundedSender, unbounded},
        oneshot,
    },
    stream::LocalBoxStream,
};
use serde_json::Value;

use super::{
    command,
    exchange::{Ask, Exchange, Full, Held, Standing},
    failing::{Answer, Overdue, told},
    stream::{Open, body},
    waiting::{Asked, Stage},
    wire::{Claim, Event, Outcome, Sent},
};
use crate::{
    failure::{MESSAGE_BYTES, bounded},
    limits::BROWSER_GRACE_MS,
    operation::OperationError,
    port::Ports,
};

/// The events that a page may leave unread before its stream is cut; it comes back for
/// what still stands.
const UNREAD: usize = 256;

/// The browser host of one session. It lives for as long as a stream or a run holds it.
pub(super) struct BrowserHost {
    exchange: RefCell<Exchange>,
    answers: RefCell<BTreeMap<u64, oneshot::Sender<Answer>>>,
    streams: RefCell<BTreeMap<String, Written>>,
    closed: Cell<bool>,
    ports: Ports,
}

/// A page's open stream, as it is written to.
#[derive(Clone)]
struct Written {
    stream: u64,
    events: UnboundedSender<Event>,
}

/// What a page that claims is told.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Claimed {
    /// The request is its own; a command's input comes with it.
    Granted {
        /// What the result is sent with.
        claim: String,
        /// What the command is given.
        input: Option<Value>,
    },
    /// It isn't: it is another page's, or over.
    Refused(&'static str),
}

/// What a page that sends a result is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It was taken as it is.
    Whole,
    /// It was taken, and isn't what was declared.
    Unfit(String),
    /// It is no result that was waited for from this page.
    Refused,
}

impl BrowserHost {
    pub(super) fn new(ports: Ports) -> Self {
        Self {
            exchange: RefCell::default(),
            answers: RefCell::default(),
            streams: RefCell::default(),
            closed: Cell::new(false),
            ports,
        }
    }

    /// Asks the session's pages, and waits for the one that takes it. Dropping the future
    /// takes the request back.
    pub(super) async fn ask(self: Rc<Self>, ask: Ask) -> Result<Value, OperationError> {
        let command = match &ask {
            Ask::Discover => None,
            Ask::Execute { command, .. } => Some(command.clone()),
        };
        let answer = match self.post(ask) {
            Ok((id, answer)) => {
                let asked = Asked { host: Rc::clone(&self), id };
                asked.answered(Rc::clone(&self.ports.timer), answer).await
            }
            Err(overdue) => Err(overdue),
        };
        told(command.as_deref(), answer)
    }

    fn post(&self, ask: Ask) -> Result<(u64, oneshot::Receiver<Answer>), Overdue> {
        if self.closed.get() {
            return Err(Overdue::Closed { claimed: false });
        }
        let mut event = Event::request(0, &ask);
        let asked = self.exchange.borrow_mut().ask(ask);
        let number = asked.map_err(|Full| Overdue::Full)?;
        if let Event::Request { id, .. } = &mut event {
            *id = number;
        }
        let (send, answer) = oneshot::channel();
        self.answers.borrow_mut().insert(number, send);
        let pages: Vec<String> = self.streams.borrow().keys().cloned().collect();
        for page in pages {
            self.say(&page, event.clone());
        }
        Ok((number, answer))
    }

    /// Opens a page's stream: the page of `last_event`, when it is one of this host's.
    pub(super) fn attach(
        self: &Rc<Self>,
        last_event: Option<&str>,
    ) -> Result<LocalBoxStream<'static, String>, Full> {
        let fresh = self.ports.name();
        let attached = self.exchange.borrow_mut().attach(last_event.map(str::trim), fresh)?;
        let (client, stream) = (attached.client.clone(), attached.stream);
        let (events, unread) = unbounded();
        let written = Written { stream, events };
        // What it replaces is the stream that the page lost.
        let replaced = self.streams.borrow_mut().insert(client.clone(), written);
        drop(replaced);
        self.say(&client, Event::open(&attached));
        for id in attached.waiting {
            let event = self.standing(id, |standing| match standing {
                Standing::Waiting(ask) | Standing::Claimed(ask, _) => Event::request(id, ask),
            });
            event.into_iter().for_each(|event| self.say(&client, event));
        }
        let open = Open { host: Rc::clone(self), client, stream };
        Ok(body(unread, Rc::clone(&self.ports.timer), open))
    }

    /// A page wants a request. What it says of a command is held to its rules, and what
    /// the command is given to what it says.
    pub(super) fn claim(&self, claim: Claim) -> Claimed {
        let Claim { client, request, said } = claim;
        if !self.exchange.borrow().knows(&client) {
            return Claimed::Refused("this page has no open stream: open it, then claim");
        }
        let found = self.standing(request, |standing| match standing {
            Standing::Waiting(ask) => Ok(ask.clone()),
            // Its first answer may have been lost on the way.
            Standing::Claimed(ask, held) if held.client == client => {
                Err(granted(held.claim.clone(), ask))
            }
            Standing::Claimed(..) => Err(Claimed::Refused("another page has claimed it")),
        });
        let ask = match found {
            None => return Claimed::Refused("it is over, or never was"),
            Some(Err(answered)) => return answered,
            Some(Ok(ask)) => ask,
        };
        let output = match &ask {
            Ask::Discover => None,
            Ask::Execute { command, input } => match command::admitted(command, input, said) {
                Ok(output) => Some(output),
                Err(error) => {
                    drop(self.exchange.borrow_mut().withdraw(request));
                    self.end(request, Answer::Ended(Err(error)));
                    return Claimed::Refused("it was ended: the program is told why");
                }
            },
        };
        let held = Held { client, claim: self.ports.name(), output };
        let told = granted(held.claim.clone(), &ask);
        let given = self.exchange.borrow_mut().claim(request, held);
        if given { told } else { Claimed::Refused("it is over, or never was") }
    }

    /// A page sends a result.
    pub(super) fn take(&self, sent: Sent) -> Taken {
        let Sent { client, request, claim, outcome } = sent;
        let settled = self.exchange.borrow_mut().settle(request, &client, &claim);
        let Ok((ask, held)) = settled else { return Taken::Refused };
        let (answer, taken) = match outcome {
            Outcome::Gone => (Answer::Gone, Taken::Whole),
            Outcome::Failed(message) => {
                let message = bounded(&message, MESSAGE_BYTES);
                (Answer::Ended(Err(OperationError::new(message))), Taken::Whole)
            }
            Outcome::Value(value) => match fit(&ask, &held, value) {
                Ok(value) => (Answer::Ended(Ok(value)), Taken::Whole),
                Err(problem) => {
                    let error = OperationError::output(problem.clone());
                    (Answer::Ended(Err(error)), Taken::Unfit(problem))
                }
            },
        };
        self.end(request, answer);
        taken
    }

    /// Ends every stream and every request.
    pub(super) fn close(&self) {
        self.closed.set(true);
        let over = self.exchange.borrow_mut().close();
        drop(self.streams.take());
        for (id, claimed) in over {
            self.end(id, Answer::Closed { claimed });
        }
    }

    /// Nobody waits for a request any more; the page that holds it is told.
    pub(super) fn withdraw(&self, id: u64) {
        let withdrawn = self.exchange.borrow_mut().withdraw(id);
        let waiting = self.answers.borrow_mut().remove(&id);
        drop(waiting);
        if let Some(Some(Held { client, .. })) = withdrawn {
            self.say(&client, Event::Withdrawn { id });
        }
    }

    fn standing<T>(&self, id: u64, look: impl FnOnce(Standing<'_>) -> T) -> Option<T> {
        self.exchange.borrow().standing(id).map(look)
    }

    fn end(&self, id: u64, answer: Answer) {
        let waiting = self.answers.borrow_mut().remove(&id);
        // Whoever waited may be gone.
        waiting.into_iter().for_each(|waiting| drop(waiting.send(answer.clone())));
    }

    /// Writes to a page, if its stream is open; one that doesn't read is cut.
    fn say(&self, client: &str, event: Event) {
        let written = self.streams.borrow().get(client).cloned();
        let Some(Written { events, .. }) = written else { return };
        if events.len() >= UNREAD || events.unbounded_send(event).is_err() {
            let cut = self.streams.borrow_mut().remove(client);
            drop(cut);
        }
    }

    /// A stream is cut: its page has a while to come back.
    pub(super) fn cut(self: &Rc<Self>, client: &str, stream: u64) {
        if !self.exchange.borrow_mut().cut(client, stream) {
            return;
        }
        let mut streams = self.streams.borrow_mut();
        let own = streams.get(client).is_some_and(|written| written.stream == stream);
        let gone = if own { streams.remove(client) } else { None };
        drop(streams);
        drop(gone);
        let (host, client) = (Rc::downgrade(self), client.to_owned());
        let grace = self.ports.timer.sleep(BROWSER_GRACE_MS);
        self.ports.background.spawn(
            async move {
                grace.await;
                forget(&host, &client, stream);
            }
            .boxed_local(),
        );
    }

    /// Why a request's time is over at the end of `stage`, if it is.
    pub(super) fn overdue(&self, id: u64, stage: Stage) -> Option<Overdue> {
        let exchange = self.exchange.borrow();
        let waiting = matches!(exchange.standing(id), Some(Standing::Waiting(_)));
        match stage {
            Stage::Open => (waiting && !exchange.is_open()).then_some(Overdue::NoPage),
            Stage::Claim => waiting.then_some(Overdue::Unclaimed),
            Stage::Run => Some(Overdue::Unanswered),
        }
    }
}

fn granted(claim: String, ask: &Ask) -> Claimed {
    let input = match ask {
        Ask::Discover => None,
        Ask::Execute { input, .. } => Some(input.clone()),
    };
    Claimed::Granted { claim, input }
}

/// What a program is given of a page's value; a problem when it isn't what was declared.
fn fit(ask: &Ask, held: &Held, value: Value) -> Result<Value, String> {
    match ask {
        Ask::Discover => command::shown(&value)
            .map_err(|problem| format!("the app's declaration is refused: {problem}")),
        Ask::Execute { command, .. } => match &held.output {
            None => Ok(value),
            Some(schema) => schema
                .validate(&value)
                .map(|()| value)
                .map_err(|error| format!("the command {command}: {error}")),
        },
    }
}

fn forget(host: &Weak<BrowserHost>, client: &str, stream: u64) {
    // Without it nobody waits either.
    let Some(host) = host.upgrade() else { return };
    let held = host.exchange.borrow_mut().forget(client, stream);
    for id in held {
        host.end(id, Answer::Gone);
    }
}
