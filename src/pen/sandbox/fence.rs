//! Files behind a fence: what is outside is refused, and the attempt noted.

use std::rc::Rc;

use futures::FutureExt;

use super::Attempts;
use crate::{
    knapsack::files::{
        ByteRange, Expected, FileError, FileFuture, FilesPort, Found, Listing, Page, Part, Search,
    },
    operation::Context,
};

/// What of some files is within reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Nothing.
    Nothing,
    /// Everything.
    Everything,
    /// These paths, and what is in them.
    Below(Vec<String>),
}

impl Reach {
    /// Whether a path, or the whole of a folder, is within reach.
    fn holds(&self, path: &str) -> bool {
        match self {
            Self::Nothing => false,
            Self::Everything => true,
            Self::Below(allowed) => allowed.iter().any(|allowed| {
                path.strip_prefix(allowed.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }),
        }
    }
}

/// The files of a port, as far as they are within reach.
#[derive(Clone)]
pub(super) struct Fenced {
    pub(super) name: &'static str,
    pub(super) port: Rc<dyn FilesPort>,
    pub(super) reach: Reach,
    pub(super) attempts: Attempts,
}

impl Fenced {
    fn pass<T: 'static>(
        &self,
        doing: &str,
        path: &str,
        go_on: impl FnOnce(&dyn FilesPort) -> FileFuture<T>,
    ) -> FileFuture<T> {
        if self.reach.holds(path) {
            return go_on(&*self.port);
        }
        let shown = if path.is_empty() { "the root" } else { path };
        self.attempts.note(format!("fs: {}.{doing} of {shown}", self.name));
        let problem = format!(
            "{shown} is outside what this pen may reach: the attempt is noted, and the pen fails \
             with MPP-E005; allow it in options.sandbox.fs"
        );
        async move { Err(FileError::Refused { problem }) }.boxed_local()
    }
}

impl FilesPort for Fenced {
    fn list(&self, listing: Listing, context: Context) -> FileFuture<Page> {
        let folder = listing.folder.clone();
        self.pass("list", &folder, |port| port.list(listing, context))
    }

    fn read(&self, path: String, range: ByteRange, context: Context) -> FileFuture<Part> {
        self.pass("read", &path.clone(), |port| port.read(path, range, context))
    }

    fn write(&self, path: String, content: Vec<u8>, context: Context) -> FileFuture<()> {
        self.pass("write", &path.clone(), |port| port.write(path, content, context))
    }

    fn replace(
        &self,
        path: String,
        expected: Expected,
        content: Vec<u8>,
        context: Context,
    ) -> FileFuture<()> {
        self.pass("write", &path.clone(), |port| port.replace(path, expected, content, context))
    }

    fn remove(&self, path: String, expected: Option<Vec<u8>>, context: Context) -> FileFuture<()> {
        self.pass("remove", &path.clone(), |port| port.remove(path, expected, context))
    }

    fn search(&self, search: Search, context: Context) -> FileFuture<Found> {
        let path = search.path.clone();
        self.pass("search", &path, |port| port.search(search, context))
    }
}

#[cfg(test)]
mod tests {
    use super::Reach;

    #[test]
    fn a_path_is_within_reach_by_whole_segments_alone() {
        let below = Reach::Below(vec!["data/in".to_owned(), "one.txt".to_owned()]);
        for (path, held) in [
            ("data/in", true),
            ("data/in/a/b", true),
            ("one.txt", true),
            ("data/inner", false),
            ("data", false),
            ("", false),
            ("one.txt.bak", false),
            ("other", false),
        ] {
            assert_eq!(below.holds(path), held, "{path}");
            assert!(Reach::Everything.holds(path) && !Reach::Nothing.holds(path));
        }
    }
}
