//! L-BFGS for a smooth function plus the absolute values of variables.

use super::curvature::Curvature;
use super::lbfgs::LbfgsOptions;
use super::objective::{Minimum, Objective, largest};
use crate::check::{self, ParamError};
use crate::iteration::{Fitted, Observer, Progress, Stop};
use crate::vector::dot;

/// The proportion of the predicted decrease that a step must reach.
const DECREASE: f64 = 1e-4;

/// The largest number of evaluations of one search.
const MAX_EVALUATIONS: usize = 40;

/// A local minimum of f(x) + Σᵢ cᵢ |xᵢ| for a smooth f, by OWL-QN: many xᵢ of it are exactly 0.
///
/// `penalties` are the cᵢ; a variable whose penalty is 0 is free. `objective` is f alone; the value of the
/// minimum and of the steps has the penalties too, and `gradient_norm` is of the pseudo-gradient, the slopes
/// of steepest descent, which is 0 at a minimum. A step costs one or two evaluations and O(memory · n). Stops
/// as [`minimize`](super::minimize) does.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::optimize::{LbfgsOptions, minimize_l1};
///
/// // (x - 3)² + (y - 0.4)² + |x| + |y| has its minimum at (2.5, 0).
/// let smooth = |x: &[f64], gradient: &mut [f64]| {
///     let (a, b) = (x[0] - 3.0, x[1] - 0.4);
///     gradient.copy_from_slice(&[2.0 * a, 2.0 * b]);
///     a * a + b * b
/// };
/// let found = minimize_l1(smooth, &[1.0, 1.0], &[0.0, 0.0], &LbfgsOptions::default(), &mut Silent)?;
/// assert!((found.model.point[0] - 2.5).abs() < 1e-8);
/// assert_eq!(found.model.point[1], 0.0);
/// # Ok::<(), posterior_math::check::ParamError>(())
/// ```
///
/// # Errors
/// If there are not as many penalties as variables, or one is negative or not finite.
///
/// # References
/// G. Andrew, J. Gao, Scalable training of L1-regularized log-linear models, ICML 2007.
pub fn minimize_l1(
    mut objective: impl Objective,
    penalties: &[f64],
    start: &[f64],
    options: &LbfgsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<Minimum>, ParamError> {
    check::require(
        penalties.len() == start.len(),
        "minimize_l1",
        "number of penalties",
        penalties.len() as f64,
        "that of the variables",
    )?;
    for (index, &penalty) in penalties.iter().enumerate() {
        check::non_negative("minimize_l1", "penalty", penalty).map_err(|error| error.at(index))?;
    }
    let n = start.len();
    let mut x = start.to_vec();
    let mut gradient = vec![0.0; n];
    let mut value = objective.evaluate(&x, &mut gradient) + absolute(penalties, &x);
    let mut evaluations = 1;
    let mut progress = Progress::new(value, options.max_iterations, observer);
    let mut memory = Curvature::new(options.memory, n);
    let (mut next, mut next_gradient) = (vec![0.0; n], vec![0.0; n]);
    let mut pseudo = vec![0.0; n];
    write_pseudo_gradient(&mut pseudo, &x, &gradient, penalties);
    let stop = loop {
        let norm = largest(&pseudo);
        if !(value.is_finite() && norm.is_finite()) {
            break Stop::Stalled;
        }
        if norm <= options.gradient_tolerance * value.abs().max(1.0) {
            break Stop::Converged;
        }
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        memory.direct(&pseudo);
        let slope = memory.keep_descent(&pseudo, penalties);
        let first = if memory.is_empty() { dot(&pseudo, &pseudo).sqrt().recip().min(1.0) } else { 1.0 };
        let mut search = Search {
            objective: &mut objective,
            penalties,
            origin: &x,
            pseudo: &pseudo,
            direction: memory.direction(),
            point: &mut next,
            gradient: &mut next_gradient,
            evaluations: &mut evaluations,
        };
        let Some(lower) = (slope < 0.0).then(|| search.run(value, first)).flatten() else {
            if memory.is_empty() {
                break Stop::Stalled;
            }
            memory.clear();
            continue;
        };
        memory.push(&x, &next, &gradient, &next_gradient);
        std::mem::swap(&mut x, &mut next);
        std::mem::swap(&mut gradient, &mut next_gradient);
        write_pseudo_gradient(&mut pseudo, &x, &gradient, penalties);
        let decrease = value - lower;
        value = lower;
        if progress.stopped_after(value) {
            break Stop::Observer;
        }
        if options.value_tolerance > 0.0 && decrease <= options.value_tolerance * value.abs() {
            break Stop::Converged;
        }
    };
    let gradient_norm = largest(&pseudo);
    Ok(Fitted {
        model: Minimum { point: x, value, gradient_norm, evaluations },
        report: progress.finish(stop),
    })
}

/// Σ cᵢ |xᵢ|.
fn absolute(penalties: &[f64], x: &[f64]) -> f64 {
    penalties.iter().zip(x).map(|(c, x)| c * x.abs()).sum()
}

/// The slopes of steepest descent: of the side to which a variable at 0 would leave it, or 0 if it would not
/// (equation 4).
fn write_pseudo_gradient(pseudo: &mut [f64], x: &[f64], gradient: &[f64], penalties: &[f64]) {
    for (((pseudo, x), g), c) in pseudo.iter_mut().zip(x).zip(gradient).zip(penalties) {
        *pseudo = if *x > 0.0 {
            g + c
        } else if *x < 0.0 {
            g - c
        } else if g.is_nan() {
            f64::NAN
        } else {
            // g - c > 0 leaves downwards, g + c < 0 upwards.
            (g - c).max(0.0) + (g + c).min(0.0)
        };
    }
}

/// A step within the orthant that the steepest descent points into.
struct Search<'a, F> {
    objective: &'a mut F,
    penalties: &'a [f64],
    origin: &'a [f64],
    pseudo: &'a [f64],
    direction: &'a [f64],
    point: &'a mut [f64],
    gradient: &'a mut [f64],
    evaluations: &'a mut usize,
}

impl<F: Objective> Search<'_, F> {
    /// Halves the step until it lowers the value enough.
    fn run(&mut self, value: f64, first: f64) -> Option<f64> {
        let mut step = first;
        let rounding = 10.0 * f64::EPSILON * value.abs();
        for _ in 0..MAX_EVALUATIONS {
            let predicted = self.move_by(step);
            if predicted == 0.0 {
                return None;
            }
            *self.evaluations += 1;
            let reached = self.objective.evaluate(self.point, self.gradient);
            let reached = reached + absolute(self.penalties, self.point);
            let finite = reached.is_finite() && largest(self.gradient).is_finite();
            if finite && (reached <= value + DECREASE * predicted || self.flat(value, reached, rounding)) {
                return Some(reached);
            }
            step *= 0.5;
        }
        None
    }

    /// Whether values differ by their rounding only while the slope along the step has shrunk: the last
    /// digits.
    fn flat(&self, value: f64, reached: f64, rounding: f64) -> bool {
        let slope = |gradient: &dyn Fn(usize) -> f64| -> f64 {
            (0..self.point.len()).map(|i| gradient(i) * (self.point[i] - self.origin[i])).sum()
        };
        (reached - value).abs() <= rounding && {
            let before = slope(&|i| self.pseudo[i]);
            let after = slope(&|i| self.gradient[i] + self.penalties[i] * sign(self.point[i]));
            after.abs() < before.abs()
        }
    }

    /// Writes the point of this step, with 0 for what would change its sign; what the slopes predict of the
    /// value's change.
    fn move_by(&mut self, step: f64) -> f64 {
        let mut predicted = 0.0;
        let moves = self.direction.iter().zip(self.pseudo).zip(self.penalties);
        for ((point, &origin), ((d, &slope), &c)) in self.point.iter_mut().zip(self.origin).zip(moves) {
            let orthant = if origin == 0.0 { -slope } else { origin };
            let to = origin + step * d;
            // Without a penalty there is no kink to stop at.
            *point = if c > 0.0 && to * orthant <= 0.0 { 0.0 } else { to };
            predicted += slope * (*point - origin);
        }
        predicted
    }
}

/// -1, 0 or 1.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}
