//! What every request says of its caller: modules, and what may be done with them.

use std::{collections::BTreeSet, rc::Rc};

use super::{
    Functions, Host, RequestError,
    access::{CallerConfirm, CallerSession, Known, Session},
    fields::Fields,
    module,
};
use crate::{
    failure::Failure,
    operation::Module,
    runtime::{
        Mycelium, OpenError,
        access::{AccessPolicy, Grant, Grants, Unnamed},
    },
};

/// The keys that every request but that of the status may have.
pub(super) const KEYS: [&str; 5] = ["modules", "grants", "sessionGrants", "required", "confirm"];

/// One caller.
pub(super) struct Caller {
    modules: Vec<Module>,
    access: AccessPolicy,
    known: Known,
}

impl Caller {
    /// A caller who brings nothing.
    pub(super) fn without_modules(host: &Host) -> Self {
        let known = Known::new(BTreeSet::new(), host.granted.clone());
        let access = policy(host, &known, &Grants::default(), &[]);
        Self { modules: Vec::new(), access, known }
    }

    /// Takes what is the caller's out of a request.
    pub(super) fn read(
        fields: &mut Fields,
        functions: &mut Functions,
        host: &Host,
    ) -> Result<Self, RequestError> {
        let modules = module::modules(&fields.at("modules"), fields.take("modules"), functions)?;
        let own = modules.iter().map(|own| own.id.clone()).collect();
        let known = Known::new(own, host.granted.clone());
        let grants = grants(fields, "grants")?.unwrap_or_default();
        let required = fields.texts("required")?;
        let mut access = policy(host, &known, &grants, &required);
        if let Some(session) = session(fields, functions)? {
            access =
                access.session_grants(Rc::new(CallerSession { session, known: known.clone() }));
        }
        if let Some(confirm) = fields.function("confirm", functions)? {
            access = access.confirm(Rc::new(CallerConfirm(confirm)));
        }
        let modules = modules.into_iter().map(|own| own.module).collect();
        Ok(Self { modules, access, known })
    }

    /// The key of the module that the caller calls `id`.
    pub(super) fn key(&self, id: &str) -> String {
        self.known.key(id)
    }

    /// A runtime over what this caller may see.
    pub(super) fn open(self, host: Host) -> Result<Mycelium, Failure> {
        let Host { mut options, granted, .. } = host;
        let seen =
            |module: &Module| granted.get(module.id()).is_some_and(|grant| grant > Grant::None);
        options.modules.retain(seen);
        if granted.is_empty() {
            options.sources.clear();
        }
        options.tools.clear();
        options.modules.extend(self.modules);
        options.access = self.access;
        Mycelium::open(options).map_err(|error| not_open(&error))
    }
}

/// What a module isn't granted it doesn't have, and isn't seen either.
fn policy(host: &Host, known: &Known, said: &Grants, required: &[String]) -> AccessPolicy {
    let standing = known.standing(said, required);
    host.options.access.clone().grants(standing).unnamed(Unnamed::Refused)
}

fn grants(fields: &mut Fields, key: &str) -> Result<Option<Grants>, RequestError> {
    let said = fields.take(key).map(|said| Grants::parse(&said));
    said.transpose().map_err(|error| fields.wrong(key, error.to_string()))
}

fn session(
    fields: &mut Fields,
    functions: &mut Functions,
) -> Result<Option<Session>, RequestError> {
    const KEY: &str = "sessionGrants";
    if let Some(function) = functions.take(&fields.at(KEY)) {
        fields.take(KEY);
        return Ok(Some(Session::Read(function)));
    }
    Ok(grants(fields, KEY)?.map(Session::Fixed))
}

/// The host's own declarations were checked before; what breaks a rule is the caller's.
fn not_open(error: &OpenError) -> Failure {
    RequestError::new("", error.to_string()).into()
}
