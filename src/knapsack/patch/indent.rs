//! Indenting added lines as the file does, when the patch has other indentation.

use std::collections::BTreeMap;

/// What the file has for each indentation that the patch has.
pub(super) struct Reindent<'a> {
    pairs: BTreeMap<&'a str, &'a str>,
}

/// A line's indentation, and the rest of it.
fn split(line: &str) -> (&str, &str) {
    let rest = line.trim_start();
    line.split_at(line.len().saturating_sub(rest.len()))
}

impl<'a> Reindent<'a> {
    /// From lines of a patch and the same lines of the file. None when the patch has one
    /// indentation where the file has two: what an added line should have can't be told.
    pub(super) fn between(same: impl Iterator<Item = (&'a str, &'a str)>) -> Option<Self> {
        let mut pairs = BTreeMap::new();
        for (patch, file) in same.filter(|(patch, _)| !patch.trim().is_empty()) {
            let ((patch, _), (file, _)) = (split(patch), split(file));
            if *pairs.entry(patch).or_insert(file) != file {
                return None;
            }
        }
        Some(Self { pairs })
    }

    /// An added line with the file's indentation; none when that can't be told.
    pub(super) fn line(&self, added: &str) -> Option<String> {
        let (indent, rest) = split(added);
        if rest.is_empty() {
            return Some(added.to_owned());
        }
        if let Some(known) = self.pairs.get(indent) {
            return Some(format!("{known}{rest}"));
        }
        self.shifted(indent).map(|indent| format!("{indent}{rest}"))
    }

    /// The indentation, when all others differ from the file's by the same beginning.
    fn shifted(&self, indent: &str) -> Option<String> {
        let (patch, file) = self.pairs.first_key_value()?;
        if let Some(more) = file.strip_suffix(patch) {
            let all = |(patch, file): (&&str, &&str)| file.strip_suffix(patch) == Some(more);
            return self.pairs.iter().all(all).then(|| format!("{more}{indent}"));
        }
        let less = patch.strip_suffix(file)?;
        let all = |(patch, file): (&&str, &&str)| patch.strip_suffix(file) == Some(less);
        let all = self.pairs.iter().all(all);
        all.then(|| indent.strip_prefix(less).map(str::to_owned)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::Reindent;

    #[test]
    fn an_added_line_is_indented_as_the_lines_around_it() {
        type Case = (&'static [(&'static str, &'static str)], &'static str, Option<&'static str>);
        let cases: [Case; 8] = [
            (&[("a", "  a"), ("  b", "    b")], "    c", Some("      c")),
            (&[("  a", "a"), ("    b", "  b")], "      c", Some("    c")),
            (&[("    a", "\ta"), ("        b", "\t\tb")], "    c", Some("\tc")),
            (&[("    a", "\ta"), ("        b", "\t\tb")], "            c", None),
            (&[("  a", "a")], "c", None),
            (&[("a", " a"), ("", "  ")], "", Some("")),
            (&[("a", " a")], "   ", Some("   ")),
            (&[("", "")], "  c", None),
        ];
        for (same, added, expected) in cases {
            let reindent = Reindent::between(same.iter().copied()).unwrap();
            assert_eq!(reindent.line(added).as_deref(), expected, "{same:?} {added:?}");
        }
        assert!(Reindent::between([("a", " a"), ("b", "  b")].into_iter()).is_none());
    }
}
