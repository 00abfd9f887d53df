//! Annealed importance sampling.

use posterior_dist::stream::stream;
use posterior_dist::target::Target;
use posterior_math::check;
use rand::Rng;

use super::{TemperatureSchedule, Tempered, tasks};
use crate::importance::{ImportanceWeights, NormalizedTarget, WeightedDraws, ln_density_or_zero};
use crate::{Error, State, Transition};

/// Annealed importance sampling: independent paths from the prior to the posterior, and their weights.
///
/// A path begins with a draw of the prior and moves by kernels that leave one p_β after the other alone; its
/// weight is the product of likelihood^(β' - β) at the points where β rises to β'. The mean weight is an
/// unbiased estimate of the evidence, however badly the kernels mix, and
/// [`ln_mean`](ImportanceWeights::ln_mean) has its standard error. The kernels must not depend on the paths.
///
/// ```
/// use posterior_dist::target::{FromFn, OnTheLine};
/// use posterior_dist::{Density, Normal};
/// use posterior_sampling::metropolis::RandomWalk;
/// use posterior_sampling::tempering::{AnnealedImportance, TemperatureSchedule};
///
/// let prior = OnTheLine::new(Normal::mean_sd(0.0, 3.0)?)?;
/// let noise = Normal::mean_sd(0.0, 0.5)?;
/// let likelihood = FromFn::new(1, |x: &[f64]| noise.ln_pdf(&(4.0 - x[0])));
/// let annealed = AnnealedImportance {
///     paths: 400,
///     ..AnnealedImportance::new(TemperatureSchedule::power(30, 4.0)?)
/// };
/// let sample = annealed.run(&prior, &likelihood, |beta| Ok(RandomWalk::new((0.1 + 4.0 * beta).powf(-0.5))?))?;
/// let evidence = sample.weights().ln_mean()?;
/// // The observation has variance 9 + 1/4.
/// let exact = Normal::mean_variance(0.0, 9.25)?.ln_pdf(&4.0);
/// assert!((evidence.ln_value - exact).abs() < 4.0 * evidence.standard_error);
/// assert!(evidence.standard_error < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # References
/// R. Neal, Annealed importance sampling, Statistics and Computing 11, 2001.
#[derive(Debug, Clone, PartialEq)]
pub struct AnnealedImportance {
    /// The inverse temperatures.
    pub schedule: TemperatureSchedule,
    /// How many paths: 1000 by default.
    pub paths: usize,
    /// Steps of the kernel at each temperature between prior and posterior: 1 by default.
    pub moves: usize,
    /// The seed: each path has a stream of its own.
    pub seed: u64,
}

/// The end of one path.
#[derive(Debug, Clone, PartialEq)]
pub struct AnnealedPath {
    /// The point.
    pub position: Vec<f64>,
    /// ln of its weight; -∞ if the path came to a point where the likelihood is zero or has no value.
    pub ln_weight: f64,
    /// Whether the likelihood had no value there.
    pub rejected: bool,
}

/// The distributions of the temperatures above zero, each with its kernel.
type Ladder<'a, P, L, K> = Vec<(Tempered<&'a P, &'a L>, K)>;

impl AnnealedImportance {
    /// With these temperatures.
    pub const fn new(schedule: TemperatureSchedule) -> Self {
        Self { schedule, paths: 1000, moves: 1, seed: 0 }
    }

    /// All paths, with kernels for each β, as by a step size that falls with β.
    ///
    /// With the feature `rayon` the paths run on the threads of the pool; they are the same on any number of
    /// threads.
    ///
    /// # Errors
    /// No paths; different dimensions; what `kernel` returns; a kernel that can't start at a point of its
    /// distribution; [`Error::NoWeight`] if all paths end at zero; a target that ends the run.
    pub fn run<'a, P, L, K>(
        &self,
        prior: &'a P,
        likelihood: &'a L,
        kernel: impl Fn(f64) -> Result<K, Error>,
    ) -> Result<WeightedDraws, Error>
    where
        P: NormalizedTarget + Sync,
        L: Target + Sync,
        K: Transition<Tempered<&'a P, &'a L>> + Sync,
    {
        check::require(self.paths > 0, "AnnealedImportance", "paths", self.paths as f64, "positive")?;
        let ladder = self.ladder(prior, likelihood, kernel)?;
        let mut indices: Vec<u64> = (0..self.paths as u64).collect();
        let paths = tasks::for_each(&mut indices, |_, &mut path| {
            self.climb(&ladder, &mut stream(self.seed, &[path]))
        });
        let mut points = Vec::with_capacity(self.paths * prior.dim());
        let mut ln_weights = Vec::with_capacity(self.paths);
        let mut rejected = 0;
        for path in paths {
            let path = path?;
            points.extend_from_slice(&path.position);
            ln_weights.push(path.ln_weight);
            rejected += usize::from(path.rejected);
        }
        Ok(WeightedDraws::new(prior.dim(), points, ImportanceWeights::from_ln(ln_weights)?, rejected))
    }

    /// One path.
    ///
    /// # Errors
    /// As [`run`](Self::run), weights of zero excepted.
    pub fn path<'a, P, L, K, R>(
        &self,
        prior: &'a P,
        likelihood: &'a L,
        kernel: impl Fn(f64) -> Result<K, Error>,
        rng: &mut R,
    ) -> Result<AnnealedPath, Error>
    where
        P: NormalizedTarget,
        L: Target,
        K: Transition<Tempered<&'a P, &'a L>>,
        R: Rng + ?Sized,
    {
        self.climb(&self.ladder(prior, likelihood, kernel)?, rng)
    }

    fn ladder<'a, P, L, K>(
        &self,
        prior: &'a P,
        likelihood: &'a L,
        kernel: impl Fn(f64) -> Result<K, Error>,
    ) -> Result<Ladder<'a, P, L, K>, Error>
    where
        P: NormalizedTarget,
        L: Target,
    {
        let betas = self.schedule.betas()[1..].iter();
        betas.map(|&beta| Ok((Tempered::new(prior, likelihood, beta)?, kernel(beta)?))).collect()
    }

    fn climb<'a, P, L, K, R>(&self, ladder: &Ladder<'a, P, L, K>, rng: &mut R) -> Result<AnnealedPath, Error>
    where
        P: NormalizedTarget,
        L: Target,
        K: Transition<Tempered<&'a P, &'a L>>,
        R: Rng + ?Sized,
    {
        let prior = ladder[0].0.prior();
        let mut position = vec![0.0; prior.dim()];
        prior.draw(rng, &mut position);
        let (mut ln_weight, mut beta, mut rejected) = (0.0, 0.0, 0);
        for (level, (target, kernel)) in ladder.iter().enumerate() {
            let ln_likelihood = ln_density_or_zero(target.ln_likelihood(&position), &mut rejected)?;
            ln_weight += (target.beta() - beta) * ln_likelihood;
            beta = target.beta();
            if ln_weight == f64::NEG_INFINITY || level + 1 == ladder.len() {
                break;
            }
            let mut state = kernel.init(target, &position)?;
            for _ in 0..self.moves {
                kernel.step(target, &mut state, rng)?;
            }
            position.copy_from_slice(state.position());
        }
        Ok(AnnealedPath { position, ln_weight, rejected: rejected > 0 })
    }
}
