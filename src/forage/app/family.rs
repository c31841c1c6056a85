//! The tools that an App lists while it runs.

use serde_json::Value;

use super::{
    super::ForageError,
    AppApi,
    declaration::{Fields, fault},
};
use crate::{operation::Access, schema::Schema};

/// The most tools of one family.
const ROWS: usize = 500;

/// What one of an App's methods gave.
#[derive(Clone, Debug)]
pub struct AppReply {
    /// The method.
    pub method: String,
    /// Its answer.
    pub output: Value,
}

/// The tools of one family.
#[derive(Clone, Debug)]
pub struct ToolFamily {
    /// The family's name.
    pub name: String,
    /// The method that runs one of its tools.
    pub call: String,
    /// What that method does to the world.
    pub effect: Access,
    /// Capabilities that it needs.
    pub requirements: Vec<String>,
    /// The tools, in the App's own order.
    pub rows: Vec<ToolRow>,
}

/// One tool.
#[derive(Clone, Debug)]
pub struct ToolRow {
    /// The tool's name; one family has it once.
    pub name: String,
    /// What it does; may be empty.
    pub description: String,
    /// Checks what it takes.
    pub input: Schema,
    /// Checks what it gives, if it says.
    pub output: Option<Schema>,
    /// The whole row as the App gave it, its own selectors with it.
    pub row: Value,
}

/// The tools in what a listing gave; none when no family is listed by that method.
///
/// The answer is first held to what the method declares, then each row is read. It brings
/// schemas and data, and no way to run anything.
///
/// # Errors
///
/// A [`ForageError::App`]: a method that isn't declared, an answer other than declared, a row
/// without a name or an input schema, a name twice, too many rows.
pub fn app_tool_family_schemas(
    api: &AppApi,
    reply: &AppReply,
) -> Result<Option<ToolFamily>, ForageError> {
    let method = &reply.method;
    let undeclared = || fault(method, "there is no such method: declare it");
    let declared = api.methods.get(method).ok_or_else(undeclared)?;
    declared
        .output
        .validate(&reply.output)
        .map_err(|error| fault(method, &format!("its answer is not what it declares: {error}")))?;
    let Some((name, family)) = api.families().find(|(_, family)| &family.listing == method) else {
        return Ok(None);
    };
    let call = api.methods.get(&family.call).ok_or_else(undeclared)?;
    Ok(Some(ToolFamily {
        name: name.to_owned(),
        call: family.call.clone(),
        effect: call.effect,
        requirements: call.requirements.clone(),
        rows: rows(method, &reply.output)?,
    }))
}

fn rows(method: &str, output: &Value) -> Result<Vec<ToolRow>, ForageError> {
    let Some(Value::Array(given)) = output.get("tools") else {
        return Err(fault(method, "its answer has no list \"tools\": give one, be it empty"));
    };
    if given.len() > ROWS {
        return Err(fault(method, &format!("it lists more than {ROWS} tools: list fewer")));
    }
    let mut names = std::collections::BTreeSet::new();
    let rows: Vec<ToolRow> = given
        .iter()
        .enumerate()
        .map(|(position, given)| row(&format!("{method}, tool {position}"), given))
        .collect::<Result<_, _>>()?;
    match rows.iter().find(|row| !names.insert(row.name.clone())) {
        None => Ok(rows),
        Some(twin) => {
            let problem = format!("two tools are named {:?}: name them apart", twin.name);
            Err(fault(method, &problem))
        }
    }
}

fn row(place: &str, given: &Value) -> Result<ToolRow, ForageError> {
    let fields = Fields::open(place, given)?;
    let name = fields.text("name")?.filter(|name| !name.is_empty());
    Ok(ToolRow {
        name: name.ok_or_else(|| fault(place, "it has no name: give it one"))?,
        description: fields.text("description")?.unwrap_or_default(),
        input: fields.schema("input")?,
        output: fields.perhaps_schema("output")?,
        row: given.clone(),
    })
}
