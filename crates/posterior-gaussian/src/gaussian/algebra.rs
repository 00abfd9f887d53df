//! What the Gaussian distribution has from the algebra of moments: marginals, conditionals, images, Bayes'
//! rule.

use super::bayes::{BayesForm, precision_form};
use super::{Gaussian, LinearGaussian, MomentGaussian};
use crate::prelude::*;
use posterior_dist::Updated;

impl Gaussian {
    /// The same distribution as mean and covariance only.
    pub fn moments(&self) -> MomentGaussian {
        MomentGaussian::trusted(self.mean().clone(), self.covariance().clone())
    }

    /// The distribution of the coordinates `indices`, in this order.
    ///
    /// # Errors
    /// If an index is not below n, or there twice.
    pub fn marginal(&self, indices: &[usize]) -> Result<Self, ParamError> {
        self.moments().marginal(indices)?.distribution()
    }

    /// The distribution of the other coordinates, in order, given that the coordinates `indices` have these
    /// `values`.
    ///
    /// # Errors
    /// If an index is not below n or there twice, a value is not finite or there is not one for each index,
    /// or the conditional covariance is zero in f64.
    pub fn condition(&self, indices: &[usize], values: &[f64]) -> Result<Self, ParamError> {
        self.moments().condition(indices, values)?.distribution()
    }

    /// The distribution of A x + b.
    ///
    /// # Errors
    /// If the sizes do not agree, an entry is not finite, or A Σ Aᵀ is singular: [`MomentGaussian`] may be
    /// that.
    pub fn affine(&self, matrix: &DMatrix<f64>, offset: &[f64]) -> Result<Self, ParamError> {
        self.moments().affine(matrix, offset)?.distribution()
    }

    /// The product of two densities, which is a density times the number that is returned by its logarithm:
    /// N(x; a, A) N(x; b, B) = N(x; c, C) N(a; b, A + B).
    ///
    /// # Errors
    /// If the dimensions differ, or the product is zero in f64.
    pub fn product(&self, other: &Self) -> Result<Updated<Self>, ParamError> {
        let n = self.dimension();
        let identity = DMatrix::identity(n, n);
        let likelihood = LinearGaussian::new(&identity, &vec![0.0; n], other.covariance())?;
        self.bayes(&likelihood, other.mean().as_slice())
    }

    /// The distribution of x given an observation y, and ln p(y); in gain or in precision form, whichever is
    /// cheaper.
    ///
    /// # Errors
    /// If the sizes do not agree, y is not finite, or the noise is singular, so that the posterior has no
    /// density: [`MomentGaussian::bayes`] takes that.
    pub fn bayes(&self, likelihood: &LinearGaussian, y: &[f64]) -> Result<Updated<Self>, ParamError> {
        let noise = likelihood.noise_form().whitening()?;
        likelihood.check(self.dimension(), y)?;
        let updated = if y.len() > self.dimension() {
            precision_form(self.mean(), self.cholesky(), likelihood, &noise, y)?
        } else {
            self.moments().bayes_by(BayesForm::Gain, likelihood, y)?
        };
        Ok(Updated::new(updated.posterior.distribution()?, updated.ln_evidence))
    }
}
