//! Sums of log-densities: a prior and likelihoods.

use std::fmt;

use posterior_math::ParamError;
use posterior_math::check;

use super::{EvalError, GradTarget, Target};

/// The sum of log-densities of the same coordinates; the density is their product.
pub struct SumOfTerms {
    dim: usize,
    terms: Vec<Box<dyn GradTarget + Send + Sync>>,
}

impl SumOfTerms {
    /// One term.
    pub fn new(term: impl GradTarget + Send + Sync + 'static) -> Self {
        Self { dim: term.dim(), terms: vec![Box::new(term)] }
    }

    /// These terms and another one.
    ///
    /// # Errors
    /// If it has another dimension.
    pub fn and(mut self, term: impl GradTarget + Send + Sync + 'static) -> Result<Self, ParamError> {
        let dim = term.dim();
        check::require(dim == self.dim, "SumOfTerms", "dim", dim as f64, "that of the other terms")?;
        self.terms.push(Box::new(term));
        Ok(self)
    }
}

impl fmt::Debug for SumOfTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SumOfTerms").field("dim", &self.dim).field("terms", &self.terms.len()).finish()
    }
}

impl Target for SumOfTerms {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.terms.iter().map(|term| term.ln_density(x)).sum()
    }
}

impl GradTarget for SumOfTerms {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        gradient.fill(0.0);
        let mut part = vec![0.0; gradient.len()];
        let mut sum = 0.0;
        for term in &self.terms {
            sum += term.ln_density_grad(x, &mut part)?;
            for (total, &more) in gradient.iter_mut().zip(&part) {
                *total += more;
            }
        }
        Ok(sum)
    }
}
