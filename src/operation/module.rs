//! A named group of operations with one authority.

use std::collections::{BTreeMap, btree_map::Entry};

use super::{DefinitionError, Operation, name};

/// A module: a stable `id`, which is its authority, and a `name`, which code says.
///
/// ```
/// use mycelium::{operation::{Module, Operation}, schema::Schema};
/// use serde_json::json;
///
/// let ping = Operation::new(Schema::new(json!({}))?, |_, _| async { Ok(json!("pong")) });
/// let demo = Module::new("example-demo", "demo").operation("ping", ping);
/// assert_eq!(demo.id(), "example-demo");
/// # Ok::<(), mycelium::schema::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Module {
    id: String,
    name: String,
    operations: BTreeMap<String, Operation>,
    faults: Vec<DefinitionError>,
}

impl Module {
    /// A module without operations yet.
    #[must_use]
    pub fn new(id: impl Into<String>, name: impl Into<String>) -> Self {
        Self { id: id.into(), name: name.into(), operations: BTreeMap::new(), faults: Vec::new() }
    }

    /// Adds an operation under `key`, the last part of the path code says.
    #[must_use]
    pub fn operation(mut self, key: impl Into<String>, operation: Operation) -> Self {
        match self.operations.entry(key.into()) {
            Entry::Vacant(entry) => {
                entry.insert(operation);
            }
            Entry::Occupied(entry) => {
                let rule = "the key is taken: give each operation its own";
                self.faults.push(DefinitionError::new(&self.id, entry.key(), rule));
            }
        }
        self
    }

    /// The stable identity.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name code says.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Checks the module against the rules of names and gives its operations away.
    pub(super) fn into_operations(
        self,
    ) -> Result<impl Iterator<Item = (String, Operation)>, DefinitionError> {
        if let Some(fault) = self.faults.first() {
            return Err(fault.clone());
        }
        name::root(&self.name).map_err(|rule| self.fault("", rule))?;
        for key in self.operations.keys() {
            name::segment(key).map_err(|rule| self.fault(key, rule))?;
        }
        let Self { name, operations, .. } = self;
        Ok(operations.into_iter().map(move |(key, operation)| (format!("{name}.{key}"), operation)))
    }

    fn fault(&self, key: &str, rule: &str) -> DefinitionError {
        DefinitionError::new(&self.id, key, rule)
    }
}
