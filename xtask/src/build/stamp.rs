//! Remembers what files were made from.
//!
//! Two builds can write to one folder, a quick one after a release. So a stamp holds
//! both the recipe and the files' own content: they are made again when either changed.

use std::{fs, path::PathBuf};

use super::output;
use crate::{digest::Digest, failure::Failure};

/// What some files were made from, beside what they should be made from now.
#[derive(Debug)]
pub(super) struct Stamp {
    /// Where it is kept.
    pub(super) path: PathBuf,
    /// Everything that decides what the files are.
    pub(super) recipe: Digest,
    /// The files.
    pub(super) files: Vec<PathBuf>,
}

impl Stamp {
    /// Whether the files are there, made by this recipe and untouched since.
    pub(super) fn holds(&self) -> bool {
        let wanted = self.text();
        wanted.is_ok_and(|wanted| fs::read_to_string(&self.path).is_ok_and(|kept| kept == wanted))
    }

    /// Remembers that the files were made by this recipe.
    pub(super) fn keep(&self) -> Result<(), Failure> {
        output::write(&self.path, self.text()?.as_bytes())
    }

    fn text(&self) -> Result<String, Failure> {
        let all = self.files.iter().try_fold(self.recipe.clone(), |all, file| {
            Ok::<_, Failure>(all.and(&Digest::of_file(file)?.to_string()))
        })?;
        Ok(all.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::Stamp;
    use crate::digest::Digest;

    #[test]
    fn it_holds_until_the_recipe_or_a_file_changes() {
        let folder = env::temp_dir().join(format!("mycelium-stamp-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (recipe, made) = (folder.join("recipe"), folder.join("made"));
        fs::write(&recipe, "release").unwrap();
        fs::write(&made, "by a release").unwrap();
        let stamp = || Stamp {
            path: folder.join("stamp"),
            recipe: Digest::of_file(&recipe).unwrap(),
            files: vec![made.clone()],
        };
        assert!(!stamp().holds(), "nothing was kept yet");
        stamp().keep().unwrap();
        assert!(stamp().holds());
        fs::write(&made, "by another build").unwrap();
        assert!(!stamp().holds(), "another build wrote there");
        fs::write(&made, "by a release").unwrap();
        fs::write(&recipe, "another").unwrap();
        assert!(!stamp().holds());
        fs::remove_file(&made).unwrap();
        assert!(!stamp().holds());
        fs::remove_dir_all(&folder).unwrap();
    }
}
