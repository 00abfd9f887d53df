//! Expectation propagation: the Gaussian that agrees with each observation on mean and variance.

mod sites;

use std::ops::Deref;

use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use posterior_math::linalg::{DMatrix, DVector};

use super::approximation::{EvidenceGradient, LatentApproximation, at_inputs};
use super::observations::ObservationModel;
use crate::likelihood::{LogConcave, Tilted};
use crate::{Error, GaussianProcess};
use sites::Sites;

/// How to propagate expectations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PropagationOptions {
    /// The run converges when a sweep changes no site by more than this, in units of the marginal standard
    /// deviations. 10⁻¹⁰ by default, and never below what rounding allows.
    pub tolerance: f64,
    /// The largest number of sweeps over all observations. 200 by default.
    pub max_iterations: usize,
    /// The proportion of each update that is made, in (0, 1]. 1 by default; a smaller one is slower, and
    /// converges where updates oscillate.
    pub damping: f64,
}

impl Default for PropagationOptions {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 200, damping: 1.0 }
    }
}

/// The Gaussian of expectation propagation: each p(yᵢ | fᵢ) is replaced by an unnormalised Gaussian site,
/// such that the marginal of fᵢ has the moments it has with p(yᵢ | fᵢ) instead of the site.
///
/// It is an [`LatentApproximation`], by whose methods it predicts.
#[derive(Debug, Clone)]
pub struct ExpectationPropagation<L: LogConcave> {
    approximation: LatentApproximation,
    observations: ObservationModel<L>,
    mean: DVector<f64>,
    variance: DVector<f64>,
    cavities: Vec<(f64, f64)>,
    ln_evidence: f64,
    skipped: usize,
}

impl<L: LogConcave> Deref for ExpectationPropagation<L> {
    type Target = LatentApproximation;

    fn deref(&self) -> &LatentApproximation {
        &self.approximation
    }
}

impl<L: LogConcave> ExpectationPropagation<L> {
    /// The posterior mean at the observed places.
    pub const fn mean(&self) -> &DVector<f64> {
        &self.mean
    }

    /// The posterior variance at the observed places.
    pub const fn variance(&self) -> &DVector<f64> {
        &self.variance
    }

    /// ln Z, the approximate ln p(y | X): Rasmussen and Williams, equation 3.65.
    pub const fn ln_evidence(&self) -> f64 {
        self.ln_evidence
    }

    /// What was observed.
    pub const fn observations(&self) -> &ObservationModel<L> {
        &self.observations
    }

    /// How many sites the last sweep left alone because rounding had eaten their cavity; zero unless
    /// amplitudes are huge.
    pub const fn skipped(&self) -> usize {
        self.skipped
    }

    /// The gradient of [`ln_evidence`](Self::ln_evidence): that with sites held fixed, because at convergence
    /// the evidence does not change with them.
    ///
    /// Costs O(n³). Rasmussen and Williams, algorithm 5.2.
    pub fn gradient(&self) -> EvidenceGradient {
        let LatentApproximation { prior, inputs, weights, curvature, .. } = &self.approximation;
        let reduction = curvature.matrix();
        let matrix = DMatrix::from_fn(weights.len(), weights.len(), |i, j| {
            0.5 * (weights[i] * weights[j] - reduction[(i, j)])
        });
        EvidenceGradient {
            kernel: prior.kernel().gram_gradient(inputs, &matrix),
            mean: prior.mean().pull_back(inputs, weights.as_slice()),
            likelihood: self.likelihood_gradient(),
        }
    }

    fn likelihood_gradient(&self) -> Vec<f64> {
        let likelihood = self.observations.likelihood();
        let of_parameter = |parameter| {
            let terms = self.observations.outputs().iter().zip(&self.cavities);
            let expected = terms.map(|(&output, &(mean, variance))| {
                Tilted::expectation(likelihood, output, mean, variance, |f| {
                    likelihood.parameter_derivatives(output, f, parameter)[0]
                })
            });
            expected.sum()
        };
        (0..likelihood.parameters().len()).map(of_parameter).collect()
    }
}

/// Expectation propagation for these observations of a function with this prior.
///
/// Rasmussen and Williams, algorithm 3.5: one site after the other, each with a rank-one update, and a fresh
/// factor after each sweep. The objective of the report is ln Z after each sweep. A cavity that rounding has
/// eaten (its precision is not positive) leaves the site as it is; if that happens in the last sweep, the run
/// is [`Stop::Stalled`] at best.
///
/// A site is held by what it changes, so that events in their millions keep their digits: their sweeps are
/// three to five.
///
/// Costs O(n³) for each of five to twenty sweeps, and n integrals (none for the probit, whose moments have
/// closed forms).
///
/// # Errors
/// If the damping is not in (0, 1], the prior does not take the inputs, or numbers overflow.
pub fn expectation_propagation<L: LogConcave>(
    observations: &ObservationModel<L>,
    prior: &GaussianProcess,
    options: &PropagationOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<ExpectationPropagation<L>>, Error> {
    posterior_math::check::require(
        options.damping > 0.0 && options.damping <= 1.0,
        "PropagationOptions",
        "damping",
        options.damping,
        "positive and at most 1",
    )?;
    let (prior_mean, gram) = at_inputs(prior, observations.inputs())?;
    let mut sites = Sites::new(observations, &prior_mean, &gram)?;
    let mut ln_evidence = sites.ln_evidence();
    let mut progress = Progress::new(ln_evidence, options.max_iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let change = sites.sweep(options.damping)?;
        ln_evidence = sites.ln_evidence();
        if progress.stopped_after(ln_evidence) {
            break Stop::Observer;
        }
        if change <= options.tolerance.max(sites.rounding()) {
            break if sites.skipped == 0 { Stop::Converged } else { Stop::Stalled };
        }
        if !change.is_finite() {
            break Stop::Stalled;
        }
    };
    let cavities = sites.cavities();
    let Sites { weights, curvature, mean, covariance, skipped, .. } = sites;
    let (prior, inputs) = (prior.clone(), observations.inputs().clone());
    let converged = stop == Stop::Converged;
    let approximation = LatentApproximation { prior, inputs, weights, curvature, converged };
    let mean = mean + prior_mean;
    let variance = covariance.diagonal();
    let observations = observations.clone();
    let model = ExpectationPropagation {
        approximation,
        observations,
        mean,
        variance,
        cavities,
        ln_evidence,
        skipped,
    };
    Ok(Fitted { model, report: progress.finish(stop) })
}
