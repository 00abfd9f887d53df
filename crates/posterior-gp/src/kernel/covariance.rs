//! What a covariance function can do.

use std::fmt;

use posterior_math::check::ParamError;

use super::{Kernel, Parameter, Tile};

/// A covariance function: symmetric, and positive semidefinite on any finite set of inputs.
///
/// Its work is done on tiles: all pairs of a few rows and a few columns of a Gram matrix, which fit into the cache.
pub trait Covariance: fmt::Debug + Send + Sync {
    /// k(x, x'): plain and slow; what the tiles are tested against.
    fn value(&self, x: &[f64], y: &[f64]) -> f64;

    /// The number of coordinates that an input must have; `None` if any.
    fn dimension(&self) -> Option<usize> {
        None
    }

    /// Writes k of all pairs of a tile, column by column.
    fn fill(&self, tile: &Tile<'_>, values: &mut [f64]);

    /// Adds Σ wᵢⱼ ∂k(xᵢ, x'ⱼ)/∂φ to `gradient`, for each parameter on its free scale φ; weights as the values of
    /// [`fill`](Self::fill).
    fn pull_back(&self, tile: &Tile<'_>, weights: &[f64], gradient: &mut [f64]);

    /// k(x, x) of one input.
    fn diagonal(&self, x: &[f64]) -> f64 {
        self.value(x, x)
    }

    /// The parameters that a fit may move.
    fn parameters(&self) -> Vec<Parameter>;

    /// The same with other values of the parameters; there is one for each.
    ///
    /// # Errors
    /// If a value can't be.
    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError>;

    /// Writes the expression, as it is read.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// The terms of a sum; none for anything else.
    fn terms(&self) -> &[Kernel] {
        &[]
    }
}
