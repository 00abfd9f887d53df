//! Rows in groups, which k-means and mixtures are timed on.

use std::fs;
use std::path::Path;

use nalgebra::DMatrix;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;

use crate::comparison::Outcome;

/// Columns of all tables.
const COLUMNS: usize = 10;

/// Rows, and where centres begin.
#[derive(Debug, Clone)]
pub struct Workload {
    /// n x 10.
    pub rows: DMatrix<f64>,
    /// k x 10.
    pub start: DMatrix<f64>,
}

impl Workload {
    /// What the peers' program left in `folder` under this name.
    ///
    /// # Errors
    /// If a file can't be read, or does not hold rows of ten numbers.
    pub fn read(folder: &Path, name: &str) -> Outcome<Self> {
        let read = |name: &str| read_rows(&folder.join(format!("{name}.f64")), COLUMNS);
        Ok(Self { rows: read(name)?, start: read(&format!("{name}_start"))? })
    }

    /// `n` rows in `k` round groups, from a generator of our own.
    pub fn generate(n: usize, k: usize) -> Self {
        let mut rng = Pcg64::seed_from_u64(n as u64);
        let mut normal = |scale: f64| -> f64 {
            let z: f64 = StandardNormal.sample(&mut rng);
            scale * z
        };
        let centres = DMatrix::from_fn(k, COLUMNS, |_, _| normal(2.0));
        let mut rows = DMatrix::from_fn(n, COLUMNS, |_, _| normal(1.0));
        for mut row in rows.row_iter_mut() {
            row += centres.row(rng.random_range(0..k));
        }
        let start = DMatrix::from_fn(k, COLUMNS, |i, j| rows[(i * (n / k), j)]);
        Self { rows, start }
    }

    /// The nearest of the starting centres of each row.
    pub fn nearest(&self) -> Vec<usize> {
        let distance = |row: usize, centre: usize| -> f64 {
            (0..COLUMNS).map(|j| (self.rows[(row, j)] - self.start[(centre, j)]).powi(2)).sum()
        };
        let nearest = |row: usize| {
            let of = |centre: usize| distance(row, centre);
            (1..self.start.nrows()).fold(0, |best, centre| if of(centre) < of(best) { centre } else { best })
        };
        (0..self.rows.nrows()).map(nearest).collect()
    }
}

/// Rows of float64 of this machine, one after the other.
///
/// # Errors
/// If the file can't be read, or its length is not that of whole rows.
pub fn read_rows(path: &Path, columns: usize) -> Outcome<DMatrix<f64>> {
    let bytes = fs::read(path)?;
    if bytes.len() % (8 * columns) != 0 {
        return Err(format!("{}: no rows of {columns} numbers", path.display()).into());
    }
    let numbers = bytes.as_chunks::<8>().0.iter().map(|chunk| f64::from_ne_bytes(*chunk));
    Ok(DMatrix::from_row_iterator(bytes.len() / (8 * columns), columns, numbers))
}
