//! Programs in Python and R that time other libraries, and what they print.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use nalgebra::DMatrix;
use tempfile::TempDir;

use crate::comparison::{Outcome, Settings};

/// Measurements of other libraries: by the size of the task, the library and what was measured.
#[derive(Debug, Default)]
pub struct Measurements {
    values: BTreeMap<(usize, String, String), f64>,
    /// The libraries, in the order in which they came.
    pub peers: Vec<String>,
    folder: Option<TempDir>,
}

impl Measurements {
    /// Runs `script` of the folder `peers` on so many threads; without a Python program nothing is measured.
    /// It prints lines with a size, a library, what was measured, and the value, with tabs between.
    ///
    /// # Errors
    /// If the program does not start, fails, or prints something else.
    pub fn run(settings: &Settings, script: &str, threads: usize) -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        let found = Self::on(settings, script, folder.path(), threads)?;
        Ok(Self { folder: settings.python.is_some().then_some(folder), ..found })
    }

    /// The same for a script that reads a workload from this folder.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn on(settings: &Settings, script: &str, folder: &Path, threads: usize) -> Outcome<Self> {
        let Some(printed) = settings.printed(script, folder, threads)? else { return Ok(Self::default()) };
        let mut found = Self::default();
        for line in printed.lines() {
            let [size, peer, what, value] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
            if !found.peers.iter().any(|own| own == peer) {
                found.peers.push(peer.to_owned());
            }
            found.values.insert((size.parse()?, peer.to_owned(), what.to_owned()), value.parse()?);
        }
        Ok(found)
    }

    /// The folder in which the script left its workload, if it ran.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_ref().map(TempDir::path)
    }

    /// What was measured of this library, if it was.
    pub fn of(&self, size: usize, peer: &str, what: &str) -> Option<f64> {
        self.values.get(&(size, peer.to_owned(), what.to_owned())).copied()
    }
}

/// A script that answers one line after the other with a line of numbers.
#[derive(Debug)]
pub struct Conversation {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Conversation {
    /// Starts the script.
    ///
    /// # Errors
    /// If it can't be started.
    pub fn start(mut script: Command) -> Outcome<Self> {
        let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let questions = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Self { child, questions, answers })
    }

    /// The numbers that answer a question.
    ///
    /// # Errors
    /// If the script ended, for want of its library perhaps.
    pub fn ask<const N: usize>(&mut self, question: &str) -> Outcome<[f64; N]> {
        let questions = self.questions.as_mut().ok_or("no input")?;
        writeln!(questions, "{question}")?;
        questions.flush()?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let numbers: Vec<f64> = line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        numbers.try_into().map_err(|_| "the Python program ended; does it have the library?".into())
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.questions = None; // the end of its input ends it
        let _ = self.child.wait();
    }
}

/// The numbers of a table without a header, with commas.
///
/// # Errors
/// If the file can't be read, or has something else in it.
pub fn read_matrix(path: &Path) -> Outcome<DMatrix<f64>> {
    let text = fs::read_to_string(path)?;
    let rows: Vec<Vec<f64>> = text
        .lines()
        .map(|line| line.split(',').map(|cell| cell.trim().parse()).collect())
        .collect::<Result<_, _>>()?;
    let columns = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|row| row.len() != columns) {
        return Err(format!("{}: rows of several lengths", path.display()).into());
    }
    Ok(DMatrix::from_row_iterator(rows.len(), columns, rows.into_iter().flatten()))
}
