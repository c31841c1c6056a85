//! Computers.

mod advertisement;
mod fake;
mod https;
mod list;

use std::{cell::RefCell, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    Failure, Mycelium,
    knapsack::{
        computer::Connection,
        computers::{ComputerList, Computers, Unavailable, UnavailableObserver},
    },
    runtime::{Lease, Source},
    testing::{Host, direct_sandbox},
};
use serde_json::json;

use self::fake::Fake;

/// What a host was told of computers left out.
#[derive(Clone, Default)]
pub(super) struct Told(pub(super) Rc<RefCell<Vec<Unavailable>>>);

impl UnavailableObserver for Told {
    fn unavailable(&self, unavailable: Unavailable) -> LocalBoxFuture<'static, ()> {
        self.0.borrow_mut().push(unavailable);
        async {}.boxed_local()
    }
}

impl Told {
    pub(super) fn names(&self) -> Vec<String> {
        self.0.borrow().iter().map(|told| told.name.clone()).collect()
    }
}

pub(super) fn connection(name: &str, computer: &Fake) -> Connection {
    Connection::new(&format!("test-{name}"), name, Rc::new(computer.clone()))
        .namespace(["computers"])
}

pub(super) fn runtime(host: &Host, source: impl Source + 'static) -> Mycelium {
    let sandbox = direct_sandbox(|_, _| async { Ok(json!(null)) });
    let mut options = host.options(Vec::new(), sandbox);
    options.sources = vec![Rc::new(source)];
    Mycelium::open(options).unwrap()
}

pub(super) fn lease(host: &Host, runtime: &Mycelium) -> Result<Lease, Failure> {
    let runtime = runtime.clone();
    host.run(async move { runtime.acquire(None).await }).unwrap()
}

pub(super) fn paths(lease: &Lease) -> Vec<String> {
    lease.catalog().entries().iter().map(|entry| entry.path().to_owned()).collect()
}

pub(super) fn computers(host: &Host, list: &ComputerList, told: &Told) -> Computers {
    Computers::new(list.clone(), host.ports()).on_unavailable(Rc::new(told.clone()))
}
