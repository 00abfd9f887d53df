//! The folder of `--out`: claimed before the work, and its files replaced together at the end.
//!
//! A folder belongs to one run at a time. `manifest.json` lists the files of the last one, with sizes and
//! checksums: these may be replaced and removed, all others are somebody else's. New files are written into
//! `.posterior/staged`; once all are there, a list of them is put beside them, and from then on the next run
//! finishes what a killed one has begun.

mod manifest;
mod named_files;

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use manifest::{Entry, MANIFEST, Manifest};
use named_files::NamedFiles;
pub(crate) use named_files::never_an_input;
use posterior_report::{Page, Picture};
use serde::Serialize;

use crate::failure::Failure;
use crate::pictures::Pictures;
use crate::{atomic_file, interrupt};

/// What is the program's own while it runs: the lock, and files that are not yet in their places.
const HIDDEN: &str = ".posterior";
const LOCK: &str = "lock";
const STAGED: &str = "staged";
const HINT: &str = "choose another folder with --out";
const MOVE: &str = "move it away, or choose another folder with --out";

/// A claimed folder.
#[derive(Debug)]
pub(crate) struct OutputFolder {
    path: PathBuf,
    /// Held until the run ends.
    _lock: File,
    former: RefCell<Manifest>,
    staged: RefCell<Vec<Entry>>,
    inputs: NamedFiles,
    collects: bool,
}

impl OutputFolder {
    /// The folder of `--out`, if there is one, for a run that writes files with these names, and perhaps
    /// others.
    ///
    /// Refuses, before any work is done: a folder that another run is using, or that cannot be written to;
    /// one that this run reads, or with a file that this run reads and would replace; and one where somebody
    /// else has a file of one of these names.
    pub(crate) fn claim(path: Option<&Path>, names: &[&str]) -> Result<Option<Self>, Failure> {
        path.map(|path| Self::at(path, names)).transpose()
    }

    /// The same of a verb that always writes.
    pub(crate) fn at(path: &Path, names: &[&str]) -> Result<Self, Failure> {
        Self::claimed(path, names, false)
    }

    /// A folder that collects the files of many runs: those of earlier ones stay.
    pub(crate) fn collecting(path: &Path, names: &[&str]) -> Result<Self, Failure> {
        Self::claimed(path, names, true)
    }

    fn claimed(path: &Path, names: &[&str], collects: bool) -> Result<Self, Failure> {
        let inputs = NamedFiles::read_by_this_run();
        if inputs.have_folder(path) {
            let message =
                format!("{}: is read by this run, and its own files would be among them", path.display());
            return Err(Failure::data(message).with_hint(HINT));
        }
        fs::create_dir_all(path).map_err(|error| Failure::io(path, &error).with_hint(HINT))?;
        let folder = Self {
            path: path.to_owned(),
            _lock: lock(path)?,
            former: RefCell::default(),
            staged: RefCell::default(),
            inputs,
            collects,
        };
        folder.mend()?;
        *folder.former.borrow_mut() = Manifest::read(&path.join(MANIFEST))?;
        folder.check_free(names.iter().copied())?;
        if !collects {
            let former: Vec<String> = folder.former.borrow().names().map(str::to_owned).collect();
            folder.check_free(former.iter().map(String::as_str))?;
        }
        Ok(folder)
    }

    /// Where a file will be.
    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file; it comes to its place with all others.
    pub(crate) fn put(
        &self,
        name: &str,
        fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let write = || {
            fs::create_dir_all(self.staging())?;
            let staged = self.staging().join(name);
            let mut file = BufWriter::new(File::create(&staged)?);
            fill(&mut file)?;
            file.flush()?;
            // The data must reach the disk before the name does, or a power cut could leave an empty file.
            file.get_ref().sync_all()?;
            Entry::of(name, &staged)
        };
        let entry = write().map_err(|error| Failure::io(&self.join(name), &error))?;
        let mut staged = self.staged.borrow_mut();
        staged.retain(|own| own.name != name);
        staged.push(entry);
        Ok(())
    }

    /// Writes a file of text.
    pub(crate) fn put_text(&self, name: &str, text: &str) -> Result<(), Failure> {
        self.put(name, |out| out.write_all(text.as_bytes()))
    }

    /// Writes a table: a header, and rows of cells.
    pub(crate) fn put_table<R: IntoIterator<Item: AsRef<[u8]>>>(
        &self,
        name: &str,
        header: impl IntoIterator<Item: AsRef<[u8]>>,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), Failure> {
        self.put(name, |out| write_csv(out, header, rows))
    }

    /// Writes a value as JSON.
    pub(crate) fn put_json(&self, name: &str, value: &impl Serialize) -> Result<(), Failure> {
        self.put(name, |out| serde_json::to_writer(out, value).map_err(io::Error::other))
    }

    /// Writes a picture as `NAME.svg`.
    pub(crate) fn put_picture(&self, name: &str, picture: &Picture) -> Result<(), Failure> {
        self.put_text(&format!("{name}.svg"), &picture.standalone())
    }

    /// Writes a report with its pictures.
    pub(crate) fn put_report(&self, pictures: &Pictures, page: &Page) -> Result<(), Failure> {
        pictures.iter().try_for_each(|(name, picture)| self.put_picture(name, picture))?;
        self.put_text("report.html", &page.html())
    }

    /// Puts the files into their places and takes away those of the former run. More may follow, and another
    /// `commit`.
    pub(crate) fn commit(&self) -> Result<(), Failure> {
        let mut manifest = Manifest::of_this_run(self.staged.borrow().clone());
        self.check_free(manifest.names())?;
        if self.collects {
            manifest.keep_others(&self.former.borrow());
        }
        let _writing = interrupt::writing();
        let list = self.staging().join(MANIFEST);
        atomic_file::write(&list, |out| manifest.write(out))?;
        self.replace(&manifest).map_err(|error| Failure::io(&self.path, &error))?;
        *self.former.borrow_mut() = manifest;
        Ok(())
    }

    /// What a killed run leaves: a whole set is put into its place, a part of one is taken away.
    fn mend(&self) -> Result<(), Failure> {
        let staging = self.staging();
        let list = staging.join(MANIFEST);
        let mended = if list.exists() {
            let manifest = Manifest::read(&list)?;
            *self.former.borrow_mut() = Manifest::read(&self.join(MANIFEST))?;
            // Those that have come to their places are as listed.
            self.former.borrow_mut().keep(&manifest);
            self.check_free(manifest.names())?;
            *self.former.borrow_mut() = Manifest::read(&self.join(MANIFEST))?;
            self.replace(&manifest)
        } else {
            fs::remove_dir_all(&staging).or_else(unless_missing)
        };
        mended.map_err(|error| Failure::io(&staging, &error))
    }

    /// One file after the other, the manifest last.
    fn replace(&self, manifest: &Manifest) -> io::Result<()> {
        let staging = self.staging();
        for name in manifest.names() {
            fs::rename(staging.join(name), self.join(name)).or_else(unless_missing)?;
        }
        let former = self.former.borrow();
        for name in former.names().filter(|name| manifest.entry(name).is_none()) {
            fs::remove_file(self.join(name)).or_else(unless_missing)?;
        }
        fs::rename(staging.join(MANIFEST), self.join(MANIFEST))?;
        fs::remove_dir(&staging)
    }

    /// Refuses names of files that the run must not replace.
    fn check_free<'n>(&self, names: impl Iterator<Item = &'n str>) -> Result<(), Failure> {
        names.chain([MANIFEST]).try_for_each(|name| self.check_one(name))
    }

    fn check_one(&self, name: &str) -> Result<(), Failure> {
        let place = self.join(name);
        if self.inputs.have(&place) {
            let message = format!("{}: is named by this command, and would be replaced", place.display());
            return Err(Failure::data(message).with_hint(HINT));
        }
        let there = match fs::symlink_metadata(&place) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            there => there.map_err(|error| Failure::io(&place, &error))?,
        };
        let refused = |why: &str| Err(Failure::data(format!("{}: {why}", place.display())).with_hint(MOVE));
        if !there.is_file() {
            return refused("is no regular file, expected one or a new name");
        }
        if name == MANIFEST {
            // Reading it has shown whether it is one.
            return Manifest::read(&place).map(drop);
        }
        let found = Entry::of(name, &place).map_err(|error| Failure::io(&place, &error))?;
        let former = self.former.borrow();
        let mut listed = former.entries(name).peekable();
        if listed.peek().is_none() {
            return refused("is in the way: no run of posterior has written it");
        }
        if listed.any(|own| *own == found) { Ok(()) } else { refused("was changed after it was written") }
    }

    fn staging(&self) -> PathBuf {
        self.path.join(HIDDEN).join(STAGED)
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        let hidden = self.path.join(HIDDEN);
        let staging = self.staging();
        // A whole set that could not be put into its place stays: the next run mends it.
        if !staging.join(MANIFEST).exists() {
            let _ = fs::remove_dir_all(&staging);
        }
        let _ = fs::remove_file(hidden.join(LOCK));
        let _ = fs::remove_dir(&hidden);
    }
}

/// Claims the folder for this run. Where a file system has no locks, nobody can tell.
fn lock(path: &Path) -> Result<File, Failure> {
    let hidden = path.join(HIDDEN);
    let not_writable = |error: &io::Error| {
        Failure::data(format!("{}: not writable: {error}", path.display())).with_hint(HINT)
    };
    fs::create_dir_all(&hidden).map_err(|error| not_writable(&error))?;
    let entries = fs::read_dir(&hidden).map_err(|error| not_writable(&error))?;
    for entry in entries.flatten() {
        if entry.file_name() != LOCK && entry.file_name() != STAGED {
            let message = format!("{}: holds files that are not of posterior", hidden.display());
            return Err(Failure::data(message).with_hint(MOVE));
        }
    }
    atomic_file::claim(&hidden.join(LOCK)).map_err(|error| match error.kind() {
        ErrorKind::ResourceBusy => Failure::data(format!("{}: is in use by another run", path.display()))
            .with_hint("wait for its end, or choose another folder with --out"),
        _ => not_writable(&error),
    })
}

fn unless_missing(error: io::Error) -> io::Result<()> {
    if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

#[cfg(test)]
mod tests;

/// Writes a table as CSV: a header, and rows of cells.
pub(crate) fn write_csv<R: IntoIterator<Item: AsRef<[u8]>>>(
    out: impl Write,
    header: impl IntoIterator<Item: AsRef<[u8]>>,
    rows: impl IntoIterator<Item = R>,
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(header)?;
    rows.into_iter().try_for_each(|row| csv.write_record(row))?;
    csv.flush()
}
