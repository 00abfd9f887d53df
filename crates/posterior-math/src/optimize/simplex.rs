//! Minima without derivatives: the simplex of Nelder and Mead.

use super::objective::Minimum;
use crate::iteration::{Fitted, Observer, Progress, Stop};

/// How to minimise by a simplex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimplexOptions {
    /// How far the corners of the first simplex are from the start, as a proportion of each coordinate;
    /// of a coordinate that is 0, the distance itself. 0.1 by default.
    pub initial_step: f64,
    /// The run converges when all corners are this near to the best one, times max(1, |x|), and ... 10^-8 by
    /// default.
    pub point_tolerance: f64,
    /// ... all values are this near to the least one, times max(1, |value|). 10^-8 by default.
    pub value_tolerance: f64,
    /// The largest number of steps. 10,000 by default.
    pub max_iterations: usize,
}

impl Default for SimplexOptions {
    fn default() -> Self {
        Self { initial_step: 0.1, point_tolerance: 1e-8, value_tolerance: 1e-8, max_iterations: 10_000 }
    }
}

/// A local minimum of a function without derivatives, by the simplex of Nelder and Mead: for up to about ten
/// variables, and functions with noise or kinks.
///
/// One or two evaluations a step. Coefficients depend on the dimension. Once the simplex is small a new one
/// is set up around its best corner, and the run converges when that finds nothing better by more than the
/// tolerance: a simplex that has collapsed beside the minimum goes on. A value that is NaN counts as
/// infinite. There is no gradient: `gradient_norm` is NaN.
///
/// # References
/// J. A. Nelder, R. Mead, A simplex method for function minimization, Comput. J. 7 (1965); F. Gao, L. Han,
/// Implementing the Nelder-Mead simplex algorithm with adaptive parameters, Comput. Optim. Appl. 51 (2012).
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::optimize::{SimplexOptions, minimize_simplex};
///
/// let valley = |x: &[f64]| (1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0] * x[0]).powi(2);
/// let found = minimize_simplex(valley, &[-1.2, 1.0], &SimplexOptions::default(), &mut Silent);
/// assert!(found.report.converged());
/// assert!((found.model.point[1] - 1.0).abs() < 1e-6);
/// ```
pub fn minimize_simplex(
    mut objective: impl FnMut(&[f64]) -> f64,
    start: &[f64],
    options: &SimplexOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Fitted<Minimum> {
    let mut evaluations = 0;
    let mut evaluate = |x: &[f64]| {
        evaluations += 1;
        let value = objective(x);
        if value.is_nan() { f64::INFINITY } else { value }
    };
    let mut simplex = Simplex::around(start, options.initial_step, &mut evaluate);
    let mut progress = Progress::new(simplex.corners[0].1, options.max_iterations, observer);
    let mut before = f64::INFINITY;
    let stop = loop {
        let least = simplex.corners[0].1;
        if least == f64::INFINITY {
            break Stop::Stalled;
        }
        if start.is_empty() {
            break Stop::Converged;
        }
        if simplex.is_small(options) {
            if !(before - least > options.value_tolerance * least.abs().max(1.0)) {
                break Stop::Converged;
            }
            before = least;
            let best = simplex.corners[0].0.clone();
            simplex = Simplex::around(&best, options.initial_step, &mut evaluate);
            continue;
        }
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        simplex.step(&mut evaluate);
        if progress.stopped_after(simplex.corners[0].1) {
            break Stop::Observer;
        }
    };
    let (point, value) = simplex.corners.swap_remove(0);
    let model = Minimum { point, value, gradient_norm: f64::NAN, evaluations };
    Fitted { model, report: progress.finish(stop) }
}

/// The corners with their values, the best one first.
struct Simplex {
    corners: Vec<(Vec<f64>, f64)>,
}

impl Simplex {
    fn around(start: &[f64], step: f64, evaluate: &mut impl FnMut(&[f64]) -> f64) -> Self {
        let mut corners = vec![(start.to_vec(), evaluate(start))];
        for i in 0..start.len() {
            let mut corner = start.to_vec();
            corner[i] += if corner[i] == 0.0 { step } else { step * corner[i] };
            let value = evaluate(&corner);
            corners.push((corner, value));
        }
        let mut simplex = Self { corners };
        simplex.sort();
        simplex
    }

    fn sort(&mut self) {
        self.corners.sort_by(|a, b| a.1.total_cmp(&b.1));
    }

    fn is_small(&self, options: &SimplexOptions) -> bool {
        let (best, least) = &self.corners[0];
        self.corners[1..].iter().all(|(corner, value)| {
            let near = |(x, y): (&f64, &f64)| (x - y).abs() <= options.point_tolerance * y.abs().max(1.0);
            value - least <= options.value_tolerance * least.abs().max(1.0)
                && corner.iter().zip(best).all(near)
        })
    }

    fn step(&mut self, evaluate: &mut impl FnMut(&[f64]) -> f64) {
        let n = self.corners.len() - 1;
        let size = (n as f64).max(2.0);
        let (expansion, contraction, shrinkage) = (1.0 + 2.0 / size, 0.75 - 0.5 / size, 1.0 - 1.0 / size);
        let mean: Vec<f64> = (0..n)
            .map(|i| self.corners[..n].iter().map(|corner| corner.0[i]).sum::<f64>() / n as f64)
            .collect();
        let (worst, highest) = &self.corners[n];
        let (least, second) = (self.corners[0].1, self.corners[n - 1].1);
        let at = |t: f64| -> Vec<f64> { mean.iter().zip(worst).map(|(m, w)| m + t * (m - w)).collect() };
        let reflected = at(1.0);
        let value = evaluate(&reflected);
        let replaced = if value < least {
            let expanded = at(expansion);
            let further = evaluate(&expanded);
            Some(if further < value { (expanded, further) } else { (reflected, value) })
        } else if value < second {
            Some((reflected, value))
        } else {
            let outside = value < *highest;
            let contracted = at(if outside { contraction } else { -contraction });
            let nearer = evaluate(&contracted);
            (nearer < value.min(*highest)).then_some((contracted, nearer))
        };
        if let Some(corner) = replaced {
            self.corners[n] = corner;
        } else {
            let (best, others) = self.corners.split_at_mut(1);
            for (corner, value) in others {
                for (x, best) in corner.iter_mut().zip(&best[0].0) {
                    *x = best + shrinkage * (*x - best);
                }
                *value = evaluate(corner);
            }
        }
        self.sort();
    }
}
