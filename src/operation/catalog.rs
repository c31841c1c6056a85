//! All operations of one graph, by index and by path.

use super::{DefinitionError, Module, Operation};

/// One operation and the path code says to call it.
#[derive(Clone, Debug)]
pub struct Entry {
    path: String,
    operation: Operation,
}

impl Entry {
    /// The dotted path.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The operation.
    #[must_use]
    pub fn operation(&self) -> &Operation {
        &self.operation
    }
}

/// The operations of some modules, sorted by path, so that the order in which
/// modules were given shows nowhere.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    entries: Vec<Entry>,
}

impl Catalog {
    /// The catalog of `modules`.
    ///
    /// # Errors
    ///
    /// The first [`DefinitionError`]: a name that code can't say, two modules of
    /// one id or one name, two operations under one key.
    pub fn new(modules: impl IntoIterator<Item = Module>) -> Result<Self, DefinitionError> {
        let mut modules: Vec<Module> = modules.into_iter().collect();
        modules.sort_by(|left, right| left.id().cmp(right.id()));
        refuse_twins(&modules)?;
        let mut entries = Vec::new();
        for module in modules {
            entries.extend(
                module.into_operations()?.map(|(path, operation)| Entry { path, operation }),
            );
        }
        entries.sort_by(|left, right| left.path.cmp(&right.path));
        Ok(Self { entries })
    }

    /// The operations in order; an operation's index is its name on the wire.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The operation at `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Entry> {
        self.entries.get(index)
    }
}

fn refuse_twins(sorted_by_id: &[Module]) -> Result<(), DefinitionError> {
    let fault = |module: &Module, rule| Err(DefinitionError::new(module.id(), "", rule));
    let mut names = std::collections::BTreeSet::new();
    let mut last_id = None;
    for module in sorted_by_id {
        if last_id == Some(module.id()) {
            return fault(module, "two modules have this id: ids are authority and unique");
        }
        if !names.insert(module.name()) {
            return fault(module, "another module has this name: rename one");
        }
        last_id = Some(module.id());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Catalog, Module, Operation};
    use crate::schema::Schema;

    fn operation() -> Operation {
        Operation::new(Schema::new(json!({})).unwrap(), |_, _| async { Ok(json!(null)) })
    }

    fn module(id: &str, name: &str) -> Module {
        Module::new(id, name).operation("b", operation()).operation("a", operation())
    }

    #[test]
    fn the_order_of_modules_shows_nowhere() {
        let paths = |modules: Vec<Module>| -> Vec<String> {
            let catalog = Catalog::new(modules).unwrap();
            catalog.entries().iter().map(|entry| entry.path().to_owned()).collect()
        };
        let one = paths(vec![module("1", "x"), module("2", "w")]);
        let other = paths(vec![module("2", "w"), module("1", "x")]);
        assert_eq!(one, ["w.a", "w.b", "x.a", "x.b"]);
        assert_eq!(one, other);
    }

    #[test]
    fn a_definition_error_names_module_key_and_rule() {
        let twice = Module::new("m", "m").operation("a", operation()).operation("a", operation());
        let cases = [
            (vec![module("m", "x"), module("m", "y")], "module \"m\": two modules have this id"),
            (
                vec![module("m", "x"), module("n", "x")],
                "module \"n\": another module has this name",
            ),
            (vec![module("m", "env")], "module \"m\": the name is reserved"),
            (
                vec![Module::new("m", "m").operation("a-b", operation())],
                "operation \"a-b\": a name",
            ),
            (vec![twice], "module \"m\", operation \"a\": the key is taken"),
        ];
        for (modules, expected) in cases {
            let error = Catalog::new(modules).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
