//! Newton's method by products with the Hessian.

use super::objective::{Minimum, largest};
use crate::iteration::{Fitted, Observer, Progress, Stop};
use crate::vector::{add_multiple, dot};

/// How to minimise by Newton's method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewtonOptions {
    /// The run converges when no component of the gradient is larger than this, times max(1, |value|). 10^-10
    /// by default.
    pub gradient_tolerance: f64,
    /// The length that the first step may have. 1 by default.
    pub initial_radius: f64,
    /// The largest number of steps, shortened ones included. 200 by default.
    pub max_iterations: usize,
}

impl Default for NewtonOptions {
    fn default() -> Self {
        Self { gradient_tolerance: 1e-10, initial_radius: 1.0, max_iterations: 200 }
    }
}

/// A function with its gradient, and products of its Hessian with vectors.
pub trait CurvedObjective {
    /// Writes the gradient at `x`, all of it, and returns the value; as
    /// [`Objective::evaluate`](super::Objective::evaluate).
    fn evaluate(&mut self, x: &[f64], gradient: &mut [f64]) -> f64;

    /// Writes H v for the Hessian H at `x`, the point of the last evaluation that was accepted.
    fn curvature(&mut self, x: &[f64], v: &[f64], product: &mut [f64]);
}

/// A local minimum of a function of many variables, by Newton's method in a trust region with conjugate
/// gradients.
///
/// A step costs one evaluation and as many products H v as conjugate gradients need until the residual is
/// below min(1/2, √|g|) |g|, at most n; the directions of negative curvature that they meet are followed to
/// the edge of the region. Superlinear convergence, O(n) memory, no Hessian.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::optimize::{CurvedObjective, NewtonOptions, minimize_newton_cg};
///
/// /// Σ cosh(xᵢ - i).
/// struct Bowls;
///
/// impl CurvedObjective for Bowls {
///     fn evaluate(&mut self, x: &[f64], gradient: &mut [f64]) -> f64 {
///         x.iter().zip(gradient).enumerate().map(|(i, (x, g))| {
///             *g = (x - i as f64).sinh();
///             (x - i as f64).cosh()
///         }).sum()
///     }
///
///     fn curvature(&mut self, x: &[f64], v: &[f64], product: &mut [f64]) {
///         for i in 0..x.len() {
///             product[i] = (x[i] - i as f64).cosh() * v[i];
///         }
///     }
/// }
///
/// let found = minimize_newton_cg(Bowls, &[0.0; 5], &NewtonOptions::default(), &mut Silent);
/// assert!(found.report.converged());
/// assert!((found.model.point[4] - 4.0).abs() < 1e-9);
/// ```
///
/// # References
/// T. Steihaug, The conjugate gradient method and trust regions in large scale optimization, SIAM J. Numer.
/// Anal. 20 (1983); J. Nocedal, S. Wright, Numerical Optimization, 2nd edition, algorithm 7.2.
pub fn minimize_newton_cg(
    mut objective: impl CurvedObjective,
    start: &[f64],
    options: &NewtonOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Fitted<Minimum> {
    let n = start.len();
    let mut x = start.to_vec();
    let mut gradient = vec![0.0; n];
    let mut value = objective.evaluate(&x, &mut gradient);
    let mut evaluations = 1;
    let mut next_gradient = vec![0.0; n];
    let mut radius = options.initial_radius;
    let mut progress = Progress::new(value, options.max_iterations, observer);
    let stop = loop {
        let norm = largest(&gradient);
        if !(value.is_finite() && norm.is_finite()) {
            break Stop::Stalled;
        }
        if norm <= options.gradient_tolerance * value.abs().max(1.0) {
            break Stop::Converged;
        }
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let (step, predicted) = truncated_step(&mut objective, &x, &gradient, radius);
        let next: Vec<f64> = x.iter().zip(&step).map(|(x, s)| x + s).collect();
        if next == x || !(radius > 0.0) || !(predicted > 0.0) {
            break Stop::Stalled;
        }
        let there = objective.evaluate(&next, &mut next_gradient);
        evaluations += 1;
        let finite = there.is_finite() && largest(&next_gradient).is_finite();
        // Where differences of values drown in rounding, the model is believed.
        let rounding = 10.0 * f64::EPSILON * value.abs().max(1.0);
        let ratio = (value - there + rounding) / (predicted + rounding);
        let length = dot(&step, &step).sqrt();
        let good = finite && ratio > 1e-4;
        if !(good && ratio >= 0.25) {
            radius = if finite { 0.25 * length } else { 0.1 * length };
        } else if ratio > 0.75 && length > 0.8 * radius {
            radius = (2.0 * radius).min(f64::MAX.sqrt());
        }
        if good {
            x = next;
            value = there;
            std::mem::swap(&mut gradient, &mut next_gradient);
        }
        if progress.stopped_after(value) {
            break Stop::Observer;
        }
    };
    let gradient_norm = largest(&gradient);
    Fitted { model: Minimum { point: x, value, gradient_norm, evaluations }, report: progress.finish(stop) }
}

/// A step that lowers the quadratic model, no longer than the radius, and by how much it does.
fn truncated_step(
    objective: &mut impl CurvedObjective,
    x: &[f64],
    gradient: &[f64],
    radius: f64,
) -> (Vec<f64>, f64) {
    let n = x.len();
    let mut step = vec![0.0; n];
    let mut residual = gradient.to_vec();
    let mut direction: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut product = vec![0.0; n];
    let mut square = dot(&residual, &residual);
    let norm = square.sqrt();
    let target = norm.sqrt().min(0.5) * norm;
    let mut predicted = 0.0;
    for _ in 0..n {
        objective.curvature(x, &direction, &mut product);
        let curvature = dot(&direction, &product);
        let length = square / curvature;
        // To the edge where the model falls without end, or the step would leave the region.
        let edge = to_edge(&step, &direction, radius);
        let inside = curvature > 0.0 && length < edge;
        let length = if inside { length } else { edge };
        if !length.is_finite() {
            break;
        }
        let slope = dot(&residual, &direction);
        predicted -= length * slope + 0.5 * length * length * curvature;
        add_multiple(&mut step, length, &direction);
        if !inside {
            break;
        }
        add_multiple(&mut residual, length, &product);
        let next = dot(&residual, &residual);
        if next.sqrt() <= target {
            break;
        }
        let keep = next / square;
        square = next;
        for (d, r) in direction.iter_mut().zip(&residual) {
            *d = keep * *d - r;
        }
    }
    (step, predicted)
}

/// The t ≥ 0 with |s + t d| equal to the radius.
fn to_edge(s: &[f64], d: &[f64], radius: f64) -> f64 {
    let (dd, sd) = (dot(d, d), dot(s, d));
    let room = (radius * radius - dot(s, s)).max(0.0);
    let root = (sd * sd + dd * room).sqrt();
    // The form without cancellation.
    if sd > 0.0 { room / (sd + root) } else { (root - sd) / dd }
}
