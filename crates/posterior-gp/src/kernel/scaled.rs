//! A kernel times a variance.

use std::fmt;
use std::ops::Mul;

use posterior_math::check::{self, ParamError};

use super::product::write_factor;
use super::{Covariance, Kernel, Parameter, Tile};

/// s² k
#[derive(Debug)]
struct Scaled {
    variance: f64,
    kernel: Kernel,
}

impl Kernel {
    /// This kernel times a variance, which a fit may move.
    ///
    /// # Errors
    /// If the variance is not positive and finite.
    pub fn scaled(self, variance: f64) -> Result<Self, ParamError> {
        let variance = check::positive("Kernel", "variance", variance)?;
        Ok(Self::new(Scaled { variance, kernel: self }))
    }
}

impl Mul<Kernel> for f64 {
    type Output = Kernel;

    /// As [`Kernel::scaled`].
    ///
    /// # Panics
    /// Unless the variance is positive and finite.
    #[track_caller]
    fn mul(self, kernel: Kernel) -> Kernel {
        assert!(self > 0.0 && self < Self::INFINITY, "a variance must be positive and finite, not {self}");
        Kernel::new(Scaled { variance: self, kernel })
    }
}

impl Covariance for Scaled {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        self.variance * self.kernel.value(x, y)
    }

    fn dimension(&self) -> Option<usize> {
        self.kernel.covariance().dimension()
    }

    fn fill(&self, tile: &Tile<'_>, values: &mut [f64]) {
        self.kernel.covariance().fill(tile, values);
        for value in values {
            *value *= self.variance;
        }
    }

    fn pull_back(&self, tile: &Tile<'_>, weights: &[f64], gradient: &mut [f64]) {
        let (variance, others) = gradient.split_at_mut(1);
        let mut values = vec![0.0; tile.len()];
        self.kernel.covariance().fill(tile, &mut values);
        variance[0] +=
            self.variance * values.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>();
        for (value, weight) in values.iter_mut().zip(weights) {
            *value = self.variance * weight;
        }
        self.kernel.covariance().pull_back(tile, &values, others);
    }

    fn diagonal(&self, x: &[f64]) -> f64 {
        self.variance * self.kernel.covariance().diagonal(x)
    }

    fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = vec![Parameter::positive("variance", self.variance)];
        parameters.extend(self.kernel.parameters());
        parameters
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        self.kernel.with_parameters(&values[1..])?.scaled(values[0])
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}*", self.variance)?;
        write_factor(&self.kernel, f)
    }
}
