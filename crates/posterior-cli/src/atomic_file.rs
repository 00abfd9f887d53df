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
    let temporary = temporary_name(path);
    let written = fill_and_rename(path, &temporary, fill);
    written.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        Failure::io(path, &error)
    })
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
    if path.is_dir() {
        return Err(Failure::data(format!("{}: is a folder, expected a file", path.display())));
    }
    try_beside(path).map_err(|error| Failure::data(format!("{}: not writable: {error}", path.display())))
}

fn try_beside(path: &Path) -> std::io::Result<()> {
    let probe = temporary_name(path);
    File::create(&probe).and_then(|_| fs::remove_file(&probe))
}
