//! Diffs of two texts, made here and sharing nothing with what applies them.

use proptest::prelude::*;

use super::one;

/// A text's lines with their endings.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// `-`, `+` or a space for each line of a shortest way from one text to the other.
fn script<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(char, &'a str)> {
    let mut longest = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i][j] = if old[i] == new[j] {
                longest[i + 1][j + 1] + 1
            } else {
                longest[i + 1][j].max(longest[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut script) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            script.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && longest[i + 1][j] >= longest[i][j + 1]) {
            script.push(('-', old[i]));
            i += 1;
        } else {
            script.push(('+', new[j]));
            j += 1;
        }
    }
    script
}

/// A unified diff with `around` lines of context; empty when the texts are equal.
pub(super) fn unified(old: &str, new: &str, around: usize) -> String {
    let script = script(&lines(old), &lines(new));
    let near = |at: usize| {
        let from = at.saturating_sub(around);
        script.iter().take(at + around + 1).skip(from).any(|(kind, _)| *kind != ' ')
    };
    let (mut diff, mut at, mut i, mut j) = (String::new(), 0, 1, 1);
    while at < script.len() {
        if !near(at) {
            (at, i, j) = (at + 1, i + 1, j + 1);
            continue;
        }
        let hunk: Vec<_> =
            (at..script.len()).take_while(|at| near(*at)).map(|at| script[at]).collect();
        let olds = hunk.iter().filter(|(kind, _)| *kind != '+').count();
        let news = hunk.iter().filter(|(kind, _)| *kind != '-').count();
        let (from, to) = (i - usize::from(olds == 0), j - usize::from(news == 0));
        diff.push_str(&format!("@@ -{from},{olds} +{to},{news} @@\n"));
        for (kind, line) in &hunk {
            diff.push(*kind);
            diff.push_str(line);
            if !line.ends_with('\n') {
                diff.push_str("\n\\ No newline at end of file\n");
            }
        }
        (at, i, j) = (at + hunk.len(), i + olds, j + news);
    }
    if diff.is_empty() { diff } else { format!("--- a/f\n+++ b/f\n{diff}") }
}

/// Texts of few different lines, so that lookalikes abound, with any endings.
fn text() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "a",
        "b",
        "  a",
        "a ",
        "",
        "-- x",
        "++ y",
        "-",
        "@@ -1 +1 @@",
        "diff --git a/f b/f",
        "\\",
        "*** End Patch",
        "\u{feff}a",
    ]);
    let ending = prop::sample::select(vec!["\n", "\n", "\n", "\r\n"]);
    let lines = prop::collection::vec((line, ending), 0..14);
    (lines, any::<bool>(), any::<bool>()).prop_map(|(lines, marked, open)| {
        let mut text: String = lines.iter().flat_map(|(line, ending)| [*line, *ending]).collect();
        if open && text.ends_with("\r\n") {
            text.truncate(text.len() - 2);
        } else if open {
            text.pop();
        }
        if marked { format!("\u{feff}{text}") } else { text }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_diff_makes_the_one_text_of_the_other(old in text(), new in text(), around in 1..4_usize) {
        let diff = unified(&old, &new, around);
        // An only line that is new has no line of the file to be found by, unless the file is empty.
        prop_assume!(!diff.is_empty());
        match one(&old, &diff) {
            Ok(after) => prop_assert_eq!(after, new, "{}", diff),
            Err(error) => prop_assert!(false, "{error}\n{diff}"),
        }
    }

    #[test]
    fn a_diff_finds_its_place_whatever_its_numbers_say(
        names in prop::collection::btree_set("[a-z]{3}", 6..12),
        changed in any::<prop::sample::Index>(),
        moved in 1..50_usize,
    ) {
        let names: Vec<_> = names.into_iter().collect();
        let old: String = names.iter().flat_map(|name| [name.as_str(), "\n"]).collect();
        let name = &names[changed.index(names.len())];
        let new = old.replace(name.as_str(), "NEW");
        let diff = unified(&old, &new, 2);
        let (before, after) = diff.split_once("@@ -").unwrap();
        let (first, after) = after.split_once(',').unwrap();
        let first: usize = first.parse().unwrap();
        let elsewhere = format!("{before}@@ -{},{after}", first + moved);
        prop_assert_eq!(one(&old, &elsewhere), Ok(new));
    }

    #[test]
    fn what_a_diff_does_to_crlf_is_what_it_does_to_lf(old in text(), new in text()) {
        let lf = |text: &str| text.replace("\r\n", "\n");
        let crlf = |text: &str| lf(text).replace('\n', "\r\n");
        let diff = unified(&lf(&old), &lf(&new), 3);
        prop_assume!(!diff.is_empty() && lf(&old).contains('\n'));
        // The final newline is the file's, where the diff and the file have other endings.
        let open = |text: &str| text.trim_end_matches("\r\n").trim_end_matches('\n').to_owned();
        match one(&crlf(&old), &diff) {
            Ok(after) => prop_assert_eq!(open(&after), open(&crlf(&new)), "{}", diff),
            Err(error) => prop_assert!(false, "{error}\n{diff}"),
        }
    }
}
