//! The files of a run, as `manifest.json` lists them.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Read};
use std::path::Path;

use flate2::Crc;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::output;

pub(super) const MANIFEST: &str = "manifest.json";

const FORMAT: &str = "posterior-manifest-1";

/// A file with its size and checksum (CRC-32).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) name: String,
    bytes: u64,
    crc32: u32,
}

impl Entry {
    /// A file as it lies on the disk.
    pub(super) fn of(name: &str, path: &Path) -> io::Result<Self> {
        let (mut file, mut sum, mut bytes) = (File::open(path)?, Crc::new(), 0);
        let mut buffer = vec![0; 1 << 16];
        loop {
            let read = file.read(&mut buffer)?;
            if read == 0 {
                return Ok(Self { name: name.to_owned(), bytes, crc32: sum.sum() });
            }
            sum.update(&buffer[..read]);
            bytes += read as u64;
        }
    }
}

/// What a run has left.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Manifest {
    format: String,
    version: String,
    command: String,
    files: Vec<Entry>,
}

impl Manifest {
    pub(super) fn of_this_run(files: Vec<Entry>) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: output::called(),
            files,
        }
    }

    /// The manifest of a file; one without entries where there is none.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let text = match fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            text => text.map_err(|error| Failure::io(path, &error))?,
        };
        let plain =
            |entry: &Entry| Path::new(&entry.name).file_name().is_some_and(|own| own == entry.name.as_str());
        let manifest: Option<Self> = serde_json::from_slice(&text).ok();
        manifest.filter(|own| own.format == FORMAT && own.files.iter().all(plain)).ok_or_else(|| {
            let message = format!("{}: is in the way: no list of the files of a run", path.display());
            Failure::data(message).with_hint(super::MOVE)
        })
    }

    pub(super) fn write(&self, out: &mut BufWriter<File>) -> io::Result<()> {
        Ok(serde_json::to_writer_pretty(out, self)?)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|own| own.name.as_str())
    }

    pub(super) fn entry(&self, name: &str) -> Option<&Entry> {
        self.files.iter().find(|own| own.name == name)
    }

    /// All entries of a name: of several runs there may be more than one.
    pub(super) fn entries<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Entry> {
        self.files.iter().filter(move |own| own.name == name)
    }

    /// Lists files of another manifest whose names are not here.
    pub(super) fn keep_others(&mut self, other: &Self) {
        let others = other.files.iter().filter(|own| self.entry(&own.name).is_none()).cloned();
        let others: Vec<Entry> = others.collect();
        self.files.extend(others);
    }

    /// Lists all files of another manifest, a name twice where the contents are not the same.
    pub(super) fn keep(&mut self, other: &Self) {
        for entry in &other.files {
            if !self.files.contains(entry) {
                self.files.push(entry.clone());
            }
        }
    }
}
