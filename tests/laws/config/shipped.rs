//! The configuration that is shipped.

use std::{fs, path::Path};

use mycelium::{config::ConnectionRow, runtime::access::Grant};

use super::decode;

#[test]
fn the_shipped_configuration_is_sound_and_grants_nothing_to_a_deployment() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("mycelium.toml");
    let text = fs::read_to_string(path).unwrap();
    let deployed = decode(&text, &[]).unwrap();
    assert!(!deployed.dev && deployed.keys.is_empty() && deployed.jwt.is_none());
    let rows: Vec<ConnectionRow> = deployed
        .connections
        .iter()
        .map(|(name, connection)| ConnectionRow::new(name, connection))
        .collect();
    let told = mycelium::config::start_table(&deployed, &rows);
    assert_eq!(told, ["connections: none", "grants: none"]);
    let here = decode(&text, &[("MYCELIUM_AUTH_DEV", "true")]).unwrap();
    let dev = mycelium::mcp::Principal::new(mycelium::mcp::Actor::Member("dev".to_owned()));
    assert_eq!(here.grants.of(&dev).get("demo"), Some(Grant::Read));
}
