//! What is assumed of parameters before any data.

use crate::kernel::{FreeScale, KernelParameter};

/// A normal distribution of a parameter on its free scale, wide enough to leave the word to the data where
/// they have one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeakPrior {
    /// Its mean.
    pub center: f64,
    /// Its standard deviation.
    pub sd: f64,
}

impl WeakPrior {
    /// Of a parameter of which nothing is known but the value that it has: a standard deviation of 2 of its
    /// logarithm; of a weight, a hundred times what makes a difference, as good as flat.
    pub fn around(parameter: &KernelParameter, scale: f64) -> Self {
        let sd = match parameter.scale {
            FreeScale::Ln => 2.0,
            FreeScale::Identity => 100.0 * scale,
        };
        Self { center: parameter.free(), sd }
    }
}
