//! Products of kernels: products of independent functions have them.

use std::fmt;
use std::ops::Mul;

use posterior_math::check::ParamError;

use super::{Covariance, Kernel, Parameter, Tile};

/// k₁ k₂
#[derive(Debug)]
struct Product {
    left: Kernel,
    right: Kernel,
}

impl Mul for Kernel {
    type Output = Self;

    fn mul(self, right: Self) -> Self {
        Self::new(Product { left: self, right })
    }
}

/// The expression, in parentheses if it is a sum.
pub(super) fn write_factor(kernel: &Kernel, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if kernel.covariance().terms().is_empty() { write!(f, "{kernel}") } else { write!(f, "({kernel})") }
}

impl Product {
    fn split(&self) -> usize {
        self.left.parameters().len()
    }
}

impl Covariance for Product {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        self.left.value(x, y) * self.right.value(x, y)
    }

    fn dimension(&self) -> Option<usize> {
        self.left.covariance().dimension().or_else(|| self.right.covariance().dimension())
    }

    fn fill(&self, tile: &Tile<'_>, values: &mut [f64]) {
        let mut right = vec![0.0; tile.len()];
        self.left.covariance().fill(tile, values);
        self.right.covariance().fill(tile, &mut right);
        multiply(values, &right);
    }

    fn pull_back(&self, tile: &Tile<'_>, weights: &[f64], gradient: &mut [f64]) {
        let (left, right) = gradient.split_at_mut(self.split());
        let mut weighted = vec![0.0; tile.len()];
        for (factor, other, gradient) in [(&self.left, &self.right, left), (&self.right, &self.left, right)] {
            other.covariance().fill(tile, &mut weighted);
            multiply(&mut weighted, weights);
            factor.covariance().pull_back(tile, &weighted, gradient);
        }
    }

    fn diagonal(&self, x: &[f64]) -> f64 {
        self.left.covariance().diagonal(x) * self.right.covariance().diagonal(x)
    }

    fn parameters(&self) -> Vec<Parameter> {
        [self.left.parameters(), self.right.parameters()].concat()
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        let (left, right) = values.split_at(self.split());
        Ok(self.left.with_parameters(left)? * self.right.with_parameters(right)?)
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_factor(&self.left, f)?;
        write!(f, "*")?;
        write_factor(&self.right, f)
    }
}

fn multiply(values: &mut [f64], factors: &[f64]) {
    for (value, factor) in values.iter_mut().zip(factors) {
        *value *= factor;
    }
}
