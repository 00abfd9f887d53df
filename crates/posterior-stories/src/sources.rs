//! What a story may read: data that are not embedded, because they are texts of others; and how much of all.

use std::path::{Path, PathBuf};

/// Where a story may look for data that are not embedded, and whether it runs at full length.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sources {
    folder: Option<PathBuf>,
    shortened: bool,
}

impl Sources {
    /// The embedded data only.
    pub const fn embedded() -> Self {
        Self { folder: None, shortened: false }
    }

    /// The embedded data, and what is in this folder.
    pub fn folder(path: impl Into<PathBuf>) -> Self {
        Self { folder: Some(path.into()), shortened: false }
    }

    /// The same for a story in seconds: those that take a minute read less of their data, and search less.
    /// Findings are rougher, and of the same form.
    #[must_use]
    pub fn shortened(self) -> Self {
        Self { shortened: true, ..self }
    }

    /// One of two numbers: for the story at full length, or for the shortened one.
    pub(crate) const fn either(&self, whole: usize, shortened: usize) -> usize {
        if self.shortened { shortened } else { whole }
    }

    /// The file `name` of the folder, if it is there.
    pub(crate) fn file(&self, name: &str) -> Option<PathBuf> {
        self.folder.as_deref().map(|folder: &Path| folder.join(name)).filter(|path| path.is_file())
    }
}
