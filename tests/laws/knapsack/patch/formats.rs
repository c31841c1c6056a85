//! What is a patch, and what is said when a text isn't one.

use mycelium::knapsack::patch::{BYTES, Change, Match, Patch, PatchError, Step};

use super::{after, files, one, patched, update};

fn refused(patch: &str) -> String {
    let error = Patch::parse(patch).unwrap_err();
    assert_eq!(error.kind(), "parse", "{patch}: {error}");
    let text = error.to_string();
    assert!(text.contains(": "), "it says what to do: {text}");
    text
}

#[test]
fn a_text_that_is_no_patch_is_refused_with_its_line() {
    let cases: &[(&str, &str)] = &[
        ("", "this is no patch"),
        ("hello", "this is no patch"),
        ("@@\n-a\n+b\n", "this is no patch"),
        (
            "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n",
            "line 6 of the patch: there is no *** End Patch",
        ),
        ("*** Begin Patch\n*** End Patch\n", "changes no file"),
        ("*** Begin Patch\n*** End Patch\nand more", "line 3 of the patch"),
        ("now: *** Begin Patch\n*** Begin Patch\n*** End Patch", "send nothing before it"),
        ("*** Begin Patch\n*** Update File: f\n*** End Patch\n", "has no hunk"),
        ("*** Begin Patch\n*** Update File: f\n@@\n a\n*** End Patch\n", "no line with + or -"),
        (
            "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\nc\n*** End Patch\n",
            "line 6 of the patch: each line of a hunk",
        ),
        (
            "*** Begin Patch\n*** Add File: f\na\n*** End Patch\n",
            "line 3 of the patch: each line of a new file",
        ),
        (
            "*** Begin Patch\n*** Rename File: f\n*** End Patch\n",
            "line 2 of the patch: this is no line of a patch",
        ),
        ("--- a/f\n+++ b/f\n", "no hunk for f"),
        ("--- a/f\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n", "names f and g"),
        ("--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n", "may be cut off"),
        (
            "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\nplainly\n",
            "line 6 of the patch: this belongs to no hunk",
        ),
        ("--- a/f\n+++ b/f\n@@ -1 +1 @@\n a\n", "no line with + or -"),
        ("diff --git a/f b/f\nold mode 100644\nnew mode 100755\n", "no mode to change"),
        (
            "diff --git a/f b/f\nnew file mode 120000\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n",
            "files here are plain",
        ),
        ("diff --git a/f b/g\ncopy from f\ncopy to g\n", "can't be copied"),
        ("diff --git a/f b/f\nBinary files a/f and b/f differ\n", "only text can be patched"),
        ("--- /dev/null\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", "only lines with +"),
        ("--- \"a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", "quoted name"),
    ];
    for (patch, says) in cases {
        let text = refused(patch);
        assert!(text.contains(says), "{patch}: {text}");
    }
}

#[test]
fn a_patch_over_the_bound_is_refused_before_it_is_read() {
    let error = Patch::parse(&"x".repeat(BYTES + 1)).unwrap_err();
    assert_eq!(error.kind(), "too-large");
}

#[test]
fn a_path_out_of_the_root_is_refused_wherever_the_patch_has_it() {
    for patch in [
        "*** Begin Patch\n*** Delete File: /etc/passwd\n*** End Patch",
        "*** Begin Patch\n*** Update File: f\n*** Move to: a/../../g\n*** End Patch",
        "*** Begin Patch\n*** Add File: a\\b\n+x\n*** End Patch",
        "--- a/../f\n+++ b/../f\n@@ -1 +1 @@\n-a\n+b\n",
        "diff --git a/f b/f\nrename from f\nrename to ../g\n",
    ] {
        assert_eq!(Patch::parse(patch).unwrap_err().kind(), "path-refused", "{patch}");
    }
}

#[test]
fn a_fence_and_a_here_document_are_no_part_of_a_patch() {
    let bare = update("@@\n-a\n+b\n");
    let diff = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n".to_owned();
    for patch in [
        format!("```patch\n{bare}```\n"),
        format!("\n{bare}\n\n"),
        format!("apply_patch << EOF\n{bare}EOF"),
        format!("apply_patch <<\"E\"\n{bare}E\n"),
        format!("```diff\n{diff}```"),
        format!("Here it is.\n\n{diff}"),
        format!("{diff}-- \n2.43.0\n\n"),
        format!("Index: f\n=====\n{diff}"),
        format!("diff --git a/f b/f\nindex 78981922..61780798 100644\n{diff}"),
    ] {
        assert_eq!(one("a\n", &patch).as_deref(), Ok("b\n"), "{patch}");
    }
}

#[test]
fn a_diff_adds_removes_renames_and_quotes() {
    let patch = "diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n\
                 diff --git a/empty b/empty\nnew file mode 100644\nindex 0000000..e69de29\n\
                 diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n\
                 diff --git a/from b/to\nsimilarity index 90%\nrename from from\nrename to to\n--- a/from\n+++ b/to\n@@ -1 +1 @@\n-a\n+b\n\
                 diff --git \"a/\\303\\251\" \"b/\\303\\251\"\n--- \"a/\\303\\251\"\n+++ \"b/\\303\\251\"\n@@ -1 +1 @@\n-c\n+d\n";
    let before = files([("gone", "1\n2\n"), ("from", "a\n"), ("é", "c\n")]);
    let expected = files([("new", "x\ny"), ("empty", ""), ("to", "b\n"), ("é", "d\n")]);
    assert_eq!(after(&before, patch), Ok(expected));
    let report = patched(&before, patch).unwrap().report;
    let told: Vec<_> = report.files.iter().map(|file| (file.path.as_str(), file.change)).collect();
    let expected = [
        ("new", Change::Added),
        ("empty", Change::Added),
        ("gone", Change::Removed),
        ("to", Change::Moved),
        ("é", Change::Updated),
    ];
    assert_eq!(told, expected);
    assert_eq!(report.files[3].moved_from.as_deref(), Some("from"));
    assert_eq!((report.files[3].hunks, report.files[3].matched), (1, Some(Match::Exact)));
}

#[test]
fn a_removal_that_shows_less_than_the_file_is_refused() {
    let patch = "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n";
    let PatchError::ContextNotFound { file_line, actual, .. } =
        after(&files([("f", "1\n2\n")]), patch).unwrap_err()
    else {
        panic!("another error")
    };
    assert_eq!((file_line, actual.as_deref()), (2, Some("2")));
}

#[test]
fn a_name_keeps_its_folder_a_unless_both_names_have_a_prefix() {
    let patch = "--- a/f\n+++ a/f\n@@ -1 +1 @@\n-1\n+2\n";
    assert_eq!(after(&files([("a/f", "1\n")]), patch), Ok(files([("a/f", "2\n")])));
}

#[test]
fn one_file_may_have_several_sections_that_see_each_other() {
    let patch = "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** Update File: f\n@@\n-b\n+c\n*** Delete File: g\n*** Add File: g\n+new\n*** End Patch\n";
    let before = files([("f", "a\n"), ("g", "old\n")]);
    assert_eq!(after(&before, patch), Ok(files([("f", "c\n"), ("g", "new\n")])));
    assert_eq!(patched(&before, patch).unwrap().steps.len(), 2, "each path is written once");
}

#[test]
fn what_is_there_and_what_is_not_is_told() {
    for (patch, kind) in [
        (update("@@\n-a\n+b\n"), "file-missing"),
        ("*** Begin Patch\n*** Delete File: f\n*** End Patch".to_owned(), "file-missing"),
        (
            "*** Begin Patch\n*** Update File: g\n*** Move to: h\n*** End Patch".to_owned(),
            "file-exists",
        ),
        ("*** Begin Patch\n*** Add File: g\n*** End Patch".to_owned(), "file-exists"),
    ] {
        let error = after(&files([("g", "a\n"), ("h", "b\n")]), &patch).unwrap_err();
        assert_eq!(error.kind(), kind, "{patch}");
    }
}

#[test]
fn steps_make_before_they_remove_so_that_a_stop_loses_nothing() {
    let patch = "*** Begin Patch\n*** Delete File: gone\n*** Update File: a\n*** Move to: z\n*** Update File: f\n@@\n-1\n+2\n*** End Patch\n";
    let before = files([("gone", "x"), ("a", "moved"), ("f", "1\n")]);
    let steps = patched(&before, patch).unwrap().steps;
    let kinds: Vec<_> = steps
        .iter()
        .map(|step| match step {
            Step::Create { path, .. } => format!("+{path}"),
            Step::Replace { path, .. } => format!("~{path}"),
            Step::Remove { path, .. } => format!("-{path}"),
        })
        .collect();
    assert_eq!(kinds, ["+z", "~f", "-a", "-gone"]);
}

#[test]
fn a_new_file_has_the_endings_of_the_patch() {
    let lf = "*** Begin Patch\n*** Add File: f\n+a\n\n+b\n\n*** End Patch\n";
    assert_eq!(after(&files([]), lf), Ok(files([("f", "a\n\nb\n")])));
    let crlf = lf.replace('\n', "\r\n");
    assert_eq!(after(&files([]), &crlf), Ok(files([("f", "a\r\n\r\nb\r\n")])));
}

#[test]
fn what_is_not_text_can_be_removed_and_nothing_else() {
    use mycelium::knapsack::patch::Held;
    let held = [("f".to_owned(), Held::Opaque)].into();
    let removed = Patch::parse("*** Begin Patch\n*** Delete File: f\n*** End Patch").unwrap();
    let expected = Step::Remove { path: "f".to_owned(), expected: None };
    assert_eq!(removed.apply(&held).unwrap().steps, [expected]);
    let updated = Patch::parse(&update("@@\n-a\n+b\n")).unwrap();
    assert_eq!(updated.apply(&held).unwrap_err().kind(), "not-text");
}
