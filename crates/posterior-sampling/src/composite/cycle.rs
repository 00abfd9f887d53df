//! One kernel after the other.

use rand::Rng;

use super::pair::{Both, Latest, Pair, follow};
use crate::{Adapt, Error, Info, Learner, LearnerOf, Started, StartedOf, State, Transition};

/// One kernel after the other in each step; of samplers, their tuning too.
///
/// Both leave the distribution alone, and so does the cycle; it is not reversible, even where both are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cycle<A, B> {
    /// What moves first.
    pub first: A,
    /// What moves then.
    pub second: B,
}

impl<A, B> Cycle<A, B> {
    /// `first`, then `second`.
    pub const fn new(first: A, second: B) -> Self {
        Self { first, second }
    }
}

impl<T, K, L> Transition<T> for Cycle<K, L>
where
    T: ?Sized,
    K: Transition<T, Info: Info>,
    L: Transition<T, Info: Info>,
{
    type State = Pair<K::State, L::State>;
    type Info = Both<K::Info, L::Info>;

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
        let Pair { first, second, .. } = state;
        follow(&self.first, target, first, second)?;
        let one = self.first.step(target, first, rng)?;
        follow(&self.second, target, second, first)?;
        let two = self.second.step(target, second, rng)?;
        Ok(Both { first: Some(one), second: Some(two) })
    }

    fn relocate(
        &self,
        target: &T,
        state: &mut Self::State,
        position: &[f64],
        ln_density: f64,
    ) -> Result<(), Error> {
        self.second.relocate(target, &mut state.second, position, ln_density)
    }
}

impl<T, A, B> Adapt<T> for Cycle<A, B>
where
    T: ?Sized,
    A: Adapt<T, Tuned: Transition<T, State: State, Info: Info>>,
    B: Adapt<T, Tuned: Transition<T, State: State, Info: Info>>,
{
    type Tuned = Cycle<A::Tuned, B::Tuned>;
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
            tuned: Cycle::new(first.tuned, second.tuned),
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
