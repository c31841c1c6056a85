//! What a search may see.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use mycelium::{
    knapsack::visibility::{Kind, SearchVisibility},
    limits::{IGNORE_BYTES, IGNORE_FILES},
};
use serde_json::Value;

use super::{corpus::cases, dice::Dice};

fn visibility<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> SearchVisibility {
    let mut visibility = SearchVisibility::new();
    for (path, text) in files {
        visibility.add(path, text).unwrap();
    }
    visibility
}

fn shows(files: &[(&str, &str)], path: &str) -> bool {
    visibility(files.iter().copied()).shows(path, Kind::File).unwrap()
}

fn wrong(case: &Value, paths: &mut usize) -> Vec<String> {
    let files = case["ignore_files"].as_object().unwrap();
    let visibility =
        visibility(files.iter().map(|(path, text)| (path.as_str(), text.as_str().unwrap())));
    let is_wrong = |row: &&Value| {
        let shows = visibility.shows(row["path"].as_str().unwrap(), Kind::File).unwrap();
        *paths += 1;
        shows == row["ignored"].as_bool().unwrap()
    };
    let rows = case["paths"].as_array().unwrap().iter().filter(is_wrong);
    rows.map(|row| format!("{}: {row}", case["name"])).collect()
}

#[test]
fn every_path_of_the_corpus_is_seen_or_hidden_as_git_does() {
    let Some(cases) = cases("gitignore") else { return };
    let mut paths = 0;
    let wrong: Vec<_> = cases.iter().flat_map(|case| wrong(case, &mut paths)).collect();
    eprintln!(
        "corpus gitignore: {} cases, {paths} paths, {} wrong, 0 skipped",
        cases.len(),
        wrong.len()
    );
    assert!(cases.len() >= 22 && paths >= 67, "the corpus is whole");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_of_git_itself_is_seen_whatever_the_patterns_say() {
    let files = [(".gitignore", "!.git\n!.git/**\n!*\n")];
    for hidden in [".git", ".git/config", "a/.git/x", "a/b/.git"] {
        assert!(!shows(&files, hidden), "{hidden}");
    }
    for seen in [".gitignore", ".github/x", "a.git", ".gitx/y"] {
        assert!(shows(&files, seen), "{seen}");
    }
}

#[test]
fn below_a_hidden_folder_everything_is_hidden() {
    let files = [(".gitignore", "out\n"), ("out/.gitignore", "!*\n"), ("a/.gitignore", "!out\n")];
    for (path, seen) in
        [("out/x", false), ("out/y/z", false), ("a/out/x", true), ("b/out/x", false)]
    {
        assert_eq!(shows(&files, path), seen, "{path}");
    }
}

#[test]
fn a_folder_is_asked_for_as_a_folder() {
    let visibility = visibility([(".gitignore", "build/\n")]);
    assert!(!visibility.shows("build", Kind::Folder).unwrap());
    assert!(visibility.shows("build", Kind::File).unwrap());
    assert!(visibility.shows("", Kind::Folder).unwrap(), "the root is always seen");
}

#[test]
fn an_ignore_file_added_later_counts_from_then_on() {
    let mut visibility = visibility([]);
    assert!(visibility.shows("a/x", Kind::File).unwrap());
    visibility.add(".gitignore", "a/\n").unwrap();
    assert!(!visibility.shows("a/x", Kind::File).unwrap());
}

#[test]
fn one_search_knows_nothing_of_another() {
    drop(visibility([(".gitignore", "*\n")]));
    assert!(visibility([]).shows("x", Kind::File).unwrap());
}

#[test]
fn a_path_that_is_not_canonical_is_refused() {
    let mut visibility = visibility([]);
    for path in ["/a", "a/", "../a", "a/./b", "a//b", "a\\b"] {
        assert!(visibility.shows(path, Kind::File).is_err(), "{path}");
        assert!(visibility.add(&format!("{path}/.gitignore"), "").is_err(), "{path}");
    }
    assert!(visibility.add("x.gitignore", "").is_err());
    assert!(visibility.add("ignore", "").is_err());
}

#[test]
fn ignore_texts_are_bounded() {
    let mut visibility = visibility([]);
    assert!(visibility.add(".gitignore", &"#".repeat(IGNORE_BYTES)).is_ok());
    let error = visibility.add("a/.gitignore", &"#".repeat(IGNORE_BYTES + 1)).unwrap_err();
    assert!(error.to_string().contains("a/.gitignore"), "{error}");
    for at in 1..IGNORE_FILES {
        visibility.add(&format!("f{at}/.gitignore"), "x").unwrap();
    }
    assert!(visibility.add("more/.gitignore", "x").is_err());
    let mut total = SearchVisibility::new();
    let most = (0..).take_while(|at| {
        total.add(&format!("f{at}/.gitignore"), &"#".repeat(IGNORE_BYTES)).is_ok()
    });
    assert_eq!(most.count(), 8, "all of them together are bounded too");
}

const WORDS: [&str; 30] = [
    "a",
    "b",
    "c",
    "ab",
    "*",
    "?",
    "**",
    "/",
    "/",
    "/",
    "!",
    "#",
    "\\",
    "[ab]",
    "[!a]",
    "[^b]",
    "[a-c]",
    "[",
    "]",
    "{",
    "}",
    "{a,b}",
    ",",
    " ",
    "\\ ",
    "\\!",
    "[]]",
    "[[:alpha:]]",
    "-",
    "+",
];

/// Git compares what is plain before the first wildcard by itself, so that `a**/b` begins
/// with a component's `**` for it, against its own documentation.
fn is_read_as_documented(line: &str) -> bool {
    line.match_indices("**/").all(|(at, _)| at == 0 || line[..at].ends_with(['/', '*', '!']))
}

fn ignore_text(dice: &mut Dice) -> String {
    let line = |dice: &mut Dice| {
        let words = (0..=dice.roll(5)).map(|_| WORDS[dice.roll(WORDS.len())]);
        words.collect::<Vec<_>>().concat()
    };
    let lines = (0..=dice.roll(3)).map(|_| line(dice) + "\n");
    lines.filter(|line| is_read_as_documented(line)).collect()
}

fn some_path(dice: &mut Dice) -> String {
    const NAMES: [&str; 12] =
        ["a", "b", "c", "ab", "abc", "{a,b}", "a b", "#", "!", "]", "a ", "-"];
    let names: Vec<_> = (0..=dice.roll(3)).map(|_| NAMES[dice.roll(NAMES.len())]).collect();
    names.join("/")
}

/// A folder that goes away with the test.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What git hides of `paths`.
fn hidden_by_git(root: &Path, paths: &BTreeSet<String>) -> BTreeSet<String> {
    let mut git = Command::new("git");
    git.current_dir(root).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let arguments = ["-c", "core.excludesFile=", "check-ignore", "--no-index", "-z", "--stdin"];
    let mut asked =
        git.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let input: String = paths.iter().flat_map(|path| [path.as_str(), "\0"]).collect();
    asked.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let said = asked.wait_with_output().unwrap();
    assert!(matches!(said.status.code(), Some(0 | 1)), "git answers: {said:?}");
    let said = String::from_utf8(said.stdout).unwrap();
    said.split_terminator('\0').map(str::to_owned).collect()
}

#[test]
fn random_patterns_hide_what_git_hides() {
    let seed = std::env::var("IGNORE_SEED").ok().and_then(|seed| seed.parse().ok());
    let mut dice = Dice(seed.unwrap_or(0x2545_f491_4f6c_dd1d));
    let root = std::env::temp_dir().join(format!("visibility-{}", std::process::id()));
    let _scratch = Scratch(root.clone());
    fs::create_dir_all(&root).unwrap();
    let made = Command::new("git").current_dir(&root).args(["init", "-q"]).status();
    assert!(made.unwrap().success());
    let (mut compared, mut wrong) = (0, Vec::new());
    for _ in 0..300 {
        let mut files = BTreeMap::from([(".gitignore", ignore_text(&mut dice))]);
        if dice.roll(2) == 0 {
            files.insert("a/.gitignore", ignore_text(&mut dice));
        }
        let _ = fs::remove_dir_all(root.join("a"));
        fs::create_dir_all(root.join("a")).unwrap();
        for (path, text) in &files {
            fs::write(root.join(path), text).unwrap();
        }
        let visibility = visibility(files.iter().map(|(path, text)| (*path, text.as_str())));
        let paths: BTreeSet<String> = (0..30).map(|_| some_path(&mut dice)).collect();
        // What is a folder on the disk is asked for as one by git.
        let paths: BTreeSet<_> = paths.into_iter().filter(|path| path != "a").collect();
        let hidden = hidden_by_git(&root, &paths);
        for path in &paths {
            compared += 1;
            if visibility.shows(path, Kind::File).unwrap() == hidden.contains(path) {
                wrong.push(format!("{files:?} {path:?} hidden: {}", hidden.contains(path)));
            }
        }
    }
    eprintln!("patterns against git: {compared} paths compared, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(40)].join("\n"));
}
