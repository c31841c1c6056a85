//! Follows the README's quick start as a newcomer would: in a fresh clone of what is
//! committed, with an empty home, by the very commands that the README shows.
//!
//! Kept of the machine: the programs on PATH, Rust's toolchains and downloaded
//! crates, and what says how to reach the network. So what is timed is the set-up
//! and the compiling, and on a machine that was used before not the downloads of crates.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{self as std_process, Command, Stdio},
};

use crate::{
    failure::Failure,
    process::{self, Running},
    progress::{Watch, note, seconds},
    workspace::Workspace,
};

/// Variables that a newcomer's machine has as well.
const KEPT: [&str; 14] = [
    "PATH",
    "LANG",
    "TERM",
    "TMPDIR",
    "RUSTUP_TOOLCHAIN",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
];

/// Follows the README's next part, from a document to an agent's call, by its own texts.
const CONNECTING: &str = "npx node --test miniflare-tests/newcomer.test.mjs";

/// Clones, follows and times.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let path = workspace.root().join("README.md");
    let text = fs::read_to_string(&path).map_err(|error| Failure::file(&path, &error))?;
    let guide = Guide::read(&text)
        .ok_or_else(|| Failure::step("read README.md", &"no quick start with commands is there"))?;
    let machine = Machine::empty()?;
    let result = machine.follow(workspace, &guide);
    drop(fs::remove_dir_all(&machine.folder));
    result
}

/// What the quick start says to type, and what it promises.
#[derive(Debug, PartialEq, Eq)]
struct Guide<'a> {
    commands: Vec<&'a str>,
    promise: &'a str,
}

impl<'a> Guide<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let (_, rest) = text.split_once("## Quick start\n")?;
        let section = rest.split("\n## ").next()?;
        let commands: Vec<&str> =
            fenced(section, "sh")?.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let promise = fenced(section, "json")?.trim();
        (!commands.is_empty()).then_some(Self { commands, promise })
    }
}

/// The first fenced block of a language.
fn fenced<'a>(text: &'a str, language: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("```{language}\n"))?;
    rest.split_once("\n```").map(|(block, _)| block)
}

/// A folder that stands for a machine where nothing was set up.
struct Machine {
    folder: PathBuf,
}

impl Machine {
    fn empty() -> Result<Self, Failure> {
        let folder = env::temp_dir().join(format!("mycelium-newcomer-{}", std_process::id()));
        let home = folder.join("home");
        fs::create_dir_all(&home).map_err(|error| Failure::file(&home, &error))?;
        Ok(Self { folder })
    }

    fn follow(&self, workspace: &Workspace, guide: &Guide<'_>) -> Result<(), Failure> {
        let checkout = self.folder.join("mycelium");
        note(&format!("clone what is committed into {}", checkout.display()));
        let mut git = Command::new("git");
        git.args(["clone", "--quiet", "--no-hardlinks"]).arg(workspace.root()).arg(&checkout);
        process::run(&mut git)?;
        note(&format!("HOME is empty; kept are CARGO_HOME, RUSTUP_HOME, {}", KEPT.join(", ")));
        let mut kept = false;
        for command in &guide.commands {
            note(&format!("$ {command}"));
            let watch = Watch::start();
            let printed = self.type_in(&checkout, command)?;
            println!("{command:<20} {}", seconds(watch.elapsed()));
            kept |= printed.trim_end().lines().next_back() == Some(guide.promise);
        }
        let watch = Watch::start();
        self.type_in(&checkout, CONNECTING)?;
        println!("{:<20} {}", "connect a service", seconds(watch.elapsed()));
        if kept {
            return Ok(());
        }
        Err(Failure::verdict(format!(
            "no command ended with what README.md shows: {}",
            guide.promise
        )))
    }

    fn type_in(&self, checkout: &Path, line: &str) -> Result<String, Failure> {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", line])
            .current_dir(checkout)
            .env_clear()
            .env("HOME", self.folder.join("home"))
            .envs(KEPT.iter().filter_map(|name| Some((*name, env::var_os(name)?))))
            .envs(
                [rust("CARGO_HOME", ".cargo"), rust("RUSTUP_HOME", ".rustup")]
                    .into_iter()
                    .flatten(),
            )
            .stdout(Stdio::piped());
        let (status, printed) = Running::start(&mut shell)?.read()?;
        eprint!("{printed}");
        if status.success() {
            return Ok(printed);
        }
        Err(Failure::step(&format!("do as README.md says, `{line}`"), &status))
    }
}

/// A folder of Rust's own, which is under the home unless a variable says otherwise.
fn rust(name: &'static str, folder: &str) -> Option<(&'static str, OsString)> {
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(folder).into_os_string());
    Some((name, env::var_os(name).or_else(home)?))
}

#[cfg(test)]
mod tests {
    use super::Guide;

    #[test]
    fn the_guide_is_the_quick_start_s_first_commands_and_what_they_promise() {
        let guide = Guide::read(include_str!("../../README.md")).unwrap();
        assert_eq!(guide.commands, ["make demo", "make test"]);
        assert_eq!(guide.promise, r#"{"value":"pong"}"#);
    }

    #[test]
    fn a_readme_without_commands_guides_nobody() {
        for text in ["", "## Quick start\n", "## Quick start\n```sh\n\n```\n```json\n1\n```\n"] {
            assert_eq!(Guide::read(text), None, "{text}");
        }
    }
}
