//! Telling a host which providers were left out.

use std::{fmt, panic::AssertUnwindSafe, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};

use crate::{
    failure::{MESSAGE_BYTES, bounded},
    port::Ports,
};

/// A provider that was left out, with all that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Why.
    pub why: WhyUnavailable,
}

/// Why a provider was left out. It may hold what no model should see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyUnavailable {
    /// It didn't describe itself in time.
    TimedOut {
        /// The time it had, in milliseconds.
        ms: u64,
    },
    /// It can't be asked, or what it advertises can't be used.
    Failed {
        /// What happened.
        evidence: String,
    },
    /// It refuses its credential, or there is none: its owner has to sign in.
    SignIn {
        /// Where, and what to renew.
        says: String,
    },
    /// One before it in the list has the same id, which is authority.
    TwiceInList,
}

impl fmt::Display for WhyUnavailable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimedOut { ms } => write!(formatter, "it did not describe itself within {ms} ms"),
            Self::Failed { evidence } => formatter.write_str(evidence),
            Self::SignIn { says } => formatter.write_str(says),
            Self::TwiceInList => {
                formatter.write_str("another in the list has its id: give each its own")
            }
        }
    }
}

/// Sees each provider that is left out; what it does changes and delays nothing.
pub trait UnavailableObserver {
    /// Takes note of it.
    fn unavailable(&self, unavailable: Unavailable) -> LocalBoxFuture<'static, ()>;
}

impl Unavailable {
    /// Writes the log line and tells the observer, in the background.
    pub(super) fn report(
        self,
        what: &str,
        observer: Option<&Rc<dyn UnavailableObserver>>,
        ports: &Ports,
    ) {
        let line = format!("{what} {:?} ({:?}) is left out: {}", self.name, self.id, self.why);
        ports.console.warn(&bounded(&line, MESSAGE_BYTES));
        let Some(observer) = observer.cloned() else { return };
        let console = Rc::clone(&ports.console);
        let told = async move {
            // Begun inside too, for an observer may panic before its first await.
            let noted = AssertUnwindSafe(async move { observer.unavailable(self).await });
            if noted.catch_unwind().await.is_err() {
                console.warn("the observer of unavailable providers panicked: nothing changes");
            }
        };
        ports.background.spawn(told.boxed_local());
    }
}
