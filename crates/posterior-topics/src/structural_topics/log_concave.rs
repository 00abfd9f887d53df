//! A Gaussian times a likelihood whose logarithm is concave: the mode of the product, and an exact step of a
//! Markov chain over it.

use posterior_dist::target::FromFn;
use posterior_math::linalg::{Cholesky, DMatrix, DVector, dot};
use posterior_math::log_space::{ln_softmax_in_place, softmax_in_place};
use posterior_sampling::metropolis::StepShape;
use posterior_sampling::slice::Elliptical;
use posterior_sampling::{State as _, Transition as _};
use rand::Rng;

/// Newton steps at most, halvings of one, and the gain in nats below which they end.
const MOST_STEPS: usize = 100;
const HALVINGS: i32 = 60;
const TOLERANCE: f64 = 1e-9;

/// The part of the likelihood's curvature that steps go by. Of zero counts it falls to one side: with all of
/// it the chain would stay long in the tail there.
const SHARE: f64 = 0.6;

/// A likelihood with a concave logarithm.
pub(super) trait LogConcave {
    /// The logarithm, up to a constant.
    fn ln(&self, x: &[f64]) -> f64;

    /// Adds the gradient to `slopes` and minus the Hessian to `curvature`.
    fn add_slopes(&self, x: &[f64], slopes: &mut [f64], curvature: &mut DMatrix<f64>);

    /// A point to climb from, next to the maximum where there is one.
    fn start(&self) -> DVector<f64>;
}

/// Tokens of topics, whose proportions are the softmax of log-ratios to the last topic.
#[derive(Debug)]
pub(super) struct TopicCounts<'a>(pub(super) &'a [f64]);

/// Counts that are Poisson with means `exp(ln_rates + x)`.
#[derive(Debug)]
pub(super) struct PoissonCounts<'a> {
    pub(super) counts: &'a [f64],
    pub(super) ln_rates: &'a [f64],
}

/// The Gaussian.
#[derive(Debug, Clone, Copy)]
pub(super) struct Normal<'a> {
    pub(super) mean: &'a [f64],
    pub(super) precision: &'a DMatrix<f64>,
}

/// The highest point of the product, and minus its Hessian there.
#[derive(Debug)]
pub(super) struct Mode {
    pub(super) point: DVector<f64>,
    curvature: DMatrix<f64>,
}

/// The proportions of log-ratios to the last topic.
pub(super) fn proportions(eta: &[f64]) -> Vec<f64> {
    let mut theta = eta.to_vec();
    theta.push(0.0);
    softmax_in_place(&mut theta);
    theta
}

/// Their logarithms, finite where the proportions are too small for f64.
pub(super) fn ln_proportions(eta: &[f64]) -> Vec<f64> {
    let mut ln_theta = eta.to_vec();
    ln_theta.push(0.0);
    ln_softmax_in_place(&mut ln_theta);
    ln_theta
}

/// The mode, by Newton's method: steps are halved until they do not lead down.
///
/// Cost: steps x n³.
pub(super) fn mode(normal: Normal<'_>, likelihood: &impl LogConcave, start: DVector<f64>) -> Mode {
    let value = |x: &DVector<f64>| likelihood.ln(x.as_slice()) + normal.ln(x.as_slice());
    let mut point = start;
    let mut height = value(&point);
    let mut steps = 0;
    loop {
        let mut slopes = normal.slopes(point.as_slice());
        let mut curvature = normal.precision.clone();
        likelihood.add_slopes(point.as_slice(), slopes.as_mut_slice(), &mut curvature);
        let step = normal.factor(curvature.clone()).solve_vector(&slopes);
        steps += 1;
        if slopes.dot(&step) <= TOLERANCE || steps > MOST_STEPS {
            return Mode { point, curvature };
        }
        let candidates = (0..HALVINGS).map(|halvings| &point + &step * 0.5_f64.powi(halvings));
        let next = candidates.map(|x| (value(&x), x)).find(|(next, _)| *next >= height);
        let Some((next, moved)) = next else { return Mode { point, curvature } };
        (height, point) = (next, moved);
    }
}

/// A step that leaves the product as it is: elliptical slice sampling around a Gaussian at the mode, whose
/// likelihood is the ratio of the product to it (Nishihara, Murray and Adams 2014). It has nothing to tune
/// and is never refused; steps are next to independent draws.
///
/// Cost: that of [`mode`], and some values.
pub(super) fn step<R: Rng + ?Sized>(
    x: &mut [f64],
    normal: Normal<'_>,
    likelihood: &impl LogConcave,
    rng: &mut R,
) {
    let Mode { point, curvature } = mode(normal, likelihood, likelihood.start());
    let factor = normal.factor(curvature * SHARE + normal.precision * (1.0 - SHARE));
    // In coordinates in which the Gaussian at the mode is white.
    let place = |white: &[f64]| {
        let mut x = white.to_vec();
        factor.half_solve_transpose_slice_in_place(&mut x);
        x.iter_mut().zip(&point).for_each(|(x, mode)| *x += mode);
        x
    };
    let ratio = |white: &[f64]| {
        let x = place(white);
        likelihood.ln(&x) + normal.ln(&x) + 0.5 * dot(white, white)
    };
    let white = factor.factor().tr_mul(&(DVector::from_column_slice(x) - &point));
    let target = FromFn::new(x.len(), ratio);
    let sampler = Elliptical::new(&vec![0.0; x.len()], StepShape::identity());
    let sampler = sampler.expect("invariant: the mean is zero");
    let mut state = sampler.init(&target, white.as_slice()).expect("invariant: the point has a density");
    sampler.step(&target, &mut state, rng).expect("invariant: no density ends the run");
    x.copy_from_slice(&place(state.position()));
}

impl Normal<'_> {
    /// The factor of a curvature. Rounding may leave one that is next to singular below zero: it is the
    /// Gaussian's own then.
    fn factor(&self, curvature: DMatrix<f64>) -> Cholesky {
        let factor = Cholesky::decompose(curvature).or_else(|_| Cholesky::new(self.precision));
        factor.expect("invariant: the Gaussian has a precision")
    }

    fn away(&self, x: &[f64]) -> DVector<f64> {
        DVector::from_iterator(x.len(), x.iter().zip(self.mean).map(|(x, mean)| x - mean))
    }

    /// The logarithm of the density, up to a constant.
    fn ln(&self, x: &[f64]) -> f64 {
        let away = self.away(x);
        let (away, precision) = (away.as_slice(), self.precision.as_slice());
        let columns = precision.chunks_exact(away.len()).zip(away);
        -0.5 * columns.map(|(column, own)| own * dot(column, away)).sum::<f64>()
    }

    fn slopes(&self, x: &[f64]) -> DVector<f64> {
        -(self.precision * self.away(x))
    }
}

impl LogConcave for TopicCounts<'_> {
    fn ln(&self, x: &[f64]) -> f64 {
        dot(self.0, &ln_proportions(x))
    }

    fn add_slopes(&self, x: &[f64], slopes: &mut [f64], curvature: &mut DMatrix<f64>) {
        let theta = proportions(x);
        let tokens: f64 = self.0.iter().sum();
        for j in 0..x.len() {
            slopes[j] += self.0[j] - tokens * theta[j];
            let scaled = tokens * theta[j];
            let column = curvature.column_mut(j);
            column.into_iter().zip(&theta).for_each(|(entry, theta)| *entry -= scaled * theta);
            curvature[(j, j)] += scaled;
        }
    }

    fn start(&self) -> DVector<f64> {
        let (last, others) = self.0.split_last().expect("invariant: there are two topics or more");
        DVector::from_iterator(others.len(), others.iter().map(|n| ((n + 0.5) / (last + 0.5)).ln()))
    }
}

impl LogConcave for PoissonCounts<'_> {
    fn ln(&self, x: &[f64]) -> f64 {
        let rates: f64 = self.ln_rates.iter().zip(x).map(|(ln_rate, x)| (ln_rate + x).exp()).sum();
        dot(self.counts, x) - rates
    }

    fn add_slopes(&self, x: &[f64], slopes: &mut [f64], curvature: &mut DMatrix<f64>) {
        for (j, ((x, n), ln_rate)) in x.iter().zip(self.counts).zip(self.ln_rates).enumerate() {
            let rate = (ln_rate + x).exp();
            slopes[j] += n - rate;
            curvature[(j, j)] += rate;
        }
    }

    fn start(&self) -> DVector<f64> {
        let of = |(n, ln_rate): (&f64, &f64)| ((n + 0.5) / (ln_rate.exp() + 0.5)).ln();
        DVector::from_iterator(self.counts.len(), self.counts.iter().zip(self.ln_rates).map(of))
    }
}

#[cfg(test)]
mod tests;
