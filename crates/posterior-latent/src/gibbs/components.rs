//! What samplers ask of data and of the distribution of a component.

use rand::Rng;

use crate::error::Error;

/// Data, and the distribution of a component, with parameters that are drawn.
///
/// Data are known by their places 0, …, n - 1.
pub trait Components: Sync {
    /// A component: its parameters.
    type Component: Clone + Send;

    /// How many data.
    fn len(&self) -> usize;

    /// Whether there are no data.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A component from the prior.
    ///
    /// # Errors
    /// A draw beyond the range of f64.
    fn draw_prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Self::Component, Error>;

    /// Moves a component by a kernel that leaves its posterior alone, given the data in it: at best a draw
    /// from the posterior.
    ///
    /// # Errors
    /// A draw beyond the range of f64.
    fn update<R: Rng + ?Sized>(
        &self,
        distribution: &mut Self::Component,
        members: &[usize],
        rng: &mut R,
    ) -> Result<(), Error>;

    /// ln p(observation | component).
    fn ln_likelihood(&self, distribution: &Self::Component, observation: usize) -> f64;
}

/// Data, and the distribution of a component whose parameters are integrated out.
pub trait Collapsible: Sync {
    /// Blocks of data.
    type Clusters<'a>: Clusters
    where
        Self: 'a;

    /// How many data.
    fn len(&self) -> usize;

    /// Whether there are no data.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// No blocks yet.
    fn clusters(&self) -> Self::Clusters<'_>;

    /// ln p(observation) under the prior of a component.
    fn ln_prior_predictive(&self, observation: usize) -> f64;
}

/// The block that an observation is in, and the others in it, in any order: they are asked for where what is
/// known of the block is not enough to take the observation out.
#[expect(missing_debug_implementations, reason = "an iterator cannot be shown")]
pub struct Home<'a> {
    /// The block.
    pub block: usize,
    /// Its members, without the observation.
    pub others: &'a mut dyn Iterator<Item = usize>,
}

/// Blocks of data with what is known of their parameters: scratch memory of a sampler.
///
/// What depends on the order in which data came and went is rounding only.
pub trait Clusters {
    /// How many blocks.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A block without data, the last one.
    fn open(&mut self);

    /// Forgets a block: the last one takes its place.
    fn close(&mut self, block: usize);

    /// Puts an observation, that is in no block, into one.
    ///
    /// # Errors
    /// A posterior beyond the range of f64.
    fn insert(&mut self, observation: usize, block: usize) -> Result<(), Error>;

    /// Takes an observation out of its block.
    ///
    /// # Errors
    /// As [`insert`](Self::insert).
    fn remove(&mut self, observation: usize, home: Home<'_>) -> Result<(), Error>;

    /// ln p(observation | the other data of block k) for each k, whether the observation is in no block or
    /// has a home; of a home without others the value is not used.
    ///
    /// # Errors
    /// As [`insert`](Self::insert).
    fn ln_predictive(
        &mut self,
        observation: usize,
        home: Option<Home<'_>>,
        values: &mut [f64],
    ) -> Result<(), Error>;

    /// ln p(the data of a block); 0 without data.
    ///
    /// # Errors
    /// As [`insert`](Self::insert).
    fn ln_evidence(&self, block: usize) -> Result<f64, Error>;
}
