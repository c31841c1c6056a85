//! Writes the build's files, and only those whose content changed.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use crate::failure::Failure;

/// Makes `folder` exist and be empty.
pub(crate) fn empty(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(Failure::file(folder, &error));
        }
        _ => {}
    }
    fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))
}

/// Writes `bytes` to `path` unless they are there.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if fs::read(path).is_ok_and(|found| found == bytes) {
        return Ok(());
    }
    fs::write(path, bytes).map_err(|error| Failure::file(path, &error))
}

/// Copies one file.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let bytes = fs::read(from).map_err(|error| Failure::file(from, &error))?;
    write(to, &bytes)
}

/// Copies a folder with all below it; files that are only in `to` stay.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<(), Failure> {
    for file in files(from)? {
        let target = to.join(file.strip_prefix(from).unwrap_or(&file));
        let folder = target.parent().unwrap_or(to);
        fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
        copy(&file, &target)?;
    }
    Ok(())
}

/// Every file below `folder`, at any depth.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut folders = vec![folder.to_path_buf()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| Failure::file(&folder, &error))? {
            let path = entry.map_err(|error| Failure::file(&folder, &error))?.path();
            if path.is_dir() { &mut folders } else { &mut files }.push(path);
        }
    }
    Ok(files)
}
