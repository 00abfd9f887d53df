//! The most probable parameters, from several starts.

use posterior_dist::target::{GradTarget, Target};
use posterior_inference::{BestOf, best_of};
use posterior_math::check;
use posterior_math::iteration::{Fitted, Observer};
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::{LbfgsOptions, minimize};
use rand::distr::Distribution;
use rand_distr::StandardNormal;

use super::{LearnedFeatures, ParametricFeatures};
use crate::Error;
use crate::linear::{LinearData, LinearPosterior, NormalPredictions, WeightPrior, known_noise};

/// How to learn the parameters of features.
///
/// ```
/// use posterior_regression::learned_features::LearnOptions;
///
/// assert_eq!(LearnOptions { starts: 20, ..LearnOptions::default() }.starts, 20);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LearnOptions {
    /// From how many starts, with θ ~ N(0, s² I): against local maxima. 10 by default.
    pub starts: usize,
    /// s. 1 by default.
    pub start_deviation: f64,
    /// The seed of the starts. 0 by default.
    pub seed: u64,
    /// How each start climbs.
    pub optimizer: LbfgsOptions,
}

impl Default for LearnOptions {
    fn default() -> Self {
        Self {
            starts: 10,
            start_deviation: 1.0,
            seed: 0,
            optimizer: LbfgsOptions { gradient_tolerance: 1e-6, ..LbfgsOptions::default() },
        }
    }
}

/// Features with their parameters, and the posterior of the weights.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FittedFeatures<P> {
    /// The features.
    pub features: P,
    /// Their parameters.
    pub theta: Vec<f64>,
    /// v, the prior variance of a weight.
    pub weight_variance: f64,
    /// ln p(y | θ, v, σ²).
    pub ln_evidence: f64,
    /// The posterior of the weights, θ being known.
    pub posterior: LinearPosterior,
}

impl<P: ParametricFeatures> FittedFeatures<P> {
    /// The distribution of a new response at each row of the inputs, as if θ were known.
    ///
    /// # Errors
    /// If the inputs have another dimension than those that it was learned from, or features are not finite.
    pub fn predict(&self, inputs: &DMatrix<f64>) -> Result<NormalPredictions, Error> {
        let expected = self.theta.len();
        let found = self.features.parameters(inputs.ncols());
        check::dimension("parameters for inputs of this dimension", expected, found)?;
        self.posterior.predict(&self.features.design(inputs, &self.theta))
    }
}

impl<P: ParametricFeatures + Clone> LearnedFeatures<'_, P> {
    /// The most probable θ, and scales if these are fitted, by L-BFGS from several starts. The trace of each
    /// fit is the log-density.
    ///
    /// # Errors
    /// If no start has a density.
    pub fn fit(
        &self,
        options: &LearnOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<BestOf<FittedFeatures<P>, Error>, Error> {
        best_of(options.starts, options.seed, |rng| {
            let normal = |_| -> f64 {
                options.start_deviation * <StandardNormal as Distribution<f64>>::sample(&StandardNormal, rng)
            };
            let theta: Vec<f64> = (0..self.parameters()).map(normal).collect();
            self.fit_from(&theta, options, observer)
        })
    }

    /// The most probable θ, and scales if these are fitted, from one start.
    ///
    /// # Errors
    /// If θ has another length than there are parameters, or there is no density at the start.
    pub fn fit_from(
        &self,
        theta: &[f64],
        options: &LearnOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<FittedFeatures<P>>, Error> {
        check::dimension("parameters", self.parameters(), theta.len())?;
        let start = self.point(theta);
        self.ln_density(&start)?;
        let objective = |x: &[f64], gradient: &mut [f64]| match self.ln_density_grad(x, gradient) {
            Ok(value) => {
                for slope in gradient.iter_mut() {
                    *slope = -*slope;
                }
                -value
            }
            Err(_) => f64::NAN,
        };
        let found = minimize(objective, &start, &options.optimizer, observer);
        let mut report = found.report;
        report.trace.iter_mut().for_each(|value| *value = -*value);
        Ok(Fitted { model: self.at(&found.model.point)?, report })
    }

    /// The model at a point: θ, and the logarithms of the scales if these are fitted.
    ///
    /// # Errors
    /// If the point has another number of coordinates, or no density.
    pub fn at(&self, x: &[f64]) -> Result<FittedFeatures<P>, Error> {
        check::dimension("coordinates", self.dim(), x.len())?;
        let theta = x[..self.parameters()].to_vec();
        let (weight_variance, noise_variance) = self.scales(x);
        let design = self.features.design(self.inputs, &theta);
        let data = LinearData::new(&design, self.response)?;
        let prior = WeightPrior::isotropic(self.features.features(), weight_variance)?;
        Ok(FittedFeatures {
            features: self.features.clone(),
            theta,
            weight_variance,
            ln_evidence: self.ln_evidence(x)?,
            posterior: known_noise(&data, &prior, noise_variance)?,
        })
    }
}
