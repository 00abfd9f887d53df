//! ln p(y | θ) by Laplace's method, with its exact gradient.

use std::borrow::Cow;
use std::sync::Arc;

use crate::Error;
use crate::engine::Engine;
use crate::factor::Factor;
use crate::mode::{Mode, Problem};
use crate::response::ResponseTerm;
use crate::rows::{CopiedEntry, Rows};

/// What rounding may make of 1.
const EXCESS: f64 = 1e-6;

/// Everything at one point of the hyperparameters.
#[derive(Debug)]
pub(crate) struct Laplace {
    pub(crate) theta: Vec<f64>,
    /// A: what rows see.
    pub(crate) rows: Arc<Rows>,
    /// ln p(y | θ), exact for Gaussian responses.
    pub(crate) ln_likelihood: f64,
    /// With the prior of θ, if priors count.
    pub(crate) ln_density: f64,
    /// Of the latter.
    pub(crate) gradient: Vec<f64>,
    /// The most probable latent vector.
    pub(crate) x: Vec<f64>,
    /// From the mode to the mean, to third order.
    pub(crate) to_mean: Vec<f64>,
    pub(crate) predictor: Vec<f64>,
    pub(crate) terms: Vec<ResponseTerm>,
    pub(crate) factor: Factor,
    /// The covariances of latent values where the assembly has entries.
    pub(crate) covariances: Vec<f64>,
    /// The variances of the predictors, where they were needed.
    pub(crate) row_variances: Option<Vec<f64>>,
}

impl Engine<'_> {
    /// The approximation at θ; the search for the mode begins at `start`.
    ///
    /// With H = Q + Aᵀ W A at the mode x, Σ = H⁻¹ on the subspace of the constraints and s the diagonal of
    /// A Σ Aᵀ, ln p(y | θ) = Σ ℓ - xᵀ Q x / 2 + ½ ln |Q| - ½ ln |H| + constant. Its derivative through the
    /// mode is that of -½ ln |H|, ½ Σ s ℓ''' dη, for which one solution r = Σ Aᵀ (s ℓ''' / 2) serves all
    /// hyperparameters. The same r is the distance from mode to mean to third order.
    pub(crate) fn laplace(&self, theta: &[f64], start: Option<&[f64]>) -> Result<Laplace, Error> {
        let problem = self.problem(theta)?;
        let mode = problem.mode(start).map_err(|error| match error {
            Error::NoMode { why, .. } => Error::NoMode { at: self.written(theta), why },
            other => other,
        })?;
        let covariances = mode.factor.covariances(&self.assembly);
        let around = problem.around(&mode, &covariances);
        let to_mean = if is_flat(&mode.terms, around.row_variances.as_deref()) {
            problem.modest(&mode.terms)?
        } else {
            around.shift.clone()
        };
        let ln_prior: f64 = problem.precisions.iter().map(|precision| precision.ln_determinant).sum();
        let sum: f64 = mode.terms.iter().map(|term| term.ln_likelihood).sum();
        let ln_likelihood = sum - 0.5 * (mode.square - ln_prior + mode.factor.ln_determinant) + self.constant;
        let mut gradient = problem.gradient(&mode, &around);
        let mut ln_density = ln_likelihood;
        for ((own, &t), slope) in self.hyperparameters.iter().zip(theta).zip(&mut gradient) {
            *slope *= own.scale.slope(t);
            if self.with_priors {
                let (ln, by_line) = own.ln_prior(t);
                ln_density += ln;
                *slope += by_line;
            }
        }
        let row_variances = around.row_variances;
        let Mode { x, predictor, terms, factor, .. } = mode;
        let (theta, rows) = (theta.to_vec(), problem.rows);
        Ok(Laplace {
            theta,
            rows,
            ln_likelihood,
            ln_density,
            gradient,
            x,
            to_mean,
            predictor,
            terms,
            factor,
            covariances,
            row_variances,
        })
    }

    /// The variances of the predictors.
    pub(crate) fn row_variances<'a>(&self, laplace: &'a Laplace) -> Cow<'a, [f64]> {
        let found = || self.assembly.row_variances(&laplace.rows, &laplace.covariances);
        laplace.row_variances.as_ref().map_or_else(|| found().into(), Cow::from)
    }
}

impl Problem<'_, '_> {
    /// What the derivatives need around a mode.
    fn around<'a>(&self, mode: &Mode, covariances: &'a [f64]) -> Around<'a> {
        let (rows, size) = (self.rows.count(), self.rows.width());
        // Gaussian responses: all of third order is zero, and no row is looked at.
        if mode.terms.iter().all(|term| term.third == 0.0 && term.curvature >= 0.0) {
            let (bent, shift) = (vec![0.0; rows], vec![0.0; size]);
            return Around { covariances, row_variances: None, bent, shift };
        }
        let row_variances = self.engine.assembly.row_variances(&self.rows, covariances);
        let terms = mode.terms.iter().zip(&row_variances);
        let bent: Vec<f64> = terms.map(|(term, variance)| 0.5 * variance * term.third).collect();
        let shift = mode.factor.solve(&self.rows.transpose_times(&bent));
        Around { covariances, row_variances: Some(row_variances), bent, shift }
    }

    /// Σ of the variances of the predictors with these factors.
    fn variances_times(&self, around: &Around<'_>, factors: &[f64]) -> f64 {
        let sum = |variances: &[f64]| variances.iter().zip(factors).map(|(own, factor)| own * factor).sum();
        if let Some(variances) = &around.row_variances {
            return sum(variances);
        }
        let assembly = &self.engine.assembly;
        let by_rows = || sum(&assembly.row_variances(&self.rows, around.covariances));
        assembly.trace_of_rows(&self.rows, around.covariances, factors).unwrap_or_else(by_rows)
    }

    /// The derivatives of ln p(y | θ) by the natural values.
    fn gradient(&self, mode: &Mode, around: &Around<'_>) -> Vec<f64> {
        let (engine, model) = (self.engine, self.engine.model);
        let seen_shift = self.rows.times(&around.shift);
        let mut gradient = Vec::with_capacity(self.natural.len());
        for parameter in 0..engine.of_response {
            let mut sum = 0.0;
            let mut curvatures = vec![0.0; model.rows()];
            for row in (0..model.rows()).filter(|&row| model.is_seen(row)) {
                if let Some(slopes) = model.term_slopes(row, mode.predictor[row], &self.natural, parameter) {
                    sum += slopes.ln_likelihood + seen_shift[row] * slopes.slope;
                    curvatures[row] = slopes.curvature;
                }
            }
            sum -= 0.5 * self.variances_times(around, &curvatures);
            gradient.push(sum);
        }
        for (block, precision) in self.precisions.iter().enumerate() {
            for (values, ln_determinant) in &precision.derivatives {
                let pull = engine.assembly.block_times(block, values, &mode.x);
                let along = |vector: &[f64]| vector.iter().zip(&pull).map(|(x, pull)| x * pull).sum::<f64>();
                let trace = engine.assembly.trace(around.covariances, block, values);
                gradient.push(0.5 * (ln_determinant - along(&mode.x) - trace) - along(&around.shift));
            }
        }
        // By a known part of each predictor.
        let by_offset: Vec<f64> = (0..model.rows())
            .map(|row| {
                let term = &mode.terms[row];
                term.slope + around.bent[row] - term.curvature * seen_shift[row]
            })
            .collect();
        gradient.extend(self.by_factors(mode, around, &by_offset));
        if let Some(outer) = &engine.outer {
            gradient.extend(outer.transpose_times(&by_offset));
        }
        gradient
    }

    /// The derivatives by the factors of copies. With dA, what the factor multiplies, a row's predictor
    /// changes by c = dA x, and by the other parts of H and of the mode it has Σ slope dA r - W A Σ dAᵀ.
    fn by_factors(&self, mode: &Mode, around: &Around<'_>, by_offset: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.engine.of_copies.len()];
        // The engine's rows have factors of 1.
        for entry in self.engine.rows.copied() {
            let CopiedEntry { row, place, at, value, factor } = entry;
            gradient[factor] +=
                value * (by_offset[row] * mode.x[place] + mode.terms[row].slope * around.shift[place]);
            let seen =
                self.rows.values(row).iter().enumerate().map(|(other, x)| {
                    x * self.engine.assembly.covariance(around.covariances, row, (at, other))
                });
            gradient[factor] -= mode.terms[row].curvature * value * seen.sum::<f64>();
        }
        gradient
    }
}

/// Whether a row has a larger variance than it has by itself. None has where ln p is concave in all rows;
/// where curvatures cancel each other, the mode is nearly flat.
fn is_flat(terms: &[ResponseTerm], row_variances: Option<&[f64]>) -> bool {
    let known = row_variances.into_iter().flatten();
    terms.iter().zip(known).any(|(term, variance)| variance * term.upward() > 1.0 + EXCESS)
}

impl Problem<'_, '_> {
    /// From a mode that is nearly flat to the mean. The terms of third order with its own curvature would
    /// move it by many standard deviations; with curvatures of which none is negative they are modest.
    fn modest(&self, terms: &[ResponseTerm]) -> Result<Vec<f64>, Error> {
        let factor = self.factor_by(terms, ResponseTerm::upward)?;
        let covariances = factor.covariances(&self.engine.assembly);
        let variances = self.engine.assembly.row_variances(&self.rows, &covariances);
        let bent: Vec<f64> =
            terms.iter().zip(variances).map(|(term, variance)| 0.5 * variance * term.third).collect();
        Ok(factor.solve(&self.rows.transpose_times(&bent)))
    }
}

/// What surrounds the mode.
struct Around<'a> {
    covariances: &'a [f64],
    row_variances: Option<Vec<f64>>,
    /// ½ s ℓ'''.
    bent: Vec<f64>,
    shift: Vec<f64>,
}
