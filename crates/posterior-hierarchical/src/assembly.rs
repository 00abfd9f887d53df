//! Where the entries of all matrices are: one pattern, analysed once.

use std::ops::Range;
use std::sync::Arc;

use posterior_math::linalg::MatrixError;
use posterior_math::sparse::{Ordering, SparseSymbolic, SparseSymmetric};

use crate::Error;
use crate::rows::Rows;

/// The pattern of Q + Aᵀ W A, with the places of its parts.
#[derive(Debug)]
pub(crate) struct Assembly {
    /// Zeros where the matrix may have entries.
    pattern: SparseSymmetric,
    pub(crate) symbolic: Arc<SparseSymbolic>,
    /// The places of the entries of each prior precision.
    blocks: Vec<Vec<u32>>,
    /// For each row the places of the products of pairs of its entries.
    starts: Vec<usize>,
    places: Vec<u32>,
    /// The places of the diagonal.
    pub(crate) diagonal: Vec<u32>,
    /// Row and column of each stored entry.
    pub(crate) entries: Vec<(u32, u32)>,
}

impl Assembly {
    /// For rows that see latent values, and prior precisions with these entries.
    pub(crate) fn new(rows: &Rows, blocks: &[Vec<(usize, usize)>]) -> Result<Self, Error> {
        let size = rows.width();
        let of_rows = (0..rows.count()).flat_map(|row| rows.pairs(row).map(|(i, j, _)| (i, j, 0.0)));
        let of_blocks = blocks.iter().flatten().map(|&(i, j)| (i, j, 0.0));
        let pattern = SparseSymmetric::from_triplets(size, of_rows.chain(of_blocks))?;
        let place = |i: usize, j: usize| {
            let requirement = MatrixError::OtherPattern;
            pattern.position(i, j).map(|at| at as u32).ok_or(requirement)
        };
        let mut found = Vec::with_capacity(blocks.len());
        for block in blocks {
            found.push(block.iter().map(|&(i, j)| place(i, j)).collect::<Result<Vec<u32>, _>>()?);
        }
        let (mut starts, mut places) = (vec![0], Vec::new());
        for row in 0..rows.count() {
            for (i, j, _) in rows.pairs(row) {
                places.push(place(i, j)?);
            }
            starts.push(places.len());
        }
        let diagonal = (0..size).map(|i| place(i, i)).collect::<Result<Vec<u32>, _>>()?;
        let entries = pattern.triplets().map(|(i, j, _)| (i as u32, j as u32)).collect();
        let symbolic = Arc::new(SparseSymbolic::new(&pattern, &Ordering::MinimumDegree)?);
        Ok(Self { pattern, symbolic, blocks: found, starts, places, diagonal, entries })
    }

    /// Σ of the prior precisions, each by the values of its entries.
    pub(crate) fn prior<'a>(&self, blocks: impl IntoIterator<Item = &'a [f64]>) -> Vec<f64> {
        let mut values = vec![0.0; self.pattern.stored()];
        for (places, block) in self.blocks.iter().zip(blocks) {
            for (&place, value) in places.iter().zip(block) {
                values[place as usize] += value;
            }
        }
        values
    }

    /// Adds Aᵀ W A.
    pub(crate) fn add_rows(&self, rows: &Rows, weights: &[f64], values: &mut [f64]) {
        for (row, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            for (&place, (.., product)) in self.places_of(row).iter().zip(rows.pairs(row)) {
                values[place as usize] += weight * product;
            }
        }
    }

    /// The places of the products of the entries of a row, in the order of [`Rows::pairs`].
    pub(crate) fn places_of(&self, row: usize) -> &[u32] {
        &self.places[self.starts[row]..self.starts[row + 1]]
    }

    /// The stored covariance of two latent values that one row sees.
    pub(crate) fn covariance(
        &self,
        covariances: &[f64],
        rows: &Rows,
        row: usize,
        (a, b): (usize, usize),
    ) -> f64 {
        let pair = (a.max(b), a.min(b));
        let mut pairs = self.places_of(row).iter().zip(rows.pairs(row));
        let found = pairs.find(|(_, (i, j, _))| (*i, *j) == pair);
        found.map_or(f64::NAN, |(&place, _)| covariances[place as usize])
    }

    /// The matrix with these values.
    pub(crate) fn matrix(&self, values: &[f64]) -> Result<SparseSymmetric, MatrixError> {
        let mut matrix = self.pattern.clone();
        matrix.set_values(values)?;
        Ok(matrix)
    }

    /// Q x for the matrix with these values.
    pub(crate) fn times(&self, values: &[f64], x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; x.len()];
        for (&(i, j), value) in self.entries.iter().zip(values) {
            add_entry(&mut product, (i as usize, j as usize), *value, x);
        }
        product
    }

    /// How often an entry counts in a sum over both triangles.
    fn multiplicity(&self, place: u32) -> f64 {
        let (i, j) = self.entries[place as usize];
        if i == j { 1.0 } else { 2.0 }
    }

    /// aᵀ Σ a for each row a, from the stored entries of Σ.
    pub(crate) fn row_variances(&self, rows: &Rows, covariances: &[f64]) -> Vec<f64> {
        self.row_variances_of(rows, covariances, &(0..self.diagonal.len()))
    }

    /// The same of the part of each row that sees some columns.
    pub(crate) fn row_variances_of(
        &self,
        rows: &Rows,
        covariances: &[f64],
        columns: &Range<usize>,
    ) -> Vec<f64> {
        let variance = |row: usize| {
            let terms = self.places_of(row).iter().zip(rows.pairs(row));
            terms
                .filter(|(_, (i, j, _))| columns.contains(i) && columns.contains(j))
                .map(|(&place, (.., product))| {
                    self.multiplicity(place) * product * covariances[place as usize]
                })
                .sum()
        };
        (0..rows.count()).map(variance).collect()
    }

    /// tr(Σ B) for a B with the entries of one block.
    pub(crate) fn trace(&self, covariances: &[f64], block: usize, values: &[f64]) -> f64 {
        let terms = self.blocks[block].iter().zip(values);
        terms.map(|(&place, value)| self.multiplicity(place) * covariances[place as usize] * value).sum()
    }

    /// B x for a B with the entries of one block.
    pub(crate) fn block_times(&self, block: usize, values: &[f64], x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; x.len()];
        for (&place, value) in self.blocks[block].iter().zip(values) {
            let (i, j) = self.entries[place as usize];
            add_entry(&mut product, (i as usize, j as usize), *value, x);
        }
        product
    }
}

/// What an entry and its mirror image add to a product.
fn add_entry(product: &mut [f64], (i, j): (usize, usize), value: f64, x: &[f64]) {
    product[i] += value * x[j];
    if i != j {
        product[j] += value * x[i];
    }
}
