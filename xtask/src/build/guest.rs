//! Gathers the guest runtime into one JSON object of module name to text.

use std::{collections::BTreeMap, fs, path::Path};

use super::output;
use crate::failure::Failure;

/// Writes every `.js` file directly in `folder` into the object at `out`.
pub(crate) fn bundle(folder: &Path, out: &Path) -> Result<(), Failure> {
    let mut modules = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(|error| Failure::file(folder, &error))? {
        let path = entry.map_err(|error| Failure::file(folder, &error))?.path();
        if path.extension().is_some_and(|extension| extension == "js") {
            let text = fs::read_to_string(&path).map_err(|error| Failure::file(&path, &error))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            modules.insert(name.into_owned(), text);
        }
    }
    let json = serde_json::to_string(&modules)
        .map_err(|error| Failure::step("encode the guest runtime", &error))?;
    output::write(out, json.as_bytes())
}
