//! Where the parts of a chain are between their turns: in memory, or in the files of a folder.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Error;

/// Parts of a chain under their names, each a run of bytes.
///
/// Parts are read and written by several threads, never one part by two at a time.
pub trait Storage: Sync {
    /// All bytes of a part.
    ///
    /// # Errors
    /// There is no such part, or it cannot be read.
    fn read(&self, part: &str) -> Result<Vec<u8>, Error>;

    /// Replaces a part.
    ///
    /// # Errors
    /// It cannot be written.
    fn write(&self, part: &str, bytes: &[u8]) -> Result<(), Error>;

    /// Adds to the end of a part, which begins empty.
    ///
    /// # Errors
    /// It cannot be written.
    fn append(&self, part: &str, bytes: &[u8]) -> Result<(), Error>;

    /// Where a part is, for messages.
    fn path(&self, part: &str) -> PathBuf;
}

/// Parts in memory.
#[derive(Debug, Default)]
pub struct InMemory(Mutex<BTreeMap<String, Vec<u8>>>);

impl InMemory {
    /// Without a part.
    pub fn new() -> Self {
        Self::default()
    }

    fn parts(&self) -> MutexGuard<'_, BTreeMap<String, Vec<u8>>> {
        // A thread that panicked has left whole parts.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Storage for InMemory {
    fn read(&self, part: &str) -> Result<Vec<u8>, Error> {
        let found = self.parts().get(part).cloned();
        found.ok_or_else(|| Error::contents(Path::new(part), "there is no such part"))
    }

    fn write(&self, part: &str, bytes: &[u8]) -> Result<(), Error> {
        self.parts().insert(part.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn append(&self, part: &str, bytes: &[u8]) -> Result<(), Error> {
        self.parts().entry(part.to_owned()).or_default().extend_from_slice(bytes);
        Ok(())
    }

    fn path(&self, part: &str) -> PathBuf {
        PathBuf::from(part)
    }
}

/// Parts in files of a folder.
///
/// Files that are there are replaced; the files stay when the fit is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InFolder(PathBuf);

impl InFolder {
    /// In the files of a folder, which is made where it is missing.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn create(folder: impl AsRef<Path>) -> Result<Self, Error> {
        let folder = folder.as_ref();
        fs::create_dir_all(folder).map_err(|source| Error::io(folder, source))?;
        Ok(Self(folder.to_owned()))
    }
}

impl Storage for InFolder {
    fn read(&self, part: &str) -> Result<Vec<u8>, Error> {
        let path = self.path(part);
        fs::read(&path).map_err(|source| Error::io(&path, source))
    }

    fn write(&self, part: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.path(part);
        let written = File::create(&path).and_then(|mut file| file.write_all(bytes));
        written.map_err(|source| Error::io(&path, source))
    }

    fn append(&self, part: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.path(part);
        let file = OpenOptions::new().append(true).create(true).open(&path);
        file.and_then(|mut file| file.write_all(bytes)).map_err(|source| Error::io(&path, source))
    }

    fn path(&self, part: &str) -> PathBuf {
        self.0.join(part)
    }
}

impl<S: Storage + ?Sized> Storage for Box<S> {
    fn read(&self, part: &str) -> Result<Vec<u8>, Error> {
        (**self).read(part)
    }

    fn write(&self, part: &str, bytes: &[u8]) -> Result<(), Error> {
        (**self).write(part, bytes)
    }

    fn append(&self, part: &str, bytes: &[u8]) -> Result<(), Error> {
        (**self).append(part, bytes)
    }

    fn path(&self, part: &str) -> PathBuf {
        (**self).path(part)
    }
}
