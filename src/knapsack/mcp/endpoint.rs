//! Where an MCP server is asked.

use std::{fmt, rc::Rc};

use super::ServerError;
use crate::knapsack::openapi::Server;

/// The one URL of an MCP server, or of whoever gives out its tokens.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint(Rc<str>);

impl Endpoint {
    /// The endpoint at `url`. Without TLS only on this machine.
    ///
    /// # Errors
    ///
    /// It isn't `https`, or has user information, a fragment, or a path that leads
    /// elsewhere.
    ///
    /// ```
    /// use mycelium::knapsack::mcp::Endpoint;
    /// assert!(Endpoint::new("https://mcp.example/mcp?team=7").is_ok());
    /// assert!(Endpoint::new("http://127.0.0.1:8787/mcp/").is_ok());
    /// assert!(Endpoint::new("http://mcp.example/mcp").is_err());
    /// ```
    pub fn new(url: &str) -> Result<Self, ServerError> {
        let (place, query) = url.split_once('?').unwrap_or((url, ""));
        Server::new(place).map_err(|error| ServerError::new(error.to_string()))?;
        let plain =
            |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%".contains(&byte);
        if !query.bytes().all(plain) {
            let rule = "the server's URL has a query of plain characters, the others as %20";
            return Err(ServerError::new(rule));
        }
        // As it is: to some servers `/mcp` and `/mcp/` are two places.
        Ok(Self(url.into()))
    }

    pub(super) fn url(&self) -> &str {
        &self.0
    }
}

/// Without the query, which some servers take secrets in.
impl fmt::Display for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.split('?').next().unwrap_or_default())
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
