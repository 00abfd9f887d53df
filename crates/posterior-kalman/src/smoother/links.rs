//! What leads from the distribution at one time to that at the time before it, stored once where it repeats.

use std::sync::Arc;

use posterior_math::linalg::DVector;

use super::{SmoothedCovariances, coordinates};
use crate::dimension::with_sizes;
use crate::filter::{CovarianceForm, Covariances};
use crate::{Error, FilterOptions, Filtered, Series, StateSpace};

impl SmoothedCovariances {
    pub(crate) fn of(model: &StateSpace, filtered: &Filtered) -> Result<Self, Error> {
        let (n, m) = (filtered.states(), filtered.width());
        let filter = roots(model, filtered)?;
        let last = filter.diffuse.get(filtered.len().wrapping_sub(1));
        let left = last.is_some_and(|step| step.directions.ncols() > 0);
        if left || filter.diffuse.iter().any(|step| step.lost) {
            return Err(Error::Undetermined);
        }
        let empty = Self {
            n,
            m,
            filter: Arc::clone(&filter),
            numbers: Vec::with_capacity(filtered.len()),
            distributions: Vec::new(),
            lag_ones: Vec::new(),
            links: Vec::with_capacity(filtered.len()),
            responses: Vec::new(),
            shifts: Vec::new(),
        };
        with_sizes(n, m, coordinates::Backwards { model, filtered, filter: &filter, found: empty })
    }

    /// The root of the covariance.
    #[track_caller]
    pub(crate) fn distribution(&self, t: usize) -> &[f64] {
        let (number, each) = (self.numbers[t] as usize, self.n * self.n);
        &self.distributions[number * each..(number + 1) * each]
    }

    #[track_caller]
    pub(crate) fn lag_one(&self, t: usize) -> &[f64] {
        assert!(t + 1 < self.numbers.len(), "no time after time {t} of {}", self.numbers.len());
        let (number, each) = (self.numbers[t] as usize, self.n * self.n);
        &self.lag_ones[number * each..(number + 1) * each]
    }
}

/// The covariances of the filter in square-root form: its own, or computed again.
fn roots(model: &StateSpace, filtered: &Filtered) -> Result<Arc<Covariances>, Error> {
    if filtered.covariances().form == CovarianceForm::SquareRoot {
        return Ok(Arc::clone(filtered.shared()));
    }
    let series = Series::of_same_pattern(filtered.width(), &filtered.means().whitened);
    let options =
        FilterOptions { steady_state: filtered.covariances().steady_state, ..FilterOptions::default() };
    Ok(Arc::new(Covariances::of(model, &series, options)?))
}

/// E[x(t) | y] for all t: s(t) = B s(t+1) + Z e(t+1), and m + F s is added up.
pub(super) fn means(covariances: &SmoothedCovariances, filtered: &Filtered) -> Vec<f64> {
    let mut means = filtered.means().filtered.clone();
    let (n, m) = (covariances.n, covariances.m);
    let (steps, diffuse) = (&covariances.filter.steps, &covariances.filter.diffuse);
    let whitened = &filtered.means().whitened;
    let (mut shift, mut next) = (vec![0.0; n], vec![0.0; n]);
    // From the last time before which all was diffuse on, backwards.
    let from = diffuse.len().saturating_sub(1);
    for t in (from..filtered.len().saturating_sub(1)).rev() {
        let link = covariances.links[t] as usize;
        let response = &covariances.responses[link * n * n..(link + 1) * n * n];
        let shifts = &covariances.shifts[link * n * m..(link + 1) * n * m];
        next.fill(0.0);
        for k in 0..n {
            for i in 0..n {
                next[i] += response[k * n + i] * shift[k];
            }
        }
        let mut observed = 0;
        for &innovation in &whitened[(t + 1) * m..(t + 2) * m] {
            if !innovation.is_nan() {
                for i in 0..n {
                    next[i] += shifts[observed * n + i] * innovation;
                }
                observed += 1;
            }
        }
        std::mem::swap(&mut shift, &mut next);
        add_product(n, steps.filtered(t), &shift, &mut means[t * n..(t + 1) * n]);
    }
    super::diffuse::means(&covariances.filter, filtered, DVector::from_vec(shift), &mut means);
    means
}

/// y := y + F x.
fn add_product(n: usize, matrix: &[f64], x: &[f64], y: &mut [f64]) {
    for k in 0..n {
        for i in 0..n {
            y[i] += matrix[k * n + i] * x[k];
        }
    }
}
