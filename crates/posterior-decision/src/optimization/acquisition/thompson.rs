//! Thompson's rule: the minimum of one function drawn from the posterior.

use posterior_gp::spectrum::RandomFeatures;
use posterior_gp::{GaussianProcess, GaussianProcessPosterior};
use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;

use super::{Acquisition, AcquisitionScore, TrialState};
use crate::Error;

/// Thompson sampling: a whole function is drawn, and its minimum is tried. Each point is tried as often as it
/// is probably best.
///
/// The draw is one of the prior by random Fourier features, f, corrected by what the data say about it:
/// f(x) + k(x, X) G⁻¹ (y - f(X) - e) with noise e. Near data it has the distribution of the posterior, and
/// away from them the error of the features, which falls like 1/√features.
///
/// # References
/// A. Rahimi, B. Recht, NIPS 2007; J. Wilson et al., Efficiently sampling functions from Gaussian process
/// posteriors, ICML 2020.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThompsonAcquisition {
    features: usize,
}

impl Default for ThompsonAcquisition {
    /// 512 frequencies.
    fn default() -> Self {
        Self { features: 512 }
    }
}

impl ThompsonAcquisition {
    /// With so many frequencies.
    ///
    /// # Errors
    /// Without any, or above 100,000.
    pub fn new(features: usize) -> Result<Self, Error> {
        let requirement = "from 1 to 100,000";
        check::require(
            (1..=100_000).contains(&features),
            "Thompson",
            "features",
            features as f64,
            requirement,
        )?;
        Ok(Self { features })
    }
}

impl Acquisition for ThompsonAcquisition {
    fn score<'a>(&self, round: &TrialState<'a>, rng: &mut Pcg64) -> Result<AcquisitionScore<'a>, Error> {
        let path = Path::draw(round.posterior, self.features, rng)?;
        Ok(Box::new(move |inputs| Ok(path.values(inputs)?.iter().map(|value| -value).collect())))
    }
}

/// A function drawn from the posterior.
struct Path {
    waves: RandomFeatures,
    weights: DVector<f64>,
    correction: GaussianProcessPosterior,
}

impl Path {
    fn draw<R: Rng + ?Sized>(
        posterior: &GaussianProcessPosterior,
        features: usize,
        rng: &mut R,
    ) -> Result<Self, Error> {
        let kernel = posterior.prior().kernel();
        let distribution = kernel.spectral_distribution().ok_or(Error::Acquisition {
            name: "Thompson",
            reason: "needs a stationary kernel whose distribution of frequencies is known",
        })?;
        let inputs = posterior.inputs();
        let waves = RandomFeatures::new(&distribution, inputs.ncols(), features, rng);
        let weights: DVector<f64> = DVector::from_fn(2 * features, |_, _| StandardNormal.sample(rng));
        let drawn = waves.features(inputs) * &weights;
        let mut residuals = Vec::with_capacity(drawn.len());
        let variances = posterior.noise().variances(drawn.len())?;
        for ((y, f), variance) in posterior.outputs().iter().zip(&drawn).zip(variances) {
            let noise: f64 = StandardNormal.sample(rng);
            residuals.push(y - f - variance.sqrt() * noise);
        }
        let prior = GaussianProcess::new(kernel.clone()).with_mean(posterior.prior().mean().clone());
        let correction = prior.condition(inputs, &residuals, posterior.noise())?;
        Ok(Self { waves, weights, correction })
    }

    fn values(&self, inputs: &DMatrix<f64>) -> Result<DVector<f64>, Error> {
        Ok(self.correction.mean(inputs)? + self.waves.features(inputs) * &self.weights)
    }
}

#[cfg(test)]
mod tests;
