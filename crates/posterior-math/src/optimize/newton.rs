//! Newton's method with a trust region.

use super::newton_cg::NewtonOptions;
use super::objective::{Minimum, SmoothObjective, largest};
use crate::iteration::{Fitted, Observer, Progress, Stop};
use crate::linalg::{DMatrix, DVector, SymmetricEigen};
use crate::vector::dot;

/// A local minimum of a function with a Hessian, by Newton's method in a trust region.
///
/// Each step minimises the quadratic model exactly within the radius, from the eigendecomposition of the
/// Hessian: O(n³), safe at saddle points, and quadratically convergent. Of the Hessian the lower triangle is
/// read. For a convex function of a few variables it takes 5 to 15 steps.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
/// use posterior_math::optimize::{NewtonOptions, minimize_newton};
///
/// // x - ln x
/// let barrier = |x: &[f64], gradient: &mut [f64], hessian: &mut DMatrix<f64>| {
///     gradient[0] = 1.0 - 1.0 / x[0];
///     hessian[(0, 0)] = 1.0 / (x[0] * x[0]);
///     x[0] - x[0].ln()
/// };
/// let found = minimize_newton(barrier, &[1e-3], &NewtonOptions::default(), &mut Silent);
/// assert!(found.report.converged());
/// assert!((found.model.point[0] - 1.0).abs() < 1e-12);
/// ```
///
/// # References
/// J. Moré, D. Sorensen, Computing a trust region step, SIAM J. Sci. Stat. Comput. 4, 1983.
pub fn minimize_newton(
    mut objective: impl SmoothObjective,
    start: &[f64],
    options: &NewtonOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Fitted<Minimum> {
    let mut here = Place::at(start.to_vec(), &mut objective);
    let mut evaluations = 1;
    let mut progress = Progress::new(here.value, options.max_iterations, observer);
    let mut radius = options.initial_radius;
    let stop = loop {
        if !here.is_finite() {
            break Stop::Stalled;
        }
        if largest(&here.gradient) <= options.gradient_tolerance * here.value.abs().max(1.0) {
            break Stop::Converged;
        }
        let Some(model) = Model::new(&here) else { break Stop::Stalled };
        // Shortens the step until it is as good as half of its promise.
        let next = loop {
            if progress.exhausted() {
                break Err(Stop::MaxIterations);
            }
            let (step, predicted) = model.step(radius);
            let point: Vec<f64> = here.x.iter().zip(&step).map(|(x, s)| x + s).collect();
            if point == here.x || !(radius > 0.0) {
                break Err(Stop::Stalled);
            }
            let there = Place::at(point, &mut objective);
            evaluations += 1;
            // Where differences of values drown in rounding, the model is believed.
            let rounding = 10.0 * f64::EPSILON * here.value.abs().max(1.0);
            let ratio = (here.value - there.value + rounding) / (predicted + rounding);
            let length = step.norm();
            let good = there.is_finite() && ratio > 1e-4;
            if !(good && ratio >= 0.25) {
                radius = if there.is_finite() { 0.25 * length } else { 0.1 * length };
            } else if ratio > 0.75 && length > 0.8 * radius {
                radius = (2.0 * radius).min(f64::MAX.sqrt());
            }
            if good {
                break Ok(there);
            }
            if progress.stopped_after(here.value) {
                break Err(Stop::Observer);
            }
        };
        match next {
            Ok(there) => here = there,
            Err(stop) => break stop,
        }
        if progress.stopped_after(here.value) {
            break Stop::Observer;
        }
    };
    let gradient_norm = largest(&here.gradient);
    Fitted {
        model: Minimum { point: here.x, value: here.value, gradient_norm, evaluations },
        report: progress.finish(stop),
    }
}

/// A point with everything that the objective says there.
struct Place {
    x: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
    hessian: DMatrix<f64>,
}

impl Place {
    fn at(x: Vec<f64>, objective: &mut impl SmoothObjective) -> Self {
        let n = x.len();
        let (mut gradient, mut hessian) = (vec![0.0; n], DMatrix::zeros(n, n));
        let value = objective.evaluate(&x, &mut gradient, &mut hessian);
        Self { x, value, gradient, hessian }
    }

    fn is_finite(&self) -> bool {
        self.value.is_finite() && self.gradient.iter().chain(self.hessian.iter()).all(|x| x.is_finite())
    }
}

/// The quadratic model gᵀs + sᵀHs/2 in the coordinates of the eigenvectors.
struct Model {
    eigen: SymmetricEigen,
    gradient: DVector<f64>,
}

impl Model {
    /// None if the eigendecomposition does not converge.
    fn new(place: &Place) -> Option<Self> {
        let eigen = SymmetricEigen::new(&place.hessian).ok()?;
        let gradient = eigen.vectors().tr_mul(&DVector::from_column_slice(&place.gradient));
        Some(Self { eigen, gradient })
    }

    /// The minimum of the model within the radius, and by how much it lowers the model.
    fn step(&self, radius: f64) -> (DVector<f64>, f64) {
        let s = self.coordinates(radius);
        let quadratic: f64 = s.iter().zip(self.eigen.values().iter()).map(|(s, e)| s * s * e).sum();
        let predicted = -(dot(self.gradient.as_slice(), s.as_slice()) + 0.5 * quadratic);
        (self.eigen.vectors() * s, predicted)
    }

    /// The minimum: s = -(H + λ)⁻¹ g with the λ ≥ 0 that makes H + λ positive definite and s no longer than
    /// the radius.
    fn coordinates(&self, radius: f64) -> DVector<f64> {
        let eigenvalues = self.eigen.values();
        let lowest = eigenvalues.min();
        let shifted = |lambda: f64| {
            DVector::from_fn(self.gradient.len(), |i, _| {
                let curvature = eigenvalues[i] + lambda;
                if self.gradient[i] == 0.0 { 0.0 } else { -self.gradient[i] / curvature }
            })
        };
        if lowest > 0.0 {
            let newton = shifted(0.0);
            if newton.norm() <= radius {
                return newton;
            }
        }
        let floor = (-lowest).max(0.0);
        let (mut low, mut high) = (floor, floor + self.gradient.norm() / radius);
        let mut lambda = low.midpoint(high);
        for _ in 0..100 {
            let s = shifted(lambda);
            let norm = s.norm();
            if (norm - radius).abs() <= 1e-10 * radius || low >= high {
                return s;
            }
            if norm > radius {
                low = lambda;
            } else {
                high = lambda;
            }
            // Newton's step for 1/radius - 1/|s| = 0, which is almost linear in λ.
            let weighted: f64 = s.iter().zip(eigenvalues.iter()).map(|(s, e)| s * s / (e + lambda)).sum();
            let next = lambda + (norm - radius) / radius * norm * norm / weighted;
            let last = lambda;
            lambda = if next > low && next < high { next } else { low.midpoint(high) };
            if lambda == last {
                break;
            }
        }
        // The hard case: g has nothing along the lowest eigenvector, along which the step goes to the edge.
        let mut s = shifted(high);
        let rest = (radius * radius - s.norm_squared()).max(0.0).sqrt();
        let at = eigenvalues.imin();
        s[at] += rest.copysign(-self.gradient[at]);
        s
    }
}
