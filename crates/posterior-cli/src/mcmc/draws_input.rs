//! Draws from files or standard input, gzip'd or not, line by line.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use posterior::math::memory::size_text;
use posterior::sampling::{Draws, Error, FileError};
use posterior::table::{self, MemoryLimit};

use crate::failure::Failure;

/// The bytes that a number of a table takes: as it is read, in the chain that it is of, and in ranks.
const OF_NUMBER: u64 = 32;

/// Draws with the names of their files.
pub(crate) struct Input {
    pub(crate) source: String,
    pub(crate) draws: Draws,
}

impl Input {
    /// The chains of all files.
    pub(crate) fn read(files: &[PathBuf], memory: MemoryLimit) -> Result<Self, Failure> {
        let sources: Vec<String> = files.iter().map(|path| name(path)).collect();
        if files.iter().filter(|path| path.as_path() == Path::new("-")).count() > 1 {
            return Err(Failure::Usage("standard input can be read once only: give `-` once".to_owned()));
        }
        let all = files.iter().zip(&sources).map(|(path, source)| read_one(path, source, memory));
        let all = all.collect::<Result<Vec<_>, _>>()?;
        let lengths: Vec<usize> = all.iter().map(Draws::len).collect();
        if let Some(place) = lengths.iter().position(|&len| len != lengths[0]) {
            let (first, other) = (&sources[0], &sources[place]);
            let message = format!("{other}: {} draws, and {first} has {}", lengths[place], lengths[0]);
            return Err(
                Failure::data(message).with_hint("chains of a run have one length: cut the longer ones")
            );
        }
        let draws = Draws::join(all).map_err(|error| match error {
            Error::OtherNames { draws, expected, found } => {
                let named =
                    |name: Option<String>| name.map_or("no more".to_owned(), |name| format!("{name:?}"));
                let (expected, found) = (named(expected), named(found));
                let message = format!(
                    "{}: line 1: the column {found}, expected {expected} as in {}",
                    sources[draws], sources[0]
                );
                Failure::data(message).with_hint("the files must be chains of one model")
            }
            other => Failure::data(format!("{}: {other}", sources[0])),
        })?;
        Ok(Self { source: sources.join(", "), draws })
    }

    /// The chains of a model: of a table, or of all tables in a folder.
    pub(crate) fn of_model(path: &Path, memory: MemoryLimit) -> Result<Self, Failure> {
        if !path.is_dir() {
            return Self::read(&[path.to_owned()], memory);
        }
        let unreadable = |error: io::Error| Failure::data(format!("{}: {error}", path.display()));
        let entries = std::fs::read_dir(path).map_err(unreadable)?;
        let all = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
        let is_table = |path: &PathBuf| table::has_ending(path, &["csv"]);
        let mut files: Vec<PathBuf> = all.map_err(unreadable)?.into_iter().filter(is_table).collect();
        files.sort();
        if files.is_empty() {
            let message = format!("{}: no file in this folder ends in .csv or .csv.gz", path.display());
            return Err(Failure::data(message).with_hint("a file of CmdStan is one chain"));
        }
        let mut own = Self::read(&files, memory)?;
        own.source = path.display().to_string();
        Ok(own)
    }

    /// The columns of these parameters, all if none are named; `theta` is each `theta[...]`.
    pub(super) fn only(self, wanted: &[String]) -> Result<Self, Failure> {
        if wanted.is_empty() {
            return Ok(self);
        }
        let names = self.draws.names();
        let mut places: Vec<usize> = Vec::new();
        for name in wanted {
            let is_own = |own: &str| {
                own == name || own.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('['))
            };
            let found: Vec<usize> = (0..names.len()).filter(|&place| is_own(&names[place])).collect();
            if found.is_empty() {
                let some = names.iter().take(8).map(String::as_str).collect::<Vec<_>>().join(", ");
                let more = if names.len() > 8 { ", ..." } else { "" };
                let message = format!("{}: no parameter {name:?}; there are: {some}{more}", self.source);
                return Err(Failure::data(message));
            }
            places.extend(found.into_iter().filter(|place| !places.contains(place)).collect::<Vec<_>>());
        }
        let kept: Vec<String> = places.iter().map(|&place| names[place].clone()).collect();
        let pick = |draw: &[f64], own: &mut [f64]| {
            own.iter_mut().zip(&places).for_each(|(own, &place)| *own = draw[place]);
        };
        let draws =
            self.draws.map(kept, pick).map_err(|error| Failure::data(format!("{}: {error}", self.source)))?;
        Ok(Self { draws, source: self.source })
    }
}

fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// A table on its way, and how many numbers it may have.
struct Numbers {
    input: table::Input,
    left: u64,
    memory: MemoryLimit,
}

impl Read for Numbers {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        let ends = buffer[..read].iter().filter(|&&byte| byte == b',' || byte == b'\n').count();
        self.left = self.left.checked_sub(ends as u64).ok_or_else(|| {
            let limit = size_text(self.memory.limit());
            let message = format!("the draws take more memory than the {limit} that may be taken");
            io::Error::new(io::ErrorKind::OutOfMemory, message)
        })?;
        Ok(read)
    }
}

fn read_one(path: &Path, source: &str, memory: MemoryLimit) -> Result<Draws, Failure> {
    let input = table::Input::open(path)?;
    let numbers = Numbers { input, left: memory.limit() / OF_NUMBER, memory };
    Draws::read_csv(numbers).map_err(|error| {
        let failure = Failure::data(format!("{source}: {error}"));
        match error {
            FileError::Expected { line: 1, .. } => failure
                .with_hint("a table of draws begins with a header: chain, then the parameters, with commas"),
            FileError::Draws(Error::UnequalChains { .. }) => {
                failure.with_hint("chains of a run have one length: cut the longer ones")
            }
            FileError::Io(error) if error.kind() == io::ErrorKind::OutOfMemory => {
                failure.with_hint("take fewer parameters or draws, or allow more with --memory")
            }
            _ => failure,
        }
    })
}
