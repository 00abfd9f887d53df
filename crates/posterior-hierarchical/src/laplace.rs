//! ln p(y | θ) by Laplace's method, with its exact gradient.

use crate::Error;
use crate::effect::EffectPrecision;
use crate::engine::Engine;
use crate::factor::Factor;
use crate::mode::{Mode, Problem};
use crate::response::ResponseTerm;

/// Everything at one point of the hyperparameters.
#[derive(Debug)]
pub(crate) struct Laplace {
    pub(crate) theta: Vec<f64>,
    /// ln p(y | θ), exact for Gaussian responses.
    pub(crate) ln_likelihood: f64,
    /// With the prior of θ, if priors count.
    pub(crate) ln_density: f64,
    /// Of the latter.
    pub(crate) gradient: Vec<f64>,
    /// The most probable latent vector.
    pub(crate) x: Vec<f64>,
    /// From the mode to the mean, to third order.
    pub(crate) shift: Vec<f64>,
    pub(crate) predictor: Vec<f64>,
    pub(crate) terms: Vec<ResponseTerm>,
    pub(crate) factor: Factor,
    /// The covariances of latent values where the assembly has entries.
    pub(crate) covariances: Vec<f64>,
    /// The variances of the predictors.
    pub(crate) row_variances: Vec<f64>,
}

impl Engine<'_> {
    /// The approximation at θ; the search for the mode begins at `start`.
    ///
    /// With H = Q + Aᵀ W A at the mode x, Σ = H⁻¹ on the subspace of the constraints and s the diagonal of
    /// A Σ Aᵀ, ln p(y | θ) = Σ ℓ - xᵀ Q x / 2 + ½ ln |Q| - ½ ln |H| + constant. Its derivative through the mode
    /// is that of -½ ln |H|, ½ Σ s ℓ''' dη, for which one solution r = Σ Aᵀ (s ℓ''' / 2) serves all
    /// hyperparameters. The same r is the distance from mode to mean to third order.
    pub(crate) fn laplace(&self, theta: &[f64], start: Option<&[f64]>) -> Result<Laplace, Error> {
        let natural = self.natural(theta);
        let precisions = self.precisions(&natural)?;
        let prior = self.prior_values(&precisions);
        let offset = self.offset(theta);
        let response = &natural[..self.of_response];
        let problem = Problem { engine: self, response, prior: &prior, offset: &offset };
        let mode = problem.mode(start).map_err(|error| match error {
            Error::NoMode { why, .. } => Error::NoMode { at: self.written(theta), why },
            other => other,
        })?;
        let covariances = mode.factor.covariances(&self.assembly);
        let row_variances = self.assembly.row_variances(&covariances);
        let bent: Vec<f64> = mode
            .terms
            .iter()
            .zip(&row_variances)
            .map(|(term, variance)| 0.5 * variance * term.third)
            .collect();
        let shift = mode.factor.solve(&self.rows.transpose_times(&bent));
        let ln_prior: f64 = precisions.iter().map(|precision| precision.ln_determinant).sum();
        let sum: f64 = mode.terms.iter().map(|term| term.ln_likelihood).sum();
        let ln_likelihood = sum - 0.5 * (mode.square - ln_prior + mode.factor.ln_determinant) + self.constant;
        let around =
            Around { covariances: &covariances, row_variances: &row_variances, bent: &bent, shift: &shift };
        let mut gradient = self.gradient(&natural, &precisions, &mode, &around);
        let mut ln_density = ln_likelihood;
        for ((own, &t), slope) in self.hyperparameters.iter().zip(theta).zip(&mut gradient) {
            *slope *= own.scale.slope(t);
            if self.with_priors {
                let (ln, by_line) = own.ln_prior(t);
                ln_density += ln;
                *slope += by_line;
            }
        }
        let Mode { x, predictor, terms, factor, .. } = mode;
        let theta = theta.to_vec();
        Ok(Laplace {
            theta,
            ln_likelihood,
            ln_density,
            gradient,
            x,
            shift,
            predictor,
            terms,
            factor,
            covariances,
            row_variances,
        })
    }

    /// The derivatives of ln p(y | θ) by the natural values.
    fn gradient(
        &self,
        natural: &[f64],
        precisions: &[EffectPrecision],
        mode: &Mode,
        around: &Around<'_>,
    ) -> Vec<f64> {
        let model = self.model;
        let response = &natural[..self.of_response];
        let seen_shift = self.rows.times(around.shift);
        let mut gradient = Vec::with_capacity(natural.len());
        for parameter in 0..self.of_response {
            let mut sum = 0.0;
            for row in (0..model.rows()).filter(|&row| model.is_seen(row)) {
                let (y, weight, predictor) = (model.y[row], model.weights[row], mode.predictor[row]);
                let slopes = model.response.term_slopes(y, weight, predictor, response, parameter);
                sum += slopes.ln_likelihood - 0.5 * around.row_variances[row] * slopes.curvature
                    + seen_shift[row] * slopes.slope;
            }
            gradient.push(sum);
        }
        for (block, precision) in precisions.iter().enumerate() {
            for (values, ln_determinant) in &precision.derivatives {
                let pull = self.assembly.block_times(block, values, &mode.x);
                let along = |vector: &[f64]| vector.iter().zip(&pull).map(|(x, pull)| x * pull).sum::<f64>();
                let trace = self.assembly.trace(around.covariances, block, values);
                gradient.push(0.5 * (ln_determinant - along(&mode.x) - trace) - along(around.shift));
            }
        }
        if let Some(outer) = &self.outer {
            let by_offset: Vec<f64> = (0..model.rows())
                .map(|row| {
                    let term = &mode.terms[row];
                    term.slope + around.bent[row] - term.curvature * seen_shift[row]
                })
                .collect();
            gradient.extend(outer.transpose_times(&by_offset));
        }
        gradient
    }
}

/// What surrounds the mode.
struct Around<'a> {
    covariances: &'a [f64],
    row_variances: &'a [f64],
    /// ½ s ℓ'''.
    bent: &'a [f64],
    shift: &'a [f64],
}
