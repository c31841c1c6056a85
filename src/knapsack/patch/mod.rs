//! Patches of text files: what they say, and what files are after them.
//!
//! Owns the two formats that models write (the apply-patch envelope and unified
//! diffs), where a hunk belongs in a file, and what is reported. Doesn't own where
//! files are kept, nor writing them: [`apply`](Patch::apply) is given what files hold
//! and gives back what they should hold. It knows nothing of operations, runtimes or
//! connections, so that whoever shows or checks patches can use it alone.
//!
//! # Where a hunk belongs
//!
//! The lines that a hunk keeps and removes are looked for [exactly](Match::Exact), then
//! without regard to [trailing white space](Match::TrailingSpace), then without regard to
//! [indentation](Match::Indentation). Each way the place must be the only one, after the
//! hunks before it or, failing that, before them. What tells lookalikes apart: an anchor
//! (`@@ fn name`), the end of the file (`*** End of File`), the line number of a unified
//! diff when the lines do stand there. Otherwise the hunk is refused.
//!
//! # What stays
//!
//! | in the file | after a patch |
//! | --- | --- |
//! | kept lines | byte for byte as they were, however the patch spells them |
//! | line endings | an added line has those of the lines around it, unless the patch shows the old lines' endings as they are: then it has its own |
//! | a missing final newline | stays missing, unless the patch says with `\ No newline at end of file` how the old lines end |
//! | a byte order mark | stays, unless the patch shows it on the old first line |
//!
//! Spec: 004, `files-patch`.

mod apply;
mod body;
mod cursor;
mod envelope;
mod error;
mod header;
mod hunk;
mod indent;
mod line;
mod path;
mod place;
mod quoted;
mod report;
mod section;
mod state;
mod text;
mod unified;

pub use error::PatchError;
pub use path::checked_path;
pub use report::{Change, FileChange, Match, PatchInput, PatchReport};
pub use section::{Held, Patch, Patched, Step};

/// The most bytes of one patch.
pub const BYTES: usize = 1_024 * 1_024;

/// The most bytes of a path.
pub const PATH_BYTES: usize = 1_024;

/// The most lines that all hunks of a patch are compared with: hunks times lines of
/// their files.
pub const COMPARISONS: usize = 30_000_000;
