//! The polynomial kernel.

use std::fmt;

use posterior_math::check::{self, ParamError};

use super::{CovarianceFunction, Kernel, KernelParameter};

/// (x·x' + c)^d
#[derive(Debug)]
struct Polynomial {
    degree: u32,
    offset: f64,
}

impl Kernel {
    /// (x·x' + c)^d: polynomials of degree d, which stays as it is in fits.
    ///
    /// # Errors
    /// If the degree is 0 or above 1000, or the offset is not positive and finite.
    pub fn polynomial(degree: u32, offset: f64) -> Result<Self, ParamError> {
        if degree == 0 || degree > 1000 {
            return Err(ParamError::new("polynomial", "degree", f64::from(degree), "between 1 and 1000"));
        }
        let offset = check::positive("polynomial", "offset", offset)?;
        Ok(Self::new(Polynomial { degree, offset }))
    }
}

impl Polynomial {
    fn base(&self, x: &[f64], y: &[f64]) -> f64 {
        x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>() + self.offset
    }

    const fn exponent(&self) -> i32 {
        self.degree.cast_signed()
    }
}

impl CovarianceFunction for Polynomial {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        self.base(x, y).powi(self.exponent())
    }

    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) {
        let power = self.base(x, y).powi(self.exponent() - 1);
        gradient[0] = f64::from(self.degree) * power * self.offset;
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        vec![KernelParameter::positive("polynomial.offset", self.offset)]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        Kernel::polynomial(self.degree, values[0])
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "polynomial({}, {})", self.degree, self.offset)
    }
}
