//! All operations of one graph, by index and by path.

use std::rc::Rc;

use super::{
    Callable, Context, DefinitionError, GateRefusal, Module, alias,
    gate::Gated,
    module::Installed,
    name::{self, utf16_order},
};

/// One operation, where code finds it, and whose it is.
#[derive(Clone, Debug)]
pub struct Entry {
    path: Rc<str>,
    module: Rc<str>,
    operation_path: Rc<str>,
    operation: Rc<Callable>,
    gates: Rc<[Gated]>,
}

impl Entry {
    /// The complete logical path; `env.<path>(…)` calls the operation.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether `<path>(…)` calls it too, without `env`: not when the path begins
    /// with a keyword such as `delete`. A global of the guest's that has the name
    /// takes the short form away as well, and the guest alone knows.
    #[must_use]
    pub fn has_short_form(&self) -> bool {
        self.path.split('.').next().is_some_and(|root| !name::is_keyword(root))
    }

    /// The id of the module whose authority it stands under.
    #[must_use]
    pub fn module(&self) -> &str {
        &self.module
    }

    /// The path relative to that module, as access and refusals name it.
    #[must_use]
    pub fn operation_path(&self) -> &str {
        &self.operation_path
    }

    /// The operation.
    #[must_use]
    pub fn operation(&self) -> &Callable {
        &self.operation
    }

    /// Asks every gate before the operation, the outermost first. To be asked last
    /// of all, after the input was decoded and straight before the operation runs.
    ///
    /// # Errors
    ///
    /// The first gate's refusal; a gate that panics refuses.
    pub async fn pass_gates(&self, context: &Context) -> Result<(), GateRefusal> {
        for gate in self.gates.iter() {
            gate.pass(self.operation.labels(), context).await?;
        }
        Ok(())
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
    /// Modules that want one name in one namespace are told apart by `_2`, `_3`, …
    /// in the order of their ids by UTF-16 code units.
    ///
    /// # Errors
    ///
    /// The first [`DefinitionError`] in the order of ids and keys: a name that code
    /// can't say, a schema that is none, two modules of one id, a path that two
    /// operations want, a path that is an operation and a namespace.
    pub fn new(modules: impl IntoIterator<Item = Module>) -> Result<Self, DefinitionError> {
        let mut modules: Vec<Module> = modules.into_iter().collect();
        modules.sort_by(|left, right| utf16_order(left.id(), right.id()));
        refuse_twins(&modules)?;
        modules.iter().try_for_each(Module::check)?;
        let wanted: Vec<_> = modules.iter().map(Module::wanted).collect();
        let mut entries = Vec::new();
        for ((module, wanted), name) in modules.into_iter().zip(&wanted).zip(alias::allot(&wanted))
        {
            let mut prefix = wanted.namespace.clone();
            prefix.push(name);
            entries.extend(entries_of(module, &prefix.join(".")));
        }
        entries.sort_by(|left, right| utf16_order(&left.path, &right.path));
        entries.iter().try_for_each(refuse_length)?;
        refuse_conflicts(&entries)?;
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

    /// The operation at the complete logical path `path`.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<&Entry> {
        let place = self.entries.binary_search_by(|entry| utf16_order(&entry.path, path)).ok()?;
        self.entries.get(place)
    }
}

fn entries_of(module: Module, prefix: &str) -> impl Iterator<Item = Entry> {
    let id: Rc<str> = module.id().into();
    module.into_operations().map(move |Installed { key, operation, gates }| Entry {
        path: format!("{prefix}.{key}").into(),
        module: Rc::clone(&id),
        operation_path: key.into(),
        operation,
        gates: gates.into(),
    })
}

fn refuse_twins(sorted_by_id: &[Module]) -> Result<(), DefinitionError> {
    for pair in sorted_by_id.windows(2) {
        if let [first, second] = pair
            && first.id() == second.id()
        {
            let rule = "two modules have this id: ids are authority, give each its own";
            return Err(DefinitionError::new(second.id(), "", rule));
        }
    }
    Ok(())
}

fn refuse_length(entry: &Entry) -> Result<(), DefinitionError> {
    name::path_length(&entry.path)
        .map_err(|rule| DefinitionError::new(&entry.module, &entry.operation_path, rule))
}

/// A dot sorts before every character of a name, so that a path stands straight
/// before the first path it is a prefix of.
fn refuse_conflicts(sorted_by_path: &[Entry]) -> Result<(), DefinitionError> {
    for pair in sorted_by_path.windows(2) {
        let [first, second] = pair else { continue };
        let Some(rest) = second.path.strip_prefix(&*first.path) else { continue };
        let Entry { path, module, .. } = first;
        let rule = if rest.is_empty() {
            format!("the path {path} is taken by module {module:?}: choose another key or name")
        } else if rest.starts_with('.') {
            format!(
                "{path} is an operation of module {module:?} and can't be a namespace too: rename one"
            )
        } else {
            continue;
        };
        return Err(DefinitionError::new(&second.module, &second.operation_path, &rule));
    }
    Ok(())
}
