//! Fuzzes everything that reads bytes from outside, guided by what code it reaches.
//!
//! The targets are cargo-fuzz's. They are compiled here, because the coverage that
//! libFuzzer needs is a flag of the stable compiler, and the address sanitizer, which
//! isn't, has nothing to find where `unsafe` is forbidden.

use std::{
    env,
    fs::{self, File},
    path::Path,
    process::Command,
};

use crate::{
    failure::Failure,
    process::{self, Running},
    progress::{note, step},
    toolchain,
    workspace::Workspace,
};

/// Seconds for each target, unless SECONDS says.
const EACH_SECONDS: &str = "60";

/// The most bytes that one input may make a target hold.
const MEMORY_MIB: &str = "-rss_limit_mb=2048";

/// The longest that one input may take.
const SLOWEST_SECONDS: &str = "-timeout=10";

/// The longest input that is tried.
const LONGEST: &str = "-max_len=65536";

/// The line in which libFuzzer says how many inputs it tried.
const TRIED: &str = "stat::number_of_executed_units:";

/// What makes the compiler tell libFuzzer which code ran, and which comparisons failed.
const COVERAGE: [&str; 8] = [
    "--cfg",
    "fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

/// Runs every target, or those named, for SECONDS each, from SEED on or from anywhere. What
/// fails is kept in `target/fuzz/found`, and belongs among the target's seeds once it is
/// mended.
pub(crate) fn run(workspace: &Workspace, named: &[String]) -> Result<(), Failure> {
    let seconds = env::var("SECONDS").unwrap_or_else(|_| EACH_SECONDS.to_owned());
    let home = workspace.root().join("fuzz");
    let all = targets(&home)?;
    if let Some(unknown) = named.iter().find(|name| !all.contains(name)) {
        return Err(Failure::usage(format!("no target `{unknown}`: {}", all.join(", "))));
    }
    let programs = workspace.root().join("target").join("fuzz").join("build");
    let triple = toolchain::host(workspace)?;
    step("compile the fuzz targets", || compile(&home, &programs, &triple))?;
    let mut failed = Vec::new();
    for target in all.iter().filter(|name| named.is_empty() || named.contains(name)) {
        let program = programs.join(&triple).join("debug").join(target);
        let told = step(&format!("fuzz {target} for {seconds} s"), || {
            fuzz(workspace, &program, target, &seconds)
        });
        match told {
            Ok(inputs) => note(&format!("{target}: {inputs} inputs, nothing found")),
            Err(failure) => {
                note(&failure.to_string());
                failed.push(target.as_str());
            }
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(Failure::step("fuzz", &format!("{}: see target/fuzz/found", failed.join(", "))))
}

/// The names of the targets, in order.
fn targets(home: &Path) -> Result<Vec<String>, Failure> {
    let folder = home.join("targets");
    let entries = fs::read_dir(&folder).map_err(|error| Failure::file(&folder, &error))?;
    let stems =
        entries.flatten().filter_map(|entry| entry.path().file_stem()?.to_str().map(str::to_owned));
    let mut names: Vec<String> = stems.collect();
    names.sort();
    Ok(names)
}

/// With the target named, build scripts and macros aren't made to count.
fn compile(home: &Path, programs: &Path, triple: &str) -> Result<(), Failure> {
    let mut cargo = Command::new(process::cargo());
    cargo
        .current_dir(home)
        .args(["build", "--locked", "--bins", "--target", triple, "--target-dir"])
        .arg(programs)
        .env("CARGO_ENCODED_RUSTFLAGS", COVERAGE.join("\u{1f}"))
        .env_remove("RUSTFLAGS");
    process::run(&mut cargo)
}

/// Returns how many inputs were tried. Those that reach new code are kept for the next
/// time; the seeds stay as they are.
fn fuzz(
    workspace: &Workspace,
    program: &Path,
    target: &str,
    seconds: &str,
) -> Result<String, Failure> {
    let kept = workspace.root().join("target").join("fuzz");
    let (corpus, found) = (kept.join("corpus").join(target), kept.join("found").join(target));
    for folder in [&corpus, &found] {
        fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    }
    let log = kept.join(format!("{target}.log"));
    let told = File::create(&log).map_err(|error| Failure::file(&log, &error))?;
    let mut libfuzzer = Command::new(program);
    libfuzzer
        .arg(format!("-max_total_time={seconds}"))
        .args([MEMORY_MIB, SLOWEST_SECONDS, LONGEST, "-print_final_stats=1", "-verbosity=0"])
        .args(env::var("SEED").ok().map(|seed| format!("-seed={seed}")))
        .arg(format!("-artifact_prefix={}/", found.display()))
        .arg(&corpus)
        .arg(workspace.root().join("fuzz").join("seeds").join(target))
        .current_dir(workspace.root())
        .stderr(told);
    let status = Running::start(&mut libfuzzer)?.wait()?;
    let said = fs::read_to_string(&log).unwrap_or_default();
    if !status.success() {
        note(&said);
        return Err(Failure::step(&format!("fuzz {target}"), &status));
    }
    let inputs = said.lines().find_map(|line| line.strip_prefix(TRIED));
    Ok(inputs.unwrap_or("an unknown number of").trim().to_owned())
}
