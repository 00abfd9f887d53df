//! White noise as a kernel.

use std::fmt;

use posterior_math::check::ParamError;

use super::{CovarianceFunction, Kernel, KernelParameter};

/// 1 if x = x', else 0.
#[derive(Debug)]
struct White;

impl Kernel {
    /// 1 if x = x', else 0: a function whose values are independent.
    ///
    /// Equality is that of the numbers: two rows with the same coordinates are one place and share their
    /// value. Noise that differs between observations at one place is the noise of a regression, not this
    /// kernel.
    pub fn white() -> Self {
        Self::new(White)
    }
}

impl CovarianceFunction for White {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        f64::from(u8::from(x == y))
    }

    fn gradient(&self, _x: &[f64], _y: &[f64], _gradient: &mut [f64]) {}

    fn parameters(&self) -> Vec<KernelParameter> {
        Vec::new()
    }

    fn with_parameters(&self, _values: &[f64]) -> Result<Kernel, ParamError> {
        Ok(Kernel::white())
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "white()")
    }
}
