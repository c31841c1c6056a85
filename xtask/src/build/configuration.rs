//! Bundles the configuration and the tables that it may name.

use std::{collections::BTreeMap, fs, io::ErrorKind, path::Path};

use serde_json::json;

use super::output;
use crate::failure::Failure;

/// Writes what `folder` has as `{"toml": text, "tables": {name: text}}` to `out`. What isn't
/// there is empty.
pub(crate) fn bundle(folder: &Path, out: &Path) -> Result<(), Failure> {
    let toml = text(&folder.join("mycelium.toml"))?;
    let bundled = json!({ "toml": toml, "tables": tables(&folder.join("tables"))? });
    output::write(out, bundled.to_string().as_bytes())
}

fn text(path: &Path) -> Result<String, Failure> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| Failure::file(path, &error)),
    }
}

/// Every table by the name that the configuration has: `tables/NAME.json`.
fn tables(folder: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let mut tables = BTreeMap::new();
    if !folder.is_dir() {
        return Ok(tables);
    }
    for path in output::files(folder)? {
        if path.extension().is_some_and(|extension| extension == "json") {
            let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy();
            tables.insert(format!("tables/{name}"), text(&path)?);
        }
    }
    Ok(tables)
}
