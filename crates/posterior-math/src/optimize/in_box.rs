//! L-BFGS with limits for each variable.

use super::curvature::Curvature;
use super::lbfgs::LbfgsOptions;
use super::objective::{Minimum, Objective, largest};
use crate::check::{ParamError, require};
use crate::iteration::{Fitted, Observer, Progress, Stop};
use crate::vector::dot;

/// The proportion of the predicted decrease that a step must reach.
const DECREASE: f64 = 1e-4;

/// The largest number of evaluations of one search.
const MAX_EVALUATIONS: usize = 50;

/// A local minimum of a smooth function where each variable has a lower and an upper limit, which may be
/// infinite or equal.
///
/// L-BFGS among the variables that are not held by a limit, with steps along the projection onto the box
/// (two-metric projection). Every point at which the function is evaluated is in the box. The run converges
/// when no variable would move by more than the tolerance of the options, times max(1, |value|), along the
/// negative gradient; `gradient_norm` of the result is that move. The start is moved into the box.
///
/// # Errors
/// Limits that are not as many as variables, NaN, or the wrong way round.
///
/// # References
/// D. P. Bertsekas, Projected Newton methods for optimization problems with simple constraints, SIAM J.
/// Control Optim. 20 (1982); M. Schmidt, D. Kim, S. Sra, Projected Newton-type methods in machine learning
/// (2011), section 11.3.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::optimize::{LbfgsOptions, minimize_in_box};
///
/// let bowl = |x: &[f64], gradient: &mut [f64]| {
///     gradient.copy_from_slice(&[2.0 * (x[0] - 3.0), 2.0 * (x[1] + 1.0)]);
///     (x[0] - 3.0).powi(2) + (x[1] + 1.0).powi(2)
/// };
/// let limits = [(0.0, 1.0), (f64::NEG_INFINITY, f64::INFINITY)];
/// let found = minimize_in_box(bowl, &[0.5, 0.0], &limits, &LbfgsOptions::default(), &mut Silent)?;
/// assert_eq!(found.model.point[0], 1.0);
/// assert!((found.model.point[1] + 1.0).abs() < 1e-8);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
pub fn minimize_in_box(
    mut objective: impl Objective,
    start: &[f64],
    limits: &[(f64, f64)],
    options: &LbfgsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<Minimum>, ParamError> {
    const NAME: &str = "minimize_in_box";
    require(limits.len() == start.len(), NAME, "limits", limits.len() as f64, "as many as variables")?;
    for (index, &(low, high)) in limits.iter().enumerate() {
        require(low <= high, NAME, "lower limit", low, "at most the upper limit")
            .map_err(|error| error.at(index))?;
    }
    let n = start.len();
    let clamp = |x: f64, i: usize| x.clamp(limits[i].0, limits[i].1);
    let mut x: Vec<f64> = start.iter().enumerate().map(|(i, &x)| clamp(x, i)).collect();
    let mut gradient = vec![0.0; n];
    let mut value = objective.evaluate(&x, &mut gradient);
    let mut evaluations = 1;
    let mut progress = Progress::new(value, options.max_iterations, observer);
    let mut memory = Curvature::new(options.memory, n);
    let (mut next, mut next_gradient) = (vec![0.0; n], vec![0.0; n]);
    let move_of = |x: &[f64], gradient: &[f64]| -> Vec<f64> {
        (0..n).map(|i| clamp(x[i] - gradient[i], i) - x[i]).collect()
    };
    let stop = loop {
        if !(value.is_finite() && largest(&gradient).is_finite()) {
            break Stop::Stalled;
        }
        if largest(&move_of(&x, &gradient)) <= options.gradient_tolerance * value.abs().max(1.0) {
            break Stop::Converged;
        }
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let held: Vec<bool> = (0..n)
            .map(|i| x[i] <= limits[i].0 && gradient[i] > 0.0 || x[i] >= limits[i].1 && gradient[i] < 0.0)
            .collect();
        let slope = memory.direct_within(&gradient, &held);
        let norm = dot(memory.direction(), memory.direction()).sqrt();
        let mut step = if memory.is_empty() { norm.recip().min(1.0) } else { 1.0 };
        let mut lower = None;
        for _ in 0..if slope < 0.0 { MAX_EVALUATIONS } else { 0 } {
            for i in 0..n {
                next[i] = clamp(x[i] + step * memory.direction()[i], i);
            }
            let predicted: f64 = (0..n).map(|i| gradient[i] * (next[i] - x[i])).sum();
            if !(predicted < 0.0) || next == x {
                break;
            }
            let trial = objective.evaluate(&next, &mut next_gradient);
            evaluations += 1;
            let rounding = 10.0 * f64::EPSILON * value.abs();
            let finite = trial.is_finite() && largest(&next_gradient).is_finite();
            if finite && trial <= value + DECREASE * predicted + rounding {
                lower = Some(trial);
                break;
            }
            // The minimum of the parabola through value, slope and trial, within limits.
            let curved = -0.5 * step * predicted / (trial - value - predicted);
            step = if curved.is_finite() { curved.clamp(0.1 * step, 0.5 * step) } else { 0.1 * step };
        }
        let Some(lower) = lower else {
            if memory.is_empty() {
                break Stop::Stalled;
            }
            memory.clear();
            continue;
        };
        memory.push(&x, &next, &gradient, &next_gradient);
        std::mem::swap(&mut x, &mut next);
        std::mem::swap(&mut gradient, &mut next_gradient);
        let decrease = value - lower;
        value = lower;
        if progress.stopped_after(value) {
            break Stop::Observer;
        }
        if options.value_tolerance > 0.0 && decrease <= options.value_tolerance * value.abs() {
            break Stop::Converged;
        }
    };
    let gradient_norm = largest(&move_of(&x, &gradient));
    let model = Minimum { point: x, value, gradient_norm, evaluations };
    Ok(Fitted { model, report: progress.finish(stop) })
}
