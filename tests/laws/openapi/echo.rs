//! The table of the server that programs call in real isolates.

use std::{fs, path::Path};

use mycelium::forage::openapi::{Table, normalize_open_api};

use super::corpus::options;

#[test]
fn the_echo_servers_table_is_what_its_document_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("miniflare-tests/openapi");
    let document = fs::read_to_string(folder.join("echo.yaml")).unwrap();
    let preview = normalize_open_api(&document, options(true)).unwrap();
    assert!(preview.unsupported().is_empty(), "{:?}", preview.unsupported());
    let selectors: Vec<_> = preview.offered().iter().map(|found| &found.selector).collect();
    let table = preview.select(&selectors).unwrap();
    let path = folder.join("echo.table.json");
    if std::env::var_os("MYCELIUM_WRITE_DOCS").is_some() {
        fs::write(&path, format!("{}\n", table.to_json())).unwrap();
    }
    let stored = fs::read_to_string(path).unwrap();
    assert!(
        Table::read(&stored).as_ref() == Ok(&table),
        "echo.table.json isn't what echo.yaml says: write it with MYCELIUM_WRITE_DOCS=1"
    );
}
