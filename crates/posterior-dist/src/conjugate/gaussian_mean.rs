//! Gaussian prior of the mean of a Gaussian whose covariance is known.

use posterior_math::special::LN_TAU;

use super::{Conjugate, ExpectedDensity};
use crate::Updated;
use crate::gaussian::{Gaussian, GaussianKnownCovariance, LinearGaussian};
use crate::matrix_check;
use crate::prelude::*;

impl Conjugate<Gaussian> for GaussianKnownCovariance {
    type Predictive = Gaussian;

    /// That of the mean x̄ of n points, observed with covariance Σ / n.
    fn posterior(prior: &Gaussian, stats: &Stats<Self>) -> Result<Gaussian, ParamError> {
        check_dimension(prior, stats.fixed())?;
        if stats.weight() == 0.0 {
            return Ok(prior.clone());
        }
        Ok(observe_mean(prior, stats)?.posterior)
    }

    /// N(m, S + Σ).
    fn predictive(prior: &Gaussian, noise: &Gaussian) -> Result<Gaussian, ParamError> {
        check_dimension(prior, noise)?;
        Gaussian::new(prior.mean().as_slice(), &(prior.covariance() + noise.covariance()))
    }

    /// ln N(x̄; m, S + Σ / n) - ((n - 1)(p ln 2π + ln |Σ|) + p ln n + tr Σ⁻¹ C) / 2 with the scatter C about
    /// x̄.
    fn ln_evidence(prior: &Gaussian, stats: &Stats<Self>) -> Result<f64, ParamError> {
        check_dimension(prior, stats.fixed())?;
        let weight = stats.weight();
        if weight == 0.0 {
            return Ok(0.0);
        }
        let noise = stats.fixed();
        let p = noise.dimension() as f64;
        let spread = noise.cholesky().solve(&stats.summary().scatter()).trace();
        let within =
            (weight - 1.0) * (p * LN_TAU + noise.cholesky().ln_determinant()) + p * weight.ln() + spread;
        Ok(observe_mean(prior, stats)?.ln_evidence - 0.5 * within)
    }

    /// E w = Σ⁻¹ m, and E ln Z = (mᵀ Σ⁻¹ m + tr Σ⁻¹ S) / 2.
    fn expected_density(prior: &Gaussian, noise: &Gaussian) -> Result<ExpectedDensity<Self>, ParamError> {
        check_dimension(prior, noise)?;
        let distribution = Self::new(prior.mean().as_slice(), noise)?;
        let w = noise.cholesky().solve_vector(prior.mean());
        let spread = noise.cholesky().half_solve(prior.cholesky().factor()).norm_squared();
        let ln_partition = 0.5 * (prior.mean().dot(&w) + spread);
        let fixed = distribution.fixed();
        Ok(ExpectedDensity::new(Natural::of(fixed, w.as_slice().to_vec()), ln_partition))
    }

    fn most_probable(prior: &Gaussian, noise: &Gaussian) -> Result<Option<Self>, ParamError> {
        Self::new(prior.mean().as_slice(), noise).map(Some)
    }

    fn draw<R: Rng + ?Sized>(prior: &Gaussian, noise: &Gaussian, rng: &mut R) -> Result<Self, ParamError> {
        check_dimension(prior, noise)?;
        Self::new(&prior.sample(rng), noise)
    }
}

fn check_dimension(prior: &Gaussian, noise: &Gaussian) -> Result<(), ParamError> {
    matrix_check::length("Stats", "dimension", noise.dimension(), prior.dimension())
}

fn observe_mean(
    prior: &Gaussian,
    stats: &Stats<GaussianKnownCovariance>,
) -> Result<Updated<Gaussian>, ParamError> {
    let p = prior.dimension();
    let noise = stats.fixed().covariance() / stats.weight();
    let likelihood = LinearGaussian::new(&DMatrix::identity(p, p), &vec![0.0; p], &noise)?;
    prior.bayes(&likelihood, stats.summary().mean().as_slice())
}
