//! Files in memory, bounded, gone with the program.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};

use crate::{
    knapsack::files::{
        ByteRange, Expected, FileError, FileFuture, FilesPort, Found, Listing, MemoryFiles, Page,
        Part, Search,
    },
    limits::PEN_TMP_BYTES,
    operation::Context,
};

/// Files whose contents and names have [`PEN_TMP_BYTES`] at most.
#[derive(Clone, Default)]
pub(super) struct Tmp {
    files: MemoryFiles,
    sizes: Rc<RefCell<BTreeMap<String, usize>>>,
}

impl Tmp {
    /// Makes room for a file, and does `work` if there is; room that isn't used is given back.
    fn within(
        &self,
        path: String,
        bytes: usize,
        work: FileFuture<()>,
    ) -> LocalBoxFuture<'static, Result<(), FileError>> {
        let sizes = Rc::clone(&self.sizes);
        async move {
            let size = path.len().saturating_add(bytes);
            let before = sizes.borrow_mut().insert(path.clone(), size);
            let all = sizes.borrow().values().fold(0_usize, |all, size| all.saturating_add(*size));
            let done = if all > PEN_TMP_BYTES {
                let problem = format!(
                    "tmp has {PEN_TMP_BYTES} bytes in all, and this would be more: remove what \
                     is no longer needed"
                );
                Err(FileError::Refused { problem })
            } else {
                work.await
            };
            if done.is_err() {
                let mut sizes = sizes.borrow_mut();
                match before {
                    Some(before) => sizes.insert(path, before),
                    None => sizes.remove(&path),
                };
            }
            done
        }
        .boxed_local()
    }
}

impl FilesPort for Tmp {
    fn list(&self, listing: Listing, context: Context) -> FileFuture<Page> {
        self.files.list(listing, context)
    }

    fn read(&self, path: String, range: ByteRange, context: Context) -> FileFuture<Part> {
        self.files.read(path, range, context)
    }

    fn write(&self, path: String, content: Vec<u8>, context: Context) -> FileFuture<()> {
        let (files, at, bytes) = (self.files.clone(), path.clone(), content.len());
        self.within(
            at,
            bytes,
            async move { files.write(path, content, context).await }.boxed_local(),
        )
    }

    fn replace(
        &self,
        path: String,
        expected: Expected,
        content: Vec<u8>,
        context: Context,
    ) -> FileFuture<()> {
        let (files, at, bytes) = (self.files.clone(), path.clone(), content.len());
        let work = async move { files.replace(path, expected, content, context).await };
        self.within(at, bytes, work.boxed_local())
    }

    fn remove(&self, path: String, expected: Option<Vec<u8>>, context: Context) -> FileFuture<()> {
        let (sizes, removed) =
            (Rc::clone(&self.sizes), self.files.remove(path.clone(), expected, context));
        async move {
            removed.await?;
            sizes.borrow_mut().remove(&path);
            Ok(())
        }
        .boxed_local()
    }

    fn search(&self, search: Search, context: Context) -> FileFuture<Found> {
        self.files.search(search, context)
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;

    use super::{PEN_TMP_BYTES, Tmp};
    use crate::{knapsack::files::FilesPort, operation::Context};

    #[test]
    fn tmp_is_bounded_over_all_files_and_room_is_given_back() {
        let tmp = Tmp::default();
        let context = || Context::builder().build();
        let write =
            |path: &str, bytes| block_on(tmp.write(path.to_owned(), vec![b'x'; bytes], context()));
        let half = PEN_TMP_BYTES / 2;
        assert!(write("a", half).is_ok());
        assert!(write("b", half).is_err(), "the names count too");
        assert!(write("b", half - 2).is_ok());
        assert!(write("c", 0).is_err());
        assert!(write("a", half - 1).is_ok(), "a file that is written again counts once");
        assert!(block_on(tmp.remove("b".to_owned(), None, context())).is_ok());
        assert!(write("c", half - 1).is_ok());
    }
}
