//! A step along a line that satisfies the strong Wolfe conditions.

use super::objective::Objective;
use crate::vector::dot;

/// The proportion of the predicted decrease that a step must reach (c₁).
const DECREASE: f64 = 1e-4;

/// The proportion of the slope that may be left (c₂).
const CURVATURE: f64 = 0.9;

/// The largest number of evaluations of one search.
const MAX_EVALUATIONS: usize = 40;

/// A point of the line.
#[derive(Debug, Clone, Copy)]
struct Trial {
    step: f64,
    value: f64,
    slope: f64,
}

/// The line `origin + step * direction`, with the point, value and gradient that were evaluated last.
pub(super) struct Line<'a, F: Objective + ?Sized> {
    pub(super) objective: &'a mut F,
    pub(super) origin: &'a [f64],
    pub(super) direction: &'a [f64],
    pub(super) point: &'a mut [f64],
    pub(super) gradient: &'a mut [f64],
    pub(super) evaluations: &'a mut usize,
}

impl<F: Objective + ?Sized> Line<'_, F> {
    fn evaluate(&mut self, step: f64) -> Trial {
        for ((x, o), d) in self.point.iter_mut().zip(self.origin).zip(self.direction) {
            *x = o + step * d;
        }
        *self.evaluations += 1;
        let value = self.objective.evaluate(self.point, self.gradient);
        let slope = dot(self.gradient, self.direction);
        // One kind of failure: a slope that is not finite makes the value infinite.
        Trial {
            step,
            value: if value.is_finite() && slope.is_finite() { value } else { f64::INFINITY },
            slope,
        }
    }

    /// Searches from a point of this value and (negative) slope, `first` being the first step tried.
    ///
    /// On success, point and gradient are those of the step, and its value is returned. A step is also
    /// accepted by the "approximate Wolfe" condition, which still works where differences of values drown in
    /// rounding.
    ///
    /// # References
    /// J. Nocedal, S. Wright, Numerical Optimization, 2nd edition, algorithms 3.5 and 3.6; W. Hager, H.
    /// Zhang, A new conjugate gradient method with guaranteed descent and an efficient line search, SIAM J.
    /// Optim. 16, 2005.
    pub(super) fn search(&mut self, value: f64, slope: f64, first: f64) -> Option<f64> {
        let start = Trial { step: 0.0, value, slope };
        let (mut low, mut high): (Trial, Option<Trial>) = (start, None);
        let mut step = first;
        let rounding = 10.0 * f64::EPSILON * value.abs();
        for _ in 0..MAX_EVALUATIONS {
            let trial = self.evaluate(step);
            if accepts(start, trial) {
                return Some(trial.value);
            }
            let previous = low;
            if trial.value > value + DECREASE * step * slope + rounding || trial.value > low.value + rounding
            {
                high = Some(trial);
            } else {
                let towards = high.map_or(1.0, |high| high.step - low.step);
                if trial.slope * towards >= 0.0 {
                    high = Some(low);
                }
                low = trial;
            }
            step = match high {
                Some(high) => between(low, high),
                None => beyond(previous, low),
            };
            if step == low.step || high.is_some_and(|high| step == high.step) || !step.is_finite() {
                break;
            }
        }
        // A step that decreases enough but leaves too much slope is better than none.
        (low.value < value).then(|| self.evaluate(low.step).value).filter(|value| value.is_finite())
    }
}

/// Whether a trial satisfies the strong or the approximate Wolfe conditions.
fn accepts(start: Trial, trial: Trial) -> bool {
    let flat = trial.slope.abs() <= -CURVATURE * start.slope;
    let strong = trial.value <= start.value + DECREASE * trial.step * start.slope;
    let rounding = 10.0 * f64::EPSILON * start.value.abs();
    let approximate =
        trial.value <= start.value + rounding && trial.slope <= (2.0 * DECREASE - 1.0) * start.slope;
    flat && (strong || approximate)
}

/// The minimum of the cubic through two points with their slopes; NaN if it has none.
fn cubic_minimum(a: Trial, b: Trial) -> f64 {
    let d1 = a.slope + b.slope - 3.0 * (a.value - b.value) / (a.step - b.step);
    let d2 = (d1 * d1 - a.slope * b.slope).sqrt().copysign(b.step - a.step);
    b.step - (b.step - a.step) * (b.slope + d2 - d1) / (b.slope - a.slope + 2.0 * d2)
}

/// The next step between two ends: the cubic's minimum, not too near to either.
fn between(low: Trial, high: Trial) -> f64 {
    let width = high.step - low.step;
    if high.value == f64::INFINITY {
        return low.step + 0.1 * width;
    }
    let proportion = (cubic_minimum(low, high) - low.step) / width;
    low.step + width * if proportion.is_nan() { 0.5 } else { proportion.clamp(0.05, 0.95) }
}

/// The next step where the minimum is beyond the second point: the cubic's minimum if it is there, at most
/// ten times as far.
fn beyond(first: Trial, second: Trial) -> f64 {
    let predicted = cubic_minimum(first, second);
    if predicted > second.step {
        predicted.clamp(1.1 * second.step, 10.0 * second.step)
    } else {
        4.0 * second.step
    }
}
