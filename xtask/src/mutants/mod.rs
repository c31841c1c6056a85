//! Breaks the sources on purpose, one law at a time, and expects the law's own test to fail.
//!
//! It works in a copy of the checkout with a target directory of its own, which stay for
//! the next time: what is compiled is the change and nothing else.

mod list;
mod mutation;
mod tree;
mod trial;

use list::MUTATIONS;
use mutation::Mutation;
use tree::Tree;
use trial::{Suite, Verdict};

use crate::{
    failure::Failure,
    process::interrupt,
    progress::{Watch, note, seconds},
    workspace::Workspace,
};

/// Makes every mutation, or those whose name has one of `words` in it.
pub(crate) fn run(workspace: &Workspace, words: &[String]) -> Result<(), Failure> {
    let chosen = chosen(words)?;
    let tree = Tree::of(workspace)?;
    note("mutants: the tests pass as long as nothing is broken");
    sound(&tree, &chosen)?;
    let mut survivors = Vec::new();
    println!("\n{:<52} {:>7}  caught by", "mutation", "seconds");
    for mutation in &chosen {
        let watch = Watch::start();
        let verdict = broken(&tree, mutation)?;
        let took = seconds(watch.elapsed());
        let said = match verdict {
            Verdict::Failed => mutation.test,
            Verdict::Passed => "NOTHING",
        };
        println!("{:<52} {took:>7}  {said}", mutation.name);
        if verdict == Verdict::Passed {
            survivors.push(mutation.name);
        }
    }
    println!(
        "\n{} mutations, {} caught",
        chosen.len(),
        chosen.len().saturating_sub(survivors.len())
    );
    if survivors.is_empty() {
        return Ok(());
    }
    Err(Failure::verdict(format!("not caught: {}", survivors.join(", "))))
}

fn chosen(words: &[String]) -> Result<Vec<&'static Mutation>, Failure> {
    let named = |mutation: &&Mutation| {
        words.is_empty() || words.iter().any(|word| mutation.name.contains(word.as_str()))
    };
    let chosen: Vec<_> = MUTATIONS.iter().filter(named).collect();
    if chosen.is_empty() {
        return Err(Failure::usage(format!("no mutation is named like `{}`", words.join(" "))));
    }
    Ok(chosen)
}

/// The named tests of all mutations, over sources that nobody has broken.
fn sound(tree: &Tree, mutations: &[&Mutation]) -> Result<(), Failure> {
    for suite in [Suite::Unit, Suite::Laws] {
        let mut names: Vec<&str> =
            mutations.iter().filter(|one| one.suite == suite).map(|one| one.test).collect();
        names.sort_unstable();
        names.dedup();
        if !names.is_empty() && trial::run(tree, suite, &names)? == Verdict::Failed {
            return Err(Failure::verdict("tests fail before anything is broken: see above"));
        }
    }
    Ok(())
}

/// What the mutation's test says of the broken sources, which are whole again afterwards.
fn broken(tree: &Tree, mutation: &Mutation) -> Result<Verdict, Failure> {
    let sound = tree.read(mutation.file)?;
    tree.write(mutation.file, &mutation.apply(&sound)?)?;
    let verdict = trial::run(tree, mutation.suite, &[mutation.test]);
    tree.write(mutation.file, &sound)?;
    interrupt::check()?;
    verdict.map_err(|failure| Failure::step(&format!("try `{}`", mutation.name), &failure))
}
