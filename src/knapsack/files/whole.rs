//! Reading a whole file, part by part.

use super::{ByteRange, FileError, FilesPort};
use crate::{
    limits::{FILE_BYTES, FILE_READ_BYTES},
    operation::Context,
};

/// All that the file at `path` holds: at most [`FILE_BYTES`], and all of one version.
pub(super) async fn whole(
    port: &dyn FilesPort,
    path: &str,
    context: &Context,
) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let mut version: Option<String> = None;
    loop {
        let offset = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let range = ByteRange { offset, length: FILE_READ_BYTES };
        let part = port.read(path.to_owned(), range, context.clone()).await?;
        if part.total > u64::try_from(FILE_BYTES).unwrap_or(u64::MAX) {
            return Err(FileError::TooLarge { path: path.to_owned(), limit: FILE_BYTES });
        }
        if version.get_or_insert_with(|| part.version.clone()) != &part.version {
            return Err(FileError::Conflict { path: path.to_owned() });
        }
        let got = part.bytes.len();
        bytes.extend(part.bytes);
        let now = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if now == part.total {
            return Ok(bytes);
        }
        if now > part.total || got == 0 || got > FILE_READ_BYTES {
            let evidence = format!("the port gave {got} bytes at {offset} of {}", part.total);
            return Err(FileError::Unavailable { evidence });
        }
    }
}

/// What the file at `path` holds, if there is one.
pub(super) async fn whole_if_any(
    port: &dyn FilesPort,
    path: &str,
    context: &Context,
) -> Result<Option<Vec<u8>>, FileError> {
    match whole(port, path, context).await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(FileError::Missing { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
