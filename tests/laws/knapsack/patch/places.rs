//! Where a hunk belongs, and what stays of the file.

use mycelium::knapsack::patch::{Match, PatchError};

use super::{files, one, patched, update};

fn ambiguous(before: &str, hunks: &str) -> Vec<usize> {
    match one(before, &update(hunks)) {
        Err(PatchError::AmbiguousContext { matches, .. }) => matches,
        other => panic!("{other:?}"),
    }
}

fn matched(before: &str, hunks: &str) -> Option<Match> {
    patched(&files([("f", before)]), &update(hunks)).unwrap().report.files[0].matched
}

#[test]
fn a_line_is_found_exactly_then_without_trailing_space_then_without_indentation() {
    let cases = [
        ("a\nb\n", "@@\n a\n-b\n+c\n", "a\nc\n", Match::Exact),
        ("a  \nb\t\n", "@@\n a\n-b\n+c\n", "a  \nc\n", Match::TrailingSpace),
        ("a\nb\n", "@@\n a \n-b \n+c\n", "a\nc\n", Match::TrailingSpace),
        ("  a\n    b\n", "@@\n a\n-  b\n+  c\n", "  a\n    c\n", Match::Indentation),
        (
            "\ta\n\t\tb\n",
            "@@\n     a\n-        b\n+        c\n",
            "\ta\n\t\tc\n",
            Match::Indentation,
        ),
    ];
    for (before, hunks, expected, how) in cases {
        assert_eq!(one(before, &update(hunks)).as_deref(), Ok(expected), "{hunks}");
        assert_eq!(matched(before, hunks), Some(how), "{hunks}");
    }
}

#[test]
fn a_stricter_way_wins_over_lookalikes_of_a_looser_one() {
    assert_eq!(one("  a\na \na\n", &update("@@\n-a\n+b\n")).as_deref(), Ok("  a\na \nb\n"));
}

#[test]
fn lookalikes_are_refused_in_each_way() {
    for (before, hunks, lines) in [
        ("a\nx\na\n", "@@\n-a\n+b\n", vec![1, 3]),
        ("a \nx\na  \n", "@@\n-a\n+b\n", vec![1, 3]),
        (" a\nx\n  a\n", "@@\n-a\n+b\n", vec![1, 3]),
    ] {
        assert_eq!(ambiguous(before, hunks), lines);
    }
    assert_eq!(ambiguous(&"a\n".repeat(40), "@@\n-a\n+b\n").len(), 10, "the first ten are named");
}

#[test]
fn an_indentation_that_can_not_be_told_is_no_match() {
    for hunks in ["@@\n     a\n+            b\n", "@@\n a\n-c\n+b\n"] {
        let error = one("\ta\n\t\tc\n", &update(hunks)).unwrap_err();
        assert_eq!(error.kind(), "context-not-found", "{hunks}");
    }
}

#[test]
fn an_anchor_means_the_line_straight_after_it_then_its_block_then_the_rest() {
    let before = "fn a() {\n    x\n    y\n}\nfn b() {\n    y\n}\ny2\n";
    let hunk = |anchor: &str| format!("@@ {anchor}\n-    y\n+    z\n");
    let expected_a = before.replacen("    y", "    z", 1);
    assert_eq!(one(before, &update(&hunk("fn a() {"))), Ok(expected_a));
    let expected_b = "fn a() {\n    x\n    y\n}\nfn b() {\n    z\n}\ny2\n";
    assert_eq!(one(before, &update(&hunk("fn b() {"))).as_deref(), Ok(expected_b));
    // Straight after: a heading begins no block by indentation.
    let list = "# A\nx\n# B\nx\n";
    assert_eq!(one(list, &update("@@ # A\n-x\n+y\n")).as_deref(), Ok("# A\ny\n# B\nx\n"));
    // A lookalike within the block is refused.
    let twice = "fn a() {\n    y\n    x\n    y\n    x\n}\n";
    assert_eq!(ambiguous(twice, "@@ fn a() {\n-    x\n+    z\n"), [3, 5]);
}

#[test]
fn anchors_may_be_nested() {
    let before = "class A\n  def run\n    x\nclass B\n  def run\n    x\n";
    let patch = update("@@ class B\n@@   def run\n-    x\n+    y\n");
    assert_eq!(one(before, &patch), Ok(format!("{}y\n", &before[..before.len() - 2])));
}

#[test]
fn an_anchor_that_is_nowhere_is_told_with_the_line_most_like_it() {
    let error = one("def alpha():\n  x\n", &update("@@ def alpa():\n-  x\n+  y\n")).unwrap_err();
    let PatchError::ContextNotFound { file_line, expected, actual, .. } = error else { panic!() };
    assert_eq!(
        (file_line, &*expected, actual.as_deref()),
        (1, "def alpa():", Some("def alpha():"))
    );
}

#[test]
fn a_later_place_is_meant_before_an_earlier_one() {
    let before = "x\na\nmark\nx\na\n";
    let patch = update("@@\n-mark\n+MARK\n@@\n x\n-a\n+b\n");
    assert_eq!(one(before, &patch).as_deref(), Ok("x\na\nMARK\nx\nb\n"));
    // Hunks out of order, each in an only place.
    let patch = update("@@\n-mark\n+MARK\n@@\n-first\n+1\n");
    assert_eq!(one("first\nmark\n", &patch).as_deref(), Ok("1\nMARK\n"));
}

#[test]
fn two_hunks_never_change_the_same_line() {
    let error = one("a\nb\n", &update("@@\n-a\n+1\n@@\n-a\n+2\n")).unwrap_err();
    assert_eq!(error.kind(), "context-not-found");
}

#[test]
fn the_end_of_the_file_tells_lookalikes_apart_and_is_where_bare_lines_go() {
    assert_eq!(one("a\na\n", &update("@@\n-a\n+b\n*** End of File\n")).as_deref(), Ok("a\nb\n"));
    assert_eq!(one("a\n", &update("@@\n+b\n*** End of File\n")).as_deref(), Ok("a\nb\n"));
    assert_eq!(one("a", &update("@@\n+b\n*** End of File\n")).as_deref(), Ok("a\nb"));
    assert_eq!(one("", &update("@@\n+b\n")).as_deref(), Ok("b\n"));
    let error = one("a\n", &update("@@\n+b\n")).unwrap_err();
    assert!(error.to_string().contains("f, hunk 1: it has no line of the file"), "{error}");
}

#[test]
fn a_line_number_tells_lookalikes_apart_only_when_the_lines_stand_there() {
    let before = "a\nx\na\nx\na\n";
    let diff = |line: usize| format!("--- a/f\n+++ b/f\n@@ -{line},2 +{line},2 @@\n-a\n+b\n x\n");
    assert_eq!(one(before, &diff(3)).as_deref(), Ok("a\nx\nb\nx\na\n"));
    assert_eq!(one(before, &diff(2)).unwrap_err().kind(), "ambiguous-context");
}

#[test]
fn a_mark_amid_a_marked_file_is_a_part_of_its_line() {
    let before = "\u{feff}a\nb\n\u{feff}a\n";
    let diff = |hunk: &str| format!("--- a/f\n+++ b/f\n{hunk}");
    let amid = diff("@@ -2,2 +2,3 @@\n b\n \u{feff}a\n+c\n");
    assert_eq!(one(before, &amid).as_deref(), Ok("\u{feff}a\nb\n\u{feff}a\nc\n"));
    let last = diff("@@ -3,1 +3,2 @@\n \u{feff}a\n+c\n");
    assert_eq!(one(before, &last).as_deref(), Ok("\u{feff}a\nb\n\u{feff}a\nc\n"));
    let first = diff("@@ -1,1 +1,1 @@\n-\u{feff}a\n+c\n");
    assert_eq!(one(before, &first).as_deref(), Ok("c\nb\n\u{feff}a\n"));
    let either = update("@@\n \u{feff}a\n+c\n");
    assert_eq!(one(before, &either).unwrap_err().kind(), "ambiguous-context");
}

#[test]
fn an_added_line_ends_as_the_lines_around_it() {
    let cases = [
        ("a\r\nb\r\n", "@@\n a\n+x\n b\n", "a\r\nx\r\nb\r\n"),
        ("a\nb\r\nc\r\nd\n", "@@\n b\n+x\n c\n", "a\nb\r\nx\r\nc\r\nd\n"),
        ("a\r\nb", "@@\n-b\n+x\n+y\n", "a\r\nx\r\ny"),
        ("a\nb", "@@\n-b\n", "a"),
        ("\u{feff}a\nb\n", "@@\n-a\n+x\n b\n", "\u{feff}x\nb\n"),
        ("\u{feff}a\nb\n", "@@\n+x\n a\n", "\u{feff}x\na\nb\n"),
    ];
    for (before, hunks, expected) in cases {
        assert_eq!(one(before, &update(hunks)).as_deref(), Ok(expected), "{before:?} {hunks:?}");
    }
    let says_open = update("@@\n-a\n+b\n\\ No newline at end of file\n");
    assert_eq!(one("a\n", &says_open).as_deref(), Ok("b"));
    // A patch sent with CRLF says nothing of the file.
    let sent = update("@@\n a\n+x\n b\n").replace('\n', "\r\n");
    assert_eq!(one("a\nb\n", &sent).as_deref(), Ok("a\nx\nb\n"));
    assert_eq!(one("a\r\nb\r\n", &sent).as_deref(), Ok("a\r\nx\r\nb\r\n"));
}

#[test]
fn a_failure_names_file_hunk_line_and_both_texts() {
    let before = "one\ntwo\nthree\nfour\n";
    let patch = update("@@\n-one\n+1\n@@\n two\n-tree\n+3\n");
    let PatchError::ContextNotFound { file, hunk, file_line, expected, actual } =
        one(before, &patch).unwrap_err()
    else {
        panic!()
    };
    let found = (&*file, hunk, file_line, &*expected, actual.as_deref());
    assert_eq!(found, ("f", 2, 3, "tree", Some("three")));
    let past = one("one\n", &update("@@\n one\n-two\n")).unwrap_err();
    assert!(past.to_string().contains("past its end"), "{past}");
    let long = one(&"x".repeat(100_000), &update("@@\n-y\n")).unwrap_err();
    assert!(long.to_string().len() < 2_000);
}

#[test]
fn what_repeats_without_end_costs_no_more_than_what_does_not() {
    let before = "a\n".repeat(200_000);
    let hunks: String = format!("@@\n{}-b\n", " a\n".repeat(100_000));
    assert_eq!(one(&before, &update(&hunks)).unwrap_err().kind(), "context-not-found");
    let many = "@@\n-a\n+b\n".repeat(600);
    assert_eq!(one(&before, &update(&many)).unwrap_err().kind(), "ambiguous-context");
    let anchored = format!("@@ a\n{}", "@@ a\n".repeat(600)) + "-b\n";
    assert_eq!(one(&before, &update(&anchored)).unwrap_err().kind(), "too-large");
}
