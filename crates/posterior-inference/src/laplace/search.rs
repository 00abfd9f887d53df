//! The search for the mode, and whether what it found is one.

use std::ops::ControlFlow;

use posterior_dist::target::{EvalError, GradTarget, HessianTarget, negated};
use posterior_gaussian::Gaussian;
use posterior_math::iteration::{Fitted, Observer, Report, Step};
use posterior_math::linalg::{Cholesky, DMatrix, DVector, SymmetricEigen};
use posterior_math::optimize::{LbfgsOptions, Minimum, NewtonOptions, minimize, minimize_newton};
use posterior_math::special::LN_TAU;

use super::approximation::LaplaceApproximation;
use super::differences::Differences;
use super::error::LaplaceError;

/// Steps of Newton's method after the search, to use up the digits.
const POLISHING_STEPS: usize = 10;

/// A mode is found when the next step would move by no more than this: in standard deviations, and as a
/// proportion of max(1, |x|) of each coordinate.
const LAST_STEP: f64 = 1e-6;

/// The noise in entries of a precision, as a proportion of its diagonal: of one from formulas, and of one
/// from differences.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
const DIFFERENCES: f64 = 1e-9;

/// The Gaussian at the mode that Newton's method climbs to from `start`.
///
/// O(n³) for each of usually 5 to 15 steps. The mode is exact to rounding, whatever the tolerance, by further
/// steps after the search. The observer sees ln p.
///
/// # Errors
/// What the search finds is refused where it is no mode: at the edge of the support, at infinity, at a saddle
/// or a ridge ([`LaplaceError`] says which, and the eigenvalue). Evaluations that reject a point shorten the
/// step; fatal ones end the run.
pub fn laplace<T: HessianTarget + ?Sized>(
    target: &T,
    start: &[f64],
    options: &NewtonOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<LaplaceApproximation, LaplaceError> {
    check_start(target, start)?;
    let mut fatal = None;
    let objective = |x: &[f64], gradient: &mut [f64], hessian: &mut DMatrix<f64>| {
        let value = negated(target.ln_density_hessian(x, gradient, hessian), gradient, &mut fatal);
        hessian.neg_mut();
        value
    };
    let found = minimize_newton(objective, start, options, &mut Negated(observer));
    match fatal {
        Some(error) => Err(error.into()),
        None => at_mode(target, ROUNDING, found),
    }
}

/// The Gaussian at the mode that L-BFGS climbs to from `start`, its precision from differences of gradients.
///
/// The precision has about ten digits where the density is smooth on the scale of a standard deviation, at
/// the cost of 8 n to 12 n gradients for each of the one or two steps that polish the mode.
///
/// # Errors
/// As for [`laplace`].
pub fn laplace_by_gradient<T: GradTarget + ?Sized>(
    target: &T,
    start: &[f64],
    options: &LbfgsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<LaplaceApproximation, LaplaceError> {
    check_start(target, start)?;
    let mut fatal = None;
    let objective =
        |x: &[f64], gradient: &mut [f64]| negated(target.ln_density_grad(x, gradient), gradient, &mut fatal);
    let found = minimize(objective, start, options, &mut Negated(observer));
    match fatal {
        Some(error) => Err(error.into()),
        None => at_mode(&Differences(target), DIFFERENCES, found),
    }
}

/// Whether the density has a value at the start.
fn check_start<T: GradTarget + ?Sized>(target: &T, start: &[f64]) -> Result<(), LaplaceError> {
    let (expected, found) = (target.dim(), start.len());
    if expected != found {
        return Err(LaplaceError::Start { expected, found });
    }
    if target.ln_density(start)? == f64::NEG_INFINITY {
        return Err(LaplaceError::ZeroDensity);
    }
    Ok(())
}

/// An observer that sees the negative of the objective.
struct Negated<'a, O: ?Sized>(&'a mut O);

impl<O: Observer + ?Sized> Observer for Negated<'_, O> {
    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        self.0.step(&Step::new(step.iteration, -step.objective, step.elapsed))
    }
}

/// Everything at a point: ln p, its gradient and the precision with its factor.
struct Place {
    x: Vec<f64>,
    value: f64,
    gradient: DVector<f64>,
    precision: DMatrix<f64>,
}

impl Place {
    fn at<T: HessianTarget + ?Sized>(target: &T, x: Vec<f64>) -> Result<Self, EvalError> {
        let n = x.len();
        let (mut gradient, mut hessian) = (DVector::zeros(n), DMatrix::zeros(n, n));
        let value = target.ln_density_hessian(&x, gradient.as_mut_slice(), &mut hessian)?;
        let precision = DMatrix::from_fn(n, n, |i, j| -hessian[(i.max(j), i.min(j))]);
        if !(value.is_finite() && gradient.iter().chain(precision.iter()).all(|number| number.is_finite())) {
            return Err(EvalError::reject("the derivatives are not finite"));
        }
        Ok(Self { x, value, gradient, precision })
    }

    /// The factor of the precision; `None` if it is not positive definite beyond its noise.
    fn factor(&self, noise: f64) -> Option<Cholesky> {
        let factor = Cholesky::new(&self.precision).ok()?;
        // What is left of the precision of a coordinate, as a proportion of it, when the coordinates before
        // it are known.
        let smallest = (0..self.x.len())
            .map(|i| factor.factor()[(i, i)].powi(2) / self.precision[(i, i)])
            .fold(f64::INFINITY, f64::min);
        (smallest > noise * self.x.len() as f64).then_some(factor)
    }

    fn smallest_eigenvalue(&self) -> f64 {
        SymmetricEigen::new(&self.precision).map_or(f64::NAN, |eigen| eigen.values()[0])
    }
}

/// Polishes what a search found, and refuses it if it is no mode.
fn at_mode<T: HessianTarget + ?Sized>(
    target: &T,
    noise: f64,
    found: Fitted<Minimum>,
) -> Result<LaplaceApproximation, LaplaceError> {
    let Fitted { model: Minimum { point, gradient_norm: slope, .. }, report } = found;
    let stop = report.stop;
    let no_mode = |at: &[f64], slope: f64| LaplaceError::NoMode { at: at.to_vec(), slope, stop };
    let refused = |error: EvalError, at: &[f64]| {
        if error.is_fatal() { LaplaceError::Evaluation(error) } else { no_mode(at, slope) }
    };
    let mut place = Place::at(target, point.clone()).map_err(|error| refused(error, &point))?;
    for _ in 0..POLISHING_STEPS {
        let Some(factor) = place.factor(noise) else {
            let eigenvalue = place.smallest_eigenvalue();
            return Err(if report.converged() {
                LaplaceError::NotAMaximum { at: place.x, eigenvalue }
            } else {
                no_mode(&place.x, place.gradient.amax())
            });
        };
        let step = factor.solve_vector(&place.gradient);
        let deviations = place.gradient.dot(&step).sqrt();
        let relative = place.x.iter().zip(step.iter()).map(|(x, step)| step.abs() / x.abs().max(1.0));
        let arrived = deviations <= LAST_STEP && relative.fold(0.0, f64::max) <= LAST_STEP;
        let next: Vec<f64> = place.x.iter().zip(step.iter()).map(|(x, step)| x + step).collect();
        let next = Place::at(target, next).map_err(|error| refused(error, &place.x))?;
        if arrived {
            return finished(next, noise, &report);
        }
        if next.value < place.value - 1e-9 * place.value.abs().max(1.0) {
            return Err(no_mode(&place.x, place.gradient.amax()));
        }
        place = next;
    }
    let step =
        place.factor(noise).map_or(f64::INFINITY, |factor| factor.solve_vector(&place.gradient).amax());
    Err(if report.converged() {
        LaplaceError::AtInfinity { at: place.x, step }
    } else {
        no_mode(&place.x, place.gradient.amax())
    })
}

/// The approximation at a mode.
fn finished(place: Place, noise: f64, report: &Report) -> Result<LaplaceApproximation, LaplaceError> {
    let Some(factor) = place.factor(noise) else {
        let eigenvalue = place.smallest_eigenvalue();
        return Err(LaplaceError::NotAMaximum { at: place.x, eigenvalue });
    };
    let distribution = Gaussian::from_precision(&place.x, &place.precision)?;
    let ln_evidence = place.value + 0.5 * (place.x.len() as f64 * LN_TAU - factor.ln_determinant());
    let trace = report.trace.iter().map(|value| -value).collect();
    Ok(LaplaceApproximation {
        mode: place.x,
        distribution,
        precision: place.precision,
        ln_density: place.value,
        ln_evidence,
        report: Report::new(trace, report.stop),
    })
}
