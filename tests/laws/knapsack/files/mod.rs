//! Files.

pub(crate) mod bucket;
mod module;
mod patches;
mod ports;
mod search;

use futures::executor::block_on;
use mycelium::{
    Catalog, Failure,
    knapsack::files::{Files, FilesPort},
    operation::{Context, Fault},
};
use serde_json::Value;
use std::rc::Rc;

pub(super) fn context() -> Context {
    Context::builder().build()
}

pub(super) fn catalog(port: Rc<dyn FilesPort>) -> Catalog {
    Catalog::new([Files::new(port).module("test-files", "files")]).unwrap()
}

/// Calls an operation of the module over `port`.
pub(super) fn call(
    port: &Rc<dyn FilesPort>,
    operation: &str,
    input: Value,
) -> Result<Value, Failure> {
    let path = format!("files.{operation}");
    let catalog = catalog(Rc::clone(port));
    let callable = catalog.find(&path).unwrap_or_else(|| panic!("there is {path}")).operation();
    let ran = callable.decode(input).and_then(|decoded| block_on(decoded.run(context())));
    ran.map_err(|fault: Fault| fault.failure(&path).0)
}

/// The code of the failure that a call comes to.
pub(super) fn code(port: &Rc<dyn FilesPort>, operation: &str, input: Value) -> &'static str {
    match call(port, operation, input) {
        Ok(value) => panic!("it succeeded: {value}"),
        Err(failure) => failure.code(),
    }
}
