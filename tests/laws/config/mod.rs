//! What an owner writes, and what is said when it is wrong.

mod connections;
mod grants;
mod shipped;
mod start;
mod wrong;

use mycelium::config::{Given, Settings};

/// Settings of a text, with these variables and secrets, and one table in the bundle.
fn decode(toml: &str, variables: &[(&str, &str)]) -> Result<Settings, Vec<String>> {
    let find = |key: &str| {
        variables.iter().find(|(name, _)| *name == key).map(|(_, value)| (*value).to_owned())
    };
    let given = Given {
        toml,
        variable: &find,
        tables: Some(&["tables/petstore.json"]),
        modules: Some(&["demo"]),
    };
    Settings::decode(&given).map_err(|errors| errors.iter().map(ToString::to_string).collect())
}
