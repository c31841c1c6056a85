//! Where in a value one is, as a chain on the stack.

use crate::failure::bounded;

/// The most bytes of a path that a message shows: a key may be megabytes long.
const PATH_BYTES: usize = 512;

/// One step of a path, knowing the steps before it.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Step<'a>,
    depth: usize,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> Path<'a> {
    /// The whole value.
    pub(super) fn root() -> Self {
        Self { parent: None, step: Step::Root, depth: 0 }
    }

    /// What the map here holds under `key`.
    pub(super) fn key(&'a self, key: &'a str) -> Self {
        self.child(Step::Key(key))
    }

    /// What the list here holds at `index`.
    pub(super) fn index(&'a self, index: usize) -> Self {
        self.child(Step::Index(index))
    }

    /// How many lists and maps are around this.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// The JSON Pointer (RFC 6901), cut when it is long.
    pub(super) fn pointer(&self) -> String {
        let mut steps = Vec::new();
        let mut here = Some(self);
        while let Some(path) = here {
            steps.push(path.step);
            here = path.parent;
        }
        let pointer: String = steps.iter().rev().map(Step::text).collect();
        bounded(&pointer, PATH_BYTES)
    }

    fn child(&'a self, step: Step<'a>) -> Self {
        Self { parent: Some(self), step, depth: self.depth.saturating_add(1) }
    }
}

impl Step<'_> {
    fn text(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Key(key) => {
                let key = bounded(key, PATH_BYTES);
                format!("/{}", key.replace('~', "~0").replace('/', "~1"))
            }
            Self::Index(index) => format!("/{index}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn a_path_reads_as_a_pointer() {
        let root = Path::root();
        let list = root.key("a/b~c");
        assert_eq!(root.pointer(), "");
        assert_eq!(list.index(3).pointer(), "/a~1b~0c/3");
        assert_eq!(list.index(3).depth(), 2);
    }

    #[test]
    fn a_long_key_makes_no_long_path() {
        let key = "k".repeat(1_000_000);
        assert!(Path::root().key(&key).pointer().len() <= super::PATH_BYTES);
    }
}
