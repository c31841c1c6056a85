//! The other end of the wire, in a test's hand.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    future::poll_fn,
    rc::Rc,
    task::{Poll, Waker},
};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::sandbox::{LoadError, Loader, Lost, SandboxRequest, Transport, TransportClosed};

/// A guest: what it says is put in its mouth, what it hears is kept.
#[derive(Default)]
pub(crate) struct Guest {
    to_host: RefCell<VecDeque<String>>,
    from_host: RefCell<Vec<String>>,
    waker: RefCell<Option<Waker>>,
    lost: RefCell<Option<Lost>>,
    deaf: Cell<bool>,
    connections: Cell<usize>,
    loads: Cell<usize>,
}

impl Guest {
    /// Sends a frame to the host.
    pub(crate) fn say(&self, frame: &str) {
        self.to_host.borrow_mut().push_back(frame.to_owned());
        self.wake();
    }

    /// Closes its end, after what it said.
    pub(crate) fn close(&self) {
        self.lose(Lost::Closed { code: 1_006, reason: String::new() });
    }

    /// Is lost, after what it said.
    pub(crate) fn lose(&self, lost: Lost) {
        self.lost.borrow_mut().get_or_insert(lost);
        self.wake();
    }

    /// From here on nothing can be sent to it.
    pub(crate) fn deafen(&self) {
        self.deaf.set(true);
    }

    /// The frames it heard, without the first, which starts the program.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.from_host.borrow().iter().skip(1).cloned().collect()
    }

    /// The frame that started the program.
    pub(crate) fn task(&self) -> String {
        self.from_host.borrow().first().cloned().unwrap_or_default()
    }

    /// How many of its connections the host hasn't dropped.
    pub(crate) fn connections(&self) -> usize {
        self.connections.get()
    }

    /// How many isolates were asked for.
    pub(crate) fn loads(&self) -> usize {
        self.loads.get()
    }

    fn wake(&self) {
        if let Some(waker) = self.waker.borrow_mut().take() {
            waker.wake();
        }
    }
}

/// The host's end.
struct Connection(Rc<Guest>);

impl Connection {
    fn open(guest: &Rc<Guest>) -> Self {
        guest.connections.set(guest.connections.get() + 1);
        Self(Rc::clone(guest))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.connections.set(self.0.connections.get() - 1);
    }
}

impl Transport for Connection {
    fn send(&self, frame: &str) -> Result<(), TransportClosed> {
        if self.0.deaf.get() {
            return Err(TransportClosed);
        }
        self.0.from_host.borrow_mut().push(frame.to_owned());
        Ok(())
    }

    fn next(&mut self) -> LocalBoxFuture<'_, Result<String, Lost>> {
        poll_fn(|context| {
            if let Some(frame) = self.0.to_host.borrow_mut().pop_front() {
                return Poll::Ready(Ok(frame));
            }
            if let Some(lost) = self.0.lost.borrow().clone() {
                return Poll::Ready(Err(lost));
            }
            *self.0.waker.borrow_mut() = Some(context.waker().clone());
            Poll::Pending
        })
        .boxed_local()
    }
}

/// How the loader fares.
#[derive(Clone, Debug)]
pub(crate) enum Loading {
    /// It connects at once.
    Connects,
    /// It fails.
    Fails(LoadError),
    /// It takes for ever.
    Hangs,
}

/// Makes connections to one guest.
pub(crate) struct GuestLoader {
    pub(crate) guest: Rc<Guest>,
    pub(crate) loading: Loading,
}

impl Loader for GuestLoader {
    fn load(
        &self,
        _: &SandboxRequest,
    ) -> LocalBoxFuture<'static, Result<Box<dyn Transport>, LoadError>> {
        self.guest.loads.set(self.guest.loads.get() + 1);
        let guest = Rc::clone(&self.guest);
        match self.loading.clone() {
            Loading::Connects => {
                async move { Ok(Box::new(Connection::open(&guest)) as Box<dyn Transport>) }
                    .boxed_local()
            }
            Loading::Fails(error) => async move { Err(error) }.boxed_local(),
            Loading::Hangs => futures::future::pending().boxed_local(),
        }
    }
}
