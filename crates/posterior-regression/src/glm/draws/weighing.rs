//! Draws that stand for any posterior near a mixture of Gaussians: weighted ones, or those of the No-U-Turn
//! sampler.

use posterior_dist::Density;
use posterior_dist::stream::stream;
use posterior_dist::target::{EvalError, GradTarget, Target};
use posterior_gaussian::{Gaussian, MultivariateT};
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::{ln_sum_exp, softmax_in_place};
use posterior_math::streaming::MeanVariance;
use posterior_sampling::estimate::LnEstimate;
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::importance::{NormalizedTarget, WeightedDraws, importance_sampling};
use posterior_sampling::{Run, Start};
use rand::distr::Distribution;
use rand::{Rng, RngExt as _};

use super::{DrawnBy, GlmDraws};
use crate::Error;

/// Degrees of freedom of the t distributions that are proposed: their tails are heavier
/// than those of any log-concave posterior.
const DEGREES_OF_FREEDOM: f64 = 7.0;

/// Draws by which Laplace's approximation is judged.
const JUDGES: usize = 200;

/// Laplace's approximation is right if the logarithms of its weights have a smaller variance: then no mean is
/// off by more than about the root of it, 0.03 posterior standard deviations.
const RIGHT: f64 = 1e-3;

/// With the mean that third derivatives say, and where no skewness counts, it is right up to this variance.
const NEARLY_RIGHT: f64 = 0.05;

/// Rounds that move the proposal to the posterior, and draws of each.
const ROUNDS: u64 = 2;
const PILOTS: usize = 2000;

/// Draws that are weighted.
const DRAWS: usize = 8000;

/// Components of less weight are not proposed.
const NEGLIGIBLE: f64 = 1e-3;

/// A mixture of Gaussians near a posterior: weights of sum 1.
pub(in crate::glm) type Mixture = Vec<(f64, Gaussian)>;

/// Draws that stand for a target whose Laplace approximation is this mixture (weights of sum 1); none where
/// that is right as it stands, by the weights of 200 draws of it.
pub(in crate::glm) fn corrected<T>(
    target: &T,
    laplace: &[(f64, Gaussian)],
    names: &[String],
    seed: u64,
) -> Result<Option<GlmDraws>, Error>
where
    T: GradTarget + Sync,
{
    if Judgement::of(target, laplace, seed)?.is_right() {
        return Ok(None);
    }
    weighed(target, laplace, names, seed).map(Some)
}

/// What weighted draws of a Laplace approximation say of it.
pub(in crate::glm) struct Judgement {
    draws: WeightedDraws,
    /// The variance of the logarithms of their weights.
    variance: f64,
}

impl Judgement {
    /// By 200 draws.
    pub(in crate::glm) fn of<T: Target + Sync>(
        target: &T,
        laplace: &[(f64, Gaussian)],
        seed: u64,
    ) -> Result<Self, Error> {
        let (dim, mut rng) = (target.dim(), stream(seed, &[0]));
        let draws = importance_sampling(target, &Parts::new(dim, laplace.to_vec()), JUDGES, &mut rng)?;
        let spread: MeanVariance = draws.weights().ln().iter().copied().collect();
        Ok(Self { variance: spread.sample_variance(), draws })
    }

    pub(in crate::glm) fn is_right(&self) -> bool {
        self.variance < RIGHT
    }

    pub(in crate::glm) fn is_nearly_right(&self) -> bool {
        self.variance < NEARLY_RIGHT
    }

    /// ln of the integral of the target.
    pub(in crate::glm) fn ln_evidence(&self) -> Result<LnEstimate, Error> {
        Ok(self.draws.weights().ln_mean()?)
    }
}

/// Draws that stand for a target near this mixture, whatever is right.
pub(in crate::glm) fn weighed<T>(
    target: &T,
    laplace: &[(f64, Gaussian)],
    names: &[String],
    seed: u64,
) -> Result<GlmDraws, Error>
where
    T: GradTarget + Sync,
{
    let dim = target.dim();
    let own = |(weight, distribution): &(f64, Gaussian)| Component {
        weight: *weight,
        mean: distribution.mean().as_slice().to_vec(),
        covariance: distribution.cholesky().reconstruct(),
    };
    let mut components: Vec<Component> =
        laplace.iter().filter(|(weight, _)| *weight > NEGLIGIBLE).map(own).collect();
    for round in 0..=ROUNDS {
        let distributions = components
            .iter()
            .map(|own| Ok((own.weight, MultivariateT::new(DEGREES_OF_FREEDOM, &own.mean, &own.covariance)?)));
        let proposal = Parts::new(dim, distributions.collect::<Result<_, Error>>()?);
        let mut rng = stream(seed, &[1, round]);
        let count = if round == ROUNDS { DRAWS } else { PILOTS };
        let weighted = importance_sampling(target, &proposal, count, &mut rng)?;
        let smoothed = weighted.smoothed(1.0)?;
        if round < ROUNDS {
            let weighted = weighted.with_weights(smoothed.weights)?;
            let own: Vec<Vec<f64>> = weighted.points().map(|x| proposal.responsibilities(x)).collect();
            for (place, component) in components.iter_mut().enumerate() {
                component.follow(&weighted, own.iter().map(|own| own[place]));
            }
        } else if smoothed.is_reliable() {
            let ln_evidence = Some(weighted.weights().ln_mean()?);
            let (pareto_shape, effective) = (Some(smoothed.shape), smoothed.weights.ess());
            let weighted = weighted.with_weights(smoothed.weights)?;
            let weights = weighted.weights().normalised().to_vec();
            let points: Vec<f64> = weighted.points().flatten().copied().collect();
            return Ok(GlmDraws {
                drawn_by: DrawnBy::ImportanceSampling,
                names: names.to_vec(),
                pareto_shape,
                effective_draws: Some(effective),
                ln_evidence,
                warnings: Vec::new(),
                points: DMatrix::from_vec(dim, weights.len(), points),
                weights,
            });
        }
    }
    by_nuts(target, names, &Run { seed, ..Run::default() })
}

/// Chains of the No-U-Turn sampler.
pub(in crate::glm) fn by_nuts<T>(target: &T, names: &[String], run: &Run) -> Result<GlmDraws, Error>
where
    T: GradTarget + Sync,
{
    let sampled = run.sample(target, &Nuts::default(), &Start::default())?;
    Ok(GlmDraws::of_chains(DrawnBy::Nuts, names, &sampled.draws))
}

/// Draws of a Laplace approximation as it stands, of equal weight.
pub(in crate::glm) fn drawn_from(laplace: &[(f64, Gaussian)], names: &[String], seed: u64) -> GlmDraws {
    let dim = laplace.first().map_or(0, |(_, distribution)| distribution.dimension());
    let (distribution, mut rng) = (Parts::new(dim, laplace.to_vec()), stream(seed, &[2]));
    let mut points = DMatrix::zeros(dim, DRAWS);
    for mut point in points.column_iter_mut() {
        distribution.draw(&mut rng, point.as_mut_slice());
    }
    GlmDraws {
        drawn_by: DrawnBy::Laplace,
        names: names.to_vec(),
        pareto_shape: None,
        effective_draws: None,
        ln_evidence: None,
        warnings: Vec::new(),
        points,
        weights: vec![(DRAWS as f64).recip(); DRAWS],
    }
}

/// A part of a posterior.
struct Component {
    weight: f64,
    mean: Vec<f64>,
    covariance: DMatrix<f64>,
}

impl Component {
    /// Takes weight, mean and covariance of the draws that are its own, by so much of each. Where so few of
    /// them count that their covariance would be noise, it stays what it is.
    fn follow(&mut self, weighted: &WeightedDraws, responsibilities: impl Iterator<Item = f64>) {
        let dim = self.mean.len();
        let weights = weighted.weights().normalised().iter();
        let own: Vec<f64> = weights.zip(responsibilities).map(|(weight, own)| weight * own).collect();
        let sum: f64 = own.iter().sum();
        let effective = sum * sum / own.iter().map(|weight| weight * weight).sum::<f64>();
        if !(effective > 20.0 * dim as f64) {
            return;
        }
        let mut mean = vec![0.0; dim];
        for (point, weight) in weighted.points().zip(&own) {
            mean.iter_mut().zip(point).for_each(|(mean, x)| *mean += weight / sum * x);
        }
        let mut covariance = DMatrix::zeros(dim, dim);
        for (point, weight) in weighted.points().zip(&own) {
            for j in 0..dim {
                for i in 0..dim {
                    covariance[(i, j)] += weight / sum * (point[i] - mean[i]) * (point[j] - mean[j]);
                }
            }
        }
        *self = Self { weight: sum, mean, covariance };
    }
}

/// A mixture of distributions on ℝⁿ with weights of sum 1.
struct Parts<D> {
    dim: usize,
    parts: Vec<(f64, D)>,
}

impl<D: Density<Point = [f64]>> Parts<D> {
    /// Of weights of any sum.
    fn new(dim: usize, mut parts: Vec<(f64, D)>) -> Self {
        let sum: f64 = parts.iter().map(|(weight, _)| weight).sum();
        for (weight, _) in &mut parts {
            *weight /= sum;
        }
        Self { dim, parts }
    }

    fn ln_densities(&self, x: &[f64]) -> Vec<f64> {
        self.parts.iter().map(|(weight, distribution)| weight.ln() + distribution.ln_pdf(x)).collect()
    }

    /// How probable it is of each part that a point is of it.
    fn responsibilities(&self, x: &[f64]) -> Vec<f64> {
        let mut all = self.ln_densities(x);
        softmax_in_place(&mut all);
        all
    }
}

impl<D: Density<Point = [f64]>> Target for Parts<D> {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        Ok(ln_sum_exp(&self.ln_densities(x)))
    }
}

impl<D> NormalizedTarget for Parts<D>
where
    D: Density<Point = [f64]> + Distribution<Vec<f64>>,
{
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R, x: &mut [f64]) {
        let mut place = 0;
        if self.parts.len() > 1 {
            let mut left: f64 = rng.random();
            while place + 1 < self.parts.len() && left >= self.parts[place].0 {
                left -= self.parts[place].0;
                place += 1;
            }
        }
        x.copy_from_slice(&self.parts[place].1.sample(rng));
    }
}
