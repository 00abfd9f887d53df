//! Files that are never half-written: written beside their place and then renamed into it.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Writes `path` by way of a temporary file in the same folder. An interrupted run leaves the old file or the
/// new one; a failed one takes its temporary file away. What a killed one leaves behind, the next one writes
/// over.
pub(crate) fn write(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Failure> {
    let place = place_of(path)?;
    let temporary = temporary_name(&place);
    let file = claim(&temporary).map_err(|error| Failure::io(path, &error))?;
    let written = fill_and_rename(file, (&temporary, &place), fill);
    written.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        Failure::io(path, &error)
    })
}

/// Where the file that is to be replaced lies: behind the links, if `path` is one. Only a regular file may be
/// replaced; renaming a file onto a device, a pipe or a socket would put it out of the world for every
/// program.
fn place_of(path: &Path) -> Result<PathBuf, Failure> {
    match fs::metadata(path) {
        Ok(existing) if existing.is_dir() => {
            Err(Failure::data(format!("{}: is a folder, expected a file", path.display())))
        }
        Ok(existing) if !existing.is_file() => {
            Err(Failure::data(format!("{}: is no regular file, expected one or a new name", path.display())))
        }
        Ok(_) => fs::canonicalize(path).map_err(|error| Failure::io(path, &error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_owned()),
        Err(error) => Err(Failure::io(path, &error)),
    }
}

/// The temporary file, empty and locked: two runs never write into one. Where a file system has no locks,
/// nobody can tell.
pub(crate) fn claim(temporary: &Path) -> io::Result<File> {
    loop {
        let file = File::options().write(true).create(true).truncate(false).open(temporary)?;
        match file.try_lock() {
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another run is writing it"));
            }
        }
        // Between opening and locking another run may have renamed it into its place.
        if is_at(&file, temporary) {
            file.set_len(0)?;
            return Ok(file);
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    file.metadata().map(identity).ok() == fs::metadata(path).map(identity).ok()
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

fn fill_and_rename(
    file: File,
    (temporary, place): (&Path, &Path),
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = BufWriter::new(file);
    fill(&mut file)?;
    file.flush()?;
    // The data must reach the disk before the name does, or a power cut could leave an empty file.
    file.get_ref().sync_all()?;
    fs::rename(temporary, place)
}

fn temporary_name(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".tmp");
    path.with_file_name(name)
}

/// Checks that [`write()`] can put a file at `path`, before any work is done.
pub(crate) fn writable_file(path: &Path) -> Result<(), Failure> {
    let place = place_of(path)?;
    try_beside(&place).map_err(|error| Failure::data(format!("{}: not writable: {error}", path.display())))
}

fn try_beside(path: &Path) -> io::Result<()> {
    let probe = temporary_name(path);
    let _claimed = claim(&probe)?;
    fs::remove_file(&probe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_another_run_writes_is_refused_and_left_to_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("fit.ckpt");
        let other = claim(&temporary_name(&path)).expect("nobody else has it");
        let refused = write(&path, |out| out.write_all(b"ours")).expect_err("another run has it");
        assert!(format!("{refused:?}").contains("another run"), "{refused:?}");
        assert!(temporary_name(&path).exists());
        drop(other);
        write(&path, |out| out.write_all(b"ours")).expect("nobody has it now");
        assert_eq!(fs::read(&path).expect("it was written"), b"ours");
    }

    #[test]
    fn what_a_killed_run_leaves_is_written_over() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("fit.ckpt");
        fs::write(temporary_name(&path), "half of a longer file").expect("the folder is ours");
        write(&path, |out| out.write_all(b"whole")).expect("nobody has it");
        assert_eq!(fs::read(&path).expect("it was written"), b"whole");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder is ours").count(), 1);
    }
}
