//! Searching files by listing and reading them.

use futures::{StreamExt, pin_mut, stream};

use super::{
    ByteRange, Content, Encoding, Entry, FileError, FilesPort, Found, FoundLine, Listing, Search,
    whole::whole_if_any,
};
use crate::{
    failure::bounded,
    knapsack::visibility::{IGNORE_FILE, Kind, SearchVisibility},
    limits::{CONNECT_SLOTS, FILE_BYTES, FILE_LIST, SEARCH_BYTES, SEARCH_ENTRIES, SEARCH_FILES},
    operation::Context,
};

/// The most bytes of a line that a match shows.
const LINE_BYTES: usize = 400;

/// Looks through a port's files with nothing but its own `list` and `read`.
///
/// What a search may see is found out anew for each: ignore files in the searched folder
/// and above it, and `.git`.
///
/// # Errors
///
/// The port's, or [`FileError::Refused`] for a query or a folder that can't be searched.
pub async fn search_by_reading(
    port: &dyn FilesPort,
    search: Search,
    context: Context,
) -> Result<Found, FileError> {
    if search.query.is_empty() || search.query.contains('\n') {
        let problem = "a query is a text within one line: leave line breaks out".to_owned();
        return Err(FileError::Refused { problem });
    }
    let mut found = Found::default();
    let entries = entries(port, &search.path, &context, &mut found).await?;
    let visibility = visibility(port, &search.path, &entries, &context).await?;
    if !visibility.shows(&search.path, kind(&search.path, &entries))? {
        let problem = format!(
            "{} is hidden from searches by an ignore file or is git's own: read its files by their \
             exact paths",
            search.path
        );
        return Err(FileError::Refused { problem });
    }
    look(port, &search, &entries, &visibility, &context, &mut found).await?;
    Ok(found)
}

/// Whether what is searched is a folder or the one file that was found.
fn kind(path: &str, entries: &[Entry]) -> Kind {
    match entries {
        [only] if only.path == path => Kind::File,
        _ => Kind::Folder,
    }
}

/// All files in what is searched, in order.
async fn entries(
    port: &dyn FilesPort,
    path: &str,
    context: &Context,
    found: &mut Found,
) -> Result<Vec<Entry>, FileError> {
    let (mut all, mut cursor) = (Vec::new(), None);
    loop {
        let listing =
            Listing { folder: path.to_owned(), recursive: true, cursor, limit: FILE_LIST };
        let page = match port.list(listing, context.clone()).await {
            Err(FileError::Missing { .. }) if all.is_empty() => {
                return alone(port, path, context).await;
            }
            page => page?,
        };
        all.extend(page.entries);
        cursor = page.cursor;
        if cursor.is_none() {
            break;
        }
        if all.len() >= SEARCH_ENTRIES {
            stop(found, &format!("there are more than {SEARCH_ENTRIES} files"));
            break;
        }
    }
    all.truncate(SEARCH_ENTRIES);
    all.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(all)
}

/// The one file that a search is of.
async fn alone(
    port: &dyn FilesPort,
    path: &str,
    context: &Context,
) -> Result<Vec<Entry>, FileError> {
    let range = ByteRange { offset: 0, length: 1 };
    let part = port.read(path.to_owned(), range, context.clone()).await?;
    let kind = super::EntryKind::File;
    Ok(vec![Entry { path: path.to_owned(), kind, bytes: Some(part.total) }])
}

/// By the ignore files above what is searched and in it.
async fn visibility(
    port: &dyn FilesPort,
    path: &str,
    entries: &[Entry],
    context: &Context,
) -> Result<SearchVisibility, FileError> {
    let above = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    let above = std::iter::once("").filter(|_| !path.is_empty()).chain(above);
    let mut files: Vec<(String, bool)> = above
        .map(|folder| (format!("{folder}/{IGNORE_FILE}").trim_start_matches('/').to_owned(), false))
        .collect();
    let named = |entry: &&Entry| entry.path.rsplit('/').next() == Some(IGNORE_FILE);
    files.extend(entries.iter().filter(named).map(|entry| (entry.path.clone(), true)));
    files.dedup();
    let mut visibility = SearchVisibility::new();
    for (file, _) in files {
        let Some(bytes) = whole_if_any(port, &file, context).await? else { continue };
        // Lines that aren't text are no patterns of any path.
        visibility.add(&file, &String::from_utf8_lossy(&bytes))?;
    }
    Ok(visibility)
}

async fn look(
    port: &dyn FilesPort,
    search: &Search,
    entries: &[Entry],
    visibility: &SearchVisibility,
    context: &Context,
    found: &mut Found,
) -> Result<(), FileError> {
    let (seen, cut) = seen(entries, visibility, found)?;
    let reading = stream::iter(seen).map(|path| async move {
        let bytes = whole_if_any(port, path, context).await?;
        Ok::<_, FileError>((path, bytes))
    });
    // Several at once, for a store answers slowly; in their order, for matches have one.
    let reading = reading.buffered(CONNECT_SLOTS);
    pin_mut!(reading);
    while let Some(read) = reading.next().await {
        let (path, bytes) = read?;
        // Gone meanwhile is as if it had never been listed.
        let Some(bytes) = bytes else { continue };
        found.searched = found.searched.saturating_add(1);
        let content = Content::of(bytes);
        if content.encoding == Encoding::Base64 {
            found.not_text = found.not_text.saturating_add(1);
        } else if !lines(search, path, &content.content, found) {
            return Ok(());
        }
    }
    if let Some(first) = cut {
        stop(found, &format!("it looked through {} files, and {first} follows", found.searched));
    }
    Ok(())
}

/// The files that are looked through, and the first that is too much; the others are
/// counted.
fn seen<'a>(
    entries: &'a [Entry],
    visibility: &SearchVisibility,
    found: &mut Found,
) -> Result<(Vec<&'a str>, Option<&'a str>), FileError> {
    let (mut seen, mut total) = (Vec::new(), 0_u64);
    for entry in entries {
        let bytes = entry.bytes.unwrap_or_default();
        if !visibility.shows(&entry.path, Kind::File)? {
            found.hidden = found.hidden.saturating_add(1);
        } else if bytes > as_u64(FILE_BYTES) {
            found.too_large = found.too_large.saturating_add(1);
        } else {
            total = total.saturating_add(bytes);
            if seen.len() >= SEARCH_FILES || total > as_u64(SEARCH_BYTES) {
                return Ok((seen, Some(&entry.path)));
            }
            seen.push(entry.path.as_str());
        }
    }
    Ok((seen, None))
}

/// Notes the lines of one file; whether there is room for more.
fn lines(search: &Search, path: &str, text: &str, found: &mut Found) -> bool {
    let wanted = folded(&search.query, search.ignore_case);
    for (at, line) in text.lines().enumerate() {
        let held = folded(line, search.ignore_case);
        let Some(start) = held.find(&*wanted) else { continue };
        if found.matches.len() >= search.limit {
            stop(found, &format!("there are more than {} matches", search.limit));
            return false;
        }
        let column = held.get(..start).unwrap_or_default().chars().count();
        found.matches.push(FoundLine {
            path: path.to_owned(),
            line: as_u64(at).saturating_add(1),
            column: as_u64(column).saturating_add(1),
            text: bounded(line, LINE_BYTES),
        });
    }
    true
}

fn folded(text: &str, ignore_case: bool) -> std::borrow::Cow<'_, str> {
    if ignore_case { text.to_lowercase().into() } else { text.into() }
}

fn stop(found: &mut Found, why: &str) {
    found.stopped = Some(format!("{why}: search a smaller folder, or for a longer text"));
}

fn as_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
