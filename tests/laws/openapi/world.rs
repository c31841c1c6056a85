//! A document, its table, and a server that a test writes.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use mycelium::{
    Catalog,
    failure::Failure,
    forage::openapi::{Options, Preview, Table, normalize_open_api},
    knapsack::openapi::{ConnectionOptions, ConnectionPorts, Credential, Server, module},
    operation::{Cancellation, Context},
    port::{
        Secrets,
        fetch::{Fetch, Request},
    },
    testing::{FakeFetch, Host, Reply},
};
use serde_json::{Value, json};

/// Where the connections of the tests go.
pub(super) const SERVER: &str = "https://api.example/v1";

/// A document of 3.1 with these paths.
pub(super) fn document(paths: &Value) -> Value {
    json!({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": paths})
}

/// A document of 3.0 with these paths.
pub(super) fn document_30(paths: &Value) -> Value {
    let mut document = document(paths);
    document["openapi"] = json!("3.0.3");
    document
}

pub(super) fn taken(document: &Value, options: Options) -> Preview {
    normalize_open_api(&document.to_string(), options).unwrap_or_else(|error| panic!("{error}"))
}

/// The codes of the reasons for which `selector` isn't offered; none when it is.
pub(super) fn codes(document: &Value, options: Options, selector: &str) -> Vec<&'static str> {
    let preview = taken(document, options);
    if preview.offered().iter().any(|offered| offered.selector == selector) {
        return Vec::new();
    }
    let mut unsupported = preview.unsupported().iter();
    let found = unsupported.find(|found| found.selector == selector);
    let found = found.unwrap_or_else(|| panic!("{selector} is neither offered nor left out"));
    found.reasons.iter().map(|reason| reason.code().as_str()).collect()
}

/// A parameter with this schema.
pub(super) fn parameter(name: &str, place: &str, schema: &Value) -> Value {
    json!({"name": name, "in": place, "required": place == "path", "schema": schema})
}

struct Known(BTreeMap<String, String>);

impl Secrets for Known {
    fn secret(&self, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }
}

/// A connection to a server that answers as a test says.
pub(super) struct Connected {
    pub(super) host: Host,
    pub(super) network: FakeFetch,
    catalog: Catalog,
    pub(super) cancellation: Cancellation,
}

/// What an owner chose, for tests that change it.
pub(super) fn chosen() -> ConnectionOptions {
    ConnectionOptions::new(Server::new(SERVER).unwrap())
}

pub(super) fn with_credential(credential: Credential) -> ConnectionOptions {
    let mut options = chosen();
    options.credential = credential;
    options
}

impl Connected {
    pub(super) fn new(
        table: &Table,
        options: &ConnectionOptions,
        reply: impl Fn(&Request) -> Reply + 'static,
    ) -> Self {
        let host = Host::new();
        let network = FakeFetch::new(reply);
        let secrets = BTreeMap::from([
            ("TOKEN".to_owned(), "canary-token".to_owned()),
            ("LINES".to_owned(), "a\r\nX-Injected: 1".to_owned()),
        ]);
        let fetch: Rc<dyn Fetch> = Rc::new(network.clone());
        let ports = ConnectionPorts {
            fetch,
            secrets: Rc::new(Known(secrets)),
            timer: host.ports().timer,
            clock: host.ports().clock,
        };
        let module = module("example-api", "api", table, options, &ports)
            .unwrap_or_else(|error| panic!("{error}"));
        let catalog = Catalog::new([module]).unwrap();
        let cancellation = Cancellation::new(host.ports().handoff);
        Self { host, network, catalog, cancellation }
    }

    /// The only operation, called.
    pub(super) fn call(&self, input: Value) -> Result<Value, Failure> {
        let entry = self.catalog.entries()[0].clone();
        let answered = Rc::new(RefCell::new(None));
        let context = Context::builder().cancellation(self.cancellation.signal()).build();
        let kept = Rc::clone(&answered);
        self.host.run(async move {
            let work = async { entry.operation().decode(input)?.run(context).await };
            *kept.borrow_mut() = Some(work.await);
        });
        let answered = answered.borrow_mut().take().expect("the call ends");
        answered.map_err(|fault| fault.failure("api.call").0)
    }

    /// The one request that was sent.
    pub(super) fn sent(&self) -> Request {
        let mut requests = self.network.requests();
        assert_eq!(requests.len(), 1);
        requests.remove(0)
    }
}

/// The only operation of `paths`, connected.
pub(super) fn connected(document: &Value, options: Options) -> Connected {
    answering(document, options, &chosen(), |_| Reply::json(200, "{}"))
}

pub(super) fn answering(
    document: &Value,
    options: Options,
    chosen: &ConnectionOptions,
    reply: impl Fn(&Request) -> Reply + 'static,
) -> Connected {
    let preview = taken(document, options);
    let offered: Vec<_> = preview.offered().iter().map(|found| found.selector.clone()).collect();
    assert_eq!(offered.len(), 1, "{:?}", preview.unsupported());
    Connected::new(&preview.select(&offered).unwrap(), chosen, reply)
}

/// The URL that a call with `input` asks for, without the server.
pub(super) fn url(document: &Value, options: Options, input: Value) -> Result<String, Failure> {
    let connected = connected(document, options);
    connected.call(input)?;
    let url = connected.sent().url;
    Ok(url.strip_prefix(SERVER).unwrap().to_owned())
}
