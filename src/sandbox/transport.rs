//! The connection to one isolate, and how it is made.

use futures::future::LocalBoxFuture;

use super::SandboxRequest;
use crate::failure::Failure;

/// The connection is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransportClosed;

/// Text frames to and from one isolate, in order.
///
/// Dropping it closes the connection and aborts the isolate's work. There is no
/// other way to end one, so no way out of a session can forget it: an isolate
/// whose connection stays open is kept for ever.
pub trait Transport {
    /// Sends one frame.
    ///
    /// # Errors
    ///
    /// [`TransportClosed`] when the isolate is gone.
    fn send(&self, frame: &str) -> Result<(), TransportClosed>;

    /// The next frame; none when the isolate has closed the connection.
    fn next(&mut self) -> LocalBoxFuture<'_, Option<String>>;
}

/// Why no isolate came to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// The program has a fault that only the isolate's own parser sees.
    Refused(Failure),
    /// The platform failed; the text is evidence for the operator only.
    Platform(String),
}

/// Makes isolates.
pub trait Loader {
    /// Starts a fresh isolate on the request's program and connects to it.
    fn load(
        &self,
        request: &SandboxRequest,
    ) -> LocalBoxFuture<'static, Result<Box<dyn Transport>, LoadError>>;
}
