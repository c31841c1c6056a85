//! What may be depended upon: known licences, one version of each crate, one registry.
//!
//! The lists are `deny.toml`'s, so that `cargo deny` says the same where it is
//! installed. It isn't required: building it takes longer than all checks together.

use std::{collections::BTreeMap, process::Command};

use serde_json::Value;

use super::MANIFESTS;
use crate::{failure::Failure, process, workspace::Workspace};

const POLICY: &str = include_str!("../../../deny.toml");

/// Every package in the lock files, whatever platform it is for.
pub(super) fn check(workspace: &Workspace) -> Result<String, Failure> {
    let counts: Vec<usize> =
        MANIFESTS.iter().map(|manifest| packages(workspace, manifest)).collect::<Result<_, _>>()?;
    let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
    Ok(format!("{} packages", counts.join(" and ")))
}

/// How many packages the lock file beside `manifest` names, each of which is as it must be.
fn packages(workspace: &Workspace, manifest: &str) -> Result<usize, Failure> {
    let mut cargo = Command::new(process::cargo());
    cargo
        .args(["metadata", "--locked", "--format-version", "1", "--manifest-path", manifest])
        .current_dir(workspace.root());
    let text = process::probe(&mut cargo)
        .ok_or_else(|| Failure::step("read the lock file", &"`cargo metadata --locked` fails"))?;
    let metadata: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::step("read cargo's metadata", &error))?;
    let packages: Vec<Package<'_>> = metadata
        .get("packages")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(Package::of)
        .collect();
    let problems = Policy::read(POLICY).problems(&packages);
    if packages.is_empty() || !problems.is_empty() {
        let problems = problems.join("; ");
        return Err(Failure::verdict(format!("{manifest} against deny.toml: {problems}")));
    }
    Ok(packages.len())
}

struct Package<'a> {
    name: &'a str,
    version: &'a str,
    license: &'a str,
    /// Empty for a package of this checkout.
    source: &'a str,
}

impl<'a> Package<'a> {
    fn of(value: &'a Value) -> Self {
        let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
        Self {
            name: text("name"),
            version: text("version"),
            license: text("license"),
            source: text("source"),
        }
    }
}

struct Policy<'a> {
    licenses: Vec<&'a str>,
    twice: Vec<&'a str>,
}

impl<'a> Policy<'a> {
    fn read(text: &'a str) -> Self {
        Self { licenses: list(text, "allow"), twice: list(text, "skip") }
    }

    fn problems(&self, packages: &[Package<'_>]) -> Vec<String> {
        let mut sources = packages.iter().map(|package| package.source);
        let registry = sources.find(|source| source.starts_with("registry+"));
        let registry = registry.unwrap_or_default();
        let mut problems = Vec::new();
        let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for Package { name, version, license, source } in packages {
            if !self.permits(license) {
                problems.push(format!("{name} {version} is under {license:?}"));
            }
            if !source.is_empty() && *source != registry {
                problems.push(format!("{name} {version} comes from {source}"));
            }
            versions.entry(name).or_default().push(version);
        }
        for (name, versions) in versions {
            if versions.len() > 1 && !self.twice.contains(&name) {
                problems.push(format!("{name} is there as {}", versions.join(" and ")));
            }
        }
        problems
    }

    /// Whether an SPDX expression is satisfied by permitted licences.
    ///
    /// Brackets are left out, which can make a nested expression stricter and never laxer.
    fn permits(&self, expression: &str) -> bool {
        let flat = expression.replace(['(', ')'], "").replace('/', " OR ");
        flat.split(" AND ")
            .all(|part| part.split(" OR ").any(|one| self.licenses.contains(&one.trim())))
    }
}

/// The strings of the array `key`, comments left out.
fn list<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    text.lines()
        .skip_while(|line| line.split_once(" = [").is_none_or(|(name, _)| name != key))
        .scan(false, |ended, line| {
            let open = !*ended;
            let line = line.split('#').next().unwrap_or_default();
            *ended = line.contains(']');
            open.then_some(line)
        })
        .flat_map(|line| line.split('"').skip(1).step_by(2))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{POLICY, Package, Policy};

    fn problems(package: Package<'_>) -> Vec<String> {
        let source = "registry+https://first.example";
        let other = Package { name: "other", version: "1.0.0", license: "MIT", source };
        Policy::read(POLICY).problems(&[other, package])
    }

    const GOOD: Package<'_> =
        Package { name: "mycelium", version: "0.1.0", license: "MIT", source: "" };

    #[test]
    fn the_lists_are_read_from_the_file() {
        let policy = Policy::read(POLICY);
        assert!(policy.licenses.contains(&"MIT") && policy.licenses.contains(&"Zlib"));
        assert!(policy.twice.contains(&"syn") && !policy.twice.contains(&"MIT"));
    }

    #[test]
    fn an_unknown_licence_a_second_version_and_a_foreign_source_are_named() {
        assert!(problems(GOOD).is_empty());
        for bad in [
            Package { license: "GPL-3.0", ..GOOD },
            Package { license: "", ..GOOD },
            Package { name: "other", ..GOOD },
            Package { source: "git+https://git.example/x", ..GOOD },
            Package { source: "registry+https://index.example", ..GOOD },
        ] {
            assert_eq!(problems(bad).len(), 1);
        }
    }

    #[test]
    fn a_choice_needs_one_permitted_licence_and_a_sum_needs_all() {
        let policy = Policy::read(POLICY);
        for good in ["MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
            assert!(policy.permits(good), "{good}");
        }
        for bad in ["GPL-3.0", "MIT AND GPL-3.0", "(GPL-3.0 OR LGPL-2.1) AND MIT"] {
            assert!(!policy.permits(bad), "{bad}");
        }
    }
}
