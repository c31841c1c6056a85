//! A named group of operations with one authority.

use std::rc::Rc;

use super::{
    Callable, DefinitionError, Gate, Operation,
    alias::Wanted,
    gate::Gated,
    name::{self, utf16_order},
};

/// A module: a stable `id`, which is its authority, and a `name`, which code says.
///
/// A module may stand in a namespace, hold others, and carry gates. What it holds
/// belongs to its own authority: the id and the name of a held module don't count,
/// only the key it is held under and its namespace, which comes after the key.
///
/// ```
/// use mycelium::{Catalog, Module, Operation};
/// use serde_json::json;
///
/// let open = || Operation::new(json!({}), |_, _| async { Ok(json!(null)) });
/// let windows = Module::new("windows", "windows").namespace(["v2"]).operation("open", open());
/// let bazaar = Module::new("bazaar", "bazaar")
///     .namespace(["apps"])
///     .module("windows", windows)
///     .operation("repos.list", open());
///
/// let catalog = Catalog::new([bazaar])?;
/// let entry = catalog.find("apps.bazaar.windows.v2.open").unwrap();
/// assert_eq!((entry.module(), entry.operation_path()), ("bazaar", "windows.v2.open"));
/// assert!(catalog.find("apps.bazaar.repos.list").is_some());
/// # Ok::<(), mycelium::operation::DefinitionError>(())
/// ```
///
/// Spec: 000 and 003, "Nested namespaces".
#[derive(Clone)]
pub struct Module {
    id: String,
    name: String,
    namespace: Vec<String>,
    leaves: Vec<Leaf>,
    gates: Vec<Rc<dyn Gate>>,
    faults: Vec<DefinitionError>,
}

/// An operation and its path within the module.
#[derive(Clone)]
struct Leaf {
    key: String,
    operation: Rc<Callable>,
    gates: Vec<Gated>,
}

/// An operation on its way into a catalog.
pub(super) struct Installed {
    pub(super) key: String,
    pub(super) operation: Rc<Callable>,
    pub(super) gates: Vec<Gated>,
}

impl Module {
    /// A module without operations yet.
    #[must_use]
    pub fn new(id: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            namespace: Vec::new(),
            leaves: Vec::new(),
            gates: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Puts the module into a namespace: `["apps"]` makes it `env.apps.<name>`.
    #[must_use]
    pub fn namespace<S: Into<String>>(mut self, segments: impl IntoIterator<Item = S>) -> Self {
        self.namespace = segments.into_iter().map(Into::into).collect();
        self
    }

    /// Adds an operation under `key`, a name or several with dots between.
    #[must_use]
    pub fn operation(mut self, key: impl Into<String>, operation: Operation) -> Self {
        let key = key.into();
        self.hold(&key, name::key(&key));
        match operation.install(&self.id, &key) {
            Ok(operation) => {
                self.leaves.push(Leaf { key, operation: Rc::new(operation), gates: Vec::new() });
            }
            Err(fault) => self.faults.push(fault),
        }
        self
    }

    /// Adds all of another module's operations under `key`.
    ///
    /// The other module's gates stay with its operations and see paths relative to it.
    #[must_use]
    pub fn module(mut self, key: impl Into<String>, child: Self) -> Self {
        let key = key.into();
        self.hold(&key, name::key(&key));
        for segment in &child.namespace {
            self.hold(&key, name::segment(segment));
        }
        let mut prefix = vec![key];
        prefix.extend(child.namespace.iter().cloned());
        let prefix = prefix.join(".");
        for fault in &child.faults {
            self.faults.push(fault.clone().under(&self.id, &prefix));
        }
        for installed in child.into_operations() {
            let Installed { key, operation, gates } = installed;
            self.leaves.push(Leaf { key: format!("{prefix}.{key}"), operation, gates });
        }
        self
    }

    /// Adds a gate before every operation of this module, those added later too.
    #[must_use]
    pub fn gate(mut self, gate: impl Gate + 'static) -> Self {
        self.gates.push(Rc::new(gate));
        self
    }

    /// The stable identity.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name code says, unless another module has it already.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many operations it has, its children's included.
    #[must_use]
    pub fn operation_count(&self) -> usize {
        self.leaves.len()
    }

    /// Where the module wants to stand.
    pub(super) fn wanted(&self) -> Wanted {
        Wanted { namespace: self.namespace.clone(), name: self.name.clone() }
    }

    /// The least of the rules it breaks, whatever the order it was built in.
    pub(super) fn check(&self) -> Result<(), DefinitionError> {
        let fault = |key: &str, rule: &str| DefinitionError::new(&self.id, key, rule);
        name::id(&self.id).map_err(|rule| fault("", rule))?;
        for (depth, segment) in self.namespace.iter().chain([&self.name]).enumerate() {
            let checked = if depth == 0 { name::root(segment) } else { name::segment(segment) };
            checked.map_err(|rule| fault("", &format!("{segment:?}: {rule}")))?;
        }
        self.faults.iter().min().map_or(Ok(()), |fault| Err(fault.clone()))
    }

    /// Gives its operations away, in the order of their keys, each behind the
    /// gates of this module and then those of the module it came with.
    pub(super) fn into_operations(mut self) -> impl Iterator<Item = Installed> {
        self.leaves.sort_by(|left, right| utf16_order(&left.key, &right.key));
        let own = self.gates;
        self.leaves.into_iter().map(move |leaf| {
            let mut gates: Vec<Gated> =
                own.iter().map(|gate| Gated::new(Rc::clone(gate), &leaf.key)).collect();
            gates.extend(leaf.gates);
            Installed { key: leaf.key, operation: leaf.operation, gates }
        })
    }

    fn hold(&mut self, key: &str, rule: Result<(), &'static str>) {
        if let Err(rule) = rule {
            self.faults.push(DefinitionError::new(&self.id, key, rule));
        }
    }
}

impl std::fmt::Debug for Module {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let keys: Vec<&str> = self.leaves.iter().map(|leaf| leaf.key.as_str()).collect();
        formatter
            .debug_struct("Module")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("namespace", &self.namespace)
            .field("operations", &keys)
            .finish_non_exhaustive()
    }
}
