//! `[grants]`: who may use what of which connection.
//!
//! A module that nobody is granted is nobody's. What is said of one actor stands over what
//! is said of a role, and that over what is said of everyone.

use std::{collections::BTreeMap, rc::Rc};

use super::{
    error::Errors,
    form::{section, words},
    node::{Node, Place, Value},
};
use crate::{
    mcp::{Actor, Principal},
    runtime::access::{Grant, Grants},
};

section! {
    /// Grants by whom they are for.
    #[derive(Default)]
    pub(super) struct Rules {
        session: Option<SessionWord>, "off", "Whether Workers that bind the entry point `SessionGrants` may change, while it works, what a principal has: `narrow` never above what is written here, `set` whatever is written here.";
        everyone: Granted, "nothing", "What everyone has who is let in.";
        role: BTreeMap<String, Granted>, "nothing", "What members of a role have, by the role.";
        member: BTreeMap<String, Granted>, "nothing", "What a member has, by the member's id.";
        agent: BTreeMap<String, Granted>, "nothing", "What an agent has, by the agent's id.";
        key: BTreeMap<String, Granted>, "nothing", "What a key that a team shares has, by its id (of kind `team-key`).";
        dev: Granted, "nothing", "What the developer at this machine has, while `auth.dev` is on.";
        service: Granted, "nothing", "What Workers have that bind this one as a service, beside the modules they bring.";
    }
}

words! {
    /// How much of a module may be used.
    GrantWord(Grant) {
        "write" => Grant::Write,
        "read" => Grant::Read,
        "none" => Grant::None,
    }
}

words! {
    /// What a principal's stored grants may do.
    SessionWord(SessionRule) {
        "off" => SessionRule::Off,
        "narrow" => SessionRule::Narrow,
        "set" => SessionRule::Set,
    }
}

/// What a principal's stored grants, which Workers set, may do to what is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SessionRule {
    /// There are none, and nobody may set any.
    #[default]
    Off,
    /// They take away, key by key, and give nothing.
    Narrow,
    /// They stand over what is written, key by key.
    Set,
}

/// Grants by connection.
type Granted = BTreeMap<String, GrantWord>;

/// The id of the developer at this machine, who is a member.
const DEV: &str = "dev";

/// What a deployment grants, by whom it is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrantRules {
    // Shared, for every request has it.
    rules: Rc<Rules>,
    dev: bool,
}

impl GrantRules {
    pub(super) fn new(rules: Rules, dev: bool) -> Self {
        Self { rules: Rc::new(rules), dev }
    }

    /// What `principal` is granted; a module that isn't named is refused.
    #[must_use]
    pub fn of(&self, principal: &Principal) -> Grants {
        let rules = &self.rules;
        let mut layers = vec![&rules.everyone];
        // A role is a member's: what else a key or a token says of one adds nothing.
        if matches!(principal.actor(), Actor::Member(_)) {
            layers.extend(principal.has_role().and_then(|role| rules.role.get(role)));
        }
        layers.extend(match principal.actor() {
            Actor::Member(id) => rules.member.get(id),
            Actor::Agent(id) => rules.agent.get(id),
            Actor::TeamKey(id) => rules.key.get(id),
        });
        // Only the flag makes `dev` the developer: without it, it is a member's id as any.
        if self.dev && *principal.actor() == Actor::Member(DEV.to_owned()) {
            layers.push(&rules.dev);
        }
        laid(layers)
    }

    /// What a principal's stored grants may do.
    #[must_use]
    pub fn session(&self) -> SessionRule {
        self.rules.session.map(|SessionWord(rule)| rule).unwrap_or_default()
    }

    /// What `principal` has while `stored` are the grants of its sessions.
    #[must_use]
    pub fn under(&self, principal: &Principal, stored: &Grants) -> Grants {
        let (written, rule) = (self.of(principal), self.session());
        let over = stored.iter().filter_map(|(module, grant)| match rule {
            SessionRule::Off => None,
            SessionRule::Narrow => Some((module, grant.min(written.get(module)?))),
            SessionRule::Set => Some((module, grant)),
        });
        written.iter().chain(over).collect()
    }

    /// What Workers are granted that bind this one as a service.
    #[must_use]
    pub fn of_service(&self) -> Grants {
        laid([&self.rules.service])
    }

    /// All there are, each as whom, what, how much.
    pub(super) fn rows(&self) -> Vec<(String, String, &'static str)> {
        let rules = &self.rules;
        let mut rows = Vec::new();
        let mut add =
            |whom: String, granted: &Granted| {
                rows.extend(granted.iter().map(|(module, GrantWord(grant))| {
                    (whom.clone(), module.clone(), grant.as_str())
                }));
            };
        add("everyone".to_owned(), &rules.everyone);
        let by_name = [
            ("role", &rules.role),
            ("member", &rules.member),
            ("agent", &rules.agent),
            ("key", &rules.key),
        ];
        for (kind, all) in by_name {
            for (name, granted) in all {
                add(format!("{kind} {name}"), granted);
            }
        }
        if self.dev {
            add("the developer here".to_owned(), &rules.dev);
        }
        add("services".to_owned(), &rules.service);
        rows
    }
}

/// The later stand over the earlier.
fn laid<'a>(layers: impl IntoIterator<Item = &'a Granted>) -> Grants {
    let mut all = BTreeMap::new();
    for layer in layers {
        all.extend(layer.iter().map(|(module, GrantWord(grant))| (module.as_str(), *grant)));
    }
    all.into_iter().collect()
}

/// Every module that is granted to somebody must be there.
pub(super) fn check(grants: &Node, place: &Place<'_>, known: &[&str], errors: &mut Errors) {
    let Value::Table(table) = &grants.value else { return };
    // Beside whom something is granted, it says what stored grants may do.
    for (whom, node) in table.iter().filter(|(whom, _)| *whom != "session") {
        let place = place.of(whom);
        if matches!(whom.as_str(), "everyone" | "dev" | "service") {
            modules(node, &place, known, errors);
            continue;
        }
        let Value::Table(named) = &node.value else { continue };
        for (name, node) in named {
            modules(node, &place.of(name), known, errors);
        }
    }
}

fn modules(node: &Node, place: &Place<'_>, known: &[&str], errors: &mut Errors) {
    let Value::Table(table) = &node.value else { return };
    for (module, grant) in table {
        if !known.contains(&module.as_str()) {
            errors.unknown(&place.of(module), grant.line, module, known.iter().copied());
        }
    }
}
