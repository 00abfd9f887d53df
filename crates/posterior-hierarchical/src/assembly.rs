//! Where the entries of all matrices are: one pattern, analysed once.

use std::ops::Range;
use std::sync::Arc;

use posterior_math::linalg::MatrixError;
use posterior_math::sparse::{Ordering, SparseSymbolic, SparseSymmetric};

use crate::Error;
use crate::rows::Rows;

/// By how much of themselves weights may be off the multiples of others.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The pattern of Q + Aᵀ W A, with the places of its parts.
#[derive(Debug)]
pub(crate) struct Assembly {
    /// Zeros where the matrix may have entries.
    pattern: SparseSymmetric,
    pub(crate) symbolic: Arc<SparseSymbolic>,
    /// The places of the entries of each prior precision.
    blocks: Vec<Vec<u32>>,
    /// For each row where its pairs of entries begin: the place of each pair, those with the first entry,
    /// with the first two, ….
    starts: Vec<usize>,
    places: Vec<u32>,
    /// Weights of which those of Gaussian responses are multiples, and Aᵀ W A for them.
    base: Vec<f64>,
    gram: Vec<f64>,
    /// The places of the diagonal.
    pub(crate) diagonal: Vec<u32>,
    /// Row and column of each stored entry.
    pub(crate) entries: Vec<(u32, u32)>,
}

impl Assembly {
    /// For rows that see latent values, and prior precisions with these entries. `base` are weights of the
    /// rows that are often all multiplied by one number. The order of elimination is the one that is given if
    /// it leaves fewer entries.
    pub(crate) fn new(
        rows: &Rows,
        blocks: &[Vec<(usize, usize)>],
        base: Vec<f64>,
        order: Option<Vec<usize>>,
    ) -> Result<Self, Error> {
        let size = rows.width();
        let seen = rows.transposed();
        let mut pairs = Vec::new();
        let mut stamp = vec![usize::MAX; size];
        for (j, seen) in seen.iter().enumerate() {
            for &(row, at) in seen {
                for &i in &rows.columns(row as usize)[at as usize..] {
                    if std::mem::replace(&mut stamp[i as usize], j) != j {
                        pairs.push((i as usize, j, 0.0));
                    }
                }
            }
        }
        let of_blocks = blocks.iter().flatten().map(|&(i, j)| (i, j, 0.0));
        let pattern = SparseSymmetric::from_triplets(size, pairs.into_iter().chain(of_blocks))?;
        let entries: Vec<(u32, u32)> = pattern.triplets().map(|(i, j, _)| (i as u32, j as u32)).collect();
        let place = |i: usize, j: usize| {
            let requirement = MatrixError::OtherPattern;
            pattern.position(i, j).map(|at| at as u32).ok_or(requirement)
        };
        let mut found = Vec::with_capacity(blocks.len());
        for block in blocks {
            found.push(block.iter().map(|&(i, j)| place(i, j)).collect::<Result<Vec<u32>, _>>()?);
        }
        let mut starts = vec![0];
        for row in 0..rows.count() {
            let count = rows.columns(row).len();
            starts.push(starts[row] + count * (count + 1) / 2);
        }
        let mut places = vec![0; starts[rows.count()]];
        let mut own = vec![0; size];
        let mut next = 0;
        for (j, seen) in seen.iter().enumerate() {
            while let Some(&(i, _)) = entries.get(next).filter(|entry| entry.1 as usize == j) {
                own[i as usize] = next as u32;
                next += 1;
            }
            for &(row, at) in seen {
                let (row, at) = (row as usize, at as usize);
                for (k, &i) in rows.columns(row).iter().enumerate().skip(at) {
                    places[starts[row] + k * (k + 1) / 2 + at] = own[i as usize];
                }
            }
        }
        let diagonal = (0..size).map(|i| place(i, i)).collect::<Result<Vec<u32>, _>>()?;
        let symbolic = Arc::new(analysis(&pattern, order)?);
        let gram = Vec::new();
        let mut own =
            Self { pattern, symbolic, blocks: found, starts, places, base, gram, diagonal, entries };
        let mut gram = vec![0.0; own.pattern.stored()];
        own.add_each(rows, &own.base, &mut gram);
        own.gram = gram;
        Ok(own)
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

    /// The number by which the base is to be multiplied for these weights, if there is one.
    fn multiple(&self, rows: &Rows, weights: &[f64]) -> Option<f64> {
        if rows.has_copies() {
            return None;
        }
        let first = self.base.iter().position(|base| *base != 0.0)?;
        let factor = weights[first] / self.base[first];
        let is_near =
            |(weight, base): (&f64, &f64)| (weight - factor * base).abs() <= ROUNDING * weight.abs();
        weights.iter().zip(&self.base).all(is_near).then_some(factor)
    }

    /// Adds Aᵀ W A.
    pub(crate) fn add_rows(&self, rows: &Rows, weights: &[f64], values: &mut [f64]) {
        match self.multiple(rows, weights) {
            Some(factor) => values.iter_mut().zip(&self.gram).for_each(|(own, gram)| *own += factor * gram),
            None => self.add_each(rows, weights, values),
        }
    }

    fn add_each(&self, rows: &Rows, weights: &[f64], values: &mut [f64]) {
        for (row, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            let factors = rows.values(row);
            let mut at = self.starts[row];
            for (k, x) in factors.iter().enumerate() {
                let scaled = weight * x;
                for (&place, y) in self.places[at..=at + k].iter().zip(factors) {
                    values[place as usize] += scaled * y;
                }
                at += k + 1;
            }
        }
    }

    /// tr(Σ Aᵀ W A) if that follows from the entries of Σ, without a look at each row.
    pub(crate) fn trace_of_rows(&self, rows: &Rows, covariances: &[f64], weights: &[f64]) -> Option<f64> {
        let factor = self.multiple(rows, weights)?;
        let terms = self.gram.iter().zip(covariances).enumerate();
        let sum: f64 = terms.map(|(place, (gram, own))| self.multiplicity(place as u32) * gram * own).sum();
        Some(factor * sum)
    }

    /// The stored covariance of two entries of one row, by their places there.
    pub(crate) fn covariance(&self, covariances: &[f64], row: usize, (a, b): (usize, usize)) -> f64 {
        let (last, first) = (a.max(b), a.min(b));
        covariances[self.places[self.starts[row] + last * (last + 1) / 2 + first] as usize]
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
            let (own, factors) = (rows.columns(row), rows.values(row));
            let inside = own.partition_point(|&column| (column as usize) < columns.start)
                ..own.partition_point(|&column| (column as usize) < columns.end);
            let mut sum = 0.0;
            for k in inside.clone() {
                let at = self.starts[row] + k * (k + 1) / 2;
                let places = &self.places[at + inside.start..at + k];
                let before = places.iter().zip(&factors[inside.start..k]);
                let others: f64 = before.map(|(&place, y)| covariances[place as usize] * y).sum();
                sum += factors[k] * (2.0 * others + factors[k] * covariances[self.places[at + k] as usize]);
            }
            sum
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

/// By the order that is given or by minimum degree, whichever leaves the smaller factor.
fn analysis(pattern: &SparseSymmetric, order: Option<Vec<usize>>) -> Result<SparseSymbolic, MatrixError> {
    let usual = SparseSymbolic::new(pattern, &Ordering::MinimumDegree)?;
    let Some(order) = order else { return Ok(usual) };
    let given = SparseSymbolic::new(pattern, &Ordering::Given(order))?;
    Ok(if given.held_values() < usual.held_values() { given } else { usual })
}
