//! Any bytes, and patches with their bytes changed.

use mycelium::knapsack::patch::{Held, Patch};
use proptest::prelude::*;

use super::{diff::unified, one, update};
use crate::knapsack::dice::Dice;

const FILE: &str = "fn a() {\n    one\n    two\n}\n\nfn b() {\n    one\n    two\n}\n";

const PIECES: [&str; 16] = [
    "\n",
    "\r\n",
    " ",
    "-",
    "+",
    "@@",
    "@@ -1,2 +3,4 @@",
    "*** ",
    "*** End of File\n",
    "*** Update File: f\n",
    "--- a/f\n",
    "+++ b/f\n",
    "\\ No newline",
    "\u{feff}",
    "    ",
    "é",
];

fn mutated(patch: &str, dice: &mut Dice) -> String {
    let mut bytes = patch.as_bytes().to_vec();
    for _ in 0..=dice.roll(4) {
        let at = dice.roll(bytes.len() + 1);
        match dice.roll(4) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => {
                bytes.remove(at);
            }
            2 => {
                let piece = PIECES[dice.roll(PIECES.len())].bytes();
                bytes.splice(at..at, piece);
            }
            _ => {
                let from = dice.roll(bytes.len() + 1).min(at);
                let copied = bytes[from..at].to_vec();
                bytes.splice(from..from, copied);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What a text may lose or win by a patch is what the patch shows.
fn is_accounted_for(after: &str, patch: &str) -> bool {
    let kept = |line: &str| FILE.lines().any(|held| held.trim() == line.trim());
    let shown = |line: &str| patch.contains(line.trim().trim_start_matches('\u{feff}'));
    after.lines().all(|line| kept(line) || shown(line))
}

#[test]
fn a_changed_patch_is_applied_or_refused_and_nothing_else() {
    let seed = std::env::var("PATCH_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed: u64 = seed.unwrap_or(0x9e37_79b9_7f4a_7c15);
    let mut dice = Dice(seed);
    let sources = [
        update("@@ fn b() {\n     one\n-    two\n+    three\n"),
        update("@@\n fn a() {\n-    one\n@@\n fn b() {\n+    zero\n     one\n*** End of File\n"),
        unified(FILE, &FILE.replace("fn b", "fn c"), 3),
        unified(FILE, &FILE.replacen("    two\n", "", 1), 1),
    ];
    let (mut applied, mut refused) = (0, 0);
    for round in 0..20_000 {
        let patch = mutated(&sources[dice.roll(sources.len())], &mut dice);
        match one_of(&patch) {
            Some(after) => {
                applied += 1;
                assert!(is_accounted_for(&after, &patch), "seed {seed}, round {round}: {patch}");
            }
            None => refused += 1,
        }
    }
    eprintln!("changed patches, seed {seed}: {applied} applied, {refused} refused");
    assert!(applied > 1_000 && refused > 1_000, "both happen");
}

/// What `f` holds, when the patch is applied and leaves it.
fn one_of(patch: &str) -> Option<String> {
    let held = [("f".to_owned(), Held::Text(FILE.to_owned()))].into();
    let patched = Patch::parse(patch).ok()?.apply(&held).ok()?;
    let step = patched.steps.into_iter().find(|step| step.path() == "f");
    Some(step.and_then(|step| step.content().map(str::to_owned)).unwrap_or_default())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), held in "[ab \r\n]{0,30}") {
        let text = String::from_utf8_lossy(&bytes);
        let _ = one(&held, &text);
        let _ = one(&held, &update(&text));
        let _ = one(&held, &format!("--- a/f\n+++ b/f\n{text}"));
    }

    #[test]
    fn no_lines_of_a_patch_make_it_panic(
        pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..20),
        held in "[ab \r\n]{0,30}",
    ) {
        let text = pieces.concat();
        let _ = one(&held, &update(&text));
        let _ = one(&held, &format!("--- a/f\n+++ b/f\n{text}"));
    }
}
