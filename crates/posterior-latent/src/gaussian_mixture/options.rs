//! How a mixture is fitted.

use posterior_gaussian::NormalInverseWishart;
use posterior_inference::em::EmOptions;

use super::model::CovarianceKind;

/// How a Gaussian mixture is fitted.
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianMixtureOptions {
    /// What the covariances have in common, where the start does not say it. Full by default.
    pub covariance: CovarianceKind,
    /// When to stop.
    pub em: EmOptions,
    /// The floor ε: Σ_k ⪰ ε diag(v) with the variances v of the columns; their mean, for spherical
    /// covariances. 10^-6 by default, 0 for none.
    pub variance_floor: f64,
    /// Added to the diagonal of every covariance after an M step, in squared units of the data. 0 by default.
    /// What is added is not maximum likelihood: the objective may fall, which the report tells.
    pub added_variance: f64,
    /// The prior of mean and covariance of each component, `None` by default. Of tied covariances there is
    /// one for all; of diagonal and spherical ones the variances have the inverse gamma prior of the diagonal
    /// of its scale.
    pub prior: Option<NormalInverseWishart>,
    /// α of the symmetric Dirichlet prior of the weights, at least 1. 1 by default, which is flat.
    pub weight_concentration: f64,
}

impl Default for GaussianMixtureOptions {
    fn default() -> Self {
        Self {
            covariance: CovarianceKind::Full,
            em: EmOptions::default(),
            variance_floor: 1e-6,
            added_variance: 0.0,
            prior: None,
            weight_concentration: 1.0,
        }
    }
}
