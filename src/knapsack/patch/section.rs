//! A patch as it was read, and what files are after it.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    BYTES, PatchError, PatchReport, cursor::was_sent_with_crlf, envelope, hunk::Hunk, line::Ending,
    path::checked_path, state::State, unified,
};

/// What a patch does with one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) path: String,
    pub(super) what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Add {
        content: String,
    },
    Remove {
        /// All that the file holds, where the patch says it.
        hunks: Vec<Hunk>,
    },
    Update {
        hunks: Vec<Hunk>,
        move_to: Option<String>,
    },
}

/// A patch of any number of files.
///
/// ```
/// use std::collections::BTreeMap;
/// use mycelium::knapsack::patch::{Held, Patch, Step};
///
/// let patch = Patch::parse(
///     "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n*** End Patch\n",
/// )?;
/// let files = BTreeMap::from([("a.txt".to_owned(), Held::Text("one\r\ntwo\r\n".to_owned()))]);
/// let patched = patch.apply(&files)?;
/// assert_eq!(patched.steps[0].content(), Some("one\r\n2\r\n"));
/// # Ok::<(), mycelium::knapsack::patch::PatchError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    sections: Vec<Section>,
}

/// What there is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// Text.
    Text(String),
    /// Anything else: it can be removed, and nothing more.
    Opaque,
}

/// What files hold after a patch, and what is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patched {
    /// What is to be done, in an order in which a stop midway loses no content: new files
    /// first, removals last.
    pub steps: Vec<Step>,
    /// What is told when all of it is done.
    pub report: PatchReport,
}

/// One thing to do to one file; each path occurs once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Make a file where there is none.
    Create {
        /// Where.
        path: String,
        /// What it holds.
        content: String,
    },
    /// Replace what a file holds.
    Replace {
        /// Where.
        path: String,
        /// What it must hold for this to be right.
        expected: String,
        /// What it holds then.
        content: String,
    },
    /// Remove a file.
    Remove {
        /// Where.
        path: String,
        /// What it must hold for this to be right; none where that isn't text.
        expected: Option<String>,
    },
}

impl Step {
    /// The file.
    #[must_use]
    pub fn path(&self) -> &str {
        let (Self::Create { path, .. } | Self::Replace { path, .. } | Self::Remove { path, .. }) =
            self;
        path
    }

    /// What the file holds then; none when it is gone.
    #[must_use]
    pub fn content(&self) -> Option<&str> {
        match self {
            Self::Create { content, .. } | Self::Replace { content, .. } => Some(content),
            Self::Remove { .. } => None,
        }
    }
}

impl Patch {
    /// Reads a patch of at most [`BYTES`] in either format.
    ///
    /// # Errors
    ///
    /// [`PatchError::Parse`] with the line, [`PatchError::PathRefused`] or
    /// [`PatchError::TooLarge`].
    pub fn parse(text: &str) -> Result<Self, PatchError> {
        if text.len() > BYTES {
            let problem = format!("a patch has at most {BYTES} bytes: send it in parts");
            return Err(PatchError::TooLarge { problem });
        }
        let mut sections =
            if envelope::is_one(text) { envelope::read(text)? } else { unified::read(text)? };
        if was_sent_with_crlf(text) {
            sections.iter_mut().for_each(Section::forget_endings);
        }
        sections.iter().try_for_each(Section::check)?;
        Ok(Self { sections })
    }

    /// Every path that the patch names: what is there must be known to apply it.
    #[must_use]
    pub fn paths(&self) -> BTreeSet<&str> {
        self.sections.iter().flat_map(Section::paths).collect()
    }

    /// What `files`, which has an entry for each of [`paths`](Self::paths) that exists,
    /// holds after the patch.
    ///
    /// # Errors
    ///
    /// The first section that can't be applied; nothing is then.
    pub fn apply(&self, files: &BTreeMap<String, Held>) -> Result<Patched, PatchError> {
        let mut state = State::new(files);
        let mut report = PatchReport::default();
        for section in &self.sections {
            report.files.push(state.section(section)?);
        }
        Ok(Patched { steps: state.steps(), report })
    }
}

impl Section {
    fn paths(&self) -> impl Iterator<Item = &str> {
        let target = match &self.what {
            What::Update { move_to, .. } => move_to.as_deref(),
            _ => None,
        };
        [Some(self.path.as_str()), target].into_iter().flatten()
    }

    fn check(&self) -> Result<(), PatchError> {
        for path in self.paths() {
            checked_path(path)
                .map_err(|rule| PatchError::PathRefused { file: path.to_owned(), rule })?;
        }
        Ok(())
    }

    /// The endings are the transport's, not the files'. A new file keeps them: it has no
    /// others.
    fn forget_endings(&mut self) {
        if let What::Update { hunks, .. } | What::Remove { hunks } = &mut self.what {
            for line in hunks.iter_mut().flat_map(|hunk| &mut hunk.lines) {
                if line.ending == Ending::CrLf {
                    line.ending = Ending::Lf;
                }
            }
        }
    }
}
