//! Newton's method up a log-density, with steps halved where they would lead down.

use posterior_math::iteration::{Observer, Progress, Report, Stop};
use posterior_math::linalg::Cholesky;

/// How far a search goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GlmFitOptions {
    /// The search ends with a step that moves by at most this many standard deviations (of the posterior, in
    /// the direction of the step). What is then left is about the square of it, and less than a tenth of it
    /// where second derivatives are kept from step to step. 10⁻⁸ by default.
    pub tolerance: f64,
    /// The largest number of steps. 100 by default.
    pub max_iterations: usize,
}

impl Default for GlmFitOptions {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 100 }
    }
}

/// A log-density to climb.
pub(super) trait Hill {
    /// Why a climb is given up.
    type Error;

    /// ln p; -∞ or NaN where a point can't be.
    fn value(&mut self, x: &[f64]) -> f64;

    /// ln p, its gradient, and the factor of a positive definite matrix in place of minus the Hessian.
    fn slopes(&mut self, x: &[f64]) -> Result<Slopes, Self::Error>;

    /// Looks at a step that is about to be taken, with the number of the steps before it.
    fn look(&mut self, _x: &[f64], _step: &[f64], _iteration: usize) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Everything at a point of a hill.
pub(super) struct Slopes {
    pub(super) value: f64,
    pub(super) gradient: Vec<f64>,
    /// Of minus the Hessian, or what stands for it; none where it is not positive definite to rounding: the
    /// climb stalls there.
    pub(super) factor: Option<Cholesky>,
}

/// Where a climb ended.
pub(super) struct Summit {
    pub(super) point: Vec<f64>,
    /// What was seen at the last point but one, which is closer to the last than the square root of what
    /// matters.
    pub(super) slopes: Slopes,
    pub(super) report: Report,
}

/// Half a step is tried this often before the climb is given up.
const HALVINGS: usize = 50;

/// Climbs from `start`.
pub(super) fn climb<H: Hill>(
    hill: &mut H,
    start: Vec<f64>,
    options: &GlmFitOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Summit, H::Error> {
    let mut point = start;
    let mut slopes = hill.slopes(&point)?;
    let mut progress = Progress::new(slopes.value, options.max_iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let Some(factor) = slopes.factor.as_ref().filter(|_| slopes.value.is_finite()) else {
            break Stop::Stalled;
        };
        let mut step = slopes.gradient.clone();
        factor.solve_slice_in_place(&mut step);
        let squared: f64 = step.iter().zip(&slopes.gradient).map(|(step, slope)| step * slope).sum();
        if !(squared.is_finite() && step.iter().all(|step| step.is_finite())) {
            break Stop::Stalled;
        }
        hill.look(&point, &step, progress.iterations())?;
        let last = squared <= options.tolerance * options.tolerance;
        if last {
            let end = moved(&point, &step, 1.0);
            let value = hill.value(&end);
            // What rounding does to the value is no reason to stay.
            if value >= slopes.value - rounding(slopes.value) {
                point = end;
                if progress.stopped_after(value.max(slopes.value)) {
                    break Stop::Observer;
                }
            }
            break Stop::Converged;
        }
        let mut next = moved(&point, &step, 1.0);
        let mut there = hill.slopes(&next)?;
        let mut scale = 1.0;
        for _ in 0..HALVINGS {
            if there.value >= slopes.value - rounding(slopes.value) {
                break;
            }
            scale *= 0.5;
            next = moved(&point, &step, scale);
            if hill.value(&next) >= slopes.value - rounding(slopes.value) {
                there = hill.slopes(&next)?;
            }
        }
        if !(there.value >= slopes.value - rounding(slopes.value)) || next == point {
            break Stop::Stalled;
        }
        point = next;
        slopes = there;
        if progress.stopped_after(slopes.value) {
            break Stop::Observer;
        }
    };
    Ok(Summit { point, slopes, report: progress.finish(stop) })
}

fn rounding(value: f64) -> f64 {
    1e-12 * value.abs().max(1e-300)
}

fn moved(point: &[f64], step: &[f64], scale: f64) -> Vec<f64> {
    point.iter().zip(step).map(|(x, step)| x + scale * step).collect()
}
