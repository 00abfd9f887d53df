//! Limited-memory BFGS.

use super::curvature::Curvature;
use super::line_search::Line;
use super::objective::{Minimum, Objective, largest};
use crate::iteration::{Fitted, Observer, Progress, Stop};
use crate::vector::dot;

/// How to minimise by L-BFGS.
///
/// ```
/// use posterior_math::optimize::LbfgsOptions;
///
/// let options = LbfgsOptions { gradient_tolerance: 1e-5, ..LbfgsOptions::default() };
/// assert_eq!(options.memory, 10);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LbfgsOptions {
    /// How many steps are remembered (at least one). 10 by default.
    pub memory: usize,
    /// The run converges when no component of the gradient is larger than this, times max(1, |value|). 10^-8
    /// by default.
    pub gradient_tolerance: f64,
    /// The run also converges when a step lowers the value by no more than this proportion of it. 0, never,
    /// by default.
    pub value_tolerance: f64,
    /// The largest number of steps. 1000 by default.
    pub max_iterations: usize,
}

impl Default for LbfgsOptions {
    fn default() -> Self {
        Self { memory: 10, gradient_tolerance: 1e-8, value_tolerance: 0.0, max_iterations: 1000 }
    }
}

/// A local minimum of a smooth function, by L-BFGS with a strong Wolfe line search.
///
/// A step costs one or two evaluations and O(memory · n). A point where the objective fails (see
/// [`Objective`]) shortens the step. The run is [`Stop::Stalled`] if the objective fails at the start, or no
/// step lowers it: as a rule, the gradient is wrong or the digits are used up.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::optimize::{LbfgsOptions, minimize};
///
/// let rosenbrock = |x: &[f64], gradient: &mut [f64]| {
///     let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
///     gradient[0] = -2.0 * a - 400.0 * x[0] * b;
///     gradient[1] = 200.0 * b;
///     a * a + 100.0 * b * b
/// };
/// let found = minimize(rosenbrock, &[-1.2, 1.0], &LbfgsOptions::default(), &mut Silent);
/// assert!(found.report.converged());
/// assert!((found.model.point[0] - 1.0).abs() < 1e-8);
/// ```
///
/// # References
/// J. Nocedal, S. Wright, Numerical Optimization, 2nd edition, algorithm 7.5.
pub fn minimize(
    objective: impl Objective,
    start: &[f64],
    options: &LbfgsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Fitted<Minimum> {
    minimize_visiting(objective, start, options, observer, |_, _| {})
}

/// As [`minimize`]; `visit` receives the start and the end of each step: the point and the gradient there.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::optimize::{LbfgsOptions, minimize_visiting};
///
/// let square = |x: &[f64], gradient: &mut [f64]| {
///     gradient[0] = 2.0 * x[0];
///     x[0] * x[0]
/// };
/// let mut path = vec![];
/// let options = LbfgsOptions::default();
/// minimize_visiting(square, &[3.0], &options, &mut Silent, |x, _| path.push(x[0]));
/// assert_eq!((path[0], path.last()), (3.0, Some(&0.0)));
/// ```
pub fn minimize_visiting(
    mut objective: impl Objective,
    start: &[f64],
    options: &LbfgsOptions,
    observer: &mut (impl Observer + ?Sized),
    mut visit: impl FnMut(&[f64], &[f64]),
) -> Fitted<Minimum> {
    let n = start.len();
    let mut x = start.to_vec();
    let mut gradient = vec![0.0; n];
    let mut value = objective.evaluate(&x, &mut gradient);
    let mut evaluations = 1;
    let mut progress = Progress::new(value, options.max_iterations, observer);
    let mut memory = Curvature::new(options.memory, n);
    let (mut next, mut next_gradient) = (vec![0.0; n], vec![0.0; n]);
    visit(&x, &gradient);
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
        let slope = memory.direct(&gradient);
        let first = if memory.is_empty() { dot(&gradient, &gradient).sqrt().recip().min(1.0) } else { 1.0 };
        let mut line = Line {
            objective: &mut objective,
            origin: &x,
            direction: memory.direction(),
            point: &mut next,
            gradient: &mut next_gradient,
            evaluations: &mut evaluations,
        };
        let Some(lower) = (slope < 0.0).then(|| line.search(value, slope, first)).flatten() else {
            if memory.is_empty() {
                break Stop::Stalled;
            }
            memory.clear();
            continue;
        };
        memory.push(&x, &next, &gradient, &next_gradient);
        std::mem::swap(&mut x, &mut next);
        std::mem::swap(&mut gradient, &mut next_gradient);
        visit(&x, &gradient);
        let decrease = value - lower;
        value = lower;
        if progress.stopped_after(value) {
            break Stop::Observer;
        }
        if options.value_tolerance > 0.0 && decrease <= options.value_tolerance * value.abs() {
            break Stop::Converged;
        }
    };
    let gradient_norm = largest(&gradient);
    Fitted { model: Minimum { point: x, value, gradient_norm, evaluations }, report: progress.finish(stop) }
}
