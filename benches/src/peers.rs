//! Programs in Python that time other libraries, and what they print.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use nalgebra::DMatrix;

use crate::comparison::Settings;

/// Measurements of other libraries: by the size of the task, the library and what was measured.
#[derive(Debug, Clone, Default)]
pub struct Measurements {
    values: BTreeMap<(usize, String, String), f64>,
    /// The libraries, in the order in which they came.
    pub peers: Vec<String>,
}

impl Measurements {
    /// Runs `script` of the folder `peers` on so many threads; without a Python program nothing is measured.
    /// It leaves its workload in `folder`, and prints lines with a size, a library, what was measured, and
    /// the value, with tabs between.
    ///
    /// # Errors
    /// If the program does not start, fails, or prints something else.
    pub fn run(
        settings: &Settings,
        script: &str,
        folder: &Path,
        threads: usize,
    ) -> Result<Self, Box<dyn Error>> {
        let Some(mut command) = settings.script(script, folder, threads) else { return Ok(Self::default()) };
        let output = command.output()?;
        if !output.status.success() {
            return Err(format!("{script}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        let mut found = Self::default();
        for line in String::from_utf8(output.stdout)?.lines() {
            let [size, peer, what, value] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
            if !found.peers.iter().any(|own| own == peer) {
                found.peers.push(peer.to_owned());
            }
            found.values.insert((size.parse()?, peer.to_owned(), what.to_owned()), value.parse()?);
        }
        Ok(found)
    }

    /// What was measured of this library, if it was.
    pub fn of(&self, size: usize, peer: &str, what: &str) -> Option<f64> {
        self.values.get(&(size, peer.to_owned(), what.to_owned())).copied()
    }
}

/// The numbers of a table without a header, with commas.
///
/// # Errors
/// If the file can't be read, or has something else in it.
pub fn read_matrix(path: &Path) -> Result<DMatrix<f64>, Box<dyn Error>> {
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
