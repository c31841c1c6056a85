//! The configuration in the checkout, which is its owner's to change.

use std::{collections::BTreeSet, fs, path::Path};

use mycelium::{
    config::{Connection, Given, Settings},
    forage::openapi::Table,
};

/// What stands for every digest that a secret may hold.
const DIGEST: &str = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names of the tables that the build will bundle.
fn tables() -> BTreeSet<String> {
    let Ok(folder) = fs::read_dir(root().join("tables")) else { return BTreeSet::new() };
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".json")).map(|name| format!("tables/{name}")).collect()
}

#[test]
fn the_configuration_of_the_checkout_and_its_tables_are_sound() {
    let text = fs::read_to_string(root().join("mycelium.toml")).unwrap();
    let tables = tables();
    let names: Vec<&str> = tables.iter().map(String::as_str).collect();
    // Secrets are the deployment's: each that is asked for is taken as set.
    let secret = |name: &str| (!name.starts_with("MYCELIUM_")).then(|| DIGEST.to_owned());
    let given =
        Given { toml: &text, variable: &secret, tables: Some(&names), modules: Some(&["demo"]) };
    let settings = Settings::decode(&given).unwrap_or_else(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("mycelium.toml:\n{}", errors.join("\n"))
    });
    assert!(!settings.dev, "auth.dev is for .dev.vars, by MYCELIUM_AUTH_DEV");
    for (name, connection) in &settings.connections {
        if let Connection::OpenApi(openapi) = connection {
            let text = fs::read_to_string(root().join(&openapi.table)).unwrap();
            if let Err(error) = Table::read(&text) {
                panic!("connections.{name}: {}: {error}", openapi.table);
            }
        }
    }
}
