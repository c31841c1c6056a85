//! What a developer sees at the start.

use mycelium::config::{ConnectionRow, start_table};

use super::{connections::SOUND, decode};

#[test]
fn the_start_tells_connections_grants_and_what_is_not_enforced() {
    let toml = format!(
        "{SOUND}[grants.dev]\ndemo = 'read'\npetstore = 'write'\n[grants.role.engineer]\nnotes = 'read'"
    );
    let variables =
        [("MYCELIUM_AUTH_DEV", "true"), ("MYCELIUM_LOCAL_DEV_UNENFORCED_LIMITS", "cpu")];
    let settings = decode(&toml, &variables).unwrap();
    let rows = settings.connections.iter().map(|(name, one)| ConnectionRow::new(name, one));
    let mut rows: Vec<_> = rows.collect();
    for row in &mut rows {
        match row.name.as_str() {
            "petstore" => row.problem = Some("the secret PETSTORE_TOKEN isn't set".to_owned()),
            "notes" => row.operations = Some(7),
            _ => {}
        }
    }
    let expected = "\
connections: 5
  builder   computer  Worker bound as BUILDER          asked when it is first used
  notes     files     R2 bucket NOTES below agents/7/  7 operations
  petstore  openapi   https://petstore.example/v1      LEFT OUT: the secret PETSTORE_TOKEN isn't set
  remote    computer  https://remote.example/computer  asked when it is first used
  wiki      mcp       https://wiki.example/mcp/        asked when it is first used
grants: 3
  role engineer       notes     read
  the developer here  demo      read
  the developer here  petstore  write
limits not enforced here: cpu";
    assert_eq!(start_table(&settings, &rows).join("\n"), expected);
    let said = "[log]\ncode = true\ninputs = true\n[grants]\nsession = 'narrow'";
    let expected = [
        "connections: none",
        "grants: none",
        "session grants: may narrow these",
        "in the log, as log asks: code, inputs",
    ];
    assert_eq!(start_table(&decode(said, &[]).unwrap(), &[]), expected);
    let nothing = decode("", &[]).unwrap();
    assert_eq!(start_table(&nothing, &[]), ["connections: none", "grants: none"]);
}

#[test]
fn a_server_whose_word_on_reading_is_believed_is_shown_as_such() {
    for (trusting, shown) in [("", true), ("trust_annotations = false", false)] {
        let toml = format!(
            "[connections.wiki]\ntype = 'mcp'\nurl = 'https://wiki.example/mcp'\n{trusting}"
        );
        let settings = decode(&toml, &[]).unwrap();
        let rows: Vec<_> =
            settings.connections.iter().map(|(name, one)| ConnectionRow::new(name, one)).collect();
        let told = start_table(&settings, &rows).join("\n");
        assert_eq!(told.contains("what its tools say of reading is believed"), shown, "{told}");
    }
}
