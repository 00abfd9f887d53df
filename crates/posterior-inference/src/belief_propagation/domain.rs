//! The scales in which messages are kept: numbers, or their logarithms.

use posterior_pgm::{LogSumProduct, MaxProduct, MaxSum, Semiring, SumProduct};

/// A semiring of nonnegative numbers, as they are or by their logarithms.
pub(crate) trait Domain: Semiring<Value = f64> {
    /// Whether numbers are kept as they are, and may underflow.
    const LINEAR: bool;

    /// Into the scale.
    fn from_linear(x: f64) -> f64 {
        if Self::LINEAR { x } else { x.ln() }
    }

    /// Out of the scale.
    fn to_linear(x: f64) -> f64 {
        if Self::LINEAR { x } else { x.exp() }
    }

    /// The logarithm of the number.
    fn ln(x: f64) -> f64 {
        if Self::LINEAR { x.ln() } else { x }
    }

    /// Divides by the greatest value, and returns its logarithm; `None` if all are zero.
    fn normalize(values: &mut [f64]) -> Option<f64> {
        let greatest = values.iter().copied().fold(Self::ZERO, f64::max);
        if greatest == Self::ZERO {
            return None;
        }
        if Self::LINEAR {
            for x in &mut *values {
                *x /= greatest;
            }
        } else {
            for x in &mut *values {
                *x -= greatest;
            }
        }
        Some(Self::ln(greatest))
    }
}

impl Domain for SumProduct {
    const LINEAR: bool = true;
}

impl Domain for MaxProduct {
    const LINEAR: bool = true;
}

impl Domain for LogSumProduct {
    const LINEAR: bool = false;
}

impl Domain for MaxSum {
    const LINEAR: bool = false;
}
