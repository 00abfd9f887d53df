//! The distribution of the function at new places, and what it says of observations there.

use posterior_math::linalg::DVector;
use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

use crate::likelihood::{Likelihood, LogisticLikelihood};

/// Mean and variance of the function at some places.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LatentMoments {
    /// The mean at each place.
    pub mean: DVector<f64>,
    /// The variance at each place.
    pub variance: DVector<f64>,
}

impl LatentMoments {
    /// What is expected of an observation at each place: of two classes, the averaged probability of class 1.
    /// Closed forms, or quadrature to about 12 digits.
    pub fn mean_response<L: Likelihood>(&self, likelihood: &L) -> DVector<f64> {
        self.mean.zip_map(&self.variance, |mean, variance| likelihood.mean_response(mean, variance))
    }

    /// What would be expected if the function were its mean: of two classes more certain than
    /// [`mean_response`](Self::mean_response), on the same side of a half.
    pub fn plug_in_response<L: Likelihood>(&self, likelihood: &L) -> DVector<f64> {
        self.mean.map(|mean| likelihood.response(mean))
    }

    /// MacKay's approximation of the averaged probability of the [`LogisticLikelihood`] likelihood: within
    /// 0.0151.
    pub fn mackay_response(&self) -> DVector<f64> {
        self.mean.zip_map(&self.variance, |mean, variance| LogisticLikelihood.mackay(mean, variance))
    }

    /// What is expected, as the mean over so many draws: the same standard normal numbers at all places, so
    /// that curves are smooth. NaN without draws. The standard error is at most ½ / √draws for probabilities.
    pub fn monte_carlo_response<L: Likelihood, R: Rng + ?Sized>(
        &self,
        likelihood: &L,
        draws: usize,
        rng: &mut R,
    ) -> DVector<f64> {
        let normals: Vec<f64> = (0..draws).map(|_| rng.sample(StandardNormal)).collect();
        self.mean.zip_map(&self.variance, |mean, variance| {
            let sd = variance.sqrt();
            normals.iter().map(|z| likelihood.response(mean + sd * z)).sum::<f64>() / draws as f64
        })
    }

    /// ln p(y) of new observations, one for each place.
    ///
    /// # Panics
    /// Unless there is one for each place.
    #[track_caller]
    pub fn ln_predictive<L: Likelihood>(&self, likelihood: &L, outputs: &[L::Output]) -> Vec<f64> {
        assert_eq!(outputs.len(), self.mean.len(), "number of observations");
        let distributions = self.mean.iter().zip(self.variance.iter());
        outputs
            .iter()
            .zip(distributions)
            .map(|(&output, (&mean, &variance))| {
                if variance > 0.0 {
                    likelihood.tilted(output, mean, variance).ln_mass
                } else {
                    likelihood.ln_density(output, mean)
                }
            })
            .collect()
    }
}
