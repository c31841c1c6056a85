//! Notes by topics: a Worker that is made with the library.
//!
//! Owns what its author writes: the operations, a source of modules that change, who is let
//! in, a `fetch` and an object. All else is the library's.

#![cfg(target_arch = "wasm32")]

mod authenticate;
mod module;
mod notebook;
mod shelf;
mod topics;

use mycelium::workers::App;
use worker::{Context, Env, Request, Response, event};

use authenticate::Passphrase;
use shelf::Shelf;
use topics::Topics;

/// What this Worker is made of, over the bindings of one context.
fn build(env: &Env) -> App {
    let (shelf, topics) = (Shelf::new(env.clone()), Topics::new(Shelf::new(env.clone())));
    App::new()
        .module(module::notes(&shelf, &topics))
        .source(topics)
        .authenticate(Passphrase::new(env.clone()))
}

mycelium::entry!(build);

/// A page of this Worker's own; the host answers all else.
#[event(fetch)]
async fn fetch(request: Request, env: Env, context: Context) -> worker::Result<Response> {
    match request.path().as_str() {
        "/" => Response::ok("Notes: connect an MCP client to /mcp."),
        _ => mycelium::workers::gate(request, env, &context).await,
    }
}
