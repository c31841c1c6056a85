//! What to build, as asked for on a command line.

use std::{env, fs, path::PathBuf};

use crate::{failure::Failure, workspace::Workspace};

/// How the Worker is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Quick to rebuild: for tests and `make dev`.
    WorkerTest,
    /// As it is deployed.
    Release,
}

impl Profile {
    /// The variable that chooses one where nothing else does; wrangler passes it on.
    pub(crate) const VARIABLE: &str = "MYCELIUM_PROFILE";

    /// Reads a profile by its name in `Cargo.toml`.
    fn parse(name: &str) -> Result<Self, Failure> {
        match name {
            "worker-test" => Ok(Self::WorkerTest),
            "release" => Ok(Self::Release),
            other => {
                Err(Failure::usage(format!("no profile `{other}`: use `worker-test` or `release`")))
            }
        }
    }

    /// The profile's name in `Cargo.toml`, which is also its folder under the target directory.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::WorkerTest => "worker-test",
            Self::Release => "release",
        }
    }
}

/// What is compiled in beside what is deployed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extra {
    /// Nothing.
    None,
    /// Fault injection.
    Faults,
    /// The entry point of the benches.
    Bench,
}

impl Extra {
    /// The feature in `Cargo.toml`.
    pub(crate) fn feature(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Faults => Some("faults"),
            Self::Bench => Some("bench"),
        }
    }
}

/// What to build and where to put it.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// How to compile.
    pub(crate) profile: Profile,
    /// What is compiled in for tests or benches.
    pub(crate) extra: Extra,
    /// The folder that `entry.mjs` will find the output in.
    pub(crate) out: PathBuf,
    /// The crate that is the Worker, when it is made with the library.
    pub(crate) library: Option<Library>,
}

/// A crate that is a Worker, made with the library.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    /// Where its manifest is, and its configuration.
    pub(crate) folder: PathBuf,
}

impl Library {
    /// Its manifest.
    pub(crate) fn manifest(&self) -> PathBuf {
        self.folder.join("Cargo.toml")
    }

    /// Where its build goes: the host's JavaScript and the output, laid out as in the
    /// library's own checkout.
    pub(crate) fn build(&self) -> PathBuf {
        self.folder.join("build")
    }

    /// The name of what cargo makes of it, by the first name in its manifest.
    pub(crate) fn stem(&self) -> Result<String, Failure> {
        let path = self.manifest();
        let text = fs::read_to_string(&path).map_err(|error| Failure::file(&path, &error))?;
        let name = text.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
        let nameless = || Failure::usage(format!("{} has no line `name = …`", path.display()));
        Ok(name.ok_or_else(nameless)?.replace('-', "_"))
    }
}

impl Plan {
    /// The Worker as wrangler runs it.
    pub(crate) fn worker(workspace: &Workspace, profile: Profile) -> Self {
        Self { profile, extra: Extra::None, out: workspace.worker_build(), library: None }
    }

    /// The Worker as the tests run it, with or without fault injection.
    pub(crate) fn tested(workspace: &Workspace, faults: bool) -> Self {
        let (folder, extra) =
            if faults { ("faults", Extra::Faults) } else { ("worker-test", Extra::None) };
        Self {
            profile: Profile::WorkerTest,
            extra,
            out: workspace.builds().join(folder),
            library: None,
        }
    }

    /// The Worker in a folder of its own, where it can be asked for what only a test or a
    /// measurement may.
    pub(crate) fn asked(workspace: &Workspace, profile: Profile, folder: &str) -> Self {
        Self { profile, extra: Extra::Faults, out: workspace.builds().join(folder), library: None }
    }

    /// The Worker as the benches run it: as deployed, with an entry point more.
    pub(crate) fn measured(workspace: &Workspace) -> Self {
        let out = workspace.builds().join("bench");
        Self { profile: Profile::Release, extra: Extra::Bench, out, library: None }
    }

    /// The Worker that is made with the library in `folder`.
    pub(crate) fn library(folder: PathBuf, profile: Profile) -> Self {
        let library = Library { folder };
        let out = library.build().join("build").join("worker");
        Self { profile, extra: Extra::None, out, library: Some(library) }
    }

    /// The same build before its modules are prepared for warming, in a folder beside.
    pub(super) fn plain(&self) -> Self {
        let mut name = self.out.file_name().unwrap_or_default().to_owned();
        name.push("-plain");
        Self { out: self.out.with_file_name(name), ..self.clone() }
    }

    /// Reads `[--profile P] [--out DIR] [--faults | --bench]`, or `[--profile P] --library DIR`.
    pub(crate) fn parse(workspace: &Workspace, arguments: &[String]) -> Result<Self, Failure> {
        let profile = env::var(Profile::VARIABLE).unwrap_or_else(|_| "release".into());
        let mut plan = Self::worker(workspace, Profile::parse(&profile)?);
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match (argument.as_str(), rest.as_slice().first()) {
                ("--faults", _) => plan.extra = Extra::Faults,
                ("--bench", _) => plan.extra = Extra::Bench,
                ("--profile", Some(name)) => {
                    plan.profile = Profile::parse(name)?;
                    rest.next();
                }
                ("--library", Some(folder)) => {
                    plan = Self::library(workspace.root().join(folder), plan.profile);
                    rest.next();
                }
                ("--out", Some(folder)) => {
                    plan.out = workspace.root().join(folder);
                    rest.next();
                }
                (other, _) => {
                    return Err(Failure::usage(format!("unknown or incomplete option `{other}`")));
                }
            }
        }
        Ok(plan)
    }
}
