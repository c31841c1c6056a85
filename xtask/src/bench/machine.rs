//! What a measurement was made on: figures of two machines are no comparison.

use std::{env::consts, fs, thread};

use serde_json::Value;

use crate::workspace::Workspace;

/// Packages that were measured or measured with, and whose list names them.
const PACKAGES: [(&str, &str); 5] = [
    ("workerd", "package.json"),
    ("@cloudflare/codemode", "package.json"),
    ("@cfworker/json-schema", "package.json"),
    ("zod", "package.json"),
    ("agents", "benches/sides/agents/package.json"),
];

/// One line for the machine and one for the versions.
pub(super) fn told(workspace: &Workspace) -> String {
    let cores = thread::available_parallelism().map_or(0, usize::from);
    format!(
        "Machine: {}, {cores} cores, {} {}. Versions: {}.",
        processor().unwrap_or_else(|| "a processor that doesn't say its name".to_owned()),
        consts::OS,
        consts::ARCH,
        versions(workspace).join(", ")
    )
}

fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn versions(workspace: &Workspace) -> Vec<String> {
    let text = |file: &str| fs::read_to_string(workspace.root().join(file)).unwrap_or_default();
    let toolchain = text("rust-toolchain.toml");
    let rust = toolchain.split("channel = \"").nth(1).and_then(|rest| rest.split('"').next());
    let rust = rust.map(|version| format!("Rust {version}"));
    let packages = PACKAGES.iter().filter_map(|(name, list)| version(name, &text(list)));
    rust.into_iter().chain(packages).collect()
}

fn version(name: &str, list: &str) -> Option<String> {
    let list: Value = serde_json::from_str(list).ok()?;
    let of = |key: &str| Some(list.get(key)?.get(name)?.as_str()?.to_owned());
    let version = of("devDependencies").or_else(|| of("dependencies"))?;
    Some(format!("{name} {version}"))
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn a_version_is_that_of_the_list() {
        let list = r#"{"dependencies":{"a":"1.0.0"},"devDependencies":{"b":"2.0.0"}}"#;
        assert_eq!(version("a", list).as_deref(), Some("a 1.0.0"));
        assert_eq!(version("b", list).as_deref(), Some("b 2.0.0"));
        assert_eq!(version("c", list), None);
    }
}
