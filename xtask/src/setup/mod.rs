//! Brings what the project needs and the machine lacks: nothing outside the checkout
//! but parts of the Rust toolchain. What is here already is left alone.

mod node;
mod packages;

use std::process::Command;

pub(crate) use node::Node;

use crate::{
    failure::Failure, process, progress::step, toolchain, toolchain::Part, workspace::Workspace,
};

/// Makes the checkout ready for every other command, and says what it had to do.
pub(crate) fn run(workspace: &Workspace) -> Result<Node, Failure> {
    for part in toolchain::missing(workspace)? {
        step(&format!("add {}", part.name), || add(workspace, part))?;
    }
    let node = Node::ready(workspace)?;
    packages::install(workspace, &node)?;
    Ok(node)
}

fn add(workspace: &Workspace, part: &Part) -> Result<(), Failure> {
    let mut rustup = Command::new("rustup");
    if process::probe(rustup.arg("--version")).is_none() {
        let remedy = format!(
            "`{}` would bring it, but there is no rustup: https://rustup.rs",
            part.remedy()
        );
        return Err(Failure::missing(part.name, &remedy));
    }
    process::run(Command::new("rustup").args(part.rustup).current_dir(workspace.root()))
}
