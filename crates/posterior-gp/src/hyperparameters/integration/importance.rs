//! Draws from a proposal, with weights.

use posterior_dist::stream::stream;
use posterior_dist::{Density as _, Mixture};
use posterior_gaussian::MultivariateT;
use posterior_math::check::ParamError;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::log_space::ln_sum_exp;
use posterior_math::special::HALF_LN_TAU;
use rand_distr::Distribution as _;

use super::{IntegrationMethod, IntegrationOptions, Mode, ParameterPosterior, Target, points};
use crate::Error;

/// Degrees of freedom of the proposals: tails that are heavier than those of a posterior.
const DEGREES: f64 = 5.0;

/// The proportion of draws from around the prior: what no mode has may be there.
const AROUND_THE_PRIOR: f64 = 0.2;

/// The proportion of draws from where the weights are, after the first round.
const ADAPTED: f64 = 0.6;

/// A mode is not left out for its small mass.
const LEAST_MODE: f64 = 0.1;

/// Draws of all rounds, and their weights, which add up to 1.
pub(super) struct Sample {
    pub(super) positions: Vec<Vec<f64>>,
    pub(super) weights: Vec<f64>,
    pub(super) ln_densities: Vec<f64>,
    pub(super) effective: f64,
    ln_evidence: f64,
}

/// Rounds until the weights are even enough.
pub(super) fn sample(
    target: &Target<'_>,
    modes: &[Mode],
    options: &IntegrationOptions,
) -> Result<Sample, Error> {
    let first = at_modes(modes, target.dimension())?;
    let mut proposals = vec![first.clone()];
    let mut sample = Sample {
        positions: Vec::new(),
        weights: Vec::new(),
        ln_densities: Vec::new(),
        effective: 0.0,
        ln_evidence: 0.0,
    };
    for round in 0..options.rounds.max(1) {
        let proposal = &proposals[round];
        let mut rng = stream(options.seed, &[round as u64]);
        let draws: Vec<Vec<f64>> = (0..options.draws.max(1)).map(|_| proposal.sample(&mut rng)).collect();
        sample.ln_densities.extend(target.ln_densities(&draws));
        sample.positions.extend(draws);
        sample.weigh(&proposals)?;
        if sample.effective >= super::EVEN * options.draws as f64 {
            break;
        }
        proposals.push(sample.adapted(&first)?);
    }
    Ok(sample)
}

/// Student's t distributions at the modes, by their mass, and one around the prior.
fn at_modes(modes: &[Mode], dimension: usize) -> Result<Mixture<MultivariateT>, ParamError> {
    let ln_mass = |mode: &Mode| mode.ln_density + 0.5 * mode.covariance.determinant().ln();
    let most = modes.iter().map(ln_mass).fold(f64::NEG_INFINITY, f64::max);
    let mass: Vec<f64> = modes.iter().map(|mode| (ln_mass(mode) - most).exp().max(LEAST_MODE)).collect();
    let total: f64 = mass.iter().sum();
    let mut weights: Vec<f64> = mass.iter().map(|mass| (1.0 - AROUND_THE_PRIOR) * mass / total).collect();
    weights.push(AROUND_THE_PRIOR);
    let of_mode = |mode: &Mode| MultivariateT::new(DEGREES, &mode.position, &mode.covariance);
    let around = MultivariateT::new(DEGREES, &vec![0.0; dimension], &DMatrix::identity(dimension, dimension));
    Mixture::from_weights(&weights, modes.iter().map(of_mode).chain([around]).collect::<Result<_, _>>()?)
}

impl Sample {
    /// Weights as if each draw were from the mixture of all proposals.
    fn weigh(&mut self, proposals: &[Mixture<MultivariateT>]) -> Result<(), Error> {
        let rounds = (proposals.len() as f64).ln();
        let ln_weight = |(position, ln_density): (&Vec<f64>, &f64)| {
            let each: Vec<f64> = proposals.iter().map(|own| own.ln_pdf(position)).collect();
            ln_density - (ln_sum_exp(&each) - rounds)
        };
        let ln_weights: Vec<f64> = self.positions.iter().zip(&self.ln_densities).map(ln_weight).collect();
        let ln_total = ln_sum_exp(&ln_weights);
        if !ln_total.is_finite() {
            return Err(Error::NoModel);
        }
        self.weights = ln_weights.iter().map(|own| (own - ln_total).exp()).collect();
        self.effective = self.weights.iter().map(|own| own * own).sum::<f64>().recip();
        let dimension = self.positions[0].len() as f64;
        self.ln_evidence = ln_total - (self.weights.len() as f64).ln() - dimension * HALF_LN_TAU;
        Ok(())
    }

    /// The mean and the covariance of the weighted draws.
    pub(super) fn moments(&self) -> (DVector<f64>, DMatrix<f64>) {
        let dimension = self.positions[0].len();
        let (mut mean, mut covariance) = (DVector::zeros(dimension), DMatrix::zeros(dimension, dimension));
        for (position, weight) in self.positions.iter().zip(&self.weights) {
            mean += DVector::from_column_slice(position) * *weight;
        }
        for (position, weight) in self.positions.iter().zip(&self.weights) {
            let difference = DVector::from_column_slice(position) - &mean;
            covariance += &difference * difference.transpose() * *weight;
        }
        (mean, covariance)
    }

    /// A proposal where the weights are, besides the first one.
    fn adapted(&self, first: &Mixture<MultivariateT>) -> Result<Mixture<MultivariateT>, ParamError> {
        let (mean, covariance) = self.moments();
        // A draw with all the weight has no covariance.
        let floor = DMatrix::identity(mean.len(), mean.len()) * 1e-4;
        let own = MultivariateT::new(DEGREES, mean.as_slice(), &(covariance + floor))?;
        let others = first.weights().probabilities().iter().map(|weight| (1.0 - ADAPTED) * weight);
        let weights: Vec<f64> = [ADAPTED].into_iter().chain(others).collect();
        Mixture::from_weights(&weights, [own].into_iter().chain(first.components().iter().cloned()).collect())
    }

    pub(super) fn into_posterior(self, target: &Target<'_>) -> ParameterPosterior {
        ParameterPosterior {
            points: points(target, &self.positions, &self.weights),
            method: IntegrationMethod::Importance,
            effective: self.effective,
            ln_evidence: Some(self.ln_evidence),
        }
    }
}
