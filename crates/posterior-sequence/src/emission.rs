//! What states show: the distributions of observations, one for each state.
//!
//! | observations | emissions | data of one sequence |
//! |---|---|---|
//! | symbols 0, 1, …, V - 1 | [`CategoricalEmissions`] | `[usize]` |
//! | vectors of numbers, Gaussian in each state | [`GaussianEmissions`] | `DMatrix<f64>`, positions as rows, NaN where missing |
//! | vectors of numbers, of one of several Gaussians in each state | [`GaussianMixtureEmissions`] | the same |
//! | points of one of several distributions in each state | [`MixtureEmissions`] | as for the distributions |
//! | points of any distribution with a density: counts, durations, vectors | [`Distributions`] | `[u64]`, `[f64]`, `[Vec<f64>]`, … |
//!
//! [`Sequences`] are several sequences of such data, with positions at which nothing was seen, or something
//! is known of the state. [`LearnEmissions`] is how a fit turns observations and the probabilities of states
//! into distributions.

mod categorical;
mod distributions;
mod drawing;
mod gaussian;
mod gaussian_mixtures;
mod learning;
mod mixtures;
mod sequences;

use std::ops::Range;

use crate::chain::NodeTable;
use crate::error::Error;

pub use categorical::CategoricalEmissions;
pub use distributions::Distributions;
pub use drawing::DrawEmissions;
pub use gaussian::{GaussianEmissions, GaussianEstimate};
pub use gaussian_mixtures::GaussianMixtureEmissions;
pub use learning::{FixedEmissions, LearnEmissions};
pub use mixtures::MixtureEmissions;
pub use sequences::{Sequence, Sequences};

/// The distributions of what is observed, one for each state.
///
/// Data are sequences as a whole, so that an implementation can work on many positions at a time.
pub trait Emissions {
    /// One sequence of observations.
    type Data: ?Sized;

    /// The number of states.
    fn states(&self) -> usize;

    /// The number of positions of a sequence.
    fn length(data: &Self::Data) -> usize;

    /// Whether all observations are such that these distributions speak of them. What is impossible but
    /// conceivable is no error.
    ///
    /// # Errors
    /// With the first position that holds something else; the number of the sequence is 0.
    fn check(&self, data: &Self::Data) -> Result<(), Error>;

    /// ln p(x_t | z_t = k) for the positions of `range`, K numbers a position, one position after the other.
    ///
    /// -∞ where impossible; of data that were checked never NaN. +∞ where a density has a pole.
    fn ln_densities(&self, data: &Self::Data, range: Range<usize>, out: &mut [f64]);

    /// The scores of the kinds of positions, and the kind of each position, where what is seen is one of a
    /// few symbols: much less work than densities. `None` by default.
    fn table<'a>(&'a self, _data: &'a Self::Data) -> Option<(&'a NodeTable, &'a [usize])> {
        None
    }
}
