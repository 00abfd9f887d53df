//! Draws of what states show.

use posterior_dist::Density;
use rand::Rng;
use rand_distr::Distribution;

use super::{CategoricalEmissions, Distributions, Emissions};

/// Emissions from which observations can be drawn.
pub trait DrawEmissions: Emissions<Data: ToOwned> {
    /// An observation of each of these states.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    fn draw<R: Rng + ?Sized>(&self, states: &[usize], rng: &mut R) -> <Self::Data as ToOwned>::Owned;
}

impl<L> DrawEmissions for Distributions<L>
where
    L: Density<Point: ToOwned> + Distribution<<L::Point as ToOwned>::Owned>,
    <L::Point as ToOwned>::Owned: Clone,
{
    fn draw<R: Rng + ?Sized>(&self, states: &[usize], rng: &mut R) -> Vec<<L::Point as ToOwned>::Owned> {
        states.iter().map(|&state| self.as_slice()[state].sample(rng)).collect()
    }
}

impl DrawEmissions for CategoricalEmissions {
    fn draw<R: Rng + ?Sized>(&self, states: &[usize], rng: &mut R) -> Vec<usize> {
        states.iter().map(|&state| self.distributions()[state].sample(rng)).collect()
    }
}
