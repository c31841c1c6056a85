//! What a path is.

use super::PATH_BYTES;

/// Checks that `path` names a file below a root, by its form alone.
///
/// Nothing is confined here: whoever keeps the files enforces where their root is.
///
/// # Errors
///
/// The rule that it breaks, and what to do.
///
/// ```
/// use mycelium::knapsack::patch::checked_path;
///
/// assert!(checked_path("src/main.rs").is_ok());
/// assert!(checked_path("../secret").is_err());
/// ```
pub fn checked_path(path: &str) -> Result<(), &'static str> {
    if path.len() > PATH_BYTES {
        return Err("a path has at most 1024 bytes: choose a shorter one");
    }
    if path.contains(['\0', '\\']) {
        return Err("a path has no NUL and no backslash: write / between folders");
    }
    if path.is_empty() || path.starts_with('/') {
        return Err("a path is relative to the root of the files: leave the / before it out");
    }
    if path.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
        return Err(
            "no part of a path is empty, . or ..: write the path from the root of the files",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::checked_path;

    #[test]
    fn a_path_stays_below_its_root_by_form() {
        for good in ["a", "a/b.c", ".env", "...", "a b/ü", "a/..b", &"x".repeat(1_024)] {
            assert!(checked_path(good).is_ok(), "{good:?}");
        }
        let long = "x".repeat(1_025);
        for wrong in
            ["", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "./a", "a\\b", "a\0", &long]
        {
            assert!(checked_path(wrong).is_err(), "{wrong:?}");
        }
    }
}
