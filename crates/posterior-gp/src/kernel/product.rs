//! Products of kernels: products of independent functions have them.

use std::fmt;
use std::ops::Mul;

use posterior_math::check::ParamError;
use posterior_math::linalg::DMatrix;

use super::covariance::Structure;
use super::scaled::Scaled;
use super::sum::{rebuild, split};
use super::{CovarianceFunction, InputTile, Kernel, KernelParameter, Tile};
use crate::Error;

/// k₁ k₂ …
#[derive(Debug)]
struct Product {
    factors: Vec<Kernel>,
}

impl Kernel {
    /// The factors of a product; of any other kernel, itself.
    pub fn factors(&self) -> Vec<Self> {
        match self.covariance().structure() {
            Structure::Product(factors) => factors.to_vec(),
            _ => vec![self.clone()],
        }
    }
}

impl Mul for Kernel {
    type Output = Self;

    /// The product; factors of products become factors of the whole, and a variance on the left stays on the
    /// left.
    fn mul(self, right: Self) -> Self {
        if let Structure::Scaled(variance, left) = self.covariance().structure() {
            return Self::new(Scaled { variance, kernel: left.clone() * right });
        }
        let factors = self.factors().into_iter().chain(right.factors()).collect();
        Self::new(Product { factors })
    }
}

/// The expression as a factor: in parentheses if it would be read otherwise.
pub(super) fn write_factor(kernel: &Kernel, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match kernel.covariance().structure() {
        Structure::Sum(_) | Structure::Scaled(..) => write!(f, "({kernel})"),
        _ => write!(f, "{kernel}"),
    }
}

impl Product {
    /// The product of what `fill` writes for each factor but one.
    fn others(&self, but: usize, len: usize, fill: impl Fn(&dyn CovarianceFunction, &mut [f64])) -> Vec<f64> {
        let mut product = vec![1.0; len];
        let mut one = vec![0.0; len];
        for (index, factor) in self.factors.iter().enumerate() {
            if index != but {
                fill(factor.covariance(), &mut one);
                multiply(&mut product, &one);
            }
        }
        product
    }
}

impl CovarianceFunction for Product {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        self.factors.iter().map(|factor| factor.value(x, y)).product()
    }

    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) {
        let values: Vec<f64> = self.factors.iter().map(|factor| factor.value(x, y)).collect();
        let mut index = 0;
        split(&self.factors, gradient, |factor, own| {
            factor.covariance().gradient(x, y, own);
            let others: f64 =
                values.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, value)| value).product();
            for entry in own {
                *entry *= others;
            }
            index += 1;
        });
    }

    fn dimension(&self) -> Option<usize> {
        self.factors.iter().find_map(|factor| factor.covariance().dimension())
    }

    fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        self.factors.iter().try_for_each(|factor| factor.check(inputs))
    }

    fn fill(&self, tile: &Tile<'_>, values: &mut [f64]) {
        let mut one = vec![0.0; tile.len()];
        for (index, factor) in self.factors.iter().enumerate() {
            if index == 0 {
                factor.covariance().fill(tile, values);
            } else {
                factor.covariance().fill(tile, &mut one);
                multiply(values, &one);
            }
        }
    }

    fn pull_back(&self, tile: &Tile<'_>, weights: &[f64], gradient: &mut [f64]) {
        self.fill_and_pull_back(tile, weights, &mut vec![0.0; tile.len()], gradient);
    }

    fn fill_and_pull_back(&self, tile: &Tile<'_>, weights: &[f64], values: &mut [f64], gradient: &mut [f64]) {
        let filled = |factor: &Kernel| {
            let mut one = vec![0.0; tile.len()];
            factor.covariance().fill(tile, &mut one);
            one
        };
        let mut all: Vec<Vec<f64>> = self.factors.iter().skip(1).map(filled).collect();
        // The first factor is filled with its own pull-back, which is all that needs no values of it.
        all.insert(0, vec![1.0; tile.len()]);
        let mut index = 0;
        split(&self.factors, gradient, |factor, own| {
            let mut weighted = weights.to_vec();
            for (_, other) in all.iter().enumerate().filter(|(other, _)| *other != index) {
                multiply(&mut weighted, other);
            }
            if index == 0 {
                factor.covariance().fill_and_pull_back(tile, &weighted, &mut all[0], own);
            } else if !own.is_empty() {
                factor.covariance().pull_back(tile, &weighted, own);
            }
            index += 1;
        });
        values.fill(1.0);
        for one in &all {
            multiply(values, one);
        }
    }

    fn diagonal(&self, points: &InputTile<'_>, values: &mut [f64]) {
        let product =
            self.others(self.factors.len(), points.len(), |factor, one| factor.diagonal(points, one));
        values.copy_from_slice(&product);
    }

    fn pull_back_diagonal(&self, points: &InputTile<'_>, weights: &[f64], gradient: &mut [f64]) {
        let mut index = 0;
        split(&self.factors, gradient, |factor, own| {
            let mut weighted =
                self.others(index, points.len(), |other, values| other.diagonal(points, values));
            multiply(&mut weighted, weights);
            factor.covariance().pull_back_diagonal(points, &weighted, own);
            index += 1;
        });
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        self.factors.iter().flat_map(|factor| factor.covariance().parameters()).collect()
    }

    fn number_of_parameters(&self) -> usize {
        self.factors.iter().map(|factor| factor.covariance().number_of_parameters()).sum()
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        Ok(Kernel::new(Self { factors: rebuild(&self.factors, values)? }))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, factor) in self.factors.iter().enumerate() {
            write!(f, "{}", if index > 0 { "*" } else { "" })?;
            write_factor(factor, f)?;
        }
        Ok(())
    }

    fn structure(&self) -> Structure<'_> {
        Structure::Product(&self.factors)
    }
}

fn multiply(values: &mut [f64], others: &[f64]) {
    for (value, other) in values.iter_mut().zip(others) {
        *value *= other;
    }
}
