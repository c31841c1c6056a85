//! The connection to one isolate, and how it is made.

use futures::future::LocalBoxFuture;

use super::SandboxRequest;
use crate::failure::Failure;

/// The connection is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransportClosed;

/// Why no frame will come any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The isolate's end was closed. The reason may be the guest's own words.
    Closed {
        /// The close code.
        code: u16,
        /// The reason; often there is none.
        reason: String,
    },
    /// The platform failed the connection; the text is the platform's.
    Failed(String),
    /// The isolate sent bytes, and a frame is text.
    Binary {
        /// How many.
        bytes: usize,
    },
    /// The isolate sent a frame that is over the limit, and that nobody has read.
    Overlong {
        /// Its length in units of UTF-16, each of which is a byte at least.
        units: usize,
    },
    /// The isolate sent more than may wait.
    Flooded,
}

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

    /// The next frame, or why there is none: after that there is none for ever.
    fn next(&mut self) -> LocalBoxFuture<'_, Result<String, Lost>>;

    /// Says how many bytes of frames that were taken are still in use: a transport that
    /// bounds what waits counts them in.
    fn in_use(&self, bytes: usize) {
        let _ = bytes;
    }

    /// How many isolates were loaded for this connection.
    fn isolates(&self) -> u32 {
        1
    }
}

/// Why no isolate came to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// The program has a fault that only the isolate's own parser sees.
    Refused(Failure),
    /// The platform runs as many isolates as it will: the program wasn't handed over. The
    /// text is evidence for the operator only.
    Busy(String),
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
