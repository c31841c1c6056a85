//! What a Worker is made of beside its configuration: its author's modules, sources and
//! authentication.

use std::{cell::Cell, rc::Rc};

use worker::Env;

use crate::{mcp::Authenticate, operation::Module, runtime::Source};

/// The parts that an author gives a Worker. See [`entry!`](crate::entry).
///
/// It is made anew for every object and every request without one, with the bindings of
/// that context: a part may hold what is made of them, and is never used in another.
#[derive(Default)]
pub struct App {
    pub(super) modules: Vec<Module>,
    pub(super) sources: Vec<Rc<dyn Source>>,
    pub(super) authenticate: Option<Rc<dyn Authenticate>>,
}

impl App {
    /// Nothing yet: the configuration's own connections, and its authentication.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a module. As any other it needs a grant.
    #[must_use]
    pub fn module(mut self, module: Module) -> Self {
        self.modules.push(module);
        self
    }

    /// Adds a source of modules that change.
    #[must_use]
    pub fn source(mut self, source: impl Source + 'static) -> Self {
        self.sources.push(Rc::new(source));
        self
    }

    /// Decides who is let in, in place of the configuration's keys and tokens.
    #[must_use]
    pub fn authenticate(mut self, authenticate: impl Authenticate + 'static) -> Self {
        self.authenticate = Some(Rc::new(authenticate));
        self
    }
}

/// Makes the parts, over the bindings of a context.
pub type Build = fn(&Env) -> App;

thread_local! {
    static BUILD: Cell<Build> = const { Cell::new(|_| App::new()) };
}

/// Keeps how this Worker's parts are made, once for each instance.
pub(super) fn install(build: Build) {
    BUILD.set(build);
}

/// This Worker's parts, over the bindings of a context.
pub(super) fn app(env: &Env) -> App {
    BUILD.get()(env)
}
