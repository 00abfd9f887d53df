//! Normal-Wishart prior of the mean and the precision of a Gaussian.

use super::{Conjugate, ExpectedDensity};
use crate::gaussian::Gaussian;
use crate::matrix_check;
use crate::multivariate::{MultivariateT, NormalWishart};
use crate::prelude::*;

/// What data do does not depend on which of covariance and precision is the coordinate: as the
/// normal-inverse-Wishart prior with Ψ = W⁻¹. The mode does.
impl Conjugate<NormalWishart> for Gaussian {
    type Predictive = MultivariateT;

    /// W⁻¹ grows by the scatter.
    fn posterior(prior: &NormalWishart, stats: &Stats<Self>) -> Result<NormalWishart, ParamError> {
        NormalWishart::from_inverse(Self::posterior(prior.as_inverse(), stats)?)
    }

    fn predictive(prior: &NormalWishart, dimension: &usize) -> Result<MultivariateT, ParamError> {
        Self::predictive(prior.as_inverse(), dimension)
    }

    fn ln_evidence(prior: &NormalWishart, stats: &Stats<Self>) -> Result<f64, ParamError> {
        Self::ln_evidence(prior.as_inverse(), stats)
    }

    fn expected_density(
        prior: &NormalWishart,
        dimension: &usize,
    ) -> Result<ExpectedDensity<Self>, ParamError> {
        Self::expected_density(prior.as_inverse(), dimension)
    }

    fn most_probable(prior: &NormalWishart, &dimension: &usize) -> Result<Option<Self>, ParamError> {
        matrix_check::length("Stats", "dimension", dimension, prior.dimension())?;
        Ok(prior.mode())
    }

    fn draw<R: Rng + ?Sized>(
        prior: &NormalWishart,
        dimension: &usize,
        rng: &mut R,
    ) -> Result<Self, ParamError> {
        Self::draw(prior.as_inverse(), dimension, rng)
    }
}
