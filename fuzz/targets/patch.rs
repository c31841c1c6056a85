//! A patch in either format, applied to files.
#![no_main]

use std::collections::{BTreeMap, BTreeSet};

use libfuzzer_sys::fuzz_target;
use mycelium::knapsack::patch::{Held, Patch};

/// What stands between the patch and what each file it names holds.
const FENCE: &str = "\n\u{1}\n";

fuzz_target!(|text: &str| {
    let (text, held) = text.split_once(FENCE).unwrap_or((text, "a\nb\nc\n"));
    let Ok(patch) = Patch::parse(text) else { return };
    let paths: BTreeSet<String> = patch.paths().into_iter().map(str::to_owned).collect();
    let files: BTreeMap<String, Held> =
        paths.iter().map(|path| (path.clone(), Held::Text(held.to_owned()))).collect();
    for files in [files, BTreeMap::new()] {
        let Ok(patched) = patch.apply(&files) else { continue };
        let touched: Vec<&str> = patched.steps.iter().map(|step| step.path()).collect();
        let once: BTreeSet<&str> = touched.iter().copied().collect();
        assert_eq!(once.len(), touched.len(), "each file has one step");
        assert!(once.iter().all(|path| paths.contains(*path)), "and is one that the patch names");
    }
});
