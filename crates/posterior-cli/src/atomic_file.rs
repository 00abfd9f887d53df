//! Files that are never half-written: written beside their place and then renamed into it.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Writes `path` by way of a temporary file in the same folder. An interrupted run leaves the old file or the new
/// one; a failed one takes its temporary file away.
pub(crate) fn write(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let place = place_of(path)?;
    let temporary = temporary_name(&place);
    let written = fill_and_rename(&place, &temporary, fill);
    written.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        Failure::io(path, &error)
    })
}

/// Where the file that is to be replaced lies: behind the links, if `path` is one. Only a regular file may be replaced;
/// renaming a file onto a device, a pipe or a socket would put it out of the world for every program.
fn place_of(path: &Path) -> Result<PathBuf, Failure> {
    match fs::metadata(path) {
        Ok(existing) if existing.is_dir() => {
            Err(Failure::data(format!("{}: is a folder, expected a file", path.display())))
        }
        Ok(existing) if !existing.is_file() => {
            Err(Failure::data(format!("{}: is no regular file, expected one or a new name", path.display())))
        }
        Ok(_) => fs::canonicalize(path).map_err(|error| Failure::io(path, &error)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(path.to_owned()),
        Err(error) => Err(Failure::io(path, &error)),
    }
}

fn fill_and_rename(
    path: &Path,
    temporary: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(temporary)?);
    fill(&mut file)?;
    file.flush()?;
    // The data must reach the disk before the name does, or a power cut could leave an empty file.
    file.get_ref().sync_all()?;
    fs::rename(temporary, path)
}

fn temporary_name(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

/// Makes a folder for artefacts and checks that files can be created in it, before any work is done.
pub(crate) fn writable_folder(folder: &Path) -> Result<(), Failure> {
    let hint = "choose another folder with --out";
    fs::create_dir_all(folder).map_err(|error| Failure::io(folder, &error).with_hint(hint))?;
    let not_writable = |error| Failure::data(format!("{}: not writable: {error}", folder.display()));
    try_beside(&folder.join("probe")).map_err(|error| not_writable(error).with_hint(hint))
}

/// Checks that [`write()`] can put a file at `path`, before any work is done.
pub(crate) fn writable_file(path: &Path) -> Result<(), Failure> {
    let place = place_of(path)?;
    try_beside(&place).map_err(|error| Failure::data(format!("{}: not writable: {error}", path.display())))
}

fn try_beside(path: &Path) -> std::io::Result<()> {
    let probe = temporary_name(path);
    File::create(&probe).and_then(|_| fs::remove_file(&probe))
}
