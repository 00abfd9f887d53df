//! A step of all levels, and the exchange of their points.

use posterior_dist::stream::stream;
use posterior_dist::target::Target;
use posterior_math::check;
use rand::{Rng, RngExt};
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use super::super::Tempered;
#[cfg(feature = "rayon")]
use super::TemperatureLevels;
use super::replicas::ln_likelihood;
use super::{Exchange, Pairs, Replicas, Swapped};
use crate::metropolis::accept;
use crate::{Error, Info, State, Transition};

/// A tuned [`ParallelTempering`](super::ParallelTempering): the betas, and a kernel for each.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ladder<K> {
    betas: Vec<f64>,
    kernels: Vec<K>,
    exchange: Exchange,
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    exchange_rates: Vec<f64>,
}

/// The distribution of a level.
pub(super) fn distribution<P, L>(target: &Tempered<P, L>, beta: f64) -> Result<Tempered<P, L>, Error>
where
    P: Target + Clone,
    L: Target + Clone,
{
    Tempered::new(target.prior().clone(), target.likelihood().clone(), beta * target.beta())
}

impl<K> Ladder<K> {
    pub(super) fn new(betas: Vec<f64>, kernels: Vec<K>, exchange: Exchange) -> Self {
        let exchange_rates = vec![f64::NAN; betas.len() - 1];
        Self { betas, kernels, exchange, exchange_rates }
    }

    /// The inverse temperatures, from 1 down.
    pub fn betas(&self) -> &[f64] {
        &self.betas
    }

    /// The kernel of each level.
    pub fn kernels(&self) -> &[K] {
        &self.kernels
    }

    /// The mean probability of each exchange in the warm-up, since the betas are what they are; NaN without
    /// one.
    pub fn exchange_rates(&self) -> &[f64] {
        &self.exchange_rates
    }

    pub(super) fn kernel_mut(&mut self, k: usize) -> &mut K {
        &mut self.kernels[k]
    }

    pub(super) fn set_exchange_rates(&mut self, rates: Vec<f64>) {
        self.exchange_rates = rates;
    }

    /// A chain with each level at a point of its own.
    ///
    /// # Errors
    /// As [`Transition::init`]; other than one point for each level.
    pub fn place<P, L>(
        &self,
        target: &Tempered<P, L>,
        positions: &[Vec<f64>],
    ) -> Result<Replicas<K::State>, Error>
    where
        P: Target + Clone,
        L: Target + Clone,
        K: Transition<Tempered<P, L>, State: State>,
    {
        check::dimension("points of levels", self.betas.len(), positions.len())?;
        let levels = self.kernels.iter().zip(&self.betas).zip(positions);
        let begun = levels.map(|((kernel, &beta), x)| kernel.init(&distribution(target, beta)?, x));
        Replicas::new(target, begun.collect::<Result<_, _>>()?)
    }

    /// Takes other betas, at which all levels stay where they are.
    pub(super) fn move_to<P, L>(
        &mut self,
        target: &Tempered<P, L>,
        state: &mut Replicas<K::State>,
        betas: Vec<f64>,
    ) -> Result<(), Error>
    where
        P: Target + Clone,
        L: Target + Clone,
        K: Transition<Tempered<P, L>, State: State>,
    {
        let (levels, ln_likelihoods) = state.parts();
        for (k, level) in levels.iter_mut().enumerate() {
            let change = (betas[k] - self.betas[k]) * target.beta();
            if change != 0.0 {
                let (position, ln_density) =
                    (level.position().to_vec(), level.ln_density() + change * ln_likelihoods[k]);
                self.kernels[k].relocate(&distribution(target, betas[k])?, level, &position, ln_density)?;
            }
        }
        self.betas = betas;
        Ok(())
    }

    /// Moves one level, by random numbers of its own, and returns its last step.
    fn move_level<P, L>(
        &self,
        (target, seed, k): (&Tempered<P, L>, u64, usize),
        state: &mut K::State,
        ln_likelihood_here: &mut f64,
    ) -> Result<K::Info, Error>
    where
        P: Target + Clone,
        L: Target + Clone,
        K: Transition<Tempered<P, L>, State: State>,
    {
        let distribution = distribution(target, self.betas[k])?;
        let mut rng = stream(seed, &[k as u64]);
        let mut info = self.kernels[k].step(&distribution, state, &mut rng);
        for _ in 1..self.exchange.steps {
            info?;
            info = self.kernels[k].step(&distribution, state, &mut rng);
        }
        *ln_likelihood_here = ln_likelihood(target, state.position())?;
        info
    }

    /// Tries to exchange the points of levels k and k + 1; returns the probability.
    fn try_exchange<P, L, R>(
        &self,
        target: &Tempered<P, L>,
        state: &mut Replicas<K::State>,
        k: usize,
        rng: &mut R,
    ) -> Result<f64, Error>
    where
        P: Target + Clone,
        L: Target + Clone,
        K: Transition<Tempered<P, L>, State: State + Clone>,
        R: Rng + ?Sized,
    {
        let gap = (self.betas[k] - self.betas[k + 1]) * target.beta();
        let (cold, hot) = (state.ln_likelihood(k), state.ln_likelihood(k + 1));
        let (rate, accepted) = accept(gap * (hot - cold), rng);
        if accepted {
            let (mut here, mut there) = (state.levels()[k].clone(), state.levels()[k + 1].clone());
            let (x, y) = (here.position().to_vec(), there.position().to_vec());
            let (ln_here, ln_there) = (there.ln_density() + gap * hot, here.ln_density() - gap * cold);
            let distributions =
                (distribution(target, self.betas[k])?, distribution(target, self.betas[k + 1])?);
            let moved = self.kernels[k]
                .relocate(&distributions.0, &mut here, &y, ln_here)
                .and_then(|()| self.kernels[k + 1].relocate(&distributions.1, &mut there, &x, ln_there));
            match moved {
                Ok(()) => state.exchange(k, here, there),
                // A point that the other kernel cannot be at, as where a gradient has no value.
                Err(Error::Start { .. }) => return Ok(0.0),
                Err(why) => return Err(why),
            }
        }
        Ok(rate)
    }
}

impl<P, L, K> Transition<Tempered<P, L>> for Ladder<K>
where
    P: Target + Clone + Sync,
    L: Target + Clone + Sync,
    K: Transition<Tempered<P, L>, State: State + Clone + Send, Info: Info + Send> + Sync,
{
    type State = Replicas<K::State>;
    type Info = Swapped<K::Info>;

    fn init(&self, target: &Tempered<P, L>, position: &[f64]) -> Result<Self::State, Error> {
        self.place(target, &vec![position.to_vec(); self.betas.len()])
    }

    fn step<R: Rng + ?Sized>(
        &self,
        target: &Tempered<P, L>,
        state: &mut Self::State,
        rng: &mut R,
    ) -> Result<Self::Info, Error> {
        let seed: u64 = rng.random();
        let (levels, ln_likelihoods) = state.parts();
        let mut work: Vec<_> = levels.iter_mut().zip(ln_likelihoods).enumerate().collect();
        let move_level = |(k, (level, ln_likelihood)): &mut (usize, (&mut K::State, &mut f64))| {
            self.move_level((target, seed, *k), level, ln_likelihood)
        };
        let moved: Vec<_> = match self.exchange.levels {
            #[cfg(feature = "rayon")]
            TemperatureLevels::InParallel => work.par_iter_mut().map(move_level).collect(),
            _ => work.iter_mut().map(move_level).collect(),
        };
        let levels = moved.into_iter().collect::<Result<_, _>>()?;
        let pairs = self.betas.len() - 1;
        let odd = match self.exchange.pairs {
            _ if pairs == 1 => 0,
            Pairs::Alternating => state.steps() % 2,
            Pairs::Random => rng.random_range(0..2),
        };
        let mut exchange_rates = vec![f64::NAN; pairs];
        for k in (odd..pairs).step_by(2) {
            exchange_rates[k] = self.try_exchange(target, state, k, rng)?;
        }
        state.count();
        Ok(Swapped { levels, exchange_rates, round_trips: state.round_trips() })
    }
}
