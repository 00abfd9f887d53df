//! Parameters that are not known: a few of them with weights, in the place of one.

mod chain;
mod importance;
mod mixture;

pub use mixture::MixturePrediction;

use posterior_math::check;
use posterior_math::iteration::Silent;
use posterior_math::linalg::{DMatrix, DVector, SymmetricEigen, symmetrize};
use posterior_math::optimize::{LbfgsOptions, minimize};
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use super::learnable::Evidence;
use super::{Learnable, WeakPrior};
use crate::Error;

/// How parameters are integrated out.
///
/// ```
/// use posterior_gp::hyperparameters::IntegrationOptions;
///
/// let options = IntegrationOptions { draws: 64, ..IntegrationOptions::default() };
/// assert_eq!(options.rounds, 4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntegrationOptions {
    /// How many parameters are tried in a round, each at the cost of one evidence. 200 by default.
    pub draws: usize,
    /// Rounds at most: after each, the proposal moves to where the weights are. 4 by default.
    pub rounds: usize,
    /// The seed of the draws. 0 by default.
    pub seed: u64,
}

impl Default for IntegrationOptions {
    fn default() -> Self {
        Self { draws: 200, rounds: 4, seed: 0 }
    }
}

/// The posterior distribution of the parameters as points with weights.
///
/// It is what a model needs, beside its prior and its data, to predict without taking its parameters as
/// known.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ParameterPosterior {
    /// The points.
    pub points: Vec<ParameterPoint>,
    /// How they were found.
    pub method: IntegrationMethod,
    /// As many independent draws know as much, (Σ w)² / Σ w²; of a chain, the number of draws, of which
    /// neighbours depend on each other.
    pub effective: f64,
    /// ln ∫ p(y | θ) p(θ) dθ under the [weak priors](Learnable::weak_priors); none of a chain.
    pub ln_evidence: Option<f64>,
}

/// Parameters, and how probable they are.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ParameterPoint {
    /// On their free scales, in the order of [`Learnable::parameters`].
    pub free: Vec<f64>,
    /// All weights add up to 1.
    pub weight: f64,
}

/// How the points of a [`ParameterPosterior`] were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum IntegrationMethod {
    /// There are no parameters.
    Known,
    /// Draws from Student's t distributions at the modes, and from one around the prior, weighted by what
    /// they should be.
    Importance,
    /// Slice sampling, where weights were too uneven.
    Chain,
}

/// The points of a posterior hold all but this much of its mass.
const NEGLIGIBLE: f64 = 1e-3;

/// Weights with the effective number of so much of the draws of a round are even enough.
const EVEN: f64 = 0.2;

/// The step of central differences of the gradient, in standard deviations of the prior.
const STEP: f64 = 1e-4;

/// The posterior of the parameters under their [weak priors](Learnable::weak_priors), as points with weights.
///
/// Importance sampling: draws come from Student's t distributions at the modes, found from `near` (where a
/// [`fit`](super::fit) ended) and from the centre of the prior, with the curvature there, and one in five
/// draws from around the prior. Weights are judged by their effective number: below a fifth of the draws of
/// a round, another round draws from where the weights are. If all rounds leave it there, the points are
/// draws of a chain (slice sampling, coordinate by coordinate).
///
/// ```
/// use posterior_gp::hyperparameters::{HyperparameterOptions, IntegrationOptions, Regression, fit, integrate};
/// use posterior_gp::{GaussianProcess, Kernel, Noise};
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
///
/// let x = DMatrix::from_fn(8, 1, |i, _| i as f64);
/// let y = [0.1, 0.8, 1.0, 0.2, -0.7, -1.1, -0.3, 0.6];
/// let prior = GaussianProcess::new(1.0 * Kernel::rbf(1.0)?);
/// let problem = Regression::new(prior, Noise::variance(0.1)?, &x, &y)?;
/// let fitted = fit(&problem, &HyperparameterOptions::default(), &mut Silent)?;
/// let best: Vec<f64> = fitted.report.parameters.iter().map(|own| own.free).collect();
/// let posterior = integrate(&problem, &best, &IntegrationOptions::default())?;
/// let place = DMatrix::from_element(1, 1, 10.0);
/// let mixture = posterior.predict(&problem, |model| model.latent(&place))?;
/// // What is said beyond the data is less sure than with the parameters of most evidence.
/// assert!(mixture.variance()[0] > fitted.model.latent(&place)?.variance[0]);
/// # Ok::<(), posterior_gp::Error>(())
/// ```
///
/// # References
/// H. Rue, S. Martino, N. Chopin, JRSS B 71 (2009), section 6.5, on why a few dozen points are enough;
/// J.-M. Cornuet et al., Scandinavian Journal of Statistics 39 (2012), on weights over rounds.
///
/// # Errors
/// If there is not one number for each parameter, or no model at any of the draws.
pub fn integrate<L: Learnable>(
    problem: &L,
    near: &[f64],
    options: &IntegrationOptions,
) -> Result<ParameterPosterior, Error> {
    let parameters = problem.parameters();
    check::dimension("free parameters", parameters.len(), near.len())?;
    if parameters.is_empty() {
        let points = vec![ParameterPoint { free: Vec::new(), weight: 1.0 }];
        let ln_evidence = Some(problem.model(&[])?.1);
        return Ok(ParameterPosterior {
            points,
            method: IntegrationMethod::Known,
            effective: 1.0,
            ln_evidence,
        });
    }
    let target = Target { evidence: problem, priors: problem.weak_priors() };
    let starts = [target.position(near), vec![0.0; near.len()]];
    let modes: Vec<Mode> = starts.iter().filter_map(|start| target.mode(start)).collect();
    let sample = importance::sample(&target, &modes, options)?;
    if sample.effective >= EVEN * options.draws as f64 {
        return Ok(sample.into_posterior(&target));
    }
    Ok(chain::sample(&target, &sample, options))
}

impl ParameterPosterior {
    /// What each of the points makes of a model, with its weight.
    ///
    /// # Errors
    /// As [`Learnable::model`], and those of `of`.
    pub fn each<L: Learnable, T: Send>(
        &self,
        problem: &L,
        of: impl Fn(&L::Model) -> Result<T, Error> + Sync,
    ) -> Result<Vec<(f64, T)>, Error> {
        let one = |point: &ParameterPoint| -> Result<(f64, T), Error> {
            Ok((point.weight, of(&problem.model(&point.free)?.0)?))
        };
        #[cfg(feature = "rayon")]
        let all = self.points.par_iter().map(one).collect();
        #[cfg(not(feature = "rayon"))]
        let all = self.points.iter().map(one).collect();
        all
    }

    /// Predictions averaged over the parameters.
    ///
    /// # Errors
    /// As [`each`](Self::each).
    pub fn predict<L: Learnable>(
        &self,
        problem: &L,
        of: impl Fn(&L::Model) -> Result<crate::regression::Prediction, Error> + Sync,
    ) -> Result<MixturePrediction, Error> {
        Ok(MixturePrediction::new(self.each(problem, of)?))
    }
}

/// A place where the density is highest, and its curvature.
struct Mode {
    position: Vec<f64>,
    ln_density: f64,
    /// The inverse of the negative second derivatives.
    covariance: DMatrix<f64>,
}

/// The posterior density of the parameters, in standard deviations of the prior from its centre.
struct Target<'a> {
    evidence: &'a dyn Evidence,
    priors: Vec<WeakPrior>,
}

impl Target<'_> {
    fn dimension(&self) -> usize {
        self.priors.len()
    }

    /// The place of parameters, pulled to within two standard deviations: a search may have left for
    /// infinity.
    fn position(&self, free: &[f64]) -> Vec<f64> {
        let one = |(prior, free): (&WeakPrior, &f64)| ((free - prior.center) / prior.sd).clamp(-2.0, 2.0);
        self.priors.iter().zip(free).map(one).collect()
    }

    fn free(&self, position: &[f64]) -> Vec<f64> {
        self.priors.iter().zip(position).map(|(prior, z)| prior.center + prior.sd * z).collect()
    }

    /// ln p(y | θ) + ln p(θ) up to a constant; -∞ where there is no model.
    fn ln_density(&self, position: &[f64]) -> f64 {
        let squares: f64 = position.iter().map(|z| z * z).sum();
        match self.evidence.value(&self.free(position)) {
            Ok(ln_evidence) if !ln_evidence.is_nan() => ln_evidence - 0.5 * squares,
            _ => f64::NEG_INFINITY,
        }
    }

    fn ln_densities(&self, positions: &[Vec<f64>]) -> Vec<f64> {
        #[cfg(feature = "rayon")]
        let all = positions.par_iter().map(|own| self.ln_density(own)).collect();
        #[cfg(not(feature = "rayon"))]
        let all = positions.iter().map(|own| self.ln_density(own)).collect();
        all
    }

    /// The same with its derivatives; NaN where there is no model.
    fn ln_density_grad(&self, position: &[f64], gradient: &mut [f64]) -> f64 {
        let Ok(ln_evidence) = self.evidence.value_and_gradient(&self.free(position), gradient) else {
            return f64::NAN;
        };
        let mut squares = 0.0;
        for ((slope, prior), z) in gradient.iter_mut().zip(&self.priors).zip(position) {
            *slope = *slope * prior.sd - z;
            squares += z * z;
        }
        ln_evidence - 0.5 * squares
    }

    /// The mode above a start; none where there is no model.
    fn mode(&self, start: &[f64]) -> Option<Mode> {
        let options = LbfgsOptions {
            gradient_tolerance: 1e-3,
            value_tolerance: 1e-7,
            max_iterations: 60,
            ..LbfgsOptions::default()
        };
        let downwards = |position: &[f64], gradient: &mut [f64]| {
            let value = self.ln_density_grad(position, gradient);
            for slope in gradient {
                *slope = -*slope;
            }
            -value
        };
        let found = minimize(downwards, start, &options, &mut Silent).model;
        let covariance = self.covariance(&found.point)?;
        found.value.is_finite().then_some(Mode {
            position: found.point,
            ln_density: -found.value,
            covariance,
        })
    }

    /// The inverse of the negative second derivatives at a place, where they are at least half of what the
    /// prior alone has.
    fn covariance(&self, position: &[f64]) -> Option<DMatrix<f64>> {
        let count = position.len();
        let mut information = DMatrix::zeros(count, count);
        let mut place = position.to_vec();
        let (mut above, mut below) = (vec![0.0; count], vec![0.0; count]);
        for j in 0..count {
            place[j] = position[j] + STEP;
            let upper = self.ln_density_grad(&place, &mut above);
            place[j] = position[j] - STEP;
            let lower = self.ln_density_grad(&place, &mut below);
            place[j] = position[j];
            if !(upper.is_finite() && lower.is_finite()) {
                return None;
            }
            let column = DVector::from_iterator(count, below.iter().zip(&above).map(|(b, a)| b - a));
            information.set_column(j, &(column / (2.0 * STEP)));
        }
        symmetrize(&mut information);
        let eigen = SymmetricEigen::new(&information).ok()?;
        Some(eigen.function_of_matrix(|value| value.max(0.5).recip()))
    }
}

/// Points with these weights, without those that nobody would miss.
fn points(target: &Target<'_>, positions: &[Vec<f64>], weights: &[f64]) -> Vec<ParameterPoint> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    let mut kept = 0.0;
    let needed = order.iter().take_while(|&&place| {
        let more = kept < 1.0 - NEGLIGIBLE;
        kept += weights[place];
        more
    });
    let chosen: Vec<usize> = needed.copied().collect();
    let total: f64 = chosen.iter().map(|&place| weights[place]).sum();
    let point = |&place: &usize| ParameterPoint {
        free: target.free(&positions[place]),
        weight: weights[place] / total,
    };
    chosen.iter().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hyperparameters::Regression;
    use crate::{GaussianProcess, Kernel, Noise};

    /// Two engines for one posterior.
    #[test]
    fn a_chain_and_weighted_draws_agree() {
        let x = DMatrix::from_fn(8, 1, |i, _| i as f64);
        let y = [0.1, 0.8, 1.0, 0.2, -0.7, -1.1, -0.3, 0.6];
        let prior = GaussianProcess::new(1.0 * Kernel::rbf(1.0).unwrap());
        let problem = Regression::new(prior, Noise::variance(0.1).unwrap(), &x, &y).unwrap();
        let target = Target { evidence: &problem, priors: problem.weak_priors() };
        let modes: Vec<Mode> = target.mode(&[0.0; 3]).into_iter().collect();
        let options = IntegrationOptions { draws: 3000, ..IntegrationOptions::default() };
        let sample = importance::sample(&target, &modes, &options).unwrap();
        let chain = chain::sample(&target, &sample, &options);
        let moments = |own: &ParameterPosterior, j: usize| {
            let mean: f64 = own.points.iter().map(|own| own.weight * own.free[j]).sum();
            let square: f64 = own.points.iter().map(|own| own.weight * (own.free[j] - mean).powi(2)).sum();
            (mean, square.sqrt())
        };
        let weighted = sample.into_posterior(&target);
        for j in 0..3 {
            let ((a, sd), (b, other)) = (moments(&weighted, j), moments(&chain, j));
            assert!(
                (a - b).abs() < 0.15 * sd && (sd / other - 1.0).abs() < 0.15,
                "{j}: {a} {sd}, {b} {other}"
            );
        }
    }
}
