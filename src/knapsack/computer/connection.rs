//! One admitted computer, and the module that it becomes.

use std::rc::Rc;

use super::{Advertised, Advertisement, AdvertisementError, Computer};
use crate::{
    knapsack::files::{Files, FilesPort},
    operation::{Catalog, Module, Operation},
};

/// What a host connects: a computer under an id that is its authority.
///
/// The host has admitted it. Nothing here mints a credential or chooses what it may reach.
#[derive(Clone)]
pub struct Connection {
    id: String,
    name: String,
    namespace: Vec<String>,
    computer: Rc<dyn Computer>,
    files: Option<Rc<dyn FilesPort>>,
    confirm_calls: bool,
}

impl Connection {
    /// The computer `name` with the authority `id`, as `env.<name>`.
    #[must_use]
    pub fn new(id: &str, name: &str, computer: Rc<dyn Computer>) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            namespace: Vec::new(),
            computer,
            files: None,
            confirm_calls: false,
        }
    }

    /// Puts it into a namespace: `["computers"]` makes it `env.computers.<name>`.
    #[must_use]
    pub fn namespace<S: Into<String>>(mut self, segments: impl IntoIterator<Item = S>) -> Self {
        self.namespace = segments.into_iter().map(Into::into).collect();
        self
    }

    /// Adds the computer's own files as `<name>.files`, under the same authority.
    #[must_use]
    pub fn files(mut self, port: Rc<dyn FilesPort>) -> Self {
        self.files = Some(port);
        self
    }

    /// Whether a person is asked before every advertised call. An advertisement doesn't
    /// tell what reads from what writes, so both are.
    #[must_use]
    pub fn confirm_calls(mut self, confirm: bool) -> Self {
        self.confirm_calls = confirm;
        self
    }

    /// The authority.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name that code says.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn computer(&self) -> &Rc<dyn Computer> {
        &self.computer
    }

    /// The module of what the computer advertises, and of its files.
    ///
    /// # Errors
    ///
    /// It advertises nothing and has no files, or a name that code can't say or that is
    /// taken: then none of it is offered.
    pub fn module(&self, advertisement: Advertisement) -> Result<Module, AdvertisementError> {
        let fault = |problem: &str| AdvertisementError::new("/operations", problem);
        if advertisement.operations.is_empty() && self.files.is_none() {
            return Err(fault("it advertises nothing"));
        }
        let mut module = Module::new(&self.id, &self.name).namespace(self.namespace.clone());
        for advertised in advertisement.operations {
            let key = advertised.key.clone();
            module = module.operation(key, self.operation(advertised));
        }
        if let Some(port) = &self.files {
            let files = Files::new(Rc::clone(port)).module(&self.id, "files");
            module = module.module("files", files);
        }
        Catalog::new([module.clone()]).map_err(|error| fault(&error.to_string()))?;
        Ok(module)
    }

    /// Labels are the ones of what carries none: it writes, and isn't repeated. Its texts are
    /// the computer's own, and no host's: they are shown as quoted data.
    fn operation(&self, advertised: Advertised) -> Operation {
        let Advertised { key, description, notes, instructions, input, output } = advertised;
        let computer = Rc::clone(&self.computer);
        let named = format!("{} of the computer {}", key, self.name);
        let operation = Operation::new(input, move |input, context| {
            let called = computer.call(key.clone(), input, context);
            let named = named.clone();
            async move { called.await.map_err(|error| error.told(&named)) }
        });
        let mut operation = operation.describe(description).third_party();
        operation = operation.confirm(self.confirm_calls);
        if let Some(output) = output {
            operation = operation.output(output);
        }
        if let Some(instructions) = instructions {
            operation = operation.instructions(instructions);
        }
        notes.into_iter().fold(operation, Operation::note)
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Connection")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("namespace", &self.namespace)
            .finish_non_exhaustive()
    }
}
