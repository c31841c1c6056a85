//! Ignore files as strangers write them, and the paths they are asked about.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mycelium::knapsack::visibility::{Kind, SearchVisibility};

fuzz_target!(|text: &str| {
    let (rules, path) = text.rsplit_once('\n').unwrap_or((text, "a/b"));
    let mut visibility = SearchVisibility::new();
    if visibility.add(".gitignore", rules).is_err() {
        return;
    }
    let _ = visibility.add("a/.gitignore", rules);
    for kind in [Kind::File, Kind::Folder] {
        let shown = visibility.shows(path, kind);
        // What is below a hidden folder is hidden.
        if let (Ok(false), Ok(below)) = (&shown, visibility.shows(&format!("{path}/x"), Kind::File))
        {
            assert!(matches!(kind, Kind::File) || !below, "{path:?} is hidden, what is in it not");
        }
    }
});
