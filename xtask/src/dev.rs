//! The Worker on this machine, for as long as the reader wants it.

use std::env;

use crate::{
    build::{self, Plan, Profile},
    failure::Failure,
    progress::note,
    server::{self, Options, Server},
    setup,
    workspace::Workspace,
};

/// The port when `PORT` says no other: wrangler's own habit.
const PORT: u16 = 8787;

/// Starts the Worker on `PORT` and returns when it was stopped.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    // Before the build: minutes later is late to hear that the port is taken.
    let port = server::free_port(Some(port(env::var("PORT").ok())?))?;
    let options = Options {
        profile: Profile::WorkerTest,
        port: Some(port),
        log: None,
        state: workspace.wrangler_state().join("state"),
    };
    let node = setup::run(workspace)?;
    build::run(workspace, &Plan::worker(workspace, options.profile))?;
    let server = Server::start(workspace, &node, &options)?;
    note(&format!(
        "ready: connect an MCP client to {} (Streamable HTTP); Ctrl-C stops it",
        server.mcp()
    ));
    server.wait()
}

fn port(text: Option<String>) -> Result<u16, Failure> {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(PORT) };
    text.parse().ok().filter(|port| *port > 0).ok_or_else(|| {
        Failure::usage(format!("PORT is a whole number from 1 to 65535, not {text:?}"))
    })
}

#[cfg(test)]
mod tests {
    use super::port;

    #[test]
    fn a_port_is_a_number_that_can_be_listened_on() {
        assert_eq!(port(None).unwrap(), 8787);
        assert_eq!(port(Some(String::new())).unwrap(), 8787);
        assert_eq!(port(Some("9000".into())).unwrap(), 9000);
        for text in ["0", "65536", "-1", "80 ", "http", "8787;ls"] {
            assert!(port(Some(text.into())).is_err(), "{text}");
        }
    }
}
