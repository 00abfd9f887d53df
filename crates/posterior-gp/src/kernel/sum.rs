//! Sums of kernels: sums of independent functions.

use std::fmt;
use std::ops::Add;

use posterior_math::check::ParamError;
use posterior_math::linalg::DMatrix;

use super::covariance::Structure;
use super::{CovarianceFunction, InputTile, Kernel, KernelParameter, Tile};
use crate::Error;

/// k₁ + k₂ + …
#[derive(Debug)]
struct Sum {
    terms: Vec<Kernel>,
}

impl Kernel {
    /// The terms of a sum; of any other kernel, itself.
    pub fn terms(&self) -> Vec<Self> {
        match self.covariance().structure() {
            Structure::Sum(terms) => terms.to_vec(),
            _ => vec![self.clone()],
        }
    }
}

impl Add for Kernel {
    type Output = Self;

    /// The sum; terms of sums become terms of the whole.
    fn add(self, other: Self) -> Self {
        let terms = self.terms().into_iter().chain(other.terms()).collect();
        Self::new(Sum { terms })
    }
}

impl CovarianceFunction for Sum {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        self.terms.iter().map(|term| term.value(x, y)).sum()
    }

    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) {
        split(&self.terms, gradient, |term, own| term.covariance().gradient(x, y, own));
    }

    fn dimension(&self) -> Option<usize> {
        self.terms.iter().find_map(|term| term.covariance().dimension())
    }

    fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        self.terms.iter().try_for_each(|term| term.check(inputs))
    }

    fn fill(&self, tile: &Tile<'_>, values: &mut [f64]) {
        let mut one = vec![0.0; tile.len()];
        values.fill(0.0);
        for term in &self.terms {
            term.covariance().fill(tile, &mut one);
            add(values, &one);
        }
    }

    fn pull_back(&self, tile: &Tile<'_>, weights: &[f64], gradient: &mut [f64]) {
        split(&self.terms, gradient, |term, own| term.covariance().pull_back(tile, weights, own));
    }

    fn fill_and_pull_back(&self, tile: &Tile<'_>, weights: &[f64], values: &mut [f64], gradient: &mut [f64]) {
        let mut one = vec![0.0; tile.len()];
        values.fill(0.0);
        split(&self.terms, gradient, |term, own| {
            term.covariance().fill_and_pull_back(tile, weights, &mut one, own);
            add(values, &one);
        });
    }

    fn diagonal(&self, points: &InputTile<'_>, values: &mut [f64]) {
        let mut one = vec![0.0; points.len()];
        values.fill(0.0);
        for term in &self.terms {
            term.covariance().diagonal(points, &mut one);
            add(values, &one);
        }
    }

    fn pull_back_diagonal(&self, points: &InputTile<'_>, weights: &[f64], gradient: &mut [f64]) {
        split(&self.terms, gradient, |term, own| term.covariance().pull_back_diagonal(points, weights, own));
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        self.terms.iter().flat_map(|term| term.covariance().parameters()).collect()
    }

    fn number_of_parameters(&self) -> usize {
        self.terms.iter().map(|term| term.covariance().number_of_parameters()).sum()
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        Ok(Kernel::new(Self { terms: rebuild(&self.terms, values)? }))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, term) in self.terms.iter().enumerate() {
            write!(f, "{}{term}", if i > 0 { " + " } else { "" })?;
        }
        Ok(())
    }

    fn structure(&self) -> Structure<'_> {
        Structure::Sum(&self.terms)
    }
}

fn add(values: &mut [f64], others: &[f64]) {
    for (value, other) in values.iter_mut().zip(others) {
        *value += other;
    }
}

/// Calls `visit` with each kernel and its own piece of a gradient.
pub(super) fn split(kernels: &[Kernel], gradient: &mut [f64], mut visit: impl FnMut(&Kernel, &mut [f64])) {
    let mut rest = gradient;
    for kernel in kernels {
        let (own, others) = rest.split_at_mut(kernel.covariance().number_of_parameters());
        visit(kernel, own);
        rest = others;
    }
}

/// The kernels with other values of their parameters.
pub(super) fn rebuild(kernels: &[Kernel], values: &[f64]) -> Result<Vec<Kernel>, ParamError> {
    let mut rest = values;
    let mut rebuilt = Vec::with_capacity(kernels.len());
    for kernel in kernels {
        let (own, others) = rest.split_at(kernel.covariance().number_of_parameters());
        rebuilt.push(kernel.with_parameters(own)?);
        rest = others;
    }
    Ok(rebuilt)
}
