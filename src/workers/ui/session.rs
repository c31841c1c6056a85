//! The pages of one session, in its object.

use std::{cell::RefCell, fmt, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};

use super::{super::ports, configured, route::reply};
use crate::{
    config::Settings,
    knapsack::ui::{Reply as UiReply, Request, Sessions, Ui, UiOptions},
    mcp::{Caller, Connection, Reply},
    runtime::{Invalidation, Snapshot, Source, SourceError},
};

/// The session that an object is, as soon as the object knows.
pub(crate) type Slot = Rc<RefCell<Option<Connection>>>;

/// The pages of the session that an object is.
pub(crate) struct SessionUi {
    ui: Option<Ui>,
    slot: Slot,
}

impl SessionUi {
    /// As it is configured, over what an object knows of its session.
    pub(crate) fn new(settings: &Settings, slot: Slot) -> Self {
        let ui = configured(settings).map(|(name, settings)| {
            let sessions = Rc::new(Stored(Rc::clone(&slot)));
            let options = UiOptions::new(name, sessions).name(name);
            Ui::new(options.confirm_commands(settings.confirm), ports::ports())
        });
        Self { ui, slot }
    }

    /// Where the session's runs borrow the module.
    pub(crate) fn sources(&self) -> Vec<Rc<dyn Source>> {
        let source = |ui: &Ui| -> Rc<dyn Source> {
            Rc::new(OfSession { ui: ui.clone(), slot: Rc::clone(&self.slot) })
        };
        self.ui.iter().map(source).collect()
    }

    /// Answers a page.
    pub(crate) async fn answer(&self, caller: &Caller, request: Request<'_>) -> Reply {
        let Some(ui) = &self.ui else { return reply(UiReply::no_session()) };
        let owner = self.slot.borrow().clone().map(|connection| connection.owner());
        let own = match owner {
            Some(Ok(owner)) => owner.is_some_and(|owner| owner == caller.principal.key()),
            None => false,
            Some(Err(_)) => {
                let problem = "the session can't be looked up: try again later";
                return reply(UiReply::refusal(503, problem));
            }
        };
        // What was closed was this owner's: nobody else reaches this object.
        if own || ui.is_closed() {
            return reply(ui.fetch(request).await);
        }
        reply(UiReply::no_session())
    }

    /// The session has ended: so have its pages.
    pub(crate) fn close(&self) {
        self.ui.iter().for_each(Ui::close);
    }
}

/// Whether the object is a session's that is open.
struct Stored(Slot);

impl Sessions for Stored {
    fn has_session(&self, session: &str) -> LocalBoxFuture<'static, Result<bool, String>> {
        let connection = self.0.borrow().clone();
        let own = connection.filter(|connection| connection.id() == session);
        let owner = own.map_or(Ok(None), |connection| connection.owner());
        let has = owner.map(|owner| owner.is_some()).map_err(|error| error.to_string());
        async move { has }.boxed_local()
    }
}

/// The source of whatever session the object is; a call without a session has no such module.
#[derive(Clone)]
struct OfSession {
    ui: Ui,
    slot: Slot,
}

impl Source for OfSession {
    fn name(&self) -> Rc<str> {
        "ui".into()
    }

    fn acquire(
        &self,
        invalidation: Invalidation,
    ) -> LocalBoxFuture<'static, Result<Snapshot, SourceError>> {
        let connection = self.slot.borrow().clone();
        match connection {
            Some(connection) => self.ui.source(connection.id()).acquire(invalidation),
            None => {
                // It may be a session's yet.
                invalidation.invalidate();
                async { Ok(Snapshot::unheld(Vec::new())) }.boxed_local()
            }
        }
    }
}

impl fmt::Debug for SessionUi {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("SessionUi").field(&self.ui).finish()
    }
}
