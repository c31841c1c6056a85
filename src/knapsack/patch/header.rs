//! The line that begins a hunk.

use super::hunk::Hunk;

/// A line that begins a hunk.
pub(super) struct Header<'a> {
    pub(super) numbers: Option<Numbers>,
    anchor: Option<&'a str>,
}

/// Which lines it is said to be about.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    /// The first, from 1.
    start: usize,
    /// How many the file has.
    pub(super) old: usize,
    /// How many it has then.
    pub(super) new: usize,
}

impl<'a> Header<'a> {
    /// `@@`, `@@ anchor` or `@@ -1,2 +3,4 @@ whatever`.
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let rest = line.strip_prefix("@@")?;
        if let Some(numbers) = Numbers::of(rest) {
            return Some(Self { numbers: Some(numbers), anchor: None });
        }
        let rest = rest.strip_prefix(' ').unwrap_or(rest).trim_end();
        let anchor = rest.strip_suffix("@@").unwrap_or(rest).trim_end();
        Some(Self { numbers: None, anchor: (!anchor.is_empty()).then_some(anchor) })
    }

    pub(super) fn note(&self, hunk: &mut Hunk) {
        if let Some(numbers) = self.numbers.filter(|numbers| numbers.old > 0) {
            hunk.said_at = Some(numbers.start.saturating_sub(1));
        }
        hunk.anchors.extend(self.anchor.map(str::to_owned));
    }
}

impl Numbers {
    fn of(text: &str) -> Option<Self> {
        let (numbers, _) = text.split_once(" @@")?;
        let (old, new) = numbers.trim().split_once(' ')?;
        let range = |text: &str| match text.split_once(',') {
            Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        };
        let ((start, old), (_, new)): ((usize, usize), (usize, usize)) =
            (range(old.strip_prefix('-')?)?, range(new.trim().strip_prefix('+')?)?);
        Some(Self { start, old, new })
    }
}
