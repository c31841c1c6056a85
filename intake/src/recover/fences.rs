//! Fenced code in Markdown: ``` or ~~~, with or without a language, closed or
//! not.

use std::ops::Range;

/// Languages a program comes in.
const PROGRAM: [&str; 14] = [
    "js",
    "javascript",
    "mjs",
    "cjs",
    "jsx",
    "ts",
    "typescript",
    "mts",
    "tsx",
    "node",
    "nodejs",
    "ecmascript",
    "es6",
    "code",
];

#[derive(Debug)]
struct Fence<'t> {
    language: &'t str,
    content: Range<usize>,
}

/// The fenced parts that are programs: those whose language says so, or else
/// those without a language, or else the only one there is, when it is JSON.
pub(super) fn programs(text: &str) -> Vec<Range<usize>> {
    let fences = fences(text);
    let of = |wanted: &dyn Fn(&str) -> bool| -> Vec<Range<usize>> {
        fences.iter().filter(|it| wanted(it.language)).map(|it| it.content.clone()).collect()
    };
    let named = of(&|language| PROGRAM.iter().any(|name| name.eq_ignore_ascii_case(language)));
    let unnamed = || of(&str::is_empty);
    let json = || of(&|language| language.eq_ignore_ascii_case("json"));
    [named, unnamed(), json()].into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}

fn fences(text: &str) -> Vec<Fence<'_>> {
    let mut found = Vec::new();
    let mut open: Option<(&str, Fence<'_>)> = None;
    let mut at = 0usize;
    for line in text.split_inclusive('\n') {
        let start = at;
        at = at.saturating_add(line.len());
        open = match open {
            Some((mark, mut fence)) => {
                if closes(line, mark) {
                    fence.content.end = start;
                    found.push(fence);
                    None
                } else {
                    fence.content.end = at;
                    Some((mark, fence))
                }
            }
            None => opening(line).and_then(|(mark, info)| match one_line(line, mark, start) {
                Some(fence) => {
                    found.push(fence);
                    None
                }
                None => {
                    let language = info.split([' ', '\t', '{', ',', ':']).next().unwrap_or("");
                    Some((mark, Fence { language, content: at..at }))
                }
            }),
        };
    }
    found.extend(open.map(|(_, fence)| fence));
    for fence in &mut found {
        // The last line end belongs to the fence.
        let content = text.get(fence.content.clone()).unwrap_or("");
        let kept = content.strip_suffix('\n').unwrap_or(content);
        let kept = kept.strip_suffix('\r').unwrap_or(kept);
        fence.content.end = fence.content.start.saturating_add(kept.len());
    }
    found
}

/// The mark and the info string of a line that opens a fence.
fn opening(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let mark = mark(line)?;
    Some((mark, line.get(mark.len()..)?.trim()))
}

/// The run of three or more marks a line starts with.
fn mark(line: &str) -> Option<&str> {
    let first = line.chars().next().filter(|it| matches!(it, '`' | '~'))?;
    let length = line.len().saturating_sub(line.trim_start_matches(first).len());
    line.get(..length).filter(|run| run.len() >= 3)
}

fn closes(line: &str, open: &str) -> bool {
    let line = line.trim();
    line.len() >= open.len() && line.starts_with(open) && mark(line) == Some(line)
}

/// A fence that opens and closes in one line.
fn one_line<'t>(line: &'t str, mark: &str, start: usize) -> Option<Fence<'t>> {
    let inside = line.trim_end().strip_suffix(mark)?;
    let from = inside.find(mark)?.saturating_add(mark.len());
    let words = inside.get(from..).filter(|words| !words.trim().is_empty())?;
    let language =
        words.split_whitespace().next().filter(|word| PROGRAM.contains(word)).unwrap_or("");
    let skip = from.saturating_add(if words.starts_with(language) { language.len() } else { 0 });
    Some(Fence {
        language,
        content: start.saturating_add(skip)..start.saturating_add(inside.len()),
    })
}
