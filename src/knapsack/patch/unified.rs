//! Unified diffs, plain and as git writes them.

use super::{
    PatchError,
    body::hunk,
    cursor::Cursor,
    envelope::unwrapped,
    hunk::{Hunk, Kind},
    quoted,
    section::{Section, What},
};

const NOT_A_PATCH: &str = "this is no patch: send *** Begin Patch, sections and *** End Patch, or \
                           a unified diff with --- and +++ lines before its hunks";

/// Reads a whole diff.
pub(super) fn read(text: &str) -> Result<Vec<Section>, PatchError> {
    let mut cursor = unwrapped(Cursor::new(text));
    // A commit's message may come first, or a sentence.
    while cursor.peek().is_some_and(|line| !line.text.starts_with("@@")) && !at_file(&cursor) {
        cursor.advance();
    }
    let mut sections = Vec::new();
    while at_file(&cursor) {
        sections.push(File::read(&mut cursor)?.section(&cursor)?);
        skip_between(&mut cursor);
    }
    if sections.is_empty() {
        return Err(PatchError::parse(0, NOT_A_PATCH));
    }
    if cursor.peek().is_some() {
        let problem = "this belongs to no hunk: each line of a hunk begins with a space, + or -, \
                       and a hunk with @@";
        return Err(cursor.fault(problem));
    }
    Ok(sections)
}

/// Whether a file's part begins here.
pub(super) fn at_file(cursor: &Cursor<'_>) -> bool {
    let starts = |by: usize, marker: &str| {
        cursor.ahead(by).is_some_and(|line| line.text.starts_with(marker))
    };
    starts(0, "diff --git ") || (starts(0, "--- ") && starts(1, "+++ "))
}

/// Passes over what may stand between the parts of two files, and after the last: blank
/// lines, the headings of other tools, the signature of a mailed patch.
fn skip_between(cursor: &mut Cursor<'_>) {
    loop {
        cursor.skip_blank();
        match cursor.peek() {
            Some(line) if line.text.starts_with("Index: ") || line.text.starts_with("====") => {
                cursor.advance();
            }
            _ if at_signature(cursor) => {
                cursor.advance();
                cursor.advance();
            }
            _ => return,
        }
    }
}

/// `-- ` and a version, and no more.
pub(super) fn at_signature(cursor: &Cursor<'_>) -> bool {
    let blank = |by: usize| cursor.ahead(by).is_none_or(|line| line.text.trim().is_empty());
    cursor.peek().is_some_and(|line| line.text == "-- ")
        && cursor
            .ahead(1)
            .is_some_and(|line| line.text.starts_with(|first: char| first.is_ascii_digit()))
        && blank(2)
        && blank(3)
}

/// One file's part of a diff.
#[derive(Default)]
struct File {
    /// None for `/dev/null`.
    old: Option<String>,
    new: Option<String>,
    renamed: bool,
    added: bool,
    removed: bool,
    hunks: Vec<Hunk>,
}

impl File {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, PatchError> {
        let mut file = Self::default();
        if let Some(names) = cursor.peek().and_then(|line| line.text.strip_prefix("diff --git ")) {
            if let Some((old, new)) = quoted::pair(names) {
                (file.old, file.new) = without_prefixes(Some(old), Some(new));
            }
            cursor.advance();
            while file.extended(cursor)? {
                cursor.advance();
            }
        }
        file.names(cursor)?;
        while cursor.peek().is_some_and(|line| line.text.starts_with("@@")) {
            let hunk = hunk(cursor, file.hunks.len())?;
            file.hunks.push(hunk);
        }
        Ok(file)
    }

    /// Reads one of git's extra lines; whether it is one.
    fn extended(&mut self, cursor: &Cursor<'_>) -> Result<bool, PatchError> {
        let Some(line) = cursor.peek() else { return Ok(false) };
        let name = |text: &str| quoted::name(text).ok_or_else(|| cursor.fault(BAD_NAME));
        let text = line.text;
        if let Some(from) = text.strip_prefix("rename from ") {
            (self.old, self.renamed) = (Some(name(from)?), true);
        } else if let Some(to) = text.strip_prefix("rename to ") {
            (self.new, self.renamed) = (Some(name(to)?), true);
        } else if let Some(mode) = text.strip_prefix("new file mode ") {
            self.added = true;
            plain(cursor, mode)?;
        } else if text.starts_with("deleted file mode ") {
            self.removed = true;
        } else if let Some(problem) = unsupported(text) {
            return Err(cursor.fault(problem));
        } else {
            let known = ["index ", "similarity index ", "dissimilarity index "];
            return Ok(known.iter().any(|known| text.starts_with(known)));
        }
        Ok(true)
    }

    /// Reads `---` and `+++`; a part without hunks may have neither.
    fn names(&mut self, cursor: &mut Cursor<'_>) -> Result<(), PatchError> {
        let Some(old) = cursor.peek().and_then(|line| line.text.strip_prefix("--- ")) else {
            return Ok(());
        };
        let new = cursor.ahead(1).and_then(|line| line.text.strip_prefix("+++ "));
        let name = |text: &str| {
            let name = quoted::name(text).ok_or_else(|| cursor.fault(BAD_NAME))?;
            Ok((name != "/dev/null").then_some(name))
        };
        let (old, new) =
            (name(old)?, name(new.ok_or_else(|| cursor.fault("after --- comes +++"))?)?);
        self.added |= old.is_none();
        self.removed |= new.is_none();
        if !self.renamed {
            (self.old, self.new) = without_prefixes(old, new);
        }
        cursor.advance();
        cursor.advance();
        Ok(())
    }

    fn section(self, cursor: &Cursor<'_>) -> Result<Section, PatchError> {
        let Self { old, new, renamed, added, removed, hunks } = self;
        let unnamed = || cursor.fault("the part before this line names no file: add --- and +++");
        if added {
            let path = new.ok_or_else(unnamed)?;
            return Ok(Section { path, what: What::Add { content: content(cursor, &hunks)? } });
        }
        let path = old.ok_or_else(unnamed)?;
        if removed {
            return Ok(Section { path, what: What::Remove { hunks } });
        }
        let new = new.ok_or_else(unnamed)?;
        if new != path && !renamed {
            let problem = format!(
                "the part before this line names {path} and {new}: name one file, or say rename \
                 from and rename to"
            );
            return Err(cursor.fault(problem));
        }
        if hunks.is_empty() && !renamed {
            return Err(cursor
                .fault(format!("there is no hunk for {path}: add one, or leave the file out")));
        }
        let move_to = renamed.then_some(new);
        Ok(Section { path, what: What::Update { hunks, move_to } })
    }
}

const BAD_NAME: &str = "the quoted name doesn't end, or isn't UTF-8: write the plain name";

/// What git can say and a text file here can't have.
fn unsupported(text: &str) -> Option<&'static str> {
    if text.starts_with("old mode ") || text.starts_with("new mode ") {
        return Some("files here have no mode to change: leave these lines out");
    }
    if text.starts_with("copy from ") || text.starts_with("copy to ") {
        return Some("files can't be copied by a patch: add the new file whole");
    }
    if text.starts_with("Binary files ") || text.starts_with("GIT binary patch") {
        return Some("only text can be patched: write the binary file whole");
    }
    None
}

fn plain(cursor: &Cursor<'_>, mode: &str) -> Result<(), PatchError> {
    if mode.trim() == "100644" {
        return Ok(());
    }
    Err(cursor.fault("files here are plain: a new file has the mode 100644"))
}

/// The names without `a/` and `b/`, when both have them.
fn without_prefixes(old: Option<String>, new: Option<String>) -> (Option<String>, Option<String>) {
    let bare = |name: &Option<String>, prefix| match name {
        None => Some(None),
        Some(name) => name.strip_prefix(prefix).map(|name| Some(name.to_owned())),
    };
    match (bare(&old, "a/"), bare(&new, "b/")) {
        (Some(old), Some(new)) => (old, new),
        _ => (old, new),
    }
}

/// What a new file holds: one hunk that only adds, or nothing.
fn content(cursor: &Cursor<'_>, hunks: &[Hunk]) -> Result<String, PatchError> {
    let (lines, more) = match hunks {
        [] => return Ok(String::new()),
        [hunk] => (&hunk.lines, false),
        [hunk, ..] => (&hunk.lines, true),
    };
    if more || lines.iter().any(|line| line.kind != Kind::Add) {
        return Err(cursor.fault("a new file has one hunk, and only lines with +"));
    }
    Ok(lines.iter().flat_map(|line| [line.text.as_str(), line.ending.as_str()]).collect())
}
