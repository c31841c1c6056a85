//! The Worker as it is deployed without any Rust written: its configuration, and the example.

use std::cell::RefCell;

use worker::Env;

use super::App;
use crate::operation::Module;

thread_local! {
    // It needs no binding, so that it is made once an isolate.
    static EXAMPLE: RefCell<Option<Module>> = const { RefCell::new(None) };
}

fn build(_: &Env) -> App {
    let example = EXAMPLE.with_borrow_mut(|made| made.get_or_insert_with(crate::demo).clone());
    App::new().module(example)
}

crate::entry!(build);
