//! Fitting the α of a Dirichlet: the options, and the ascent that is common to fits to probabilities and to
//! counts.
//!
//! Both likelihoods have a Hessian that is a diagonal plus a constant, so Newton's step is O(K) by the
//! Sherman-Morrison identity (Minka), and both have a fixed-point iteration that never lowers the likelihood.
//! Newton's step is taken in ln α, so that α of very different sizes stay positive; where it rises, shortened
//! if need be, and the fixed point's otherwise.

use posterior_math::check::{self, ParamError};
use posterior_math::iteration::{Observer, Progress, Report, Stop};

/// How to fit the α of a Dirichlet.
#[derive(Debug, Clone, PartialEq)]
pub struct ConcentrationOptions {
    /// The kind of step.
    pub method: ConcentrationMethod,
    /// Whether all α are to be equal.
    pub symmetry: Symmetry,
    /// Where to start: as many numbers as α are free, which is one for a symmetric fit. `None` for a guess
    /// from the data.
    pub start: Option<Vec<f64>>,
    /// The fit converges when no α moves by more than this proportion of itself, or by no more than the
    /// rounding of the likelihood's slope can move it (a proportion of 1e-6 at most).
    pub tolerance: f64,
    /// The largest number of steps.
    pub max_iterations: usize,
}

/// The kind of step that a fit of α takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConcentrationMethod {
    /// Newton's, with the fixed point's where that does not rise: a handful of steps.
    #[default]
    Newton,
    /// Minka's fixed point: cheap and safe steps, of which there may be hundreds.
    FixedPoint,
}

/// Whether the α of a Dirichlet are to be equal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Symmetry {
    /// Each α is free.
    #[default]
    Asymmetric,
    /// All α are equal.
    Symmetric,
}

impl Default for ConcentrationOptions {
    fn default() -> Self {
        Self {
            method: ConcentrationMethod::Newton,
            symmetry: Symmetry::Asymmetric,
            start: None,
            tolerance: 1e-10,
            max_iterations: 1000,
        }
    }
}

impl ConcentrationOptions {
    /// The starting point that was given, or else `guess`, for `unknowns` free numbers.
    pub(crate) fn start_or(
        &self,
        unknowns: usize,
        guess: impl FnOnce() -> Vec<f64>,
    ) -> Result<Vec<f64>, ParamError> {
        check::non_negative("ConcentrationOptions", "tolerance", self.tolerance)?;
        let Some(start) = &self.start else { return Ok(guess()) };
        let length = start.len();
        let fits = length == unknowns;
        check::require(
            fits,
            "ConcentrationOptions",
            "length of start",
            length as f64,
            "the number of free alpha",
        )?;
        check::each(start, |a| check::positive("ConcentrationOptions", "start", a))?;
        Ok(start.clone())
    }
}

/// A log-likelihood of positive numbers whose Hessian is a diagonal plus a constant.
pub(crate) trait Objective {
    /// The log-likelihood, and the size of the terms that it is the sum of.
    fn value(&self, alpha: &[f64]) -> Level;

    /// Its first two derivatives.
    fn slope(&self, alpha: &[f64]) -> Slope;

    /// The next point of an iteration that never lowers the log-likelihood.
    fn fixed_point(&self, alpha: &[f64]) -> Vec<f64>;

    /// The log-likelihood as α grows without bound in the proportions that are likeliest then, and the Σ α
    /// from which it is worth asking whether that has been reached.
    fn limit(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }
}

/// A value whose rounding is that of terms of size `scale`.
#[derive(Clone, Copy)]
pub(crate) struct Level {
    pub(crate) value: f64,
    pub(crate) scale: f64,
}

/// Gradient g and Hessian diag(q) + z 1 1ᵀ.
pub(crate) struct Slope {
    /// Σ α_k |terms of g_k|: the rounding of the slope in the direction of all ln α is a proportion ε of it.
    pub(crate) scale: f64,
    pub(crate) gradient: Vec<f64>,
    pub(crate) diagonal: Vec<f64>,
    pub(crate) constant: f64,
}

impl Slope {
    /// How far rounding moves the maximum, as a proportion of α: the rounding of the slope over the
    /// curvature, in the direction in which all α grow together, which is the one that is determined worst.
    fn resolution(&self, alpha: &[f64]) -> f64 {
        let total: f64 = alpha.iter().sum();
        let along: f64 = self.diagonal.iter().zip(alpha).map(|(q, a)| q * a * a).sum();
        let curvature = -(along + self.constant * total * total);
        if curvature > 0.0 { 4.0 * f64::EPSILON * self.scale / curvature } else { f64::INFINITY }
    }

    /// Newton's step of ln α, if the Hessian is negative definite.
    ///
    /// In ln α the gradient is α g and the Hessian diag(α² q + α g) + z α αᵀ. Positive α g are left out of
    /// the diagonal: it stays negative definite, the step still leads up, and at the maximum there is no
    /// difference.
    fn newton_step(&self, alpha: &[f64]) -> Option<Vec<f64>> {
        let gradient: Vec<f64> = self.gradient.iter().zip(alpha).map(|(g, a)| a * g).collect();
        let curvature = |((q, a), g): ((&f64, &f64), &f64)| a * a * q + g.min(0.0);
        let diagonal: Vec<f64> = self.diagonal.iter().zip(alpha).zip(&gradient).map(curvature).collect();
        if !diagonal.iter().all(|&q| q < 0.0 && q.is_finite()) {
            return None;
        }
        let inverse: f64 = diagonal.iter().zip(alpha).map(|(q, a)| a * a / q).sum();
        let definite = 1.0 + self.constant * inverse;
        if !(definite > 0.0) {
            return None;
        }
        let projected: f64 = gradient.iter().zip(&diagonal).zip(alpha).map(|((g, q), a)| a * g / q).sum();
        let shift = self.constant * projected / definite;
        Some(gradient.iter().zip(&diagonal).zip(alpha).map(|((g, q), a)| -(g - shift * a) / q).collect())
    }
}

/// Rounding of the objective, relative to its scale: a step that lowers it by less has not lowered it.
const ROUNDING: f64 = 1e-13;

/// The largest step that may pass for rounding.
const NOISE: f64 = 1e-6;

/// How often Newton's step is halved before the fixed point takes over.
const HALVINGS: usize = 8;

/// Climbs `objective` from `alpha`.
pub(crate) fn ascend(
    objective: &impl Objective,
    mut alpha: Vec<f64>,
    options: &ConcentrationOptions,
    observer: &mut dyn Observer,
) -> (Vec<f64>, Report) {
    let mut level = objective.value(&alpha);
    let mut progress = Progress::new(level.value, options.max_iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let Some((next, next_level)) = step(objective, &alpha, level, options.method) else {
            break Stop::Stalled;
        };
        let change = alpha.iter().zip(&next).map(|(a, b)| (b / a - 1.0).abs()).fold(0.0, f64::max);
        (alpha, level) = (next, next_level);
        let stopped = progress.stopped_after(level.value);
        if diverges(objective, &alpha, level) {
            break Stop::Stalled;
        }
        if change <= options.tolerance
            || (change <= NOISE && change <= objective.slope(&alpha).resolution(&alpha))
        {
            break Stop::Converged;
        }
        if stopped {
            break Stop::Observer;
        }
    };
    (alpha, progress.finish(stop))
}

/// Whether α has grown so far that the log-likelihood is that of its limit to rounding: there is no maximum
/// on the way.
fn diverges(objective: &impl Objective, alpha: &[f64], level: Level) -> bool {
    let (limit, from) = objective.limit();
    alpha.iter().sum::<f64>() > from && level.value <= limit + ROUNDING * level.scale
}

/// The next point and its value, if there is one that is not lower.
fn step(
    objective: &impl Objective,
    alpha: &[f64],
    level: Level,
    method: ConcentrationMethod,
) -> Option<(Vec<f64>, Level)> {
    let accept = |candidate: Vec<f64>| {
        if !candidate.iter().all(|&a| a > 0.0 && a < f64::INFINITY) {
            return None;
        }
        let reached = objective.value(&candidate);
        (reached.value >= level.value - ROUNDING * level.scale).then_some((candidate, reached))
    };
    if method == ConcentrationMethod::Newton
        && let Some(direction) = objective.slope(alpha).newton_step(alpha)
    {
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            let candidate = alpha.iter().zip(&direction).map(|(a, d)| a * (length * d).exp()).collect();
            if let Some(found) = accept(candidate) {
                return Some(found);
            }
            length *= 0.5;
        }
    }
    accept(objective.fixed_point(alpha))
}

#[cfg(test)]
mod tests {
    use super::Slope;

    #[test]
    fn a_hessian_that_is_not_negative_definite_gives_no_newton_step() {
        let slope = |diagonal: f64, constant: f64| Slope {
            scale: 1.0,
            gradient: vec![-0.1, -0.2],
            diagonal: vec![diagonal; 2],
            constant,
        };
        let alpha = [1.0, 1.0];
        assert!(slope(-1.0, 0.1).newton_step(&alpha).is_some());
        // The diagonal is -1.1 and -1.2; with a constant of 1/(1/1.1 + 1/1.2) = 0.574 it is singular, beyond
        // indefinite.
        assert!(slope(-1.0, 0.57).newton_step(&alpha).is_some());
        assert!(slope(-1.0, 0.58).newton_step(&alpha).is_none());
        assert!(slope(-1.0, 5.0).newton_step(&alpha).is_none());
        assert!(slope(f64::NEG_INFINITY, 0.1).newton_step(&alpha).is_none());
        assert!(slope(0.3, 0.1).newton_step(&alpha).is_none());
        // Rounding moves the maximum by the rounding of the slope over the curvature, 2 - 4 · 0.1.
        let resolution = slope(-1.0, 0.1).resolution(&alpha);
        assert!((resolution - 4.0 * f64::EPSILON / 1.6).abs() < 1e-30);
        assert_eq!(slope(-1.0, 0.6).resolution(&alpha), f64::INFINITY);
    }
}
