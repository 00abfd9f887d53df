//! Linear systems with a positive definite matrix that can only be applied.

use super::objective::largest;
use crate::iteration::{Fitted, Observer, Progress, Stop};
use crate::vector::dot;

/// A symmetric positive definite matrix, as its products, with a preconditioner.
///
/// Implemented by every `FnMut(&[f64], &mut [f64])` that writes A x, without preconditioner.
pub trait LinearSystem {
    /// Writes A x.
    fn apply(&mut self, x: &[f64], product: &mut [f64]);

    /// Writes M⁻¹ r for an M that is like A and easy to solve, positive definite too. The identity by
    /// default.
    fn precondition(&mut self, residual: &[f64], solved: &mut [f64]) {
        solved.copy_from_slice(residual);
    }
}

impl<F: FnMut(&[f64], &mut [f64])> LinearSystem for F {
    fn apply(&mut self, x: &[f64], product: &mut [f64]) {
        self(x, product);
    }
}

/// When conjugate gradients may stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearOptions {
    /// The run converges when |b - A x| is this proportion of |b|. 10^-10 by default.
    pub relative: f64,
    /// The largest number of steps. 1000 by default; without rounding, n steps suffice.
    pub max_iterations: usize,
}

impl Default for LinearOptions {
    fn default() -> Self {
        Self { relative: 1e-10, max_iterations: 1000 }
    }
}

/// The solution of a linear system.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LinearSolution {
    /// The solution x.
    pub point: Vec<f64>,
    /// |b - A x|, computed afresh from x.
    pub residual_norm: f64,
}

/// Solves A x = b from the start x = 0 by conjugate gradients; the trace holds |b - A x|.
///
/// After k steps the error in the norm of A falls as ((√κ - 1) / (√κ + 1))^k, κ the condition of M⁻¹A. The
/// run is [`Stop::Stalled`] if A or M is not positive definite along a step, or something is not finite.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::optimize::{LinearOptions, conjugate_gradients};
///
/// let matrix = |x: &[f64], product: &mut [f64]| {
///     product.copy_from_slice(&[4.0 * x[0] + x[1], x[0] + 3.0 * x[1]]);
/// };
/// let solved = conjugate_gradients(matrix, &[1.0, 2.0], &LinearOptions::default(), &mut Silent);
/// assert!((solved.model.point[0] - 1.0 / 11.0).abs() < 1e-12);
/// ```
///
/// # References
/// J. Nocedal, S. Wright, Numerical Optimization, 2nd edition, algorithm 5.3.
pub fn conjugate_gradients(
    mut system: impl LinearSystem,
    b: &[f64],
    options: &LinearOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Fitted<LinearSolution> {
    let n = b.len();
    let mut x = vec![0.0; n];
    let mut residual = b.to_vec();
    let mut solved = vec![0.0; n];
    let mut product = vec![0.0; n];
    system.precondition(&residual, &mut solved);
    let mut direction = solved.clone();
    let mut energy = dot(&residual, &solved);
    let mut norm = length(b);
    let target = options.relative * norm;
    let mut progress = Progress::new(norm, options.max_iterations, observer);
    let stop = loop {
        if !norm.is_finite() {
            break Stop::Stalled;
        }
        if norm <= target {
            break Stop::Converged;
        }
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        system.apply(&direction, &mut product);
        let curvature = dot(&direction, &product);
        let step = energy / curvature;
        if !(curvature > 0.0 && energy > 0.0 && step.is_finite()) {
            break Stop::Stalled;
        }
        for i in 0..n {
            x[i] += step * direction[i];
            residual[i] -= step * product[i];
        }
        system.precondition(&residual, &mut solved);
        let next = dot(&residual, &solved);
        let keep = next / energy;
        for (d, s) in direction.iter_mut().zip(&solved) {
            *d = s + keep * *d;
        }
        energy = next;
        norm = length(&residual);
        if progress.stopped_after(norm) {
            break Stop::Observer;
        }
    };
    system.apply(&x, &mut product);
    for ((rest, b), p) in residual.iter_mut().zip(b).zip(&product) {
        *rest = b - p;
    }
    let residual_norm = length(&residual);
    // The solution, not the recurrence, may have left f64.
    let stop = if residual_norm.is_finite() { stop } else { Stop::Stalled };
    Fitted { model: LinearSolution { point: x, residual_norm }, report: progress.finish(stop) }
}

/// |v|, also where the squares leave f64.
fn length(v: &[f64]) -> f64 {
    let square = dot(v, v);
    if square > 1e-280 && square < f64::INFINITY {
        return square.sqrt();
    }
    let scale = largest(v);
    if scale == 0.0 || !scale.is_finite() {
        return scale;
    }
    scale * v.iter().map(|x| (x / scale) * (x / scale)).sum::<f64>().sqrt()
}
