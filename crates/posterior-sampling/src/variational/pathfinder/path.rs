//! One path: the climb, and the best of the Gaussians along it.

use posterior_dist::target::{EvalError, GradTarget, negated};
use posterior_math::iteration::{Silent, Stop};
use posterior_math::linalg::DVector;
use posterior_math::optimize::{LbfgsOptions, minimize_visiting};
use posterior_math::streaming::MeanVariance;
use rand::Rng;

use super::Pathfinder;
use super::inverse_hessian::{PathGaussian, Trail};
use crate::Error;
use crate::estimate::Estimate;
use crate::importance::ln_density_or_zero;

/// What became of a path.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PathReport {
    /// Steps of L-BFGS.
    pub steps: usize,
    /// Gradients that they took.
    pub gradients: usize,
    /// Why they ended.
    pub stop: Stop,
    /// The step whose Gaussian has the highest bound, counted from 1.
    pub best: usize,
    /// Its bound E ln p / q, up to the constant of p.
    pub elbo: Estimate,
    /// Its mean.
    pub mean: Vec<f64>,
    /// Its standard deviations.
    pub sds: Vec<f64>,
}

/// A path's report and the Gaussian that it found.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) report: PathReport,
    pub(super) gaussian: PathGaussian,
}

/// Draws of a Gaussian: points one after another, ln q and ln p of each.
#[derive(Debug, Default)]
pub(super) struct PathDraws {
    pub(super) points: Vec<f64>,
    pub(super) ln_q: Vec<f64>,
    pub(super) ln_p: Vec<f64>,
    pub(super) rejected: usize,
}

impl PathDraws {
    pub(super) fn take<T: GradTarget + ?Sized, R: Rng + ?Sized>(
        target: &T,
        gaussian: &PathGaussian,
        count: usize,
        rng: &mut R,
    ) -> Result<Self, EvalError> {
        let dim = target.dim();
        let mut own = Self { points: vec![0.0; count * dim], ..Self::default() };
        for draw in 0..count {
            let x = &mut own.points[draw * dim..(draw + 1) * dim];
            own.ln_q.push(gaussian.draw(rng, x));
            own.ln_p.push(ln_density_or_zero(target.ln_density(x), &mut own.rejected)?);
        }
        Ok(own)
    }

    /// The bound; -∞ where a draw has no density.
    fn elbo(&self) -> Estimate {
        let terms: MeanVariance = self.ln_p.iter().zip(&self.ln_q).map(|(p, q)| p - q).collect();
        let draws = self.ln_p.len();
        if self.ln_p.contains(&f64::NEG_INFINITY) {
            return Estimate { value: f64::NEG_INFINITY, standard_error: f64::NAN, draws };
        }
        Estimate {
            value: terms.mean(),
            standard_error: (terms.sample_variance() / draws as f64).sqrt(),
            draws,
        }
    }
}

/// Climbs from a start, and keeps the Gaussian with the highest bound.
pub(super) fn climb<T: GradTarget + ?Sized, R: Rng + ?Sized>(
    options: &Pathfinder,
    target: &T,
    start: &[f64],
    rng: &mut R,
) -> Result<Path, Error> {
    let mut fatal = None;
    let objective =
        |x: &[f64], gradient: &mut [f64]| negated(target.ln_density_grad(x, gradient), gradient, &mut fatal);
    let mut visited: Vec<(DVector<f64>, DVector<f64>)> = vec![];
    let search = LbfgsOptions {
        memory: options.memory,
        max_iterations: options.max_iterations,
        gradient_tolerance: options.gradient_tolerance,
        value_tolerance: options.value_tolerance,
    };
    let found = minimize_visiting(objective, start, &search, &mut Silent, |x, gradient| {
        visited.push((DVector::from_column_slice(x), -DVector::from_column_slice(gradient)));
    });
    if let Some(why) = fatal {
        return Err(why.into());
    }
    let mut trail = Trail::new(start.len(), options.memory);
    let mut best: Option<(usize, Estimate, PathGaussian)> = None;
    for (step, pair) in visited.windows(2).enumerate() {
        let ((x, slope), (next, next_slope)) = (&pair[0], &pair[1]);
        if !trail.push(next - x, slope - next_slope) {
            continue;
        }
        let Some(gaussian) = trail.gaussian(next.as_slice(), next_slope.as_slice()) else { continue };
        let elbo = PathDraws::take(target, &gaussian, options.elbo_draws, rng)?.elbo();
        if best.as_ref().is_none_or(|(_, before, _)| elbo.value > before.value) {
            best = Some((step + 1, elbo, gaussian));
        }
    }
    let Some((best, elbo, gaussian)) = best.filter(|best| best.1.value > f64::NEG_INFINITY) else {
        let why = if visited.len() < 2 {
            format!("L-BFGS takes no step from here ({:?})", found.report.stop)
        } else {
            format!("of {} steps none has a Gaussian within the support", visited.len() - 1)
        };
        return Err(Error::Start { position: start.to_vec(), why });
    };
    let report = PathReport {
        steps: visited.len() - 1,
        gradients: found.model.evaluations,
        stop: found.report.stop,
        best,
        elbo,
        mean: gaussian.mean.as_slice().to_vec(),
        sds: gaussian.sds(),
    };
    Ok(Path { report, gaussian })
}
