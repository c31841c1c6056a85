//! Reads the configuration as the Worker will, and shows what comes of it.
//!
//! ```text
//! make deploy-check
//! cargo run --example configuration -- FOLDER
//! ```
//!
//! The folder has `mycelium.toml` and `tables/`. Variables aren't looked at, and secrets are
//! taken as there: they are the deployed Worker's. It fails when a key is wrong, and when `auth.dev` is on, for
//! that lets in anyone who comes through a tunnel.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks")]

use std::{env, fs, io::ErrorKind, path::Path, process::ExitCode};

use mycelium::config::{ConnectionRow, Given, Settings, start_table};

fn main() -> ExitCode {
    let folder = env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    match read(Path::new(&folder)) {
        Ok(lines) => {
            println!("{}", lines.join("\n"));
            ExitCode::SUCCESS
        }
        Err(problems) => {
            for problem in problems {
                eprintln!("configuration: {problem}");
            }
            ExitCode::FAILURE
        }
    }
}

fn read(folder: &Path) -> Result<Vec<String>, Vec<String>> {
    let toml = text(&folder.join("mycelium.toml")).map_err(|problem| vec![problem])?;
    let tables = tables(&folder.join("tables")).map_err(|problem| vec![problem])?;
    let tables: Vec<&str> = tables.iter().map(String::as_str).collect();
    let given = Given { toml: &toml, variable: &secret, tables: Some(&tables), modules: None };
    let settings = Settings::decode(&given)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    if settings.dev {
        let problem = "auth.dev is on: say MYCELIUM_AUTH_DEV=true in .dev.vars instead";
        return Err(vec![problem.to_owned()]);
    }
    let rows: Vec<ConnectionRow> = settings
        .connections
        .iter()
        .map(|(name, connection)| ConnectionRow::new(name, connection))
        .collect();
    Ok(start_table(&settings, &rows))
}

/// Every secret that is named is taken as there, and as a digest, which it may have to be.
fn secret(name: &str) -> Option<String> {
    (!name.starts_with("MYCELIUM_")).then(|| "0".repeat(64))
}

/// What isn't there is empty, as in the bundle.
fn text(path: &Path) -> Result<String, String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| format!("{}: {error}", path.display())),
    }
}

fn tables(folder: &Path) -> Result<Vec<String>, String> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(|error| format!("{}: {error}", folder.display()))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(|error| error.to_string())?.file_name();
        let name = name.to_string_lossy().into_owned();
        if Path::new(&name).extension().is_some_and(|extension| extension == "json") {
            names.push(format!("tables/{name}"));
        }
    }
    Ok(names)
}
