//! Shows an owner what an OpenAPI document offers, and makes the table of what they select.
//!
//! ```text
//! make openapi FILE=petstore.yaml
//! make openapi FILE=petstore.yaml SELECT="GET /pets/{id};POST /pets" NAME=pets
//! ```
//!
//! The preview goes to standard error and the table to standard output. Options:
//! `--select "GET /a;POST /b"` or `--select "*"`, `--formats annotate|refuse`, `--serialization full|simple`,
//! `--auth-parameter NAME`. Formats are annotations unless `refuse` is said, as for a
//! connection that is deployed.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks")]

use std::{env, fs, process::ExitCode};

use mycelium::forage::openapi::{
    AuthHint, Formats, Options, Preview, Serialization, ServerHint, normalize_open_api,
};

/// What the owner asked for.
struct Asked {
    file: String,
    select: Vec<String>,
    options: Options,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("openapi: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let asked = asked(env::args().skip(1))?;
    let bytes = fs::read(&asked.file).map_err(|error| format!("{}: {error}", asked.file))?;
    let text =
        String::from_utf8(bytes).map_err(|_| format!("{} isn't UTF-8: convert it", asked.file))?;
    let preview =
        normalize_open_api(&text, asked.options).map_err(|refusal| refusal.to_string())?;
    show(&preview);
    if asked.select.is_empty() {
        return Ok(());
    }
    let all = preview.offered().iter().map(|offered| offered.selector.clone()).collect();
    let select = if asked.select == ["*"] { all } else { asked.select };
    let table = preview.select(&select).map_err(|error| error.to_string())?;
    eprintln!("table {} of {} operations", table.digest(), table.entries().len());
    println!("{}", table.to_json());
    Ok(())
}

fn asked(arguments: impl Iterator<Item = String>) -> Result<Asked, String> {
    let mut options = Options::default();
    options.formats = Formats::Annotate;
    let (mut file, mut select) = (None, Vec::new());
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--select" => {
                let listed = value()?;
                let named = listed.split(';').map(str::trim).filter(|named| !named.is_empty());
                select.extend(named.map(str::to_owned));
            }
            "--formats" => {
                options.formats = match value()?.as_str() {
                    "annotate" => Formats::Annotate,
                    "refuse" => Formats::Refuse,
                    other => return Err(format!("--formats is annotate or refuse, not {other}")),
                };
            }
            "--serialization" => {
                options.serialization = match value()?.as_str() {
                    "simple" => Serialization::Simple,
                    "full" => Serialization::Full,
                    other => return Err(format!("--serialization is simple or full, not {other}")),
                };
            }
            "--auth-parameter" => options.auth_parameter = Some(value()?),
            flag if flag.starts_with("--") => return Err(format!("there is no option {flag}")),
            path => file = Some(path.to_owned()),
        }
    }
    let file = file.ok_or("name a file: make openapi FILE=…")?;
    Ok(Asked { file, select, options })
}

fn show(preview: &Preview) {
    for hint in preview.servers() {
        match hint {
            ServerHint::Absolute(url) => eprintln!("server (a hint): {url:?}"),
            ServerHint::Relative(path) => eprintln!("server (a hint, relative): {path:?}"),
            _ => {}
        }
    }
    for hint in preview.auth() {
        match hint {
            AuthHint::ApiKey { scheme, place, name } => {
                eprintln!("authentication (a hint): {scheme:?}, a key in {place} {name:?}");
            }
            AuthHint::Http { scheme, http } => {
                eprintln!("authentication (a hint): {scheme:?}, HTTP {http:?}");
            }
            AuthHint::Other { scheme, kind } => {
                eprintln!("authentication (a hint): {scheme:?}, {kind:?}");
            }
            _ => {}
        }
    }
    eprintln!("offered: {}", preview.offered().len());
    for offered in preview.offered() {
        eprintln!("  {} as {} ({})", offered.selector, offered.name, offered.method.access());
        for remark in &offered.remarks {
            eprintln!("    {remark}");
        }
    }
    eprintln!("left out: {}", preview.unsupported().len());
    for unsupported in preview.unsupported() {
        eprintln!("  {}", unsupported.selector);
        for reason in &unsupported.reasons {
            eprintln!("    {reason}");
        }
        if unsupported.more_reasons > 0 {
            eprintln!("    and {} more", unsupported.more_reasons);
        }
    }
}
