//! Fitting the α of a Dirichlet: the options, and the ascent that is common to fits to probabilities and to counts.
//!
//! Both likelihoods have a Hessian that is a diagonal plus a constant, so Newton's step is O(K) by the Sherman-Morrison
//! identity (Minka), and both have a fixed-point iteration that never lowers the likelihood. Newton's step is taken in
//! ln α, so that α of very different sizes stay positive; where it rises, shortened if need be, and the fixed point's
//! otherwise.

use std::time::Instant;

use posterior_math::check::{self, ParamError};
use posterior_math::iteration::{Observer, Report, Step, Stop};

/// How to fit the α of a Dirichlet.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ConcentrationOptions {
    /// The kind of step.
    pub method: ConcentrationMethod,
    /// Whether all α are to be equal.
    pub symmetry: Symmetry,
    /// Where to start, or `None` for a guess from the data. One number is enough for a symmetric fit.
    pub start: Option<Vec<f64>>,
    /// The fit converges when no α moves by more than this share of itself.
    pub tolerance: f64,
    /// The largest number of steps.
    pub max_iterations: usize,
}

/// The kind of step that a fit of α takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
    /// These options with another kind of step.
    #[must_use]
    pub fn with_method(self, method: ConcentrationMethod) -> Self {
        Self { method, ..self }
    }

    /// These options with or without the constraint that all α are equal.
    #[must_use]
    pub fn with_symmetry(self, symmetry: Symmetry) -> Self {
        Self { symmetry, ..self }
    }

    /// These options with another starting point.
    #[must_use]
    pub fn with_start(self, start: Vec<f64>) -> Self {
        Self { start: Some(start), ..self }
    }

    /// These options with another tolerance.
    #[must_use]
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// These options with another limit on the number of steps.
    #[must_use]
    pub fn with_max_iterations(self, max_iterations: usize) -> Self {
        Self { max_iterations, ..self }
    }

    /// The starting point that was given, or else `guess`, for `unknowns` free numbers.
    pub(crate) fn start_or(
        &self,
        unknowns: usize,
        guess: impl FnOnce() -> Vec<f64>,
    ) -> Result<Vec<f64>, ParamError> {
        check::non_negative("ConcentrationOptions", "tolerance", self.tolerance)?;
        let Some(start) = &self.start else { return Ok(guess()) };
        let length = start.len();
        let fits = length >= unknowns && length > 0;
        check::require(
            fits,
            "ConcentrationOptions",
            "length of start",
            length as f64,
            "the number of free alpha",
        )?;
        for &a in start {
            check::positive("ConcentrationOptions", "start", a)?;
        }
        Ok(start[..unknowns].to_vec())
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
}

/// A value whose rounding is that of terms of size `scale`.
#[derive(Clone, Copy)]
pub(crate) struct Level {
    pub(crate) value: f64,
    pub(crate) scale: f64,
}

/// Gradient g and Hessian diag(q) + z 1 1ᵀ.
pub(crate) struct Slope {
    pub(crate) gradient: Vec<f64>,
    pub(crate) diagonal: Vec<f64>,
    pub(crate) constant: f64,
}

impl Slope {
    /// Newton's step of ln α, if the Hessian is negative definite.
    ///
    /// In ln α the gradient is α g and the Hessian diag(α² q + α g) + z α αᵀ. Positive α g are left out of the diagonal: it
    /// stays negative definite, the step still leads up, and at the maximum there is no difference.
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

/// Steps this small that no longer shrink are rounding.
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
    let began = Instant::now();
    let mut level = objective.value(&alpha);
    let mut trace = vec![level.value];
    let mut last_change = f64::INFINITY;
    for iteration in 1..=options.max_iterations {
        let Some((next, next_level)) = step(objective, &alpha, level, options.method) else {
            return (alpha, Report::new(trace, Stop::Stalled));
        };
        let change = alpha.iter().zip(&next).map(|(a, b)| (b / a - 1.0).abs()).fold(0.0, f64::max);
        (alpha, level) = (next, next_level);
        trace.push(level.value);
        let verdict = observer.step(&Step::new(iteration, level.value, began.elapsed()));
        if change <= options.tolerance || (change <= NOISE && change >= last_change) {
            return (alpha, Report::new(trace, Stop::Converged));
        }
        if verdict.is_break() {
            return (alpha, Report::new(trace, Stop::Observer));
        }
        last_change = change;
    }
    (alpha, Report::new(trace, Stop::MaxIterations))
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
