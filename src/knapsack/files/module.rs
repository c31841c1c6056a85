//! The operations over a port, and the tool beside `execute`.

use std::{future::Future, rc::Rc};

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use super::{
    ByteRange, Content, Encoding, Expected, FileError, FilesPort, Found, Listing, PatchEngine,
    Search,
    content::cut_character,
    schema::{
        Done, EditInput, ListInput, ListOutput, ReadInput, ReadOutput, RemoveInput, ReplaceInput,
        SearchInput, WriteInput,
    },
    whole::whole,
};
use crate::{
    knapsack::patch::{PatchInput, checked_path},
    limits::{FILE_BYTES, FILE_READ_BYTES},
    operation::{Access, Context, DefinitionError, Module, Operation, Replay},
    runtime::DirectTool,
};

/// The name of the tool that applies patches, and of the operation that does.
pub const TOOL: &str = "apply_patch";

/// Entries of a page, unless the caller says.
const PAGE: u32 = 200;

/// Matches of a search, unless the caller says.
const MATCHES: u32 = 100;

/// One port of files, as a module and as tools.
#[derive(Clone)]
pub struct Files {
    port: Rc<dyn FilesPort>,
}

impl Files {
    /// The files of `port`.
    #[must_use]
    pub fn new(port: Rc<dyn FilesPort>) -> Self {
        Self { port }
    }

    /// The module `name` with the authority `id`: `list`, `read`, `search`, which read, and
    /// `write`, `replace`, `edit`, `remove`, which write; and [`TOOL`] when the port has a
    /// patch engine.
    #[must_use]
    pub fn module(&self, id: &str, name: &str) -> Module {
        let module = Module::new(id, name)
            .operation("list", self.reading("list", LIST, list))
            .operation("read", self.reading("read", READ, read))
            .operation("search", self.reading("search", SEARCH, search))
            .operation("write", self.writing("write", WRITE, write))
            .operation("replace", self.writing("replace", REPLACE, replace))
            .operation("edit", self.writing("edit", EDIT, edit))
            .operation("remove", self.writing("remove", REMOVE, remove));
        match self.port.patch_engine() {
            Some(engine) => module.operation(TOOL, apply_patch(engine)),
            None => module,
        }
    }

    /// The tools beside `execute`: [`TOOL`] when the port has a patch engine, else none.
    /// It takes and gives what the module's operation does.
    ///
    /// # Errors
    ///
    /// As [`DirectTool::new`].
    pub fn tools(&self) -> Result<Vec<DirectTool>, DefinitionError> {
        let engine = self.port.patch_engine();
        engine.into_iter().map(|engine| DirectTool::new(TOOL, apply_patch(engine))).collect()
    }

    fn reading<I, O, R, F>(&self, name: &'static str, says: &str, run: R) -> Operation
    where
        I: DeserializeOwned + JsonSchema + 'static,
        O: Serialize + JsonSchema + 'static,
        R: Fn(Rc<dyn FilesPort>, I, Context) -> F + 'static,
        F: Future<Output = Result<O, FileError>> + 'static,
    {
        self.writing(name, says, run).access(Access::Read).replay(Replay::Safe)
    }

    fn writing<I, O, R, F>(&self, name: &'static str, says: &str, run: R) -> Operation
    where
        I: DeserializeOwned + JsonSchema + 'static,
        O: Serialize + JsonSchema + 'static,
        R: Fn(Rc<dyn FilesPort>, I, Context) -> F + 'static,
        F: Future<Output = Result<O, FileError>> + 'static,
    {
        let port = Rc::clone(&self.port);
        let operation = Operation::typed(move |input: I, context| {
            let done = run(Rc::clone(&port), input, context);
            async move { done.await.map_err(|error| error.told(name)) }
        });
        operation.describe(says)
    }
}

const LIST: &str = "Lists a folder's files and folders, or with recursive the files of all folders in it, by pages.";
const READ: &str = "Reads a file, or a range of its bytes; what isn't text comes as base64.";
const SEARCH: &str = "Finds lines that contain a text. What ignore files hide is not searched.";
const WRITE: &str = "Writes a whole file, over what there is unless only_new is set.";
const REPLACE: &str =
    "Replaces all that a file holds if it holds what is expected; otherwise nothing changes.";
const EDIT: &str = "Replaces a text that occurs exactly once in a file.";
const REMOVE: &str = "Removes a file.";
const PATCH: &str = "Changes text files by a patch, all of them or none: *** Begin Patch, sections *** Add File: / *** Update File: / *** Delete File:, *** End Patch; or a unified diff.";

fn apply_patch(engine: Rc<dyn PatchEngine>) -> Operation {
    Operation::typed(move |input: PatchInput, context| engine.patch(input, context)).describe(PATCH)
}

fn checked(path: String) -> Result<String, FileError> {
    match checked_path(&path) {
        Ok(()) => Ok(path),
        Err(rule) => Err(FileError::Path { path, rule: rule.to_owned() }),
    }
}

/// A folder; the root is empty, or said as `.` or `/`.
fn folder(path: String) -> Result<String, FileError> {
    if matches!(path.as_str(), "" | "." | "/") { Ok(String::new()) } else { checked(path) }
}

/// The bytes to write, within the bound.
fn bytes(path: &str, content: String, encoding: Encoding) -> Result<Vec<u8>, FileError> {
    let bytes = Content { content, encoding }.bytes();
    let bytes = bytes.map_err(|problem| FileError::Refused { problem: problem.to_owned() })?;
    if bytes.len() > FILE_BYTES {
        return Err(FileError::TooLarge { path: path.to_owned(), limit: FILE_BYTES });
    }
    Ok(bytes)
}

fn done(path: String, bytes: usize) -> Done {
    Done { path, bytes: u64::try_from(bytes).ok() }
}

async fn list(
    port: Rc<dyn FilesPort>,
    input: ListInput,
    context: Context,
) -> Result<ListOutput, FileError> {
    let ListInput { path, recursive, cursor, limit } = input;
    let limit = usize::try_from(limit.unwrap_or(PAGE)).unwrap_or(usize::MAX);
    let listing = Listing { folder: folder(path)?, recursive, cursor, limit };
    let page = port.list(listing, context).await?;
    Ok(ListOutput { entries: page.entries, cursor: page.cursor })
}

async fn read(
    port: Rc<dyn FilesPort>,
    input: ReadInput,
    context: Context,
) -> Result<ReadOutput, FileError> {
    let ReadInput { path, offset, length } = input;
    let path = checked(path)?;
    let length = length.and_then(|length| usize::try_from(length).ok());
    let length = length.unwrap_or(FILE_READ_BYTES).min(FILE_READ_BYTES);
    let part = port.read(path.clone(), ByteRange { offset, length }, context).await?;
    let mut bytes = part.bytes;
    if bytes.len() > length {
        let evidence = format!("the port gave {} bytes where {length} were asked for", bytes.len());
        return Err(FileError::Unavailable { evidence });
    }
    let end = |bytes: &[u8]| offset.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
    let cut = cut_character(&bytes);
    // A character that is cut by the range comes with the next one, whole.
    if end(&bytes) < part.total && cut < bytes.len() {
        bytes.truncate(bytes.len().saturating_sub(cut));
    }
    let end = end(&bytes);
    let (got, more) = (u64::try_from(bytes.len()).unwrap_or(u64::MAX), end < part.total);
    let Content { content, encoding } = Content::of(bytes);
    Ok(ReadOutput {
        path,
        content,
        encoding,
        offset,
        bytes: got,
        total_bytes: part.total,
        next_offset: more.then_some(end),
        version: part.version,
    })
}

async fn search(
    port: Rc<dyn FilesPort>,
    input: SearchInput,
    context: Context,
) -> Result<Found, FileError> {
    let SearchInput { query, path, ignore_case, limit } = input;
    let limit = usize::try_from(limit.unwrap_or(MATCHES)).unwrap_or(usize::MAX);
    let search = Search { query, path: folder(path)?, ignore_case, limit };
    port.search(search, context).await
}

async fn write(
    port: Rc<dyn FilesPort>,
    input: WriteInput,
    context: Context,
) -> Result<Done, FileError> {
    let WriteInput { path, content, encoding, only_new } = input;
    let path = checked(path)?;
    let content = bytes(&path, content, encoding)?;
    let told = done(path.clone(), content.len());
    if only_new {
        port.replace(path, Expected::Absent, content, context).await?;
    } else {
        port.write(path, content, context).await?;
    }
    Ok(told)
}

async fn replace(
    port: Rc<dyn FilesPort>,
    input: ReplaceInput,
    context: Context,
) -> Result<Done, FileError> {
    let ReplaceInput { path, expected, content, encoding } = input;
    let path = checked(path)?;
    let expected = bytes(&path, expected, encoding)?;
    let content = bytes(&path, content, encoding)?;
    let told = done(path.clone(), content.len());
    port.replace(path, Expected::Content(expected), content, context).await?;
    Ok(told)
}

async fn edit(
    port: Rc<dyn FilesPort>,
    input: EditInput,
    context: Context,
) -> Result<Done, FileError> {
    let EditInput { path, old, new } = input;
    let path = checked(path)?;
    let held = whole(&*port, &path, &context).await?;
    let held = String::from_utf8(held).map_err(|_| FileError::NotText { path: path.clone() })?;
    let first = held.find(&old);
    if first.is_none() || first != held.rfind(&old) {
        let count = held.matches(&old).count();
        let problem = format!(
            "{path} has the old text {count} times, and it must occur exactly once; nothing was \
             changed: read the file, and take in more or less of what is around it"
        );
        return Err(FileError::Refused { problem });
    }
    let content = held.replacen(&old, &new, 1);
    let content = bytes(&path, content, Encoding::Text)?;
    let told = done(path.clone(), content.len());
    port.replace(path, Expected::Content(held.into_bytes()), content, context).await?;
    Ok(told)
}

async fn remove(
    port: Rc<dyn FilesPort>,
    input: RemoveInput,
    context: Context,
) -> Result<Done, FileError> {
    let path = checked(input.path)?;
    port.remove(path.clone(), None, context).await?;
    Ok(Done { path, bytes: None })
}
