//! The apply-patch format: `*** Begin Patch` … `*** End Patch`.

use super::{
    PatchError,
    cursor::Cursor,
    header::Header,
    hunk::Hunk,
    line::Line,
    section::{Section, What},
};

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ADD: &str = "*** Add File: ";
const REMOVE: &str = "*** Delete File: ";
const UPDATE: &str = "*** Update File: ";
const MOVE: &str = "*** Move to: ";
const END_OF_FILE: &str = "*** End of File";

/// Whether the text says that it is such a patch.
pub(super) fn is_one(text: &str) -> bool {
    text.lines().any(|line| line.trim_end() == BEGIN)
}

/// Reads the whole patch; what is around it may only be a fence or a here-document.
pub(super) fn read(text: &str) -> Result<Vec<Section>, PatchError> {
    let mut cursor = unwrapped(Cursor::new(text));
    cursor.skip_blank();
    if !next_is(&cursor, BEGIN) {
        return Err(cursor.fault(format!("the patch begins with {BEGIN}: send nothing before it")));
    }
    cursor.advance();
    let mut sections = Vec::new();
    loop {
        cursor.skip_blank();
        if next_is(&cursor, END) {
            break;
        }
        let Some(line) = cursor.peek() else {
            return Err(cursor
                .fault(format!("there is no {END}, so the patch may be cut off: send all of it")));
        };
        sections.push(section(&mut cursor, line)?);
    }
    cursor.advance();
    cursor.skip_blank();
    if cursor.peek().is_some() {
        return Err(
            cursor.fault(format!("{END} is the last line of a patch: send nothing after it"))
        );
    }
    if sections.is_empty() {
        return Err(cursor
            .fault(format!("the patch changes no file: add a section such as {UPDATE}<path>")));
    }
    Ok(sections)
}

fn next_is(cursor: &Cursor<'_>, marker: &str) -> bool {
    cursor.peek().is_some_and(|line| line.text.trim_end() == marker)
}

/// Without a code fence or a here-document around the patch.
pub(super) fn unwrapped(cursor: Cursor<'_>) -> Cursor<'_> {
    let blank = |line: &Line<'_>| line.text.trim().is_empty();
    let all: Vec<_> = (0..).map_while(|at| cursor.ahead(at)).collect();
    let first = all.iter().position(|line| !blank(line)).unwrap_or(0);
    let last = all.iter().rposition(|line| !blank(line)).unwrap_or(0);
    let text = |at: usize| all.get(at).map_or("", |line| line.text.trim());
    let closes = match (text(first).strip_prefix("```"), text(first).split_once("<<")) {
        (Some(_), _) => text(last) == "```",
        (None, Some((command, delimiter))) => {
            let delimiter = delimiter.trim_start_matches('-').trim().trim_matches(['\'', '"']);
            command.trim() == "apply_patch" && text(last) == delimiter
        }
        (None, None) => false,
    };
    if closes && first < last { cursor.within(first.saturating_add(1), last) } else { cursor }
}

fn section(cursor: &mut Cursor<'_>, header: Line<'_>) -> Result<Section, PatchError> {
    let path = |path: &str| path.trim().to_owned();
    if let Some(named) = header.text.strip_prefix(ADD) {
        cursor.advance();
        return Ok(Section { path: path(named), what: What::Add { content: content(cursor)? } });
    }
    if let Some(named) = header.text.strip_prefix(REMOVE) {
        cursor.advance();
        return Ok(Section { path: path(named), what: What::Remove { hunks: Vec::new() } });
    }
    if let Some(named) = header.text.strip_prefix(UPDATE) {
        cursor.advance();
        return Ok(Section { path: path(named), what: update(cursor)? });
    }
    Err(cursor.fault(format!(
        "this is no line of a patch here: a section begins with {ADD}<path>, {UPDATE}<path> or \
         {REMOVE}<path>, and each line of a hunk with a space, + or -"
    )))
}

/// The lines of a new file. A blank one may have lost its +, unless it is the last.
fn content(cursor: &mut Cursor<'_>) -> Result<String, PatchError> {
    let (mut content, mut blank) = (String::new(), String::new());
    while let Some(line) = cursor.peek() {
        if let Some(text) = line.text.strip_prefix('+') {
            content.push_str(&blank);
            blank.clear();
            content.push_str(text);
            content.push_str(if line.ending.as_str().is_empty() {
                "\n"
            } else {
                line.ending.as_str()
            });
        } else if line.text.is_empty() {
            blank.push_str(line.ending.as_str());
        } else if line.text.starts_with("*** ") {
            break;
        } else {
            return Err(cursor.fault("each line of a new file begins with +: add it"));
        }
        cursor.advance();
    }
    Ok(content)
}

fn update(cursor: &mut Cursor<'_>) -> Result<What, PatchError> {
    let mut move_to = None;
    if let Some(target) = cursor.peek().and_then(|line| line.text.strip_prefix(MOVE)) {
        move_to = Some(target.trim().to_owned());
        cursor.advance();
    }
    let mut hunks = Vec::new();
    loop {
        let before = cursor.number();
        if hunks.is_empty() {
            cursor.skip_blank();
        }
        if cursor.peek().is_none_or(|line| line.text.starts_with("*** ")) {
            break;
        }
        hunks.push(hunk(cursor)?);
        if cursor.number() == before {
            return Err(cursor.fault("each line of a hunk begins with a space, + or -: add it"));
        }
    }
    if hunks.is_empty() && move_to.is_none() {
        return Err(cursor.fault("the update has no hunk: add one, or leave the section out"));
    }
    Ok(What::Update { hunks, move_to })
}

fn hunk(cursor: &mut Cursor<'_>) -> Result<Hunk, PatchError> {
    let mut hunk = Hunk::default();
    while let Some(header) = cursor.peek().and_then(|line| Header::of(line.text)) {
        header.note(&mut hunk);
        cursor.advance();
    }
    let first = cursor.number();
    let mut spacers = 0_usize;
    while let Some(line) = cursor.peek() {
        if line.text.trim_end() == END_OF_FILE {
            hunk.at_end = true;
            spacers = 0;
            cursor.advance();
            break;
        }
        if line.text.starts_with("@@") || line.text.starts_with("*** ") {
            break;
        }
        let taken = if line.text.starts_with('\\') { hunk.end_open() } else { hunk.take(line) };
        if !taken {
            return Err(cursor.fault("each line of a hunk begins with a space, + or -: add it"));
        }
        spacers = if line.text.is_empty() { spacers.saturating_add(1) } else { 0 };
        cursor.advance();
    }
    hunk.trim(spacers);
    if !hunk.changes() {
        return Err(PatchError::parse(first, "the hunk has no line with + or -: say what changes"));
    }
    Ok(hunk)
}
