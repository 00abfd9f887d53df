//! Parallel tempering: replicas of a chain at rising temperatures, which exchange their points.

mod flat;
mod ladder;
mod replicas;
mod spacing;

pub use flat::Flat;
pub use ladder::Ladder;
pub use replicas::{Replicas, Swapped};
pub use spacing::LadderProgress;

use posterior_dist::target::Target;
use posterior_math::check::{self, ParamError};
use rand::Rng;

use super::Tempered;
use crate::{Adapt, Error, Info, Learner, LearnerOf, Started, State, Transition};

/// Parallel tempering: a sampler `A` at each of several distributions p_β between prior and posterior, whose
/// chains exchange their points.
///
/// Level k moves by a kernel of its own on ln prior + β_k β ln likelihood, where β is that of the target;
/// level 0, with β₀ = 1, is the chain whose draws are kept. Neighbours exchange with probability min(1,
/// exp((β_k - β_k₊₁)(ℓ_k₊₁ - ℓ_k))) for ln likelihoods ℓ, which leaves the product of all distributions
/// alone: hot levels cross where cold ones cannot, and their points come down. To temper a density as a
/// whole, take [`Flat`] for the prior and a last β above 0.
///
/// A step costs `steps` steps of each kernel and one likelihood for each level. Each level has a stream of
/// its own, so that draws do not depend on where levels run. `swap_rate` and `round_trips` are kept with each
/// draw: the mean probability of the exchanges that were tried, and how many points have come from the last
/// level to the first so far. Prior and likelihood are cloned for each level and step: give references. A
/// target that ends the run leaves each level at a point of its own chain.
///
/// # References
/// C. J. Geyer, Markov chain Monte Carlo maximum likelihood, Interface (1991). S. Syed, A. Bouchard-Côté, G.
/// Deligiannidis, A. Doucet, Non-reversible parallel tempering, J. R. Stat. Soc. B 84 (2022): alternating
/// exchanges, and equal rates.
///
/// ```
/// use posterior_dist::target::FromFn;
/// use posterior_sampling::metropolis::AdaptiveWalk;
/// use posterior_sampling::tempering::{Flat, ParallelTempering, Tempered};
/// use posterior_sampling::{Run, Start};
///
/// // Peaks at -10 and 10.
/// let peaks = FromFn::new(1, |x: &[f64]| -0.5 * (x[0].abs() - 10.0).powi(2));
/// let target = Tempered::new(Flat::new(1), &peaks, 1.0)?;
/// let sampler = ParallelTempering::geometric(AdaptiveWalk::default(), 6, 0.01)?;
/// let sampled = Run::default().sample(&target, &sampler, &Start::At(vec![10.0]))?;
/// let draws = sampled.draws.parameter(0).concat();
/// let right = draws.iter().filter(|&&x| x > 0.0).count() as f64 / draws.len() as f64;
/// assert!((right - 0.5).abs() < 0.2);
/// # Ok::<(), posterior_sampling::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ParallelTempering<A> {
    sampler: A,
    betas: Vec<f64>,
    exchange: Exchange,
}

/// How levels move and exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Exchange {
    /// Which neighbours try to exchange after a step.
    pub pairs: Pairs,
    /// Steps of each kernel before an exchange is tried.
    pub steps: usize,
    /// Where the betas come from.
    pub spacing: Spacing,
    /// Where levels run.
    pub levels: TemperatureLevels,
}

/// Which neighbours try to exchange after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Pairs {
    /// (0, 1), (2, 3), … and (1, 2), (3, 4), … in turn: points travel in one direction, faster than at
    /// random.
    #[default]
    Alternating,
    /// The one or the other, at random: the chain is reversible if its kernels are.
    Random,
}

/// Where the betas come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Spacing {
    /// The given ones stay.
    Given,
    /// Those between the first and the last are moved, in the first half of the warm-up, to where all
    /// exchange at the same rate.
    #[default]
    EqualRates,
}

/// Where levels run; the draws are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum TemperatureLevels {
    /// One after the other, in the thread of their chain.
    #[default]
    InTurn,
    /// On the threads of the pool, with the feature `rayon`: for steps of some ten microseconds and more.
    InParallel,
}

impl Default for Exchange {
    fn default() -> Self {
        Self {
            pairs: Pairs::default(),
            steps: 1,
            spacing: Spacing::default(),
            levels: TemperatureLevels::default(),
        }
    }
}

impl<A> ParallelTempering<A> {
    /// With these inverse temperatures, from 1 down to 0 or more.
    ///
    /// # Errors
    /// Fewer than two; a first one other than 1; one that is not below the one before, or negative or NaN.
    pub fn new(sampler: A, betas: &[f64]) -> Result<Self, ParamError> {
        let name = "ParallelTempering";
        check::require(betas.len() > 1, name, "number of betas", betas.len() as f64, "at least 2")?;
        check::require(betas[0] == 1.0, name, "betas", betas[0], "1 at first")
            .map_err(|error| error.at(0))?;
        for (i, pair) in betas.windows(2).enumerate() {
            let falls = pair[1] < pair[0] && pair[1] >= 0.0;
            check::require(falls, name, "betas", pair[1], "non-negative and less than the one before")
                .map_err(|error| error.at(i + 1))?;
        }
        Ok(Self { sampler, betas: betas.to_vec(), exchange: Exchange::default() })
    }

    /// With so many inverse temperatures from 1 to `smallest`, each the same proportion of the one before.
    ///
    /// # Errors
    /// Fewer than two; a smallest one that is not strictly between 0 and 1.
    pub fn geometric(sampler: A, levels: usize, smallest: f64) -> Result<Self, ParamError> {
        check::open_probability("ParallelTempering", "smallest", smallest)?;
        let last = levels.saturating_sub(1).max(1) as f64;
        let betas: Vec<f64> = (0..levels).map(|k| smallest.powf(k as f64 / last)).collect();
        Self::new(sampler, &betas)
    }

    /// With these exchanges.
    ///
    /// # Errors
    /// No steps before an exchange.
    pub fn with_exchange(self, exchange: Exchange) -> Result<Self, ParamError> {
        let steps = exchange.steps;
        check::require(steps > 0, "ParallelTempering", "steps", steps as f64, "positive")?;
        Ok(Self { exchange, ..self })
    }
}

impl<P, L, A> Adapt<Tempered<P, L>> for ParallelTempering<A>
where
    P: Target + Clone + Sync,
    L: Target + Clone + Sync,
    A: Adapt<Tempered<P, L>>,
    A::Tuned: Transition<Tempered<P, L>, State: State + Clone + Send, Info: Info + Send> + Clone + Sync,
{
    type Tuned = Ladder<A::Tuned>;
    type Progress = LadderProgress<A::Progress>;

    fn begin<R: Rng + ?Sized>(
        &self,
        target: &Tempered<P, L>,
        position: &[f64],
        warm_up: usize,
        rng: &mut R,
    ) -> Result<Started<Self::Tuned, <Self::Tuned as Transition<Tempered<P, L>>>::State, Self::Progress>, Error>
    {
        let (mut kernels, mut states, mut progress) = (Vec::new(), Vec::new(), Vec::new());
        for &beta in &self.betas {
            let distribution = ladder::distribution(target, beta)?;
            let begun = self.sampler.begin(&distribution, position, warm_up, rng)?;
            kernels.push(begun.tuned);
            states.push(begun.state);
            progress.push(begun.progress);
        }
        let tuned = Ladder::new(self.betas.clone(), kernels, self.exchange.clone());
        let progress = LadderProgress::new(progress, self.exchange.spacing, warm_up);
        Ok(Started { tuned, state: Replicas::new(target, states)?, progress })
    }

    fn learn<R: Rng + ?Sized>(
        &self,
        target: &Tempered<P, L>,
        chain: LearnerOf<'_, Self, Tempered<P, L>>,
        info: &Swapped<<A::Tuned as Transition<Tempered<P, L>>>::Info>,
        rng: &mut R,
    ) -> Result<(), Error> {
        let Learner { tuned, state, progress } = chain;
        for (k, info) in info.levels.iter().enumerate() {
            let distribution = ladder::distribution(target, tuned.betas()[k])?;
            let part = Learner {
                tuned: tuned.kernel_mut(k),
                state: state.level_mut(k),
                progress: progress.kernel_mut(k),
            };
            self.sampler.learn(&distribution, part, info, rng)?;
        }
        progress.count(&info.exchange_rates);
        if let Some(betas) = progress.moved(tuned.betas()) {
            tuned.move_to(target, state, betas)?;
        }
        if progress.is_done() {
            tuned.set_exchange_rates(progress.exchange_rates());
        }
        Ok(())
    }
}
