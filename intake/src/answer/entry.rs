//! Programs that declare functions and leave the call to the host.

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

use super::declared::{Callable, Declared, FunctionLike};
use super::{Answer, Ending, Given};
use crate::survey::Fault;

impl Answer<'_> {
    /// A body that ends in a function or a class: the one function nothing
    /// calls is the program; `main` is it by name. Where there is none, the
    /// statement before the declarations has the answer.
    pub(super) fn entry(&mut self, effective: &[&Statement<'_>], ending: Ending) -> Given {
        let before = self.before_declarations(effective);
        if ending.returns {
            return self.ending_before(before, ending);
        }
        let functions: Vec<_> =
            effective.iter().filter_map(|it| Declared::of(it)?.callable()).collect();
        let uncalled: Vec<_> = functions.iter().copied().filter(|it| !self.is_used(it)).collect();
        let main = uncalled.iter().find(|it| it.name == "main");
        let only = if let [only] = uncalled.as_slice() { Some(only) } else { None };
        match (main.or(only), before.last()) {
            (Some(entry), None) => self.call_by_name(entry, ending),
            (Some(entry), Some(last)) if self.is_entry_behind(entry, last) => {
                self.call_by_name(entry, ending)
            }
            (_, Some(_)) => self.ending_before(before, ending),
            (None, None) => match functions.as_slice() {
                [only] => self.call_by_name(only, ending),
                _ => Err(no_entry(ending.end, &uncalled, &functions)),
            },
        }
    }

    fn before_declarations<'e, 's, 'a>(
        &self,
        effective: &'e [&'s Statement<'a>],
    ) -> &'e [&'s Statement<'a>] {
        let waits = |it: &&Statement<'_>| Declared::of(it).is_some_and(|declared| declared.waits());
        let behind = effective.iter().rev().take_while(|it| waits(it)).count();
        effective.get(..effective.len().saturating_sub(behind)).unwrap_or(&[])
    }

    fn ending_before(&mut self, before: &[&Statement<'_>], ending: Ending) -> Given {
        if before.is_empty() { Ok(()) } else { self.ending(before, ending) }
    }

    /// Whether a function behind other statements is the program: by its
    /// name, or because those only prepare and it can be called as it stands.
    fn is_entry_behind(&self, entry: &Callable<'_, '_>, last: &Statement<'_>) -> bool {
        let prepares = Declared::of(last).is_some();
        let free = entry.function.parameters().items.is_empty();
        entry.whole.start > last.span().start && (entry.name == "main" || (prepares && free))
    }

    /// Whether a function is named anywhere outside itself.
    pub(super) fn is_used(&self, callable: &Callable<'_, '_>) -> bool {
        self.uses(callable) > 0
    }

    pub(super) fn uses(&self, callable: &Callable<'_, '_>) -> usize {
        let inside = |at: &&Span| callable.whole.start <= at.start && at.end <= callable.whole.end;
        let uses = self.uses.get(callable.name).map(Vec::as_slice).unwrap_or_default();
        uses.iter().filter(|at| !inside(at)).count()
    }

    fn call_by_name(&mut self, entry: &Callable<'_, '_>, ending: Ending) -> Given {
        self.append(ending, &format!("{}({})", entry.name, arguments(entry.function.parameters())));
        self.entry_body(&entry.function)
    }

    /// The body of the function that is the program gives its answer too.
    pub(super) fn entry_body(&mut self, function: &FunctionLike<'_, '_>) -> Given {
        match function.statements() {
            Some(statements) if !super::returns_value(statements) => self.body(statements),
            _ => Ok(()),
        }
    }
}

fn no_entry(at: Span, uncalled: &[Callable<'_, '_>], functions: &[Callable<'_, '_>]) -> Fault {
    let candidates = if uncalled.is_empty() { functions } else { uncalled };
    let names: Vec<_> = candidates.iter().map(|it| format!("`{}`", it.name)).collect();
    Fault::lost(
        at,
        match names.split_last() {
            Some((last, first)) => format!(
                "the program only declares functions, and which one to run is open: {} or {last}; \
                 end it with `return {}()`",
                first.join(", "),
                last.trim_matches('`'),
            ),
            None => {
                "the program only declares a class; end it with `return new …` or a call".to_owned()
            }
        },
    )
}

/// What a function that the host calls is given: by the name of a parameter,
/// whatever global has that name. So `(env) => …` and `({ env }) => …` find
/// what they ask for, and an unknown name is undefined.
pub(super) fn arguments(parameters: &FormalParameters<'_>) -> String {
    let given: Vec<_> = parameters.items.iter().map(|it| argument(&it.pattern)).collect();
    given.join(",")
}

fn argument(pattern: &BindingPattern<'_>) -> String {
    match pattern {
        BindingPattern::BindingIdentifier(it) => global(it.name.as_str()),
        BindingPattern::ObjectPattern(it) => {
            let members: Vec<_> = it
                .properties
                .iter()
                .filter(|property| !property.computed)
                .filter_map(|property| property.key.static_name())
                .filter(|name| is_plain(name))
                .map(|name| format!("{name}:{}", global(&name)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        BindingPattern::ArrayPattern(_) => "[]".to_owned(),
        BindingPattern::AssignmentPattern(it) => argument(&it.left),
    }
}

fn global(name: &str) -> String {
    format!("typeof {name}===\"undefined\"?undefined:{name}")
}

/// Whether a key can stand as a name.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !oxc_syntax::keyword::is_reserved_keyword(name)
        && oxc_syntax::identifier::is_identifier_name(name)
}
