//! Data that are not embedded, because they are texts of others.

use std::path::{Path, PathBuf};

/// Where a story may look for data that are not embedded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sources {
    folder: Option<PathBuf>,
}

impl Sources {
    /// The embedded data only.
    pub const fn embedded() -> Self {
        Self { folder: None }
    }

    /// The embedded data, and what is in this folder.
    pub fn folder(path: impl Into<PathBuf>) -> Self {
        Self { folder: Some(path.into()) }
    }

    /// The file `name` of the folder, if it is there.
    pub(crate) fn file(&self, name: &str) -> Option<PathBuf> {
        self.folder.as_deref().map(|folder: &Path| folder.join(name)).filter(|path| path.is_file())
    }
}
