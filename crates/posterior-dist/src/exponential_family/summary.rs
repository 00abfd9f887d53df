//! What sufficient statistics keep of the points that they have seen.

use std::fmt::Debug;

use super::ExponentialFamily;

/// The data as a family remembers them: enough for Σ wᵢ T(xᵢ) and Σ wᵢ, in a form that loses no digits.
///
/// Most families keep [`Sums`]. A normal distribution must not: from Σ x and Σ x² of points at 10⁸ ± 1 no
/// variance can be had in f64, so that it keeps the mean and the squares about it.
pub trait Summary<F: ExponentialFamily>: Clone + Debug + PartialEq {
    /// The summary of no data.
    fn empty(fixed: &F::Fixed) -> Self;

    /// Adds a point of the sample space with a weight; a negative weight takes it out again.
    fn add(&mut self, fixed: &F::Fixed, x: &F::Point, weight: f64);

    /// Adds the data behind `other`, which holds the same things fixed.
    fn merge(&mut self, other: &Self);

    /// Multiplies all weights by `factor` ≥ 0.
    fn scale(&mut self, factor: f64);

    /// Σ wᵢ.
    fn weight(&self) -> f64;

    /// Σ wᵢ T(xᵢ).
    fn total(&self, fixed: &F::Fixed) -> Vec<f64>;
}

/// Σ wᵢ T(xᵢ) and Σ wᵢ themselves.
#[derive(Debug, Clone, PartialEq)]
pub struct Sums {
    pub(crate) sum: Vec<f64>,
    pub(crate) weight: f64,
}

impl<F: ExponentialFamily> Summary<F> for Sums {
    fn empty(fixed: &F::Fixed) -> Self {
        Self { sum: vec![0.0; F::statistic_len(fixed)], weight: 0.0 }
    }

    fn add(&mut self, fixed: &F::Fixed, x: &F::Point, weight: f64) {
        F::add_statistic(fixed, x, weight, &mut self.sum);
        self.weight += weight;
    }

    fn merge(&mut self, other: &Self) {
        for (total, &more) in self.sum.iter_mut().zip(&other.sum) {
            *total += more;
        }
        self.weight += other.weight;
    }

    fn scale(&mut self, factor: f64) {
        for total in &mut self.sum {
            *total *= factor;
        }
        self.weight *= factor;
    }

    fn weight(&self) -> f64 {
        self.weight
    }

    fn total(&self, _: &F::Fixed) -> Vec<f64> {
        self.sum.clone()
    }
}
