//! Priors of the mean of a multivariate normal distribution with a known covariance, and of the covariance or
//! precision with a known mean.

use posterior_math::linalg::Cholesky;
use posterior_math::special::LN_TAU;

use super::gaussian::ln_scale_ratio;
use crate::gaussian::{Gaussian, GaussianKnownCovariance, GaussianKnownMean, LinearGaussian};
use crate::matrix_check;
use crate::multivariate::{InverseWishart, MultivariateT, Wishart};
use crate::prelude::*;
use posterior_dist::Updated;

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

impl Conjugate<InverseWishart> for GaussianKnownMean {
    type Predictive = MultivariateT;

    /// Ψ + Σ (xᵢ - μ)(xᵢ - μ)ᵀ, ν + n.
    fn posterior(prior: &InverseWishart, stats: &Stats<Self>) -> Result<InverseWishart, ParamError> {
        check_mean(prior.dimension(), stats.fixed())?;
        let psi = prior.scale() + Self::scatter_of(stats.fixed(), stats.sum());
        InverseWishart::new(prior.degrees_of_freedom() + stats.weight(), &psi)
    }

    /// t with ν - p + 1 degrees of freedom and scale Ψ / (ν - p + 1).
    fn predictive(prior: &InverseWishart, mean: &Vec<f64>) -> Result<MultivariateT, ParamError> {
        check_mean(prior.dimension(), mean)?;
        let degrees_of_freedom = prior.degrees_of_freedom() - mean.len() as f64 + 1.0;
        MultivariateT::new(degrees_of_freedom, mean, &(prior.scale() / degrees_of_freedom))
    }

    fn ln_evidence(prior: &InverseWishart, stats: &Stats<Self>) -> Result<f64, ParamError> {
        check_mean(prior.dimension(), stats.fixed())?;
        let scatter = Self::scatter_of(stats.fixed(), stats.sum());
        ln_scale_ratio(prior.cholesky(), &scatter, prior.degrees_of_freedom(), stats.weight())
    }

    /// E w = ν Ψ⁻¹, and E ln Z = (p ln 2π + E ln |Σ|) / 2.
    fn expected_density(
        prior: &InverseWishart,
        mean: &Vec<f64>,
    ) -> Result<ExpectedDensity<Self>, ParamError> {
        check_mean(prior.dimension(), mean)?;
        let ln_partition = 0.5 * (mean.len() as f64 * LN_TAU + prior.expected_ln_determinant());
        Ok(ExpectedDensity::new(Self::natural_of(mean, &prior.expected_inverse()), ln_partition))
    }

    fn most_probable(prior: &InverseWishart, mean: &Vec<f64>) -> Result<Option<Self>, ParamError> {
        check_mean(prior.dimension(), mean)?;
        prior.mode().map(|covariance| Self::new(mean, &covariance)).transpose()
    }

    fn draw<R: Rng + ?Sized>(
        prior: &InverseWishart,
        mean: &Vec<f64>,
        rng: &mut R,
    ) -> Result<Self, ParamError> {
        check_mean(prior.dimension(), mean)?;
        let factor = Cholesky::from_factor(prior.sample_cholesky(rng))
            .map_err(|error| error.of_parameter("InverseWishart", "draw"))?;
        Ok(Self::from(Gaussian::from_cholesky(mean, factor)?))
    }
}

/// As the inverse Wishart prior of the covariance with Ψ = W⁻¹; only the mode depends on the coordinates.
impl Conjugate<Wishart> for GaussianKnownMean {
    type Predictive = MultivariateT;

    /// W⁻¹ + Σ (xᵢ - μ)(xᵢ - μ)ᵀ, ν + n.
    fn posterior(prior: &Wishart, stats: &Stats<Self>) -> Result<Wishart, ParamError> {
        check_mean(prior.dimension(), stats.fixed())?;
        let inverse_scale = prior.inverse_scale() + Self::scatter_of(stats.fixed(), stats.sum());
        Wishart::from_inverse_scale(prior.degrees_of_freedom() + stats.weight(), &inverse_scale)
    }

    fn predictive(prior: &Wishart, mean: &Vec<f64>) -> Result<MultivariateT, ParamError> {
        Self::predictive(&inverse(prior)?, mean)
    }

    fn ln_evidence(prior: &Wishart, stats: &Stats<Self>) -> Result<f64, ParamError> {
        Self::ln_evidence(&inverse(prior)?, stats)
    }

    fn expected_density(prior: &Wishart, mean: &Vec<f64>) -> Result<ExpectedDensity<Self>, ParamError> {
        Self::expected_density(&inverse(prior)?, mean)
    }

    /// `None` up to ν = p + 1.
    fn most_probable(prior: &Wishart, mean: &Vec<f64>) -> Result<Option<Self>, ParamError> {
        check_mean(prior.dimension(), mean)?;
        let power = prior.degrees_of_freedom() - mean.len() as f64 - 1.0;
        let covariance: DMatrix<f64> = prior.inverse_scale() / power;
        if power > 0.0 { Self::new(mean, &covariance).map(Some) } else { Ok(None) }
    }

    fn draw<R: Rng + ?Sized>(prior: &Wishart, mean: &Vec<f64>, rng: &mut R) -> Result<Self, ParamError> {
        Self::draw(&inverse(prior)?, mean, rng)
    }
}

/// The distribution of the inverse.
fn inverse(prior: &Wishart) -> Result<InverseWishart, ParamError> {
    InverseWishart::new(prior.degrees_of_freedom(), prior.inverse_scale())
}

fn check_mean(dimension: usize, mean: &[f64]) -> Result<(), ParamError> {
    matrix_check::length("Stats", "dimension", mean.len(), dimension)
}
