//! The filter as a scan.

use std::ops::Range;

use posterior_gaussian::MomentGaussian;
use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};

use super::block::Block;
use super::side_by_side;
use crate::disturbances::{Update, ahead};
use crate::{Error, Series, StateSpace};

/// How to cut a series for a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScanOptions {
    /// How many times a block has (at least one). 512 by default. The results for two lengths differ by
    /// rounding.
    pub block_length: usize,
}

impl Default for ScanOptions {
    fn default() -> Self {
        Self { block_length: 512 }
    }
}

/// What a filter found that ran as a scan.
#[derive(Debug, Clone, PartialEq)]
pub struct ScanFiltered {
    pub(super) states: usize,
    pub(super) block_length: usize,
    pub(super) filtered: Vec<(DVector<f64>, DMatrix<f64>)>,
    predicted: Vec<(DVector<f64>, DMatrix<f64>)>,
    ln_likelihoods: Vec<f64>,
}

impl ScanFiltered {
    /// How many times.
    pub const fn len(&self) -> usize {
        self.ln_likelihoods.len()
    }

    /// Whether there is no time.
    pub const fn is_empty(&self) -> bool {
        self.ln_likelihoods.is_empty()
    }

    /// E[x(t) | y(0), …, y(t)].
    ///
    /// # Panics
    /// At a time after the last, as all that take a time.
    #[track_caller]
    pub fn mean(&self, t: usize) -> &[f64] {
        self.filtered[t].0.as_slice()
    }

    /// Cov[x(t) | y(0), …, y(t)].
    #[track_caller]
    pub fn covariance(&self, t: usize) -> &DMatrix<f64> {
        &self.filtered[t].1
    }

    /// E[x(t) | y(0), …, y(t-1)].
    #[track_caller]
    pub fn predicted_mean(&self, t: usize) -> &[f64] {
        self.predicted[t].0.as_slice()
    }

    /// Cov[x(t) | y(0), …, y(t-1)].
    #[track_caller]
    pub fn predicted_covariance(&self, t: usize) -> &DMatrix<f64> {
        &self.predicted[t].1
    }

    /// ln p(y).
    pub fn ln_likelihood(&self) -> f64 {
        self.ln_likelihoods.iter().sum()
    }

    /// ln p(y(t) | y(0), …, y(t-1)) for each t; zero where all is missing.
    pub fn ln_likelihood_terms(&self) -> &[f64] {
        &self.ln_likelihoods
    }

    /// The times of a block.
    pub(super) fn times(&self, block: usize) -> Range<usize> {
        times(block, self.block_length, self.len())
    }

    /// How many blocks.
    pub(super) const fn blocks(&self) -> usize {
        self.len().div_ceil(self.block_length)
    }
}

fn times(block: usize, length: usize, all: usize) -> Range<usize> {
    block * length..((block + 1) * length).min(all)
}

/// The distributions of the state given what was seen before each time, and up to it, as a scan over blocks.
///
/// # Errors
/// If the series does not fit the model; the start is diffuse; or what is observed has a singular covariance
/// given the state at the beginning of a block, as where R is singular.
pub fn filter_by_scan(
    model: &StateSpace,
    series: &Series,
    options: &ScanOptions,
) -> Result<ScanFiltered, Error> {
    model.check(series)?;
    let diffuse = model.initial().diffuse_directions().ncols();
    check::require(
        diffuse == 0,
        "filter_by_scan",
        "diffuse directions of the start",
        diffuse as f64,
        "none",
    )?;
    let block_length = options.block_length.max(1);
    let blocks = series.len().div_ceil(block_length);
    // The last block leads nowhere.
    let sums = side_by_side(blocks.saturating_sub(1), |block| {
        Block::new(model, series, times(block, block_length, series.len()))
    })?;
    let mut starts = vec![model.initial().distribution().clone()];
    for sum in &sums {
        let last = &starts[starts.len() - 1];
        starts.push(sum.carry(last)?);
    }
    let parts = side_by_side(blocks, |block| {
        filter_block(model, series, times(block, block_length, series.len()), &starts[block])
    })?;
    let mut scanned = ScanFiltered {
        states: model.states(),
        block_length,
        filtered: Vec::with_capacity(series.len()),
        predicted: Vec::with_capacity(series.len()),
        ln_likelihoods: Vec::with_capacity(series.len()),
    };
    for update in parts.into_iter().flatten() {
        scanned.ln_likelihoods.push(update.ln_likelihood());
        scanned.filtered.push((update.filtered_means().column(0).into_owned(), update.filtered));
        scanned.predicted.push((update.means.column(0).into_owned(), update.covariance));
    }
    Ok(scanned)
}

fn filter_block(
    model: &StateSpace,
    series: &Series,
    times: Range<usize>,
    start: &MomentGaussian,
) -> Result<Vec<Update>, Error> {
    let mut updates = Vec::with_capacity(times.len());
    let mut means = DMatrix::from_column_slice(model.states(), 1, start.mean().as_slice());
    let mut covariance = start.covariance().clone();
    let end = times.end;
    for t in times {
        let update = Update::new(model, series.at(t), t, means, covariance)?;
        (means, covariance) =
            if t + 1 < end { ahead(model, t, &update) } else { (DMatrix::zeros(0, 0), DMatrix::zeros(0, 0)) };
        updates.push(update);
    }
    Ok(updates)
}
