//! What every port keeps, memory and objects alike.

use std::rc::Rc;

use futures::executor::block_on;
use mycelium::knapsack::files::{
    ByteRange, Entry, EntryKind, Expected, FileError, FilesPort, Listing, MemoryFiles, StoredFiles,
};

use super::{bucket::Bucket, context};

fn ports() -> Vec<Rc<dyn FilesPort>> {
    let below = StoredFiles::new(Rc::new(Bucket::default()), "agents/7");
    let whole = StoredFiles::new(Rc::new(Bucket::default()), "");
    vec![Rc::new(MemoryFiles::new()), Rc::new(below), Rc::new(whole)]
}

fn write(port: &dyn FilesPort, path: &str, content: &str) {
    block_on(port.write(path.to_owned(), content.into(), context())).unwrap();
}

fn read(port: &dyn FilesPort, path: &str) -> Result<String, FileError> {
    let range = ByteRange { offset: 0, length: 1_000 };
    let part = block_on(port.read(path.to_owned(), range, context()))?;
    Ok(String::from_utf8(part.bytes).unwrap())
}

fn replace(
    port: &dyn FilesPort,
    path: &str,
    expected: Option<&str>,
    content: &str,
) -> Result<(), FileError> {
    let expected = expected.map_or(Expected::Absent, |text| Expected::Content(text.into()));
    block_on(port.replace(path.to_owned(), expected, content.into(), context()))
}

fn names(port: &dyn FilesPort, folder: &str, recursive: bool, limit: usize) -> Vec<String> {
    let (mut names, mut cursor) = (Vec::new(), None);
    loop {
        let listing = Listing { folder: folder.to_owned(), recursive, cursor, limit };
        let page = block_on(port.list(listing, context())).unwrap();
        assert!(page.entries.len() <= limit);
        names.extend(page.entries.into_iter().map(|Entry { path, kind, bytes }| {
            assert_eq!(kind == EntryKind::File, bytes.is_some());
            if kind == EntryKind::Folder { path + "/" } else { path }
        }));
        cursor = page.cursor;
        if cursor.is_none() {
            return names;
        }
    }
}

#[test]
fn what_is_written_is_read_by_range() {
    for port in ports() {
        write(&*port, "a/b.txt", "0123456789");
        for (offset, length, expected) in [(0, 4, "0123"), (8, 4, "89"), (10, 4, ""), (99, 1, "")] {
            let range = ByteRange { offset, length };
            let part = block_on(port.read("a/b.txt".to_owned(), range, context())).unwrap();
            assert_eq!((part.bytes.as_slice(), part.total), (expected.as_bytes(), 10));
        }
        assert_eq!(read(&*port, "a/c.txt"), Err(FileError::Missing { path: "a/c.txt".to_owned() }));
    }
}

#[test]
fn a_version_changes_with_the_content() {
    for port in ports() {
        let version = |port: &dyn FilesPort| {
            let range = ByteRange { offset: 0, length: 1 };
            block_on(port.read("f".to_owned(), range, context())).unwrap().version
        };
        write(&*port, "f", "one");
        let one = version(&*port);
        assert_eq!(version(&*port), one);
        write(&*port, "f", "two");
        assert_ne!(version(&*port), one);
    }
}

#[test]
fn a_file_is_replaced_only_if_it_holds_what_is_expected() {
    for port in ports() {
        let path = || "f".to_owned();
        assert_eq!(replace(&*port, "f", Some("x"), "y"), Err(FileError::Missing { path: path() }));
        assert_eq!(replace(&*port, "f", None, "one"), Ok(()));
        assert_eq!(replace(&*port, "f", None, "two"), Err(FileError::Exists { path: path() }));
        for other in ["", "on", "one ", "oné"] {
            let conflict = Err(FileError::Conflict { path: path() });
            assert_eq!(replace(&*port, "f", Some(other), "two"), conflict, "{other}");
            assert_eq!(read(&*port, "f").as_deref(), Ok("one"));
        }
        assert_eq!(replace(&*port, "f", Some("one"), ""), Ok(()));
        assert_eq!(replace(&*port, "f", Some(""), "two"), Ok(()));
        assert_eq!(read(&*port, "f").as_deref(), Ok("two"));
    }
}

#[test]
fn a_file_is_removed_only_if_it_is_there_and_holds_what_is_expected() {
    for port in ports() {
        let remove = |expected: Option<&str>| {
            block_on(port.remove("f".to_owned(), expected.map(Into::into), context()))
        };
        assert_eq!(remove(None), Err(FileError::Missing { path: "f".to_owned() }));
        write(&*port, "f", "one");
        assert_eq!(remove(Some("two")), Err(FileError::Conflict { path: "f".to_owned() }));
        assert_eq!(remove(Some("one")), Ok(()));
        assert_eq!(remove(None), Err(FileError::Missing { path: "f".to_owned() }));
        write(&*port, "f", "");
        assert_eq!(remove(None), Ok(()));
    }
}

#[test]
fn folders_are_listed_by_pages_that_lose_and_repeat_nothing() {
    for port in ports() {
        for path in ["a/1", "a/2", "a/b/3", "a-", "a.txt", "c", "ab/1"] {
            write(&*port, path, "x");
        }
        for limit in [1, 2, 3, 100] {
            let sorted = |mut names: Vec<String>| {
                names.sort();
                names.dedup();
                names
            };
            let root = ["a-", "a.txt", "a/", "ab/", "c"];
            assert_eq!(sorted(names(&*port, "", false, limit)), root, "{limit}");
            assert_eq!(sorted(names(&*port, "a", false, limit)), ["a/1", "a/2", "a/b/"]);
            assert_eq!(names(&*port, "a", true, limit), ["a/1", "a/2", "a/b/3"]);
            assert_eq!(names(&*port, "", true, limit).len(), 7);
        }
        let listing = Listing { folder: "none".to_owned(), limit: 1, ..Listing::default() };
        let missing = Err(FileError::Missing { path: "none".to_owned() });
        assert_eq!(block_on(port.list(listing, context())), missing);
    }
    for port in ports() {
        assert!(names(&*port, "", false, 1).is_empty(), "an empty root is there");
    }
}

#[test]
fn objects_outside_of_the_root_are_not_reached() {
    let bucket = Bucket::default();
    bucket.set("agents/70/f", b"other");
    bucket.set("agents/7", b"other");
    bucket.set("agents/7/folder/", b"");
    let port = StoredFiles::new(Rc::new(bucket.clone()), "/agents/7/");
    assert_eq!(names(&port, "", true, 10), [""; 0]);
    write(&port, "f", "own");
    assert_eq!(names(&port, "", true, 10), ["f"]);
    assert_eq!(bucket.text("agents/7/f").as_deref(), Some("own"));
    assert_eq!(bucket.text("agents/70/f").as_deref(), Some("other"));
    let long = "x".repeat(1_020);
    assert!(matches!(read(&port, &long), Err(FileError::Path { .. })), "a key has 1024 bytes");
}

#[test]
fn a_write_between_comparison_and_replacement_is_a_conflict() {
    let bucket = Bucket::default();
    bucket.set("f", b"one");
    let port = StoredFiles::new(Rc::new(bucket.clone()), "");
    let other = bucket.clone();
    *bucket.meanwhile.borrow_mut() = Some((2, Box::new(move || other.set("f", b"theirs"))));
    let conflict = Err(FileError::Conflict { path: "f".to_owned() });
    assert_eq!(replace(&port, "f", Some("one"), "mine"), conflict);
    assert_eq!(bucket.text("f").as_deref(), Some("theirs"));
}

#[test]
fn a_store_that_fails_at_a_write_leaves_the_outcome_unknown() {
    for done in [false, true] {
        let bucket = Bucket::default();
        bucket.failing_put.set(Some((1, done)));
        let port = StoredFiles::new(Rc::new(bucket.clone()), "");
        let error = replace(&port, "f", None, "x").unwrap_err();
        assert!(error.may_be_done(), "{error:?}");
        assert_eq!(bucket.text("f").is_some(), done);
    }
}

#[test]
fn a_large_object_is_compared_part_by_part() {
    let bucket = Bucket::default();
    let port = StoredFiles::new(Rc::new(bucket.clone()), "");
    let large = "x".repeat(2_500_000);
    bucket.set("f", large.as_bytes());
    assert_eq!(replace(&port, "f", Some(&large), "small"), Ok(()));
    assert_eq!(bucket.gets.get(), 3);
    bucket.set("f", large.as_bytes());
    bucket.gets.set(0);
    let shorter = &large[1..];
    assert!(replace(&port, "f", Some(shorter), "small").is_err());
    assert_eq!(bucket.gets.get(), 1, "another length is another content");
}
