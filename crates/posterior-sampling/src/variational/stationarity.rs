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

    /// Whether two blocks of the same length differ only by noise: in each mean and each scale by less than
    /// `small` standard deviations, or so that R-hat is below 1.2.
    pub(super) fn agrees_with(&self, other: &Self, q: &GaussianApproximation, small: f64) -> bool {
        const LARGEST_SQUARE: f64 = 1.2 * 1.2;
        let agree = |a: &MeanVariance, b: &MeanVariance, sd: f64| {
            let difference = a.mean() - b.mean();
            let within = 0.5 * (a.sample_variance() + b.sample_variance());
            difference.abs() <= small * sd || 1.0 + 0.5 * difference * difference / within < LARGEST_SQUARE
        };
        let sds = q.scale.diagonal();
        let next = self.scale.len() / sds.len().max(1) + usize::from(self.scale.len() > sds.len());
        let means = self.mean.iter().zip(&other.mean).zip(&sds);
        let scales = self.scale.iter().step_by(next).zip(other.scale.iter().step_by(next)).zip(&sds);
        means.chain(scales).all(|((a, b), &sd)| agree(a, b, sd))
    }
}
