//! A Gaussian that stands in for the posterior: what Laplace's method and expectation propagation share.

use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};

use super::curvature::Curvature;
use super::latent::LatentMoments;
use super::observations::{check_inputs, check_prior};
use crate::{Error, GaussianProcess};

/// A Gaussian posterior of a function: mean m(x) + k(x, X) r, covariance k(x, x') - k(x, X) R k(X, x').
///
/// The weights r say which observations hold the mean where it is: for two classes those far on the right
/// side have weights near zero, as the points of a support vector machine that are not support points.
#[derive(Debug, Clone)]
pub struct LatentApproximation {
    pub(super) prior: GaussianProcess,
    pub(super) inputs: DMatrix<f64>,
    pub(super) weights: DVector<f64>,
    pub(super) curvature: Curvature,
    pub(super) converged: bool,
}

/// The derivatives of an approximate ln p(y | X).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EvidenceGradient {
    /// By the parameters of the kernel on their free scales.
    pub kernel: Vec<f64>,
    /// By the parameters of the prior's mean function.
    pub mean: Vec<f64>,
    /// By the parameters of the likelihood on their free scales.
    pub likelihood: Vec<f64>,
}

impl EvidenceGradient {
    /// All of them: kernel, mean function, likelihood.
    pub fn concat(&self) -> Vec<f64> {
        [&self.kernel[..], &self.mean, &self.likelihood].concat()
    }
}

impl LatentApproximation {
    /// The distribution of the function before the observations.
    pub const fn prior(&self) -> &GaussianProcess {
        &self.prior
    }

    /// r, one for each observation: the posterior mean is m(x) + k(x, X) r.
    pub const fn weights(&self) -> &DVector<f64> {
        &self.weights
    }

    /// Whether the sweeps or the search that it comes from converged; if not, its numbers are those of the
    /// last step.
    pub const fn converged(&self) -> bool {
        self.converged
    }

    /// Mean and variance of the function at each row of `inputs`. O(n) for a mean, O(n²) for a variance.
    ///
    /// # Errors
    /// If the inputs have another number of coordinates, are not finite, or the prior does not take them.
    pub fn latent(&self, inputs: &DMatrix<f64>) -> Result<LatentMoments, Error> {
        let cross = self.cross(inputs)?;
        let reduction = self.curvature.reduction(&cross);
        let prior = self.prior.kernel().diagonal(inputs);
        // Below zero by rounding only.
        let variance = prior.zip_map(&reduction, |prior, reduction| (prior - reduction).max(0.0));
        Ok(LatentMoments { mean: self.mean(inputs, &cross), variance })
    }

    /// Mean and covariance of the function at all rows of `inputs` together.
    ///
    /// # Errors
    /// As [`latent`](Self::latent).
    pub fn joint(&self, inputs: &DMatrix<f64>) -> Result<(DVector<f64>, DMatrix<f64>), Error> {
        let cross = self.cross(inputs)?;
        let covariance = self.prior.kernel().gram(inputs) - self.curvature.joint_reduction(&cross);
        Ok((self.mean(inputs, &cross), covariance))
    }

    fn mean(&self, inputs: &DMatrix<f64>, cross: &DMatrix<f64>) -> DVector<f64> {
        self.prior.mean().values(inputs) + cross.tr_mul(&self.weights)
    }

    fn cross(&self, inputs: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        check_inputs(inputs)?;
        check::dimension("coordinates of an input", self.inputs.ncols(), inputs.ncols())?;
        check_prior(&self.prior, inputs)?;
        Ok(self.prior.kernel().cross(&self.inputs, inputs))
    }
}

/// The means and the Gram matrix of a prior at the inputs, if it has them.
pub(super) fn at_inputs(
    prior: &GaussianProcess,
    inputs: &DMatrix<f64>,
) -> Result<(DVector<f64>, DMatrix<f64>), Error> {
    check_prior(prior, inputs)?;
    Ok((prior.mean().values(inputs), prior.kernel().gram(inputs)))
}
