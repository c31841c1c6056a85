//! A network that a test writes.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    rc::Rc,
};

use futures::{FutureExt, channel::oneshot, future::LocalBoxFuture};

use crate::port::fetch::{Answer, Body, Fetch, FetchError, Request};

/// How many requests of one invocation may be open at once; further ones wait
/// (worker-loader facts: the platform's bound on connections).
const CONNECTIONS: usize = 6;

/// What the network answers to one request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// An answer, its body in parts.
    Answer {
        /// The status.
        status: u16,
        /// The headers.
        headers: Vec<(String, String)>,
        /// The body's parts.
        parts: Vec<Vec<u8>>,
    },
    /// An answer whose body breaks off after these parts.
    BreaksOff {
        /// The status.
        status: u16,
        /// The body's parts before it breaks off.
        parts: Vec<Vec<u8>>,
    },
    /// An answer of status 200 whose body breaks off after these parts.
    Cut {
        /// The headers.
        headers: Vec<(String, String)>,
        /// The body's parts before it breaks off.
        parts: Vec<Vec<u8>>,
    },
    /// An answer of status 200 whose body says nothing more after these parts.
    Stalls {
        /// The headers.
        headers: Vec<(String, String)>,
        /// The body's parts.
        parts: Vec<Vec<u8>>,
    },
    /// An answer whose body never ends, each part the same.
    Endless {
        /// The part.
        part: Vec<u8>,
    },
    /// No answer, as this error says.
    Fails(FetchError),
    /// No answer, ever.
    Silent,
}

impl Reply {
    /// An answer with this status and JSON text.
    #[must_use]
    pub fn json(status: u16, text: &str) -> Self {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Self::Answer { status, headers, parts: vec![text.as_bytes().to_vec()] }
    }
}

/// A network whose every answer a test gives; it keeps the requests.
///
/// At most six requests are open at once, as on the platform: a request is open until
/// its answer's body has ended or was dropped.
#[derive(Clone)]
pub struct FakeFetch {
    reply: Rc<dyn Fn(&Request) -> Reply>,
    network: Rc<Network>,
}

#[derive(Default)]
struct Network {
    requests: RefCell<Vec<Request>>,
    open: Cell<usize>,
    most_open: Cell<usize>,
    waiting: RefCell<VecDeque<oneshot::Sender<()>>>,
}

impl FakeFetch {
    /// A network that answers as `reply` says.
    pub fn new(reply: impl Fn(&Request) -> Reply + 'static) -> Self {
        Self { reply: Rc::new(reply), network: Rc::default() }
    }

    /// The requests that were sent, in their order.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.network.requests.borrow().clone()
    }

    /// How many requests are open now.
    #[must_use]
    pub fn open(&self) -> usize {
        self.network.open.get()
    }

    /// How many were open at once at most.
    #[must_use]
    pub fn most_open(&self) -> usize {
        self.network.most_open.get()
    }
}

impl Fetch for FakeFetch {
    fn fetch(&self, request: Request) -> LocalBoxFuture<'static, Result<Answer, FetchError>> {
        let (reply, network) = (Rc::clone(&self.reply), Rc::clone(&self.network));
        async move {
            let connection = Connection::open(&network).await;
            network.requests.borrow_mut().push(request.clone());
            let scripted = |status, headers, parts: Vec<Vec<u8>>, end| {
                let body = Box::new(Scripted { parts: parts.into(), end, _connection: connection });
                Ok(Answer { status, headers, body })
            };
            match reply(&request) {
                Reply::Answer { status, headers, parts } => {
                    scripted(status, headers, parts, End::Whole)
                }
                Reply::BreaksOff { status, parts } => {
                    scripted(status, Vec::new(), parts, End::Broken)
                }
                Reply::Cut { headers, parts } => scripted(200, headers, parts, End::Broken),
                Reply::Stalls { headers, parts } => scripted(200, headers, parts, End::Silent),
                Reply::Endless { part } => {
                    scripted(200, Vec::new(), vec![part.clone()], End::Again(part))
                }
                Reply::Fails(error) => Err(error),
                Reply::Silent => std::future::pending().await,
            }
        }
        .boxed_local()
    }
}

/// One of the connections, given back when it is dropped.
struct Connection(Rc<Network>);

impl Connection {
    async fn open(network: &Rc<Network>) -> Self {
        while network.open.get() >= CONNECTIONS {
            let (wake, woken) = oneshot::channel();
            network.waiting.borrow_mut().push_back(wake);
            // A network that is gone wakes nobody, and then nobody waits.
            let _ = woken.await;
        }
        let open = network.open.get().saturating_add(1);
        network.open.set(open);
        network.most_open.set(network.most_open.get().max(open));
        Self(Rc::clone(network))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.open.set(self.0.open.get().saturating_sub(1));
        loop {
            let next = self.0.waiting.borrow_mut().pop_front();
            let Some(next) = next else { return };
            if next.send(()).is_ok() {
                return;
            }
        }
    }
}

/// How a body ends.
enum End {
    Whole,
    Broken,
    Silent,
    Again(Vec<u8>),
}

struct Scripted {
    parts: VecDeque<Vec<u8>>,
    end: End,
    _connection: Connection,
}

impl Body for Scripted {
    fn next(&mut self) -> LocalBoxFuture<'_, Result<Option<Vec<u8>>, FetchError>> {
        let next = loop {
            match (self.parts.pop_front(), &self.end) {
                (Some(part), _) if part.is_empty() => {}
                (Some(part), _) => break Ok(Some(part)),
                (None, End::Whole) => break Ok(None),
                (None, End::Broken) => {
                    break Err(FetchError::Broken { evidence: "the test cut it".to_owned() });
                }
                (None, End::Silent) => return std::future::pending().boxed_local(),
                (None, End::Again(part)) => self.parts.push_back(part.clone()),
            }
        };
        async { next }.boxed_local()
    }
}

impl std::fmt::Debug for FakeFetch {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("FakeFetch").field("open", &self.open()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use futures::{FutureExt, executor::block_on};

    use super::{FakeFetch, Reply};
    use crate::port::fetch::{Fetch, FetchError, Request};

    fn get() -> Request {
        let (method, url) = ("GET".to_owned(), "https://a.example/".to_owned());
        Request { method, url, headers: Vec::new(), body: None }
    }

    #[test]
    fn no_more_than_six_requests_are_open_at_once() {
        let network = FakeFetch::new(|_| Reply::json(200, "{}"));
        let mut answers: Vec<_> = (0..6).map(|_| block_on(network.fetch(get())).unwrap()).collect();
        let mut seventh = network.fetch(get());
        assert!((&mut seventh).now_or_never().is_none());
        answers.pop();
        assert!(seventh.now_or_never().is_some());
        drop(answers);
        assert_eq!((network.open(), network.most_open()), (0, 6));
        let silent = FakeFetch::new(|_| Reply::Silent);
        let mut waits: Vec<_> = (0..7).map(|_| silent.fetch(get())).collect();
        for wait in &mut waits {
            assert!(wait.now_or_never().is_none());
        }
        assert_eq!((silent.open(), silent.requests().len()), (6, 6));
        drop(waits);
        assert_eq!(silent.open(), 0);
    }

    #[test]
    fn an_answer_is_read_within_its_bound_and_no_further() {
        let network = FakeFetch::new(|_| Reply::Endless { part: vec![b'x'; 10] });
        let mut answer = block_on(network.fetch(get())).unwrap();
        let read = block_on(answer.bytes(25));
        assert_eq!(read, Err(FetchError::TooLarge { limit: 25 }));
        let (bytes, more) = block_on(answer.beginning(15)).unwrap();
        assert_eq!((bytes.len(), more), (15, true));
        for (limit, fits) in [(3, true), (2, false)] {
            let network = FakeFetch::new(|_| Reply::json(200, "abc"));
            let mut answer = block_on(network.fetch(get())).unwrap();
            assert_eq!(block_on(answer.bytes(limit)).is_ok(), fits);
        }
    }

    #[test]
    fn a_body_that_breaks_off_is_no_body() {
        let network =
            FakeFetch::new(|_| Reply::BreaksOff { status: 200, parts: vec![b"{}".to_vec()] });
        let mut answer = block_on(network.fetch(get())).unwrap();
        assert!(matches!(block_on(answer.bytes(25)), Err(FetchError::Broken { .. })));
    }

    #[test]
    fn a_request_shows_no_header_value() {
        let mut request = get();
        request.headers.push(("authorization".to_owned(), "canary".to_owned()));
        assert!(!format!("{request:?}").contains("canary"));
    }
}
