//! Applying patches to a port's files.

use std::{collections::BTreeMap, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};

use super::{
    Expected, FileError, FilesPort,
    error::refused,
    whole::{whole, whole_if_any},
};
use crate::{
    failure::{Failure, bounded},
    knapsack::patch::{Held, Patch, PatchInput, PatchReport, Step},
    limits::FILE_BYTES,
    operation::{Context, OperationError},
};

/// The most bytes of a list of paths that a message shows.
const PATHS_BYTES: usize = 512;

/// Applies patches: all files or none.
///
/// A port whose store can do that by itself brings its own; for all others there is
/// [`TextPatches`].
pub trait PatchEngine {
    /// Applies one patch.
    fn patch(
        &self,
        input: PatchInput,
        context: Context,
    ) -> LocalBoxFuture<'static, Result<PatchReport, OperationError>>;
}

/// The library's own engine: it reads every file that a patch names, finds out what all of
/// them hold afterwards, and only then writes, each against what it had read.
///
/// A write that fails midway ends it: `partial-write` says what is written.
#[derive(Clone)]
pub struct TextPatches {
    port: Rc<dyn FilesPort>,
}

impl TextPatches {
    /// An engine over `port`.
    #[must_use]
    pub fn new(port: Rc<dyn FilesPort>) -> Self {
        Self { port }
    }
}

impl PatchEngine for TextPatches {
    fn patch(
        &self,
        input: PatchInput,
        context: Context,
    ) -> LocalBoxFuture<'static, Result<PatchReport, OperationError>> {
        let port = Rc::clone(&self.port);
        async move {
            let patch = Patch::parse(&input.patch).map_err(refused)?;
            let held = held(&*port, &patch, &context).await.map_err(|error| error.told(NAME))?;
            let patched = patch.apply(&held).map_err(refused)?;
            write(&*port, &patched.steps, &context).await?;
            Ok(patched.report)
        }
        .boxed_local()
    }
}

/// As failures call it.
const NAME: &str = "apply_patch";

async fn held(
    port: &dyn FilesPort,
    patch: &Patch,
    context: &Context,
) -> Result<BTreeMap<String, Held>, FileError> {
    let mut all = BTreeMap::new();
    for path in patch.paths() {
        if let Some(bytes) = whole_if_any(port, path, context).await? {
            let held = String::from_utf8(bytes).map_or(Held::Opaque, Held::Text);
            all.insert(path.to_owned(), held);
        }
    }
    Ok(all)
}

async fn write(
    port: &dyn FilesPort,
    steps: &[Step],
    context: &Context,
) -> Result<(), OperationError> {
    for step in steps {
        if step.content().is_some_and(|content| content.len() > FILE_BYTES) {
            let path = step.path().to_owned();
            return Err(FileError::TooLarge { path, limit: FILE_BYTES }.told(NAME));
        }
    }
    for (done, step) in steps.iter().enumerate() {
        // A patch that stops midway tells what it has done, so nobody may drop it.
        let cancelled = context.cancellation().is_cancelled();
        let written =
            if cancelled { Err(FileError::Cancelled) } else { take(port, step, context).await };
        if let Err(error) = written {
            let alone = steps.len() == 1 || (done == 0 && !error.may_be_done());
            return Err(if alone { error.told(NAME) } else { partial(steps, done, &error) });
        }
    }
    Ok(())
}

async fn take(port: &dyn FilesPort, step: &Step, context: &Context) -> Result<(), FileError> {
    let context = context.clone();
    match step.clone() {
        Step::Create { path, content } => {
            port.replace(path, Expected::Absent, content.into_bytes(), context).await
        }
        Step::Replace { path, expected, content } => {
            let expected = Expected::Content(expected.into_bytes());
            port.replace(path, expected, content.into_bytes(), context).await
        }
        Step::Remove { path, expected: Some(expected) } => {
            port.remove(path, Some(expected.into_bytes()), context).await
        }
        Step::Remove { path, expected: None } => {
            let expected = whole(port, &path, &context).await?;
            port.remove(path, Some(expected), context).await
        }
    }
}

fn partial(steps: &[Step], done: usize, error: &FileError) -> OperationError {
    let paths = |steps: &[Step]| {
        let paths: Vec<_> = steps.iter().map(Step::path).collect();
        let paths = if paths.is_empty() { "none".to_owned() } else { paths.join(", ") };
        bounded(&paths, PATHS_BYTES)
    };
    let (written, rest) = steps.split_at_checked(done).unwrap_or((steps, &[]));
    let (file, untried) = rest.split_first().map_or(("", rest), |(step, rest)| (step.path(), rest));
    let failure = Failure::PartialWrite {
        written: paths(written),
        file: bounded(file, PATHS_BYTES),
        problem: error.words().to_owned(),
        untried: paths(untried),
    };
    let told = OperationError::declared(failure);
    match error {
        FileError::Unavailable { evidence } | FileError::Unknown { evidence } => {
            told.with_evidence(evidence)
        }
        _ => told,
    }
}
