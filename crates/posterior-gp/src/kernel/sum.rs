//! Sums of kernels: sums of independent functions.

use std::fmt;
use std::ops::Add;

use posterior_math::check::ParamError;

use super::{Covariance, Kernel, Parameter, Tile};

/// k₁ + k₂ + …
#[derive(Debug)]
struct Sum {
    terms: Vec<Kernel>,
}

impl Kernel {
    /// The terms of a sum; of any other kernel, itself.
    pub fn terms(&self) -> Vec<Self> {
        let terms = self.covariance().terms();
        if terms.is_empty() { vec![self.clone()] } else { terms.to_vec() }
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

impl Covariance for Sum {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        self.terms.iter().map(|term| term.value(x, y)).sum()
    }

    fn dimension(&self) -> Option<usize> {
        self.terms.iter().find_map(|term| term.covariance().dimension())
    }

    fn fill(&self, tile: &Tile<'_>, values: &mut [f64]) {
        let mut one = vec![0.0; tile.len()];
        values.fill(0.0);
        for term in &self.terms {
            term.covariance().fill(tile, &mut one);
            for (value, one) in values.iter_mut().zip(&one) {
                *value += one;
            }
        }
    }

    fn pull_back(&self, tile: &Tile<'_>, weights: &[f64], gradient: &mut [f64]) {
        let mut rest = gradient;
        for term in &self.terms {
            let (own, others) = rest.split_at_mut(term.parameters().len());
            term.covariance().pull_back(tile, weights, own);
            rest = others;
        }
    }

    fn diagonal(&self, x: &[f64]) -> f64 {
        self.terms.iter().map(|term| term.covariance().diagonal(x)).sum()
    }

    fn parameters(&self) -> Vec<Parameter> {
        self.terms.iter().flat_map(Kernel::parameters).collect()
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        let mut rest = values;
        let mut terms = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            let (own, others) = rest.split_at(term.parameters().len());
            terms.push(term.with_parameters(own)?);
            rest = others;
        }
        Ok(Kernel::new(Self { terms }))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, term) in self.terms.iter().enumerate() {
            if i > 0 {
                write!(f, " + ")?;
            }
            write!(f, "{term}")?;
        }
        Ok(())
    }

    fn terms(&self) -> &[Kernel] {
        &self.terms
    }
}
