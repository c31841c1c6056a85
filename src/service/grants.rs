//! What a Worker says that sets the grants of a principal's sessions.
//!
//! Owns reading it and the reply. Doesn't own where grants are kept, nor what they may
//! lift: that is the owner's to say, in the configuration.

use serde_json::{Value, json};

use super::{Argument, RequestError, asked::all_taken, fields::Fields, reply};
use crate::{
    limits::{SESSION_GRANTS, SESSION_GRANTS_BYTES},
    mcp::{Actor, Principal},
    runtime::access::Grants,
};

/// Grants to set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetGrants {
    /// Whose sessions they are for.
    pub principal: Principal,
    /// By the module's id; they replace all that stood.
    pub grants: Grants,
}

impl SetGrants {
    /// Reads the request. `known` are the ids of the modules there are, where they are known.
    ///
    /// # Errors
    ///
    /// [`RequestError`] for the first thing that is wrong.
    pub fn read(argument: Argument, known: Option<&[&str]>) -> Result<Self, RequestError> {
        let Argument { value, functions } = argument;
        let mut fields = Fields::of("", value, &["principal", "grants"])?;
        let principal = principal(fields.take("principal").unwrap_or_default())?;
        let grants = fields.take("grants").unwrap_or_default();
        let grants = Grants::parse(&grants).map_err(|error| {
            fields.wrong("grants", format!("{error}; {{}} leaves what the configuration says"))
        })?;
        bounded(&fields, &grants)?;
        let unknown = known.and_then(|known| grants.iter().find(|(id, _)| !known.contains(id)));
        if let (Some((id, _)), Some(known)) = (unknown, known) {
            let (id, known) = (crate::failure::bounded(id, 64), known.join(", "));
            let problem = format!("there is no module {id:?}: the modules are {known}");
            return Err(fields.wrong("grants", problem));
        }
        all_taken(functions, Self { principal, grants }).map(|(_, read)| read)
    }
}

fn bounded(fields: &Fields, grants: &Grants) -> Result<(), RequestError> {
    let (count, bytes) = (grants.iter().count(), grants.to_json().to_string().len());
    if count <= SESSION_GRANTS && bytes <= SESSION_GRANTS_BYTES {
        return Ok(());
    }
    let problem = format!("give at most {SESSION_GRANTS} grants in {SESSION_GRANTS_BYTES} bytes");
    Err(fields.wrong("grants", problem))
}

fn principal(value: Value) -> Result<Principal, RequestError> {
    const AT: &str = "/principal";
    let mut fields = match value {
        Value::Object(_) => Fields::of(AT, value, &["kind", "id"])?,
        _ => return Err(RequestError::new(AT, "give an object with kind, id")),
    };
    let (kind, id) = (fields.required("kind")?, fields.required("id")?);
    let actor = Actor::of(&kind, &id).ok_or_else(|| {
        let problem = r#"the kind is "member", "agent" or "team-key", the id 1 to 256 bytes"#;
        RequestError::new(AT, problem)
    })?;
    Ok(Principal::new(actor))
}

/// The reply when grants are set, with those that stood before; null when those could not
/// be read.
#[must_use]
pub fn grants_set(replaced: Option<&Grants>) -> String {
    reply::value(&json!({ "replaced": replaced.map(Grants::to_json) }))
}
