//! One kernel or the other, at random.

use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};

use super::Cycle;
use super::pair::{Both, Latest, Pair, follow};
use crate::{Adapt, Error, Info, Learner, LearnerOf, Started, StartedOf, State, Transition};

/// One kernel or the other in each step, at random: reversible if both are.
///
/// Of samplers, both are tuned for as long as the warm-up lasts: until its end a step is one of the first and
/// then one of the second.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KernelMixture<A, B> {
    samplers: Cycle<A, B>,
    probability: f64,
}

/// A tuned [`KernelMixture`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Blend<K, L> {
    kernels: Cycle<K, L>,
    probability: f64,
    /// Steps of warm-up that are left.
    warm_up: usize,
}

impl<A, B> KernelMixture<A, B> {
    /// `first` with this probability, else `second`.
    ///
    /// # Errors
    /// A probability that is not in [0, 1].
    pub fn new(probability: f64, first: A, second: B) -> Result<Self, ParamError> {
        let probability = check::probability("Mixture", "probability", probability)?;
        Ok(Self { samplers: Cycle::new(first, second), probability })
    }
}

impl<K, L> Blend<K, L> {
    /// The first kernel.
    pub const fn first(&self) -> &K {
        &self.kernels.first
    }

    /// The second kernel.
    pub const fn second(&self) -> &L {
        &self.kernels.second
    }
}

impl<T, K, L> Transition<T> for Blend<K, L>
where
    T: ?Sized,
    K: Transition<T, Info: Info>,
    L: Transition<T, Info: Info>,
{
    type State = Pair<K::State, L::State>;
    type Info = Both<K::Info, L::Info>;

    fn init(&self, target: &T, position: &[f64]) -> Result<Self::State, Error> {
        self.kernels.init(target, position)
    }

    fn step<R: Rng + ?Sized>(
        &self,
        target: &T,
        state: &mut Self::State,
        rng: &mut R,
    ) -> Result<Self::Info, Error> {
        let warming = self.warm_up > 0;
        let chosen = if rng.random::<f64>() < self.probability { Latest::First } else { Latest::Second };
        let Cycle { first: one, second: other } = &self.kernels;
        let Pair { first, second, latest } = state;
        let mut info = Both { first: None, second: None };
        if warming || chosen == Latest::First {
            if *latest == Latest::Second {
                follow(one, target, first, second)?;
            }
            info.first = Some(one.step(target, first, rng)?);
            *latest = Latest::First;
        }
        if warming || chosen == Latest::Second {
            if *latest == Latest::First {
                follow(other, target, second, first)?;
            }
            info.second = Some(other.step(target, second, rng)?);
            *latest = Latest::Second;
        }
        Ok(info)
    }

    fn relocate(
        &self,
        target: &T,
        state: &mut Self::State,
        position: &[f64],
        ln_density: f64,
    ) -> Result<(), Error> {
        self.kernels.relocate(target, state, position, ln_density)?;
        state.latest = Latest::Second;
        Ok(())
    }
}

impl<T, A, B> Adapt<T> for KernelMixture<A, B>
where
    T: ?Sized,
    A: Adapt<T, Tuned: Transition<T, State: State, Info: Info>>,
    B: Adapt<T, Tuned: Transition<T, State: State, Info: Info>>,
{
    type Tuned = Blend<A::Tuned, B::Tuned>;
    type Progress = (A::Progress, B::Progress);

    fn begin<R: Rng + ?Sized>(
        &self,
        target: &T,
        position: &[f64],
        warm_up: usize,
        rng: &mut R,
    ) -> Result<StartedOf<Self, T>, Error> {
        let Started { tuned: kernels, state, progress } =
            self.samplers.begin(target, position, warm_up, rng)?;
        Ok(Started { tuned: Blend { kernels, probability: self.probability, warm_up }, state, progress })
    }

    fn learn<R: Rng + ?Sized>(
        &self,
        target: &T,
        chain: LearnerOf<'_, Self, T>,
        info: &<Self::Tuned as Transition<T>>::Info,
        rng: &mut R,
    ) -> Result<(), Error> {
        let Learner { tuned, state, progress } = chain;
        tuned.warm_up = tuned.warm_up.saturating_sub(1);
        self.samplers.learn(target, Learner { tuned: &mut tuned.kernels, state, progress }, info, rng)
    }
}
