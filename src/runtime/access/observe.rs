//! Telling an observer of a refusal, beside the call and never in its way.

use std::{panic::AssertUnwindSafe, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};

use crate::{failure::AccessRefusal, port::Ports};

/// Sees each refusal, for logs or metering; what it does changes and delays nothing.
pub trait RefusalObserver {
    /// Takes note of a refusal.
    fn refused(&self, refusal: AccessRefusal) -> LocalBoxFuture<'static, ()>;
}

pub(super) fn tell(observer: &Rc<dyn RefusalObserver>, refusal: &AccessRefusal, ports: &Ports) {
    let (observer, refusal) = (Rc::clone(observer), refusal.clone());
    let console = Rc::clone(&ports.console);
    let told = async move {
        // Begun inside too, for an observer may panic before its first await.
        let noted = AssertUnwindSafe(async move { observer.refused(refusal).await });
        if noted.catch_unwind().await.is_err() {
            console.warn("the observer of refusals panicked: the refusal stands");
        }
    };
    ports.background.spawn(told.boxed_local());
}
