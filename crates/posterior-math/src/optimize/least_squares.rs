//! Sums of squares of residuals: the method of Levenberg and Marquardt.

use super::objective::{Minimum, largest};
use crate::iteration::{Fitted, Observer, Progress, Stop};
use crate::linalg::{DMatrix, DVector, solve_upper_in_place, triangularize};

/// Residuals with their derivatives.
///
/// Implemented by every `FnMut(&[f64], &mut [f64], &mut DMatrix<f64>)`.
pub trait Residuals {
    /// Writes the residuals at `x`, and their Jacobian with a row for each residual, all of both. A number
    /// that is not finite says that they cannot be evaluated there.
    fn evaluate(&mut self, x: &[f64], residuals: &mut [f64], jacobian: &mut DMatrix<f64>);
}

impl<F: FnMut(&[f64], &mut [f64], &mut DMatrix<f64>)> Residuals for F {
    fn evaluate(&mut self, x: &[f64], residuals: &mut [f64], jacobian: &mut DMatrix<f64>) {
        self(x, residuals, jacobian);
    }
}

/// How to minimise a sum of squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeastSquaresOptions {
    /// The run converges when the cosine between the residuals and each column of the Jacobian is at most
    /// this, or all residuals are 0. 10^-10 by default.
    pub cosine_tolerance: f64,
    /// The run also converges when a step is no longer than this proportion of the point, both in units of
    /// the columns of the Jacobian. 10^-14 by default.
    pub step_tolerance: f64,
    /// The largest number of steps, refused ones included. 500 by default.
    pub max_iterations: usize,
}

impl Default for LeastSquaresOptions {
    fn default() -> Self {
        Self { cosine_tolerance: 1e-10, step_tolerance: 1e-14, max_iterations: 500 }
    }
}

/// A local minimum of |r(x)|² / 2 for `count` residuals r, by the method of Levenberg and Marquardt.
///
/// Each step solves |J s + r|² + λ |D s|² by an orthogonal triangle, where D are the largest norms of the
/// columns so far, so that units do not matter and J may lose rank: 2 n² (count + n) operations.
///
/// # References
/// J. J. Moré, The Levenberg-Marquardt algorithm: implementation and theory, in Numerical Analysis, Lecture
/// Notes in Mathematics 630 (1978); H. B. Nielsen, Damping parameter in Marquardt's method, Technical
/// University of Denmark (1999).
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
/// use posterior_math::optimize::{LeastSquaresOptions, minimize_least_squares};
///
/// // y = a exp(-b t) through points of a = 2, b = 0.5.
/// let times = [0.0, 1.0, 2.0, 4.0];
/// let curve = |x: &[f64], residuals: &mut [f64], jacobian: &mut DMatrix<f64>| {
///     for (i, t) in times.iter().enumerate() {
///         let decay = (-x[1] * t).exp();
///         residuals[i] = x[0] * decay - 2.0 * (-0.5 * t).exp();
///         jacobian[(i, 0)] = decay;
///         jacobian[(i, 1)] = -x[0] * t * decay;
///     }
/// };
/// let found = minimize_least_squares(curve, &[1.0, 0.0], 4, &LeastSquaresOptions::default(), &mut Silent);
/// assert!(found.report.converged());
/// assert!((found.model.point[1] - 0.5).abs() < 1e-9);
/// ```
pub fn minimize_least_squares(
    mut residuals: impl Residuals,
    start: &[f64],
    count: usize,
    options: &LeastSquaresOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Fitted<Minimum> {
    let mut here = Place::at(start.to_vec(), count, &mut residuals);
    let mut evaluations = 1;
    let mut scales = vec![0.0_f64; start.len()];
    let (mut damping, mut growth) = (1e-3, 2.0);
    let mut progress = Progress::new(here.value, options.max_iterations, observer);
    let stop = loop {
        if !here.is_finite() {
            break Stop::Stalled;
        }
        for (scale, column) in scales.iter_mut().zip(here.jacobian.column_iter()) {
            *scale = scale.max(column.norm());
        }
        if here.cosine() <= options.cosine_tolerance {
            break Stop::Converged;
        }
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let Some((step, predicted)) = here.step(&scales, damping) else {
            break Stop::Stalled;
        };
        let point: Vec<f64> = here.x.iter().zip(step.iter()).map(|(x, s)| x + s).collect();
        let scaled = |v: &[f64]| v.iter().zip(&scales).map(|(v, d)| (v * d) * (v * d)).sum::<f64>().sqrt();
        let small = scaled(step.as_slice()) <= options.step_tolerance * scaled(&here.x) || point == here.x;
        if small {
            break Stop::Converged;
        }
        let there = Place::at(point, count, &mut residuals);
        evaluations += 1;
        let ratio = (here.value - there.value) / predicted;
        if there.is_finite() && ratio > 0.0 {
            damping *= (1.0 - (2.0 * ratio - 1.0).powi(3)).max(1.0 / 3.0);
            growth = 2.0;
            here = there;
        } else {
            damping *= growth;
            growth *= 2.0;
            if !(damping < f64::MAX) {
                break Stop::Stalled;
            }
        }
        if progress.stopped_after(here.value) {
            break Stop::Observer;
        }
    };
    let gradient_norm = largest(here.gradient().as_slice());
    let model = Minimum { point: here.x, value: here.value, gradient_norm, evaluations };
    Fitted { model, report: progress.finish(stop) }
}

/// A point with its residuals.
struct Place {
    x: Vec<f64>,
    residuals: DVector<f64>,
    jacobian: DMatrix<f64>,
    value: f64,
}

impl Place {
    fn at(x: Vec<f64>, count: usize, function: &mut impl Residuals) -> Self {
        let mut residuals = DVector::zeros(count);
        let mut jacobian = DMatrix::zeros(count, x.len());
        function.evaluate(&x, residuals.as_mut_slice(), &mut jacobian);
        let value = 0.5 * residuals.norm_squared();
        Self { x, residuals, jacobian, value }
    }

    fn is_finite(&self) -> bool {
        self.value.is_finite() && self.jacobian.iter().all(|entry| entry.is_finite())
    }

    fn gradient(&self) -> DVector<f64> {
        self.jacobian.tr_mul(&self.residuals)
    }

    /// The largest cosine between the residuals and a column of the Jacobian.
    fn cosine(&self) -> f64 {
        let norm = self.residuals.norm();
        if norm == 0.0 {
            return 0.0;
        }
        let cosine = |column: nalgebra::DVectorView<'_, f64>| {
            let length = column.norm();
            if length == 0.0 { 0.0 } else { (column.dot(&self.residuals) / length / norm).abs() }
        };
        self.jacobian.column_iter().map(cosine).fold(0.0, f64::max)
    }

    /// The damped step, and by how much it lowers the linear model.
    fn step(&self, scales: &[f64], damping: f64) -> Option<(DVector<f64>, f64)> {
        let (count, n) = self.jacobian.shape();
        let mut system = DMatrix::zeros(count + n, n + 1);
        system.view_mut((0, 0), (count, n)).copy_from(&self.jacobian);
        system.view_mut((0, n), (count, 1)).copy_from(&self.residuals);
        for (i, &scale) in scales.iter().enumerate() {
            // A column that is zero everywhere moves nothing.
            system[(count + i, i)] = damping.sqrt() * if scale > 0.0 { scale } else { 1.0 };
        }
        let triangle = triangularize(system).view((0, 0), (n, n + 1)).into_owned();
        let mut step = DMatrix::from_fn(n, 1, |i, _| -triangle[(i, n)]);
        solve_upper_in_place(&triangle.columns(0, n).into_owned(), &mut step);
        let step = step.column(0).into_owned();
        let linear = &self.jacobian * &step;
        let predicted = -(linear.dot(&self.residuals) + 0.5 * linear.norm_squared());
        (step.iter().all(|s| s.is_finite()) && predicted > 0.0).then_some((step, predicted))
    }
}
