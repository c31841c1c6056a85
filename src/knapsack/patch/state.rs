//! What files hold while a patch is applied to them, section by section.

use std::collections::BTreeMap;

use super::{
    Change, FileChange, Held, PatchError, Step,
    apply::apply,
    error::shown,
    hunk::Hunk,
    line::lines,
    place::Effort,
    section::{Section, What},
};

/// Files while a patch is applied to them.
pub(super) struct State<'a> {
    before: &'a BTreeMap<String, Held>,
    after: BTreeMap<String, Option<Held>>,
    effort: Effort,
}

impl<'a> State<'a> {
    pub(super) fn new(before: &'a BTreeMap<String, Held>) -> Self {
        Self { before, after: BTreeMap::new(), effort: Effort::new() }
    }

    fn held(&self, path: &str) -> Option<&Held> {
        self.after.get(path).map_or_else(|| self.before.get(path), Option::as_ref)
    }

    fn text(&self, path: &str) -> Result<&str, PatchError> {
        match self.held(path) {
            Some(Held::Text(text)) => Ok(text),
            Some(Held::Opaque) => Err(PatchError::NotText { file: path.to_owned() }),
            None => Err(PatchError::missing(path)),
        }
    }

    fn put(&mut self, path: &str, held: Option<Held>) {
        self.after.insert(path.to_owned(), held);
    }

    /// Does what one section says.
    pub(super) fn section(&mut self, section: &Section) -> Result<FileChange, PatchError> {
        let path = section.path.as_str();
        match &section.what {
            What::Add { content } => {
                if self.held(path).is_some() {
                    return Err(PatchError::exists(path));
                }
                self.put(path, Some(Held::Text(content.clone())));
                Ok(told(path, Change::Added))
            }
            What::Remove { hunks } => {
                if hunks.is_empty() {
                    self.held(path).ok_or_else(|| PatchError::missing(path))?;
                } else {
                    holds_nothing_else(path, self.text(path)?, hunks)?;
                }
                self.put(path, None);
                Ok(told(path, Change::Removed))
            }
            What::Update { hunks, move_to } => self.update(path, hunks, move_to.as_deref()),
        }
    }

    fn update(
        &mut self,
        path: &str,
        hunks: &[Hunk],
        move_to: Option<&str>,
    ) -> Result<FileChange, PatchError> {
        let held = self.text(path)?.to_owned();
        let applied = apply(path, &held, hunks, &mut self.effort)?;
        let (hunks, matched) = (hunks.len(), applied.matched);
        let Some(target) = move_to.filter(|target| *target != path) else {
            self.put(path, Some(Held::Text(applied.content)));
            return Ok(FileChange { hunks, matched, ..told(path, Change::Updated) });
        };
        if self.held(target).is_some() {
            return Err(PatchError::exists(target));
        }
        self.put(path, None);
        self.put(target, Some(Held::Text(applied.content)));
        let moved_from = Some(path.to_owned());
        Ok(FileChange { moved_from, hunks, matched, ..told(target, Change::Moved) })
    }

    /// What there is to do so that the files are what they are after the patch.
    pub(super) fn steps(self) -> Vec<Step> {
        let Self { before, after, .. } = self;
        let mut steps: Vec<Step> = after
            .into_iter()
            .filter_map(|(path, now)| match (before.get(&path), now) {
                (None, Some(Held::Text(content))) => Some(Step::Create { path, content }),
                (Some(Held::Text(expected)), Some(Held::Text(content))) => (*expected != content)
                    .then(|| Step::Replace { path, expected: expected.clone(), content }),
                (Some(Held::Text(expected)), None) => {
                    Some(Step::Remove { path, expected: Some(expected.clone()) })
                }
                (Some(Held::Opaque), None) => Some(Step::Remove { path, expected: None }),
                _ => None,
            })
            .collect();
        steps.sort_by_key(|step| match step {
            Step::Create { .. } => 0,
            Step::Replace { .. } => 1,
            Step::Remove { .. } => 2,
        });
        steps
    }
}

fn told(path: &str, change: Change) -> FileChange {
    FileChange { path: path.to_owned(), change, moved_from: None, hunks: 0, matched: None }
}

/// Whether the lines that a removal shows are all that the file holds.
fn holds_nothing_else(path: &str, held: &str, hunks: &[Hunk]) -> Result<(), PatchError> {
    let same = |one: &str, other: &str| one.trim_end() == other.trim_end();
    let mut held = lines(held);
    let mut shows = hunks.iter().flat_map(Hunk::old);
    let mut number = 0_usize;
    loop {
        number = number.saturating_add(1);
        let (line, show) = (held.next(), shows.next());
        if line.is_none() && show.is_none() {
            return Ok(());
        }
        if line.zip(show).is_some_and(|(line, show)| same(line.text, &show.text)) {
            continue;
        }
        return Err(PatchError::ContextNotFound {
            file: path.to_owned(),
            hunk: hunks.len(),
            file_line: number,
            expected: show.map(|line| shown(&line.text)).unwrap_or_default(),
            actual: line.map(|line| shown(line.text)),
        });
    }
}
