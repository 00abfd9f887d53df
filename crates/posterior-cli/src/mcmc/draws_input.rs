//! Draws from files or standard input, gzip'd or not, line by line.

use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::{Path, PathBuf};

use posterior::sampling::{Draws, Error, FileError};
use posterior::topics::corpus::Unpacked;

use crate::failure::Failure;

/// Draws with the names of their files.
pub(super) struct Input {
    pub(super) source: String,
    pub(super) draws: Draws,
}

impl Input {
    /// The chains of all files.
    pub(super) fn read(files: &[PathBuf]) -> Result<Self, Failure> {
        let sources: Vec<String> = files.iter().map(|path| name(path)).collect();
        if files.iter().filter(|path| path.as_path() == Path::new("-")).count() > 1 {
            return Err(Failure::Usage("standard input can be read once only: give `-` once".to_owned()));
        }
        let all = files.iter().zip(&sources).map(|(path, source)| read_one(path, source));
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

fn read_one(path: &Path, source: &str) -> Result<Draws, Failure> {
    let read = || -> Result<Draws, FileError> {
        if path == Path::new("-") {
            read_from(stdin().lock())
        } else {
            read_from(BufReader::new(File::open(path)?))
        }
    };
    read().map_err(|error| {
        let failure = Failure::data(format!("{source}: {error}"));
        match error {
            FileError::Expected { line: 1, .. } => failure
                .with_hint("a table of draws begins with a header: chain, then the parameters, with commas"),
            FileError::Draws(Error::UnequalChains { .. }) => {
                failure.with_hint("chains of a run have one length: cut the longer ones")
            }
            _ => failure,
        }
    })
}

fn read_from(mut input: impl BufRead) -> Result<Draws, FileError> {
    if input.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
        Draws::read_csv(Unpacked::new(input))
    } else {
        Draws::read_csv(input)
    }
}
