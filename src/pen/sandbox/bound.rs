//! What is bound to one pen.

use std::rc::Rc;

use super::{
    Attempts,
    fence::{Fenced, Reach},
    tmp::Tmp,
};
use crate::{
    failure::Failure,
    knapsack::{
        files::{Files, FilesPort, MemoryFiles},
        openapi::Server,
        patch::checked_path,
    },
    operation::{Catalog, Module},
    pen::{Fs, Network, SandboxOptions},
};

/// What a sandbox can't be made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::pen) enum Refused {
    /// What was asked for is no path or no host.
    Input(String),
    /// This host doesn't have it.
    Lacking(Failure),
}

/// The modules and the hosts of one pen.
pub(in crate::pen) struct Bound {
    /// All that is there, what refuses included.
    pub(in crate::pen) modules: Vec<Module>,
    /// What is within reach, for the writer.
    pub(in crate::pen) offered: Catalog,
    /// The hosts that it may reach.
    pub(in crate::pen) hosts: Vec<String>,
    /// What it tries that it may not.
    pub(in crate::pen) attempts: Attempts,
}

/// What an owner has for pens.
pub(in crate::pen) struct Owned<'a> {
    pub(in crate::pen) files: Option<&'a Rc<dyn FilesPort>>,
    pub(in crate::pen) hosts: &'a [String],
    pub(in crate::pen) modules: &'a [Module],
}

impl Bound {
    /// What `options` allow of what the owner has.
    ///
    /// # Errors
    ///
    /// Something isn't a host or a path, or the owner hasn't it.
    pub(in crate::pen) fn new(
        options: &SandboxOptions,
        owned: &Owned<'_>,
    ) -> Result<Self, Refused> {
        let attempts = Attempts::default();
        let hosts = hosts(&options.network, owned.hosts)?;
        let tmp = Fenced {
            name: "tmp",
            port: Rc::new(Tmp::default()),
            reach: if options.fs == Fs::Tmp { Reach::Everything } else { Reach::Nothing },
            attempts: attempts.clone(),
        };
        let files = Fenced {
            name: "files",
            port: owned.files.map_or_else(|| Rc::new(MemoryFiles::new()) as Rc<_>, Rc::clone),
            reach: reach(&options.fs, owned.files.is_some())?,
            attempts: attempts.clone(),
        };
        let mut offered = owned.modules.to_vec();
        let mut modules = owned.modules.to_vec();
        for fenced in [tmp, files] {
            let (name, reaches) = (fenced.name, fenced.reach != Reach::Nothing);
            let module = Files::new(Rc::new(fenced)).module(&format!("pen-{name}"), name);
            if reaches {
                offered.push(module.clone());
            }
            modules.push(module);
        }
        let offered = Catalog::new(offered).map_err(|error| lacking(error.to_string()))?;
        Ok(Self { modules, offered, hosts, attempts })
    }
}

fn lacking(problem: String) -> Refused {
    Refused::Lacking(Failure::PenSandbox { problem })
}

/// The hosts asked for: each one, and one that the owner lets pens reach.
fn hosts(network: &Network, owned: &[String]) -> Result<Vec<String>, Refused> {
    let Network::Allow(asked) = network else { return Ok(Vec::new()) };
    for host in asked {
        if host.contains('/') || Server::new(&format!("https://{host}")).is_err() {
            let problem = format!(
                "options.sandbox.network.allow: {host:?} is no host; write it in small letters \
                 as api.example or api.example:8443, without scheme, path or *"
            );
            return Err(Refused::Input(problem));
        }
        if !owned.contains(host) {
            return Err(lacking(format!(
                "the owner of this host lets pens reach {}, not {host}; do without it, or ask \
                 the owner",
                if owned.is_empty() { "no host".to_owned() } else { owned.join(", ") }
            )));
        }
    }
    Ok(asked.clone())
}

fn reach(fs: &Fs, there: bool) -> Result<Reach, Refused> {
    let Fs::AllowPaths(paths) = fs else { return Ok(Reach::Nothing) };
    if !there {
        return Err(lacking(
            "options.sandbox.fs asks for paths, and this host has no files for pens; use tmp"
                .to_owned(),
        ));
    }
    for path in paths {
        if let Err(rule) = checked_path(path) {
            let problem = format!("options.sandbox.fs.allow_paths: {path:?}: {rule}");
            return Err(Refused::Input(problem));
        }
    }
    Ok(Reach::Below(paths.clone()))
}
