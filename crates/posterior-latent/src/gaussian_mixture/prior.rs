//! The normal-inverse-Wishart prior for each kind of covariances.

use posterior_gaussian::NormalInverseWishart;
use posterior_math::check;
use posterior_math::linalg::{Cholesky, DMatrix};

use super::model::{Covariances, Gaussians};
use crate::error::Error;
use crate::observations::Observations;

/// The prior that Fraley and Raftery (2007) propose for K components: μ₀ the mean of the data, κ = 0.01, ν =
/// d + 2, and Ψ their covariance over K^(2/d), so that the prior covariances of all components fill the
/// volume of the data.
///
/// # Errors
/// If there is no component, values are missing, or the covariance of the data is singular.
pub fn fraley_raftery_prior(data: &Observations, components: usize) -> Result<NormalInverseWishart, Error> {
    check::positive("fraley_raftery_prior", "components", components as f64)?;
    let d = data.dimension();
    let mut seen = posterior_math::streaming::StreamingCovariance::new(d);
    let data = data.counted();
    for (i, row) in data.values().row_iter().enumerate() {
        if let Some(column) = row.iter().position(|x| x.is_nan()) {
            return Err(Error::NotFinite { row: i, column, value: f64::NAN, hint: " to make a prior from" });
        }
        seen.push_weighted(&row.iter().copied().collect::<Vec<_>>(), data.weight(i));
    }
    let shrink = (components as f64).powf(2.0 / d as f64);
    let psi = seen.sample_covariance() / shrink;
    Ok(NormalInverseWishart::new(seen.mean().as_slice(), 0.01, &psi, d as f64 + 2.0)?)
}

/// What a prior adds to the statistics of a component: scale Ψ and the pull of μ₀.
pub(super) struct Added<'a>(pub(super) Option<&'a NormalInverseWishart>);

impl Added<'_> {
    /// Ψ.
    pub(super) fn psi(&self, d: usize) -> DMatrix<f64> {
        self.0.map_or_else(|| DMatrix::zeros(d, d), |prior| prior.scale().clone())
    }

    /// What the density of a covariance, with its `means` means, adds to the power of 1/√|Σ| (of 1/σ_j with
    /// independent coordinates; of 1/σ of a sphere, where `d` coordinates share it).
    pub(super) fn power(&self, kind: Power, means: usize, d: usize) -> f64 {
        let (d, means) = (d as f64, means as f64);
        self.0.map_or(0.0, |prior| match kind {
            Power::Matrix => prior.degrees_of_freedom() + d + 1.0 + means,
            Power::Coordinate => prior.degrees_of_freedom() + 2.0 + means,
            Power::Sphere => prior.degrees_of_freedom() + 2.0 + means * d,
        })
    }
}

/// Whose power of the scale.
#[derive(Debug, Clone, Copy)]
pub(super) enum Power {
    Matrix,
    Coordinate,
    Sphere,
}

/// ln p(μ, Σ) up to a constant.
pub(super) fn ln_density(prior: &NormalInverseWishart, gaussians: &Gaussians) -> f64 {
    let (d, k, added) = (gaussians.dimension(), gaussians.components(), Added(Some(prior)));
    let pull = |j: usize, k: usize| gaussians.means()[(k, j)] - prior.location()[j];
    let of_variance =
        |variance: f64, scale: f64, power: f64| -0.5 * (power * variance.ln() + scale / variance);
    match gaussians.covariances() {
        Covariances::Full(all) => {
            let power = added.power(Power::Matrix, 1, d);
            (0..k).map(|k| of_matrix(prior, gaussians, &all[k], power, k..k + 1)).sum()
        }
        Covariances::Tied(one) => of_matrix(prior, gaussians, one, added.power(Power::Matrix, k, d), 0..k),
        Covariances::Diagonal(rows) => {
            let power = added.power(Power::Coordinate, 1, d);
            let term = |k: usize, j: usize| {
                let scale = prior.scale()[(j, j)] + prior.kappa() * pull(j, k).powi(2);
                of_variance(rows[(k, j)], scale, power)
            };
            (0..k).flat_map(|k| (0..d).map(move |j| (k, j))).map(|(k, j)| term(k, j)).sum()
        }
        Covariances::Spherical(variances) => {
            let power = added.power(Power::Sphere, 1, d);
            let term = |k: usize| {
                let pulls: f64 = (0..d).map(|j| pull(j, k).powi(2)).sum();
                let scale = prior.scale().trace() / d as f64 + prior.kappa() * pulls;
                of_variance(variances[k], scale, power)
            };
            (0..k).map(term).sum()
        }
    }
}

/// -½ (power ln |Σ| + tr Ψ Σ⁻¹ + κ Σ (μ - μ₀)ᵀ Σ⁻¹ (μ - μ₀)) over the means of `components`.
fn of_matrix(
    prior: &NormalInverseWishart,
    gaussians: &Gaussians,
    covariance: &DMatrix<f64>,
    power: f64,
    components: std::ops::Range<usize>,
) -> f64 {
    let (Ok(sigma), Ok(psi)) = (Cholesky::new(covariance), Cholesky::new(prior.scale())) else {
        return f64::NAN;
    };
    let scale = sigma.half_solve(psi.factor()).norm_squared();
    let pull =
        components.map(|k| sigma.quadratic_form(&(gaussians.means().row(k).transpose() - prior.location())));
    -0.5 * (power * sigma.ln_determinant() + scale + prior.kappa() * pull.sum::<f64>())
}
