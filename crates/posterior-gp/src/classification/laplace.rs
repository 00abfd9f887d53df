//! Laplace's method: the Gaussian at the mode of the posterior.

mod gradient;

use std::ops::Deref;

use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use posterior_math::linalg::{DMatrix, DVector};

use super::approximation::{LatentApproximation, at_inputs};
use super::curvature::Curvature;
use super::observations::ObservationModel;
use crate::likelihood::Likelihood;
use crate::{Error, GaussianProcess};

/// How to search for a mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModeOptions {
    /// The search converges when a Newton step promises no larger increase of ln p than this, in nats; what
    /// rounding allows of it. 10⁻¹⁴ by default: the step that is then taken leaves about as many digits as
    /// there are.
    pub tolerance: f64,
    /// The largest number of Newton steps. 200 by default.
    pub max_iterations: usize,
}

impl Default for ModeOptions {
    fn default() -> Self {
        Self { tolerance: 1e-14, max_iterations: 200 }
    }
}

/// The Gaussian at the mode f̂ of the posterior, with the precision K⁻¹ + W, W = -∇² ln p(y | f̂).
///
/// It is an [`LatentApproximation`], by whose methods it predicts. Its weights are r = K⁻¹ (f̂ - m) = ∇ ln
/// p(y | f̂).
#[derive(Debug, Clone)]
pub struct LaplaceFit<L: Likelihood> {
    approximation: LatentApproximation,
    observations: ObservationModel<L>,
    gram: DMatrix<f64>,
    mode: DVector<f64>,
    ln_likelihood: f64,
    ln_evidence: f64,
}

impl<L: Likelihood> Deref for LaplaceFit<L> {
    type Target = LatentApproximation;

    fn deref(&self) -> &LatentApproximation {
        &self.approximation
    }
}

impl<L: Likelihood> LaplaceFit<L> {
    /// f̂ at the observed places.
    pub const fn mode(&self) -> &DVector<f64> {
        &self.mode
    }

    /// ln p(y | f̂).
    pub const fn ln_likelihood_at_mode(&self) -> f64 {
        self.ln_likelihood
    }

    /// ln q(y | X) = ln p(y | f̂) - ½ rᵀ (f̂ - m) - ½ ln |I + K W|: Rasmussen and Williams, equation 3.32.
    pub const fn ln_evidence(&self) -> f64 {
        self.ln_evidence
    }

    /// What was observed.
    pub const fn observations(&self) -> &ObservationModel<L> {
        &self.observations
    }
}

/// Laplace's method for these observations of a function with this prior.
///
/// Newton's method as in Rasmussen and Williams, algorithm 3.1: no inverse of the Gram matrix, which may be
/// singular, and a step is halved until it goes up. Where the likelihood is not log-concave, precisions may
/// be negative; they are kept where the posterior's curvature is still that of a peak, and left out on the
/// way to it. The objective of the report is ln p(y | f) - ½ (f - m)ᵀ K⁻¹ (f - m). A search that ends where
/// there is no peak is [`Stop::Stalled`], and its precision is that of the positive terms alone.
///
/// Costs O(n³) for each of about ten steps.
///
/// # Errors
/// If the prior does not take the inputs, the observations are impossible at the prior mean, or numbers
/// overflow.
pub fn laplace<L: Likelihood>(
    observations: &ObservationModel<L>,
    prior: &GaussianProcess,
    options: &ModeOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<LaplaceFit<L>>, Error> {
    let (mean, gram) = at_inputs(prior, observations.inputs())?;
    let mut search = Search::new(observations, &mean, &gram)?;
    let mut progress = Progress::new(search.objective, options.max_iterations, observer);
    let mut promised = f64::INFINITY;
    let (stop, curvature) = loop {
        let (curvature, peak) = search.curvature()?;
        let ascent = search.newton(&curvature);
        // What is left is nothing, or what rounding hides: there it falls no more from step to step.
        let hidden = ascent.promise <= search.slack();
        let converged =
            ascent.promise <= options.tolerance + search.noise() || hidden && ascent.promise > 0.5 * promised;
        promised = ascent.promise;
        if !converged && progress.exhausted() {
            break (Stop::MaxIterations, curvature);
        }
        if !search.climb(&ascent) {
            break (if hidden && peak { Stop::Converged } else { Stop::Stalled }, curvature);
        }
        let stopped = progress.stopped_after(search.objective);
        if converged || stopped {
            let (curvature, peak) = search.curvature()?;
            let found = if peak { Stop::Converged } else { Stop::Stalled };
            break (if converged { found } else { Stop::Observer }, curvature);
        }
    };
    let Search { weights, latent: mode, ln_likelihood, objective, .. } = search;
    let ln_evidence = objective - 0.5 * curvature.ln_determinant();
    let (prior, inputs) = (prior.clone(), observations.inputs().clone());
    let converged = stop == Stop::Converged;
    let approximation = LatentApproximation { prior, inputs, weights, curvature, converged };
    let observations = observations.clone();
    let model = LaplaceFit { approximation, observations, gram, mode, ln_likelihood, ln_evidence };
    Ok(Fitted { model, report: progress.finish(stop) })
}

/// Where the search stands: f = m + K r.
struct Search<'a, L: Likelihood> {
    observations: &'a ObservationModel<L>,
    mean: &'a DVector<f64>,
    gram: &'a DMatrix<f64>,
    weights: DVector<f64>,
    latent: DVector<f64>,
    ln_likelihood: f64,
    objective: f64,
}

/// A direction of r that goes up, and the increase that it promises.
struct Ascent {
    direction: DVector<f64>,
    promise: f64,
}

/// An increase of the objective that is a smaller proportion of it than this is not seen: rounding hides it.
const ROUNDING: f64 = 1e-13;

/// A step is halved so often at most.
const MAX_HALVINGS: usize = 60;

impl<'a, L: Likelihood> Search<'a, L> {
    fn new(
        observations: &'a ObservationModel<L>,
        mean: &'a DVector<f64>,
        gram: &'a DMatrix<f64>,
    ) -> Result<Self, Error> {
        for (row, &output) in observations.outputs().iter().enumerate() {
            let value = observations.likelihood().ln_density(output, mean[row]);
            if !value.is_finite() {
                return Err(Error::NotFinite { what: "ln p(y | prior mean)", row, value });
            }
        }
        let objective = observations.ln_likelihood(mean);
        Ok(Self {
            observations,
            mean,
            gram,
            weights: DVector::zeros(mean.len()),
            latent: mean.clone(),
            ln_likelihood: objective,
            objective,
        })
    }

    /// The curvature here, and whether it is that of a peak; if not, without the negative precisions.
    fn curvature(&self) -> Result<(Curvature, bool), Error> {
        let [_, second, _] = self.observations.derivatives(&self.latent);
        let precisions = -second;
        Ok(match Curvature::new(self.gram, &precisions)? {
            Some(curvature) => (curvature, true),
            None => (Curvature::of_positive(self.gram, &precisions)?, false),
        })
    }

    /// Newton's step: (I + W K)⁻¹ (∇ ln p - r) in the coordinates r.
    fn newton(&self, curvature: &Curvature) -> Ascent {
        let [first, ..] = self.observations.derivatives(&self.latent);
        let residual = first - &self.weights;
        let pulled = self.gram * &residual;
        let direction = &residual - curvature.apply(&pulled);
        let promise = 0.5 * (pulled.dot(&residual) - pulled.dot(&curvature.apply(&pulled)));
        Ascent { direction, promise }
    }

    /// What of the promise is rounding of f = m + K r.
    fn noise(&self) -> f64 {
        let sd = self.gram.diagonal().map(f64::sqrt);
        let rounding = f64::EPSILON * sd.amax() * sd.dot(&self.weights.abs());
        let [_, second, _] = self.observations.derivatives(&self.latent);
        10.0 * second.abs().sum() * rounding * rounding
    }

    /// A smaller increase of the objective is not seen.
    fn slack(&self) -> f64 {
        ROUNDING * self.objective.abs().max(self.observations.len() as f64) + self.noise()
    }

    /// Goes in a direction as far as it goes up; whether it did. Where rounding hides what is left, it goes
    /// the whole step or none.
    fn climb(&mut self, ascent: &Ascent) -> bool {
        let slack = self.slack();
        let (allowed, halvings) = if ascent.promise <= slack { (slack, 1) } else { (0.0, MAX_HALVINGS) };
        let mut step = 1.0;
        for _ in 0..halvings {
            let weights = &self.weights + &ascent.direction * step;
            let change = self.gram * &weights;
            let latent = self.mean + &change;
            let ln_likelihood = self.observations.ln_likelihood(&latent);
            let objective = ln_likelihood - 0.5 * weights.dot(&change);
            if objective.is_finite() && objective > self.objective - allowed {
                *self = Self { weights, latent, ln_likelihood, objective, ..*self };
                return true;
            }
            step *= 0.5;
        }
        false
    }
}
