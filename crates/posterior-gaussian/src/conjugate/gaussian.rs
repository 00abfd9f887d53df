//! Priors of the mean of a multivariate normal distribution with its covariance or precision.

use posterior_math::linalg::Cholesky;
use posterior_math::special::{LN_TAU, ln_pochhammer};

use crate::gaussian::Gaussian;
use crate::matrix_check;
use crate::multivariate::{MultivariateT, NormalInverseWishart, NormalWishart};
use crate::prelude::*;

impl Conjugate<NormalInverseWishart> for Gaussian {
    type Predictive = MultivariateT;

    /// With n points of mean x̄ and scatter S about it: κ + n, ν + n, μ₀ + n / (κ + n) (x̄ - μ₀) and
    /// Ψ + S + κ n / (κ + n) (x̄ - μ₀)(x̄ - μ₀)ᵀ.
    fn posterior(
        prior: &NormalInverseWishart,
        stats: &Stats<Self>,
    ) -> Result<NormalInverseWishart, ParamError> {
        check_dimension(prior, *stats.fixed())?;
        let weight = stats.weight();
        if weight == 0.0 {
            return Ok(prior.clone());
        }
        let kappa = prior.kappa() + weight;
        let mu = prior.location() + (stats.summary().mean() - prior.location()) * (weight / kappa);
        let psi = prior.scale() + growth(prior, stats);
        NormalInverseWishart::new(mu.as_slice(), kappa, &psi, prior.degrees_of_freedom() + weight)
    }

    /// t with ν - p + 1 degrees of freedom and scale Ψ (κ + 1) / (κ (ν - p + 1)).
    fn predictive(prior: &NormalInverseWishart, &dimension: &usize) -> Result<MultivariateT, ParamError> {
        check_dimension(prior, dimension)?;
        prior.t_distribution(1.0 + prior.kappa().recip())
    }

    /// -n p ln π / 2 + ln Γ_p(ν' / 2) - ln Γ_p(ν / 2) - n ln |Ψ'| / 2 - ν ln (|Ψ'| / |Ψ|) / 2 - p ln (κ' / κ)
    /// / 2, where the ratios keep the digits of a prior that counts for many points.
    fn ln_evidence(prior: &NormalInverseWishart, stats: &Stats<Self>) -> Result<f64, ParamError> {
        check_dimension(prior, *stats.fixed())?;
        let weight = stats.weight();
        if weight == 0.0 {
            return Ok(stats.ln_base());
        }
        let p = prior.dimension();
        let ln_kappa = (weight / prior.kappa()).ln_1p();
        let matrices = ln_scale_ratio(
            prior.covariance_distribution().cholesky(),
            &growth(prior, stats),
            prior.degrees_of_freedom(),
            weight,
        )?;
        Ok(matrices - 0.5 * p as f64 * ln_kappa + stats.ln_base())
    }

    /// E Λ = ν Ψ⁻¹, E Λ μ = ν Ψ⁻¹ μ₀, and E ln Z = (p ln 2π + E ln |Σ| + p / κ + ν μ₀ᵀ Ψ⁻¹ μ₀) / 2.
    fn expected_density(
        prior: &NormalInverseWishart,
        &dimension: &usize,
    ) -> Result<ExpectedDensity<Self>, ParamError> {
        check_dimension(prior, dimension)?;
        let precision = prior.covariance_distribution().expected_inverse();
        let eta = &precision * prior.location();
        let ln_partition = 0.5
            * (dimension as f64 * (LN_TAU + prior.kappa().recip())
                + prior.covariance_distribution().expected_ln_determinant()
                + prior.location().dot(&eta));
        Ok(ExpectedDensity::new(Self::natural_of(&eta, &precision), ln_partition))
    }

    fn most_probable(prior: &NormalInverseWishart, &dimension: &usize) -> Result<Option<Self>, ParamError> {
        check_dimension(prior, dimension)?;
        Ok(prior.mode())
    }

    fn draw<R: Rng + ?Sized>(
        prior: &NormalInverseWishart,
        &dimension: &usize,
        rng: &mut R,
    ) -> Result<Self, ParamError> {
        check_dimension(prior, dimension)?;
        prior.draw(rng)
    }
}

fn check_dimension(prior: &NormalInverseWishart, dimension: usize) -> Result<(), ParamError> {
    matrix_check::length("Stats", "dimension", dimension, prior.dimension())
}

/// Ψ' - Ψ of data that are there.
fn growth(prior: &NormalInverseWishart, stats: &Stats<Gaussian>) -> DMatrix<f64> {
    let weight = stats.weight();
    let deviation = stats.summary().mean() - prior.location();
    let factor = weight / (1.0 + weight / prior.kappa());
    stats.summary().scatter() + &deviation * deviation.transpose() * factor
}

/// The evidence of a scale matrix Ψ with this factor that grows by `growth`, a sum of `weight` squares:
/// -n p ln π / 2 + ln Γ_p((ν + n) / 2) - ln Γ_p(ν / 2) + ν ln |Ψ| / 2 - (ν + n) ln |Ψ'| / 2.
pub(super) fn ln_scale_ratio(
    psi: &Cholesky,
    growth: &DMatrix<f64>,
    nu: f64,
    weight: f64,
) -> Result<f64, ParamError> {
    matrix_check::finite("Stats", "scatter", growth.as_slice())?;
    let p = psi.size();
    let half_white = psi.half_solve(growth).transpose();
    let ln_ratio = ln_determinant_one_plus(psi.half_solve(&half_white));
    let ln_gammas: f64 = (0..p).map(|i| ln_pochhammer(0.5 * (nu - i as f64), 0.5 * weight)).sum();
    let ln_determinants = weight * psi.ln_determinant() + (nu + weight) * ln_ratio;
    Ok(ln_gammas - 0.5 * (weight * p as f64 * std::f64::consts::PI.ln() + ln_determinants))
}

/// ln |I + M| of a positive semidefinite M: elimination that keeps what the pivots have beyond one, so that a
/// small M has a logarithm with full relative precision. The lower triangle is read.
fn ln_determinant_one_plus(mut m: DMatrix<f64>) -> f64 {
    let n = m.nrows();
    let mut sum = 0.0;
    for j in 0..n {
        let excess = m[(j, j)];
        sum += excess.ln_1p();
        for k in j + 1..n {
            let factor = m[(k, j)] / (1.0 + excess);
            for i in k..n {
                let product = m[(i, j)] * factor;
                m[(i, k)] -= product;
            }
        }
    }
    sum
}

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
