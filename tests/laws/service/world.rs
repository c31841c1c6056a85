//! A caller with functions that say what happens to them.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    Module, Operation,
    operation::Access,
    runtime::{Counters, Status, access::Grants},
    service::{self, Argument, Functions, Host as Service, Method, Remote, RemoteError},
    testing::{DirectBindings, DirectError, Host, direct_sandbox},
};
use serde_json::{Value, json};

/// What a function answers.
pub(crate) type Answer = Box<dyn Fn(Vec<Value>) -> Result<Value, RemoteError>>;

/// A caller's function.
pub(crate) struct Fake {
    answer: Answer,
    pub(crate) calls: RefCell<Vec<Vec<Value>>>,
    pub(crate) disposed: Cell<u32>,
}

impl Fake {
    pub(crate) fn new(
        answer: impl Fn(Vec<Value>) -> Result<Value, RemoteError> + 'static,
    ) -> Rc<Self> {
        let (calls, disposed) = (RefCell::default(), Cell::new(0));
        Rc::new(Self { answer: Box::new(answer), calls, disposed })
    }

    /// Answers with what it is given.
    pub(crate) fn echo() -> Rc<Self> {
        Self::new(|mut arguments| Ok(arguments.remove(0)))
    }
}

impl Remote for Fake {
    fn call(&self, arguments: Vec<Value>) -> LocalBoxFuture<'static, Result<Value, RemoteError>> {
        self.calls.borrow_mut().push(arguments.clone());
        let answer = match self.disposed.get() {
            0 => (self.answer)(arguments),
            _ => Err(RemoteError::Gone),
        };
        async move { answer }.boxed_local()
    }

    fn dispose(&self) {
        self.disposed.set(self.disposed.get() + 1);
    }
}

/// The host's own modules: `files`, whose id is `files`, and `secret`.
fn modules() -> Vec<Module> {
    let operation = || Operation::new(json!({}), |_, _| async { Ok(json!("the host's")) });
    vec![
        Module::new("files", "files")
            .operation("read", operation().access(Access::Read))
            .operation("write", operation()),
        Module::new("secret", "secret").operation("read", operation()),
    ]
}

/// A host whose programs are `callback`, which grants `granted` to services.
pub(crate) fn service<F, R>(host: &Host, granted: Value, callback: F) -> Service
where
    F: Fn(DirectBindings) -> R + 'static,
    R: Future<Output = Result<Value, DirectError>> + 'static,
{
    let sandbox = direct_sandbox(move |bindings, _| callback(bindings));
    let options = host.options(modules(), sandbox);
    let status = Rc::new(|| Status::new(&Counters::default(), &[]));
    Service { options, granted: Grants::parse(&granted).unwrap(), status }
}

/// A request with the functions at these places.
pub(crate) fn argument(value: Value, functions: &[(&str, &Rc<Fake>)]) -> Argument {
    let functions = functions.iter().map(|(path, fake)| {
        let fake: Rc<dyn Remote> = Rc::clone(*fake) as _;
        ((*path).to_owned(), fake)
    });
    Argument { value, functions: Functions::new(functions) }
}

/// The module `crm` of the caller, whose one operation `find` is at [`FIND`].
pub(crate) fn crm(operation: Value) -> Value {
    let mut find = json!({"input": {"type": "object"}, "execute": null});
    find.as_object_mut().unwrap().extend(operation.as_object().unwrap().clone());
    json!([{"id": "crm", "name": "crm", "description": "Customers.", "operations": {"find": find}}])
}

/// Where the function of [`crm`] is.
pub(crate) const FIND: &str = "/modules/0/operations/find/execute";

/// Runs a program to its end.
pub(crate) fn executed(host: &Host, service: Service, argument: Argument) -> Value {
    let (_, reply) = service::begin(service, Ok(argument));
    serde_json::from_str(&host.run(reply).unwrap()).unwrap()
}

/// Asks a method.
pub(crate) fn asked(host: &Host, service: Service, method: &str, argument: Argument) -> Value {
    let reply = service::serve(service, Method::named(method).unwrap(), Ok(argument));
    serde_json::from_str(&host.run(reply).unwrap()).unwrap()
}

/// A program that calls `path` once.
pub(crate) fn calling(
    path: &'static str,
    input: Value,
) -> impl Fn(DirectBindings) -> LocalBoxFuture<'static, Result<Value, DirectError>> {
    move |bindings| {
        let call = bindings.call(path, input.clone());
        call.boxed_local()
    }
}
