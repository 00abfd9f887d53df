//! Mixtures as points of ℝⁿ, for steps of EM that are extrapolated.
//!
//! ln π of each component, means, and factors L of the covariances with the logarithms of their diagonals: in
//! units of the columns' deviations, so that no column counts for more than another.

use posterior_inference::em::Accelerate;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::softmax_in_place;

use super::model::{CovarianceKind, Covariances, GaussianMixture};
use super::problem::GaussianMixtureProblem;
use crate::gaussian_tiles::Whitening;
use crate::mixture::FittedMixture;

impl Accelerate for GaussianMixtureProblem<'_> {
    fn coordinates(&self, model: &Self::Model) -> Vec<f64> {
        let (mixture, units) = (&model.mixture, &self.units);
        let (k, _) = mixture.means().shape();
        let mut all = mixture.weights().ln_probabilities().to_vec();
        for (means, unit) in mixture.means().column_iter().zip(units) {
            all.extend(means.iter().map(|mean| mean / unit));
        }
        let factors = match mixture.covariances().kind() {
            CovarianceKind::Tied => 1,
            _ => k,
        };
        for component in &mixture.fast()[..factors] {
            match (&component.whitening, mixture.covariances().kind()) {
                (Whitening::Diagonal(scales), CovarianceKind::Spherical) => all.push(-scales[0].ln()),
                (Whitening::Diagonal(scales), _) => {
                    all.extend(scales.iter().zip(units).map(|(scale, unit)| -(scale * unit).ln()));
                }
                (Whitening::Lower(lower), _) => {
                    for (i, unit) in units.iter().enumerate() {
                        let row = &lower[i * (i + 1) / 2..][..=i];
                        all.extend(row[..i].iter().map(|entry| entry / unit));
                        all.push(-(row[i] * unit).ln());
                    }
                }
            }
        }
        all
    }

    fn at_coordinates(&self, coordinates: &[f64], like: &Self::Model) -> Option<Self::Model> {
        let (k, d) = like.mixture.means().shape();
        let (weights, rest) = coordinates.split_at(k);
        let mut weights = weights.to_vec();
        softmax_in_place(&mut weights);
        let (means, mut rest) = rest.split_at(k * d);
        let means = DMatrix::from_fn(k, d, |i, j| means[j * k + i] * self.units[j]);
        let mut next = |count: usize| {
            let (own, others) = rest.split_at(count);
            rest = others;
            own
        };
        let covariances = match like.mixture.covariances().kind() {
            CovarianceKind::Full => {
                let factors = (0..k).map(|_| self.covariance(next(d * (d + 1) / 2)));
                Covariances::Full(factors.collect::<Option<Vec<_>>>()?)
            }
            CovarianceKind::Tied => Covariances::Tied(self.covariance(next(d * (d + 1) / 2))?),
            CovarianceKind::Diagonal => {
                let mut rows = DMatrix::zeros(k, d);
                for i in 0..k {
                    for (j, ln_scale) in next(d).iter().enumerate() {
                        let variance = (ln_scale.exp() * self.units[j]).powi(2);
                        rows[(i, j)] = Some(variance).filter(|&own| own >= self.floor[j])?;
                    }
                }
                Covariances::Diagonal(rows)
            }
            CovarianceKind::Spherical => {
                let floor = self.floor.iter().sum::<f64>() / d as f64;
                let variances = next(k).iter().map(|ln_scale| (2.0 * ln_scale).exp());
                let allowed = variances.map(|variance| Some(variance).filter(|&own| own >= floor));
                Covariances::Spherical(allowed.collect::<Option<Vec<_>>>()?)
            }
        };
        let mixture = GaussianMixture::new(&weights, &means, covariances).ok()?;
        Some(FittedMixture { mixture, incidents: like.incidents.clone(), steps: like.steps })
    }
}

impl GaussianMixtureProblem<'_> {
    /// The covariance with this factor, rows of the lower triangle one after the other; `None` below the
    /// floor.
    fn covariance(&self, lower: &[f64]) -> Option<DMatrix<f64>> {
        let d = self.units.len();
        let mut factor = DMatrix::zeros(d, d);
        for (i, unit) in self.units.iter().enumerate() {
            let row = &lower[i * (i + 1) / 2..][..=i];
            for j in 0..i {
                factor[(i, j)] = row[j] * unit;
            }
            factor[(i, i)] = row[i].exp() * unit;
            if factor[(i, i)] * factor[(i, i)] < self.floor[i] {
                return None;
            }
        }
        Some(&factor * factor.transpose())
    }
}
