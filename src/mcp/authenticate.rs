//! The port that says who calls.

use futures::future::LocalBoxFuture;

use super::{Caller, Head};

/// What came of looking at a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admission {
    /// It is let in.
    Admitted(Caller),
    /// It isn't.
    Refused(Denial),
}

/// Why a request isn't let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denial {
    /// 401: there is no credential, or none that is good.
    Unauthenticated,
    /// 403: the credential is good, and not for this.
    Forbidden,
}

impl Denial {
    /// The HTTP status.
    #[must_use]
    pub fn status(self) -> u16 {
        match self {
            Self::Unauthenticated => 401,
            Self::Forbidden => 403,
        }
    }
}

/// Who calls. It is asked for every HTTP request, and again before each operation.
pub trait Authenticate {
    /// Looks at a request: every one, also those that only notify or disconnect.
    fn authenticate(&self, head: &Head) -> LocalBoxFuture<'static, Admission>;

    /// Whether a caller who was admitted still is. The secret isn't kept, so it is
    /// judged by the credential's id and its end.
    fn is_admitted(&self, caller: &Caller) -> LocalBoxFuture<'static, bool>;
}
