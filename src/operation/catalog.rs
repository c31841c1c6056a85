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
    /// An operation of no module: it has one name, which is its authority too.
    pub(crate) fn alone(name: &str, operation: Callable) -> Self {
        let name: Rc<str> = name.into();
        Self {
            path: Rc::clone(&name),
            module: Rc::clone(&name),
            operation_path: name,
            operation: Rc::new(operation),
            gates: Rc::default(),
        }
    }

    /// The complete logical path; `env.<path>(…)` calls the operation.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The same, to be kept.
    pub(crate) fn shared_path(&self) -> &Rc<str> {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Catalog, DefinitionError, Module};
    use crate::{operation::Operation, schema::Schema};

    fn operation() -> Operation {
        Operation::new(Schema::new(json!({})).unwrap(), |_, _| async { Ok(json!(null)) })
    }

    fn module(id: &str, name: &str) -> Module {
        Module::new(id, name).operation("b", operation()).operation("a", operation())
    }

    fn paths(modules: Vec<Module>) -> Result<Vec<String>, DefinitionError> {
        let catalog = Catalog::new(modules)?;
        Ok(catalog.entries().iter().map(|entry| entry.path().to_owned()).collect())
    }

    #[test]
    fn modules_that_want_one_name_are_told_apart_by_their_ids_in_utf16_order() {
        let ids = ["\u{ff61}", "b", "𝒳", "a"];
        let modules = ids.map(|id| Module::new(id, "x").operation("o", operation()));
        let catalog = Catalog::new(modules).unwrap();
        let found = |path| catalog.find(path).unwrap().module().to_owned();
        let expected = ["a", "b", "𝒳", "\u{ff61}"];
        assert_eq!(["x.o", "x_2.o", "x_3.o", "x_4.o"].map(found), expected);
    }

    #[test]
    fn a_name_is_taken_in_its_own_namespace_alone() {
        let app = module("1", "x").namespace(["apps"]);
        let computer = module("2", "x").namespace(["computers"]);
        let paths = paths(vec![app, computer, module("3", "x")]).unwrap();
        let expected = ["apps.x.a", "apps.x.b", "computers.x.a", "computers.x.b", "x.a", "x.b"];
        assert_eq!(paths, expected);
    }

    #[test]
    fn a_childs_namespace_comes_after_its_key_and_its_id_and_name_count_for_nothing() {
        // An id and a name that no module of its own could have.
        let child = Module::new("", "env").namespace(["v2"]).operation("open", operation());
        let bazaar = Module::new("bazaar", "bazaar").namespace(["apps"]).module("windows", child);
        let catalog = Catalog::new([bazaar]).unwrap();
        let entry = catalog.get(0).unwrap();
        assert_eq!(entry.path(), "apps.bazaar.windows.v2.open");
        assert_eq!((entry.module(), entry.operation_path()), ("bazaar", "windows.v2.open"));
    }

    #[test]
    fn modules_nest_to_any_depth_that_a_path_can_say() {
        let nested = |depth: usize| {
            let leaf = Module::new("c", "c").operation("o", operation());
            let nest = |child, _| Module::new("c", "c").module("abc", child);
            Catalog::new([(0..depth).fold(leaf, nest)])
        };
        // "c." and "o" and four characters a level.
        assert!(nested(255).is_ok());
        let error = nested(256).unwrap_err();
        assert!(error.rule().contains("at most 1024"), "{error}");
    }

    #[test]
    fn a_nested_operation_keeps_its_own_types() {
        let typed = |n: u8| {
            let gives = Operation::new(json!({"const": n}), |_, _| async { Ok(json!(null)) });
            gives.output(json!({"enum": [n]}))
        };
        let child = Module::new("c", "c").operation("o", typed(2)).operation("d.o", typed(3));
        let module = Module::new("m", "m").operation("o", typed(0)).operation("d.o", typed(1));
        let catalog = Catalog::new([module.module("c", child)]).unwrap();
        for (path, n) in [("m.o", 0), ("m.d.o", 1), ("m.c.o", 2), ("m.c.d.o", 3)] {
            let operation = catalog.find(path).unwrap().operation();
            assert_eq!(operation.input_schema().document(), &json!({"const": n}), "{path}");
            assert_eq!(operation.output_schema().unwrap().document(), &json!({"enum": [n]}));
        }
    }

    #[test]
    fn a_dotted_key_is_a_child_module() {
        let child = Module::new("c", "c").operation("list", operation());
        let nested = Module::new("m", "m").module("repos", child);
        let dotted = Module::new("m", "m").operation("repos.list", operation());
        assert_eq!(paths(vec![nested]), paths(vec![dotted]));
    }

    #[test]
    fn a_path_is_an_operation_or_a_namespace_and_not_both() {
        let own = |keys: &[&str]| {
            let one = |module: Module, key: &&str| module.operation(*key, operation());
            keys.iter().fold(Module::new("m", "m"), one)
        };
        let child = || Module::new("c", "c").operation("read", operation());
        let across = |name, key| {
            let other = Module::new("n", name).namespace(["m"]).operation(key, operation());
            vec![own(&["files"]), other]
        };
        let conflicts = [
            vec![own(&["files", "files.read"])],
            vec![own(&["a", "a.b.c"])],
            vec![own(&["files"]).module("files", child())],
            vec![own(&["files.read.all"]).module("files", child())],
            across("files", "read"),
        ];
        for modules in conflicts {
            let error = paths(modules).unwrap_err();
            assert!(error.rule().contains("can't be a namespace too"), "{error}");
        }
        let twice = [vec![own(&["a", "a"])], vec![own(&["files.read"]).module("files", child())]];
        for modules in twice {
            let error = paths(modules).unwrap_err();
            assert!(error.rule().contains("is taken"), "{error}");
        }
        assert!(paths(vec![own(&["files", "files_read", "filesread", "file"])]).is_ok());
        assert!(paths(across("file", "s")).is_ok());
    }

    #[test]
    fn a_definition_error_names_module_key_and_rule() {
        let one = |key: &str| Module::new("m", "m").operation(key, operation());
        let bad = || Module::new("c", "c").namespace(["1"]).operation("ok", operation());
        let cases = [
            (vec![module("m", "x"), module("m", "y")], ("m", "", "two modules have this id")),
            (vec![module("", "x")], ("", "", "an id has")),
            (vec![module("m", "env")], ("m", "", "\"env\": the name is reserved")),
            (vec![module("m", "x").namespace(["forage"])], ("m", "", "is reserved")),
            (vec![module("m", "x").namespace(["a.b"])], ("m", "", "\"a.b\": a name starts")),
            (vec![module("m", "")], ("m", "", "a name starts")),
            (vec![one("a-b")], ("m", "a-b", "a name starts")),
            (vec![one("a..b")], ("m", "a..b", "a name starts")),
            (vec![one("x.then")], ("m", "x.then", "answer to this name")),
            (vec![one("a").operation("a", operation())], ("m", "a", "m.a is taken")),
            (vec![Module::new("m", "m").module("w", bad())], ("m", "w", "a name starts")),
            (vec![Module::new("m", "m").module("", one("a"))], ("m", "", "a name starts")),
            (vec![Module::new("m", "m").module("w", one("a-b"))], ("m", "w.a-b", "a name starts")),
        ];
        for (modules, (module, key, rule)) in cases {
            let error = Catalog::new(modules).unwrap_err();
            assert_eq!((error.module(), error.key()), (module, key), "{error}");
            assert!(error.rule().contains(rule), "{error}");
            assert!(error.to_string().contains(rule), "{error}");
        }
    }

    #[test]
    fn a_root_that_is_a_keyword_is_said_through_env_alone() {
        let words = Module::new("d", "delete").operation("await", operation());
        let catalog = Catalog::new([words, Module::new("m", "m").operation("delete", operation())]);
        let catalog = catalog.unwrap();
        assert!(!catalog.find("delete.await").unwrap().has_short_form());
        assert!(catalog.find("m.delete").unwrap().has_short_form());
    }
}
