//! Kernels: covariances of functions, as expressions.
//!
//! One kernel is one file: its formula, its constructor, an implementation of [`Covariance`].

mod covariance;
mod gram;
mod parameter;
mod product;
mod rbf;
mod scaled;
mod stationary;
mod sum;
mod tile;

pub use covariance::Covariance;
pub use parameter::{FreeScale, Parameter};
pub use tile::{Points, Tile};

use std::fmt;
use std::sync::Arc;

use posterior_math::check::ParamError;

/// A covariance function k(x, x'), as an expression of other ones.
///
/// Cloning is cheap. Two kernels are equal if they print alike.
#[derive(Clone)]
pub struct Kernel {
    covariance: Arc<dyn Covariance>,
}

impl Kernel {
    /// A covariance function of your own.
    pub fn new(covariance: impl Covariance + 'static) -> Self {
        Self { covariance: Arc::new(covariance) }
    }

    /// What the expression is made of.
    pub fn covariance(&self) -> &dyn Covariance {
        &*self.covariance
    }

    /// k(x, x').
    pub fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        self.covariance.value(x, y)
    }

    /// The parameters that a fit may move, in the order of the expression.
    pub fn parameters(&self) -> Vec<Parameter> {
        self.covariance.parameters()
    }

    /// The same expression with other values of its parameters.
    ///
    /// # Errors
    /// If there is not one value for each parameter, or a value can't be.
    pub fn with_parameters(&self, values: &[f64]) -> Result<Self, ParamError> {
        let expected = self.parameters().len();
        if values.len() != expected {
            let requirement = "as many as the kernel has parameters";
            return Err(ParamError::new("Kernel", "number of values", values.len() as f64, requirement));
        }
        self.covariance.with_parameters(values)
    }

    /// The parameters on their free scales, where every real number is legal.
    pub fn free_parameters(&self) -> Vec<f64> {
        self.parameters().iter().map(Parameter::free).collect()
    }

    /// The same expression with its parameters at this place of the free scales.
    ///
    /// # Errors
    /// As [`with_parameters`](Self::with_parameters): also if a number is so large that the parameter overflows.
    pub fn with_free_parameters(&self, free: &[f64]) -> Result<Self, ParamError> {
        let values: Vec<f64> = self
            .parameters()
            .iter()
            .zip(free)
            .map(|(parameter, &free)| parameter.scale.value(free))
            .collect();
        self.with_parameters(&values)
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.covariance.write(f)
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kernel({self})")
    }
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}
