//! What states show: the laws of observations, one for each state.

use std::ops::Range;

use crate::error::Error;

/// The laws of what is observed, one for each state.
///
/// Data are sequences as a whole, so that an implementation can work on many positions at a time.
pub trait Emissions {
    /// One sequence of observations.
    type Data: ?Sized;

    /// The number of states.
    fn states(&self) -> usize;

    /// The number of positions of a sequence.
    fn length(data: &Self::Data) -> usize;

    /// Whether all observations are such that these laws speak of them. What is impossible but conceivable is no error.
    ///
    /// # Errors
    /// With the first position that holds something else; the number of the sequence is 0.
    fn check(&self, data: &Self::Data) -> Result<(), Error>;

    /// ln p(x_t | z_t = k) for the positions of `range`, K numbers a position, one position after the other.
    ///
    /// -∞ where impossible; never NaN.
    fn ln_densities(&self, data: &Self::Data, range: Range<usize>, out: &mut [f64]);
}
