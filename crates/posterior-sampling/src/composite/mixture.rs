//! One kernel or the other, at random.

use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};

use super::pair::{Both, Latest, Pair, follow};
use crate::{Adapt, Error, Info, Learner, LearnerOf, Started, StartedOf, State, Transition};

/// One kernel or the other in each step, at random: reversible if both are.
///
/// Of samplers, both are tuned for as long as the warm-up lasts: until its end a step is one of the first and
/// then one of the second.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KernelMixture<A, B> {
    first: A,
    second: B,
    proportion: f64,
}

/// A tuned [`KernelMixture`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Blend<K, L> {
    first: K,
    second: L,
    proportion: f64,
    /// Steps of warm-up that are left.
    warm_up: usize,
}

/// A step of a mixture.
pub type Blended<I, J> = Both<I, J>;

impl<A, B> KernelMixture<A, B> {
    /// `first` with the probability `proportion`, else `second`.
    ///
    /// # Errors
    /// A proportion that is not in [0, 1].
    pub fn new(proportion: f64, first: A, second: B) -> Result<Self, ParamError> {
        Ok(Self { first, second, proportion: check::probability("Mixture", "proportion", proportion)? })
    }
}

impl<K, L> Blend<K, L> {
    /// The first kernel.
    pub const fn first(&self) -> &K {
        &self.first
    }

    /// The second kernel.
    pub const fn second(&self) -> &L {
        &self.second
    }
}

impl<T, K, L> Transition<T> for Blend<K, L>
where
    T: ?Sized,
    K: Transition<T, Info: Info>,
    L: Transition<T, Info: Info>,
{
    type State = Pair<K::State, L::State>;
    type Info = Blended<K::Info, L::Info>;

    fn init(&self, target: &T, position: &[f64]) -> Result<Self::State, Error> {
        let (first, second) = (self.first.init(target, position)?, self.second.init(target, position)?);
        Ok(Pair { first, second, latest: Latest::Second })
    }

    fn step<R: Rng + ?Sized>(
        &self,
        target: &T,
        state: &mut Self::State,
        rng: &mut R,
    ) -> Result<Self::Info, Error> {
        let warming = self.warm_up > 0;
        let chosen = if rng.random::<f64>() < self.proportion { Latest::First } else { Latest::Second };
        let Pair { first, second, latest } = state;
        let mut info = Both { first: None, second: None };
        if warming || chosen == Latest::First {
            if *latest == Latest::Second {
                follow(&self.first, target, first, second)?;
            }
            info.first = Some(self.first.step(target, first, rng)?);
            *latest = Latest::First;
        }
        if warming || chosen == Latest::Second {
            if *latest == Latest::First {
                follow(&self.second, target, second, first)?;
            }
            info.second = Some(self.second.step(target, second, rng)?);
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
        self.second.relocate(target, &mut state.second, position, ln_density)?;
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
        let first = self.first.begin(target, position, warm_up, rng)?;
        let second = self.second.begin(target, position, warm_up, rng)?;
        Ok(Started {
            tuned: Blend { first: first.tuned, second: second.tuned, proportion: self.proportion, warm_up },
            state: Pair { first: first.state, second: second.state, latest: Latest::Second },
            progress: (first.progress, second.progress),
        })
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
        if let Some(info) = &info.first {
            let (tuned, state, progress) = (&mut tuned.first, &mut state.first, &mut progress.0);
            self.first.learn(target, Learner { tuned, state, progress }, info, rng)?;
        }
        if let Some(info) = &info.second {
            let (tuned, state, progress) = (&mut tuned.second, &mut state.second, &mut progress.1);
            self.second.learn(target, Learner { tuned, state, progress }, info, rng)?;
        }
        Ok(())
    }
}
