//! Statistics that can be added and weighted.

use posterior_dist::{ExponentialFamily, Stats};
use posterior_math::check::{self, ParamError};

/// Statistics of parts of the data that add up to those of all of them.
///
/// Implemented by numbers, by what is made of such (vectors, arrays, pairs), and by [`Stats`].
pub trait Additive: Clone {
    /// Adds the statistics of other data.
    ///
    /// # Errors
    /// If the two are not of one kind, for example of two lengths.
    fn merge(&mut self, other: &Self) -> Result<(), ParamError>;

    /// Lets all data count `factor` times, which is not negative.
    ///
    /// # Errors
    /// If the factor is negative, infinite or NaN.
    fn scale(&mut self, factor: f64) -> Result<(), ParamError>;
}

impl Additive for f64 {
    fn merge(&mut self, other: &Self) -> Result<(), ParamError> {
        *self += other;
        Ok(())
    }

    fn scale(&mut self, factor: f64) -> Result<(), ParamError> {
        *self *= check::non_negative("Additive", "factor", factor)?;
        Ok(())
    }
}

impl<S: Additive> Additive for Vec<S> {
    fn merge(&mut self, other: &Self) -> Result<(), ParamError> {
        let fits = self.len() == other.len();
        let length = other.len() as f64;
        check::require(fits, "Additive", "length", length, "that of the other statistics")?;
        self.iter_mut().zip(other).try_for_each(|(sum, more)| sum.merge(more))
    }

    fn scale(&mut self, factor: f64) -> Result<(), ParamError> {
        self.iter_mut().try_for_each(|part| part.scale(factor))
    }
}

impl<S: Additive, const N: usize> Additive for [S; N] {
    fn merge(&mut self, other: &Self) -> Result<(), ParamError> {
        self.iter_mut().zip(other).try_for_each(|(sum, more)| sum.merge(more))
    }

    fn scale(&mut self, factor: f64) -> Result<(), ParamError> {
        self.iter_mut().try_for_each(|part| part.scale(factor))
    }
}

impl<S: Additive, T: Additive> Additive for (S, T) {
    fn merge(&mut self, other: &Self) -> Result<(), ParamError> {
        self.0.merge(&other.0)?;
        self.1.merge(&other.1)
    }

    fn scale(&mut self, factor: f64) -> Result<(), ParamError> {
        self.0.scale(factor)?;
        self.1.scale(factor)
    }
}

impl<F: ExponentialFamily> Additive for Stats<F> {
    fn merge(&mut self, other: &Self) -> Result<(), ParamError> {
        Self::merge(self, other)
    }

    fn scale(&mut self, factor: f64) -> Result<(), ParamError> {
        Self::scale(self, factor)
    }
}

/// s becomes (1 - ρ) s + ρ s', with a rate ρ in [0, 1].
pub(crate) fn blend<S: Additive>(statistics: &mut S, mut found: S, rate: f64) -> Result<(), ParamError> {
    statistics.scale(1.0 - check::probability("Additive", "rate", rate)?)?;
    found.scale(rate)?;
    statistics.merge(&found)
}
