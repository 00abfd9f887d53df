//! Tuning a transition while it runs, apart from the transition.

use rand::Rng;

use crate::{Error, Info, State, Transition};

/// A chain at its start: the transition as it is before any tuning, where it is, and what tuning has fitted
/// (nothing yet).
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Started<K, S, P> {
    /// The transition.
    pub tuned: K,
    /// Where the chain is.
    pub state: S,
    /// What tuning has fitted.
    pub progress: P,
}

/// A chain of the sampler `A` on a target `T` at its start.
pub type StartedOf<A, T> = Started<
    <A as Adapt<T>>::Tuned,
    <<A as Adapt<T>>::Tuned as Transition<T>>::State,
    <A as Adapt<T>>::Progress,
>;

/// A chain that is being tuned, its parts wherever they lie: of a composite, in three places.
#[derive(Debug)]
pub struct Learner<'a, K, S, P> {
    /// The transition.
    pub tuned: &'a mut K,
    /// Where the chain is.
    pub state: &'a mut S,
    /// What tuning has fitted.
    pub progress: &'a mut P,
}

/// A chain of the sampler `A` on a target `T` that is being tuned.
pub type LearnerOf<'a, A, T> = Learner<
    'a,
    <A as Adapt<T>>::Tuned,
    <<A as Adapt<T>>::Tuned as Transition<T>>::State,
    <A as Adapt<T>>::Progress,
>;

impl<K, S, P> Started<K, S, P> {
    /// The chain, to be tuned.
    pub const fn learner(&mut self) -> Learner<'_, K, S, P> {
        Learner { tuned: &mut self.tuned, state: &mut self.state, progress: &mut self.progress }
    }
}

/// Options of a sampler whose transition is tuned in a warm-up, then left alone.
///
/// The chain is only a Markov chain after the warm-up: the draws before are thrown away.
pub trait Adapt<T: ?Sized> {
    /// What is tuned.
    type Tuned: Transition<T>;
    /// What tuning has fitted, and has still to do.
    type Progress;

    /// A chain at this point that will be tuned for `warm_up` steps; of none, the transition is what is best
    /// without.
    ///
    /// # Errors
    /// As [`Transition::init`]; options that can't be.
    fn begin<R: Rng + ?Sized>(
        &self,
        target: &T,
        position: &[f64],
        warm_up: usize,
        rng: &mut R,
    ) -> Result<StartedOf<Self, T>, Error>;

    /// Learns from a step that was just taken, one of the `warm_up`. After the last one the transition is
    /// final.
    ///
    /// # Errors
    /// A target that ends the run.
    fn learn<R: Rng + ?Sized>(
        &self,
        target: &T,
        chain: LearnerOf<'_, Self, T>,
        info: &<Self::Tuned as Transition<T>>::Info,
        rng: &mut R,
    ) -> Result<(), Error>;
}

/// A transition that is not tuned: its warm-up only forgets the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Untuned<K>(pub K);

impl<T: ?Sized, K> Adapt<T> for Untuned<K>
where
    K: Transition<T, State: State, Info: Info> + Clone,
{
    type Tuned = K;
    type Progress = ();

    fn begin<R: Rng + ?Sized>(
        &self,
        target: &T,
        position: &[f64],
        _warm_up: usize,
        _rng: &mut R,
    ) -> Result<Started<K, K::State, ()>, Error> {
        Ok(Started { tuned: self.0.clone(), state: self.0.init(target, position)?, progress: () })
    }

    fn learn<R: Rng + ?Sized>(
        &self,
        _target: &T,
        _chain: Learner<'_, K, K::State, ()>,
        _info: &K::Info,
        _rng: &mut R,
    ) -> Result<(), Error> {
        Ok(())
    }
}
