//! A kernel times a variance.

use std::fmt;
use std::ops::Mul;

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;

use super::covariance::Structure;
use super::{CovarianceFunction, InputTile, Kernel, KernelParameter, Tile};
use crate::Error;

/// s² k
#[derive(Debug)]
pub(super) struct Scaled {
    pub(super) variance: f64,
    pub(super) kernel: Kernel,
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

impl Scaled {
    /// The variance's entry of a gradient from the values of the kernel, which are then the weights of its
    /// own gradient.
    fn weigh(&self, values: &mut [f64], weights: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (value, weight) in values.iter_mut().zip(weights) {
            sum += *value * weight;
            *value = self.variance * weight;
        }
        self.variance * sum
    }
}

impl CovarianceFunction for Scaled {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        self.variance * self.kernel.value(x, y)
    }

    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) {
        gradient[0] = self.value(x, y);
        self.kernel.covariance().gradient(x, y, &mut gradient[1..]);
        for entry in &mut gradient[1..] {
            *entry *= self.variance;
        }
    }

    fn dimension(&self) -> Option<usize> {
        self.kernel.covariance().dimension()
    }

    fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        self.kernel.check(inputs)
    }

    fn fill(&self, tile: &Tile<'_>, values: &mut [f64]) {
        self.kernel.covariance().fill(tile, values);
        for value in values {
            *value *= self.variance;
        }
    }

    fn pull_back(&self, tile: &Tile<'_>, weights: &[f64], gradient: &mut [f64]) {
        self.fill_and_pull_back(tile, weights, &mut vec![0.0; tile.len()], gradient);
    }

    fn fill_and_pull_back(&self, tile: &Tile<'_>, weights: &[f64], values: &mut [f64], gradient: &mut [f64]) {
        let mut own = vec![0.0; gradient.len() - 1];
        self.kernel.covariance().fill_and_pull_back(tile, weights, values, &mut own);
        let mut sum = 0.0;
        for (value, weight) in values.iter_mut().zip(weights) {
            *value *= self.variance;
            sum += *value * weight;
        }
        gradient[0] += sum;
        for (entry, own) in gradient[1..].iter_mut().zip(own) {
            *entry += self.variance * own;
        }
    }

    fn diagonal(&self, points: &InputTile<'_>, values: &mut [f64]) {
        self.kernel.covariance().diagonal(points, values);
        for value in values {
            *value *= self.variance;
        }
    }

    fn pull_back_diagonal(&self, points: &InputTile<'_>, weights: &[f64], gradient: &mut [f64]) {
        let mut values = vec![0.0; points.len()];
        self.kernel.covariance().diagonal(points, &mut values);
        gradient[0] += self.weigh(&mut values, weights);
        self.kernel.covariance().pull_back_diagonal(points, &values, &mut gradient[1..]);
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        let mut parameters =
            vec![KernelParameter::positive(format!("{}.variance", self.kernel.label()), self.variance)];
        parameters.extend(self.kernel.covariance().parameters());
        parameters
    }

    fn number_of_parameters(&self) -> usize {
        1 + self.kernel.covariance().number_of_parameters()
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        self.kernel.with_parameters(&values[1..])?.scaled(values[0])
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kernel.covariance().structure() {
            Structure::Sum(_) => write!(f, "{}*({})", self.variance, self.kernel),
            _ => write!(f, "{}*{}", self.variance, self.kernel),
        }
    }

    fn structure(&self) -> Structure<'_> {
        Structure::Scaled(self.variance, &self.kernel)
    }
}
