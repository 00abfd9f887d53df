//! Have the iterates of a noisy ascent come to rest, but for their noise?

use posterior_math::streaming::MeanVariance;

use super::GaussianApproximation;

/// The iterates of a block, in summary.
pub(super) struct Block {
    mean: Vec<MeanVariance>,
    scale: Vec<MeanVariance>,
}

impl Block {
    pub(super) fn new(q: &GaussianApproximation) -> Self {
        let empty = |numbers: &[f64]| vec![MeanVariance::new(); numbers.len()];
        Self { mean: empty(&q.mean), scale: empty(q.scale.numbers()) }
    }

    pub(super) fn push(&mut self, q: &GaussianApproximation) {
        let numbers = q.mean.iter().chain(q.scale.numbers());
        for (moments, &x) in self.mean.iter_mut().chain(&mut self.scale).zip(numbers) {
            moments.push(x);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.mean.first().map_or(0, |moments| moments.weight() as usize)
    }

    /// The mean of the iterates, of which there is at least one.
    pub(super) fn average(&self, like: &GaussianApproximation) -> GaussianApproximation {
        let mut average = like.clone();
        let numbers = average.mean.iter_mut().chain(average.scale.numbers_mut());
        for (x, moments) in numbers.zip(self.mean.iter().chain(&self.scale)) {
            *x = moments.mean();
        }
        average
    }

    pub(super) fn merge(&mut self, other: &Self) {
        let pairs = self.mean.iter_mut().zip(&other.mean).chain(self.scale.iter_mut().zip(&other.scale));
        for (own, other) in pairs {
            own.merge(other);
        }
    }

    /// The largest R-hat of two blocks of the same length, over means and scales: near 1 if they do not differ but by noise.
    pub(super) fn r_hat(&self, other: &Self) -> f64 {
        let pairs = self.mean.iter().zip(&other.mean).chain(self.scale.iter().zip(&other.scale));
        let between_over_within = pairs.map(|(a, b)| {
            let between = 0.5 * (a.mean() - b.mean()).powi(2);
            let within = 0.5 * (a.sample_variance() + b.sample_variance());
            if between == 0.0 { 0.0 } else { between / within }
        });
        (1.0 + between_over_within.fold(0.0, f64::max)).sqrt()
    }
}
