//! Normal-inverse-gamma prior of the mean and the variance of a normal distribution.

use posterior_math::special::LN_TAU;

use super::{Conjugate, ExpectedDensity};
use crate::continuous::{Normal, StudentT};
use crate::multivariate::NormalInverseGamma;
use crate::prelude::*;

impl Conjugate<NormalInverseGamma> for Normal {
    type Predictive = StudentT;

    /// As [`NormalInverseGamma::updated`].
    fn posterior(prior: &NormalInverseGamma, stats: &Stats<Self>) -> Result<NormalInverseGamma, ParamError> {
        prior.updated(stats.summary())
    }

    /// t with 2 α degrees of freedom at μ₀, of scale √((κ + 1) β / (κ α)).
    fn predictive(prior: &NormalInverseGamma, (): &()) -> Result<StudentT, ParamError> {
        let [degrees_of_freedom, location, scale] = prior.predictive_parameters();
        StudentT::new(degrees_of_freedom, location, scale)
    }

    /// As [`NormalInverseGamma::ln_evidence`].
    fn ln_evidence(prior: &NormalInverseGamma, stats: &Stats<Self>) -> Result<f64, ParamError> {
        Ok(prior.ln_evidence(stats.summary()))
    }

    /// E τ μ = μ₀ α / β, E (-τ / 2) = -α / (2 β), and E ln Z = (ln 2π + E ln σ² + 1 / κ + μ₀² α / β) / 2.
    fn expected_density(prior: &NormalInverseGamma, (): &()) -> Result<ExpectedDensity<Self>, ParamError> {
        let precision = prior.shape() / prior.scale();
        let natural = Natural::of((), vec![prior.location() * precision, -0.5 * precision]);
        let expected_ln = prior.variance_distribution().expected_ln();
        let square = prior.location() * precision * prior.location();
        Ok(ExpectedDensity::new(natural, 0.5 * (LN_TAU + expected_ln + prior.kappa().recip() + square)))
    }

    fn most_probable(prior: &NormalInverseGamma, (): &()) -> Result<Option<Self>, ParamError> {
        prior.mode().map(|(mean, variance)| Self::mean_variance(mean, variance)).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &NormalInverseGamma, (): &(), rng: &mut R) -> Result<Self, ParamError> {
        let (mean, variance) = prior.sample(rng);
        Self::mean_variance(mean, variance)
    }
}
