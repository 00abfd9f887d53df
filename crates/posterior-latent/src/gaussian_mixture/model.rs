//! The distribution: weights, means, covariances.

#[cfg(feature = "serde")]
pub(super) mod written;

use std::fmt;
use std::ops::Deref;

use posterior_dist::{Categorical, Density};
use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::log_space::ln_sum_exp;
use posterior_math::special::LN_TAU;

use crate::error::Error;
use crate::gaussian_tiles::{Component, Whitening};
use crate::observations::Observations;

/// What the covariances of components have in common.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CovarianceKind {
    /// Nothing: any covariance for each component.
    #[default]
    Full,
    /// One covariance for all.
    Tied,
    /// Independent coordinates.
    Diagonal,
    /// Independent coordinates with one variance.
    Spherical,
}

/// The covariances of the components.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "written::Covariances", into = "written::Covariances"))]
pub enum Covariances {
    /// That of each component.
    Full(Vec<DMatrix<f64>>),
    /// That of all components.
    Tied(DMatrix<f64>),
    /// The variances of the coordinates, components as rows.
    Diagonal(DMatrix<f64>),
    /// The variance of each component.
    Spherical(Vec<f64>),
}

impl Covariances {
    /// Which they are.
    pub const fn kind(&self) -> CovarianceKind {
        match self {
            Self::Full(_) => CovarianceKind::Full,
            Self::Tied(_) => CovarianceKind::Tied,
            Self::Diagonal(_) => CovarianceKind::Diagonal,
            Self::Spherical(_) => CovarianceKind::Spherical,
        }
    }

    /// As matrix, of a component in d dimensions.
    pub(super) fn matrix(&self, k: usize, d: usize) -> DMatrix<f64> {
        match self {
            Self::Full(all) => all[k].clone(),
            Self::Tied(one) => one.clone(),
            Self::Diagonal(rows) => DMatrix::from_diagonal(&rows.row(k).transpose()),
            Self::Spherical(variances) => DMatrix::identity(d, d) * variances[k],
        }
    }
}

/// Means and covariances of K Gaussian distributions: what mixtures have beside weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Gaussians {
    means: DMatrix<f64>,
    covariances: Covariances,
}

impl Gaussians {
    /// The number K of components.
    pub fn components(&self) -> usize {
        self.means.nrows()
    }

    /// The length of an observation.
    pub fn dimension(&self) -> usize {
        self.means.ncols()
    }

    /// The means μ, components as rows.
    pub const fn means(&self) -> &DMatrix<f64> {
        &self.means
    }

    /// The covariances.
    pub const fn covariances(&self) -> &Covariances {
        &self.covariances
    }

    /// Σ_k as a matrix.
    ///
    /// # Panics
    /// If there is no such component.
    #[track_caller]
    pub fn covariance(&self, k: usize) -> DMatrix<f64> {
        assert!(k < self.components(), "component {k} of {}", self.components());
        self.covariances.matrix(k, self.dimension())
    }
}

/// A mixture of Gaussian distributions: [`Gaussians`] with weights.
///
/// # Density
/// p(x) = Σ_k π_k N(x; μ_k, Σ_k)
///
/// ```
/// use posterior_dist::Density;
/// use posterior_latent::gaussian_mixture::{Covariances, GaussianMixture};
/// use posterior_math::linalg::DMatrix;
///
/// let means = DMatrix::from_row_slice(2, 2, &[-2.0, 0.0, 2.0, 0.0]);
/// let mixture = GaussianMixture::new(&[1.0, 1.0], &means, Covariances::Spherical(vec![1.0, 1.0]))?;
/// assert_eq!((mixture.components(), mixture.dimension()), (2, 2));
/// assert!((mixture.ln_pdf(&[0.0, 0.0]) - (-2.0 - std::f64::consts::TAU.ln())).abs() < 1e-15);
/// # Ok::<(), posterior_latent::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "written::Mixture", into = "written::Mixture"))]
pub struct GaussianMixture {
    weights: Categorical,
    gaussians: Gaussians,
    /// The components as the inner loop takes them.
    fast: Vec<Component>,
}

impl Deref for GaussianMixture {
    type Target = Gaussians;

    fn deref(&self) -> &Gaussians {
        &self.gaussians
    }
}

impl GaussianMixture {
    /// The mixture with weights in these proportions, means as rows, and covariances.
    ///
    /// # Errors
    /// If the numbers of components or coordinates differ, there are none of them, a number is not finite, or
    /// a covariance is not symmetric and positive definite.
    pub fn new(weights: &[f64], means: &DMatrix<f64>, covariances: Covariances) -> Result<Self, Error> {
        Self::weighted(Categorical::from_weights(weights)?, means, covariances)
    }

    /// The mixture with these weights.
    pub(super) fn weighted(
        weights: Categorical,
        means: &DMatrix<f64>,
        covariances: Covariances,
    ) -> Result<Self, Error> {
        let (k, d) = means.shape();
        check::require(k > 0 && d > 0, "GaussianMixture", "size of the means", k.min(d) as f64, "positive")?;
        check::dimension("weights", k, weights.categories())?;
        match &covariances {
            Covariances::Full(all) => check::dimension("covariances", k, all.len())?,
            Covariances::Tied(_) => {}
            Covariances::Diagonal(rows) => {
                check::dimension("rows of variances", k, rows.nrows())?;
                check::dimension("columns of variances", d, rows.ncols())?;
            }
            Covariances::Spherical(variances) => check::dimension("variances", k, variances.len())?,
        }
        for (index, &mean) in means.iter().enumerate() {
            check::finite("GaussianMixture", "mean", mean).map_err(|error| error.at(index % k))?;
        }
        let fast = prepare(&weights, means, &covariances)?;
        Ok(Self { weights, gaussians: Gaussians { means: means.clone(), covariances }, fast })
    }

    /// The weights π of the components.
    pub const fn weights(&self) -> &Categorical {
        &self.weights
    }

    /// How many numbers are free: K - 1 weights, K d means, and those of the covariances.
    pub fn free_parameters(&self) -> usize {
        let (k, d) = self.means().shape();
        let covariances = match self.covariances().kind() {
            CovarianceKind::Full => k * d * (d + 1) / 2,
            CovarianceKind::Tied => d * (d + 1) / 2,
            CovarianceKind::Diagonal => k * d,
            CovarianceKind::Spherical => k,
        };
        k - 1 + k * d + covariances
    }

    /// The components as the inner loop takes them.
    pub(crate) fn fast(&self) -> &[Component] {
        &self.fast
    }

    /// The components as the inner loop takes them, without weights.
    pub(super) fn unweighted(&self) -> Vec<Component> {
        let bare = |component: &Component| {
            let ln_scale = match &component.whitening {
                Whitening::Lower(rows) => {
                    (0..self.dimension()).map(|j| rows[j * (j + 1) / 2 + j].ln()).sum::<f64>()
                }
                Whitening::Diagonal(scales) => scales.iter().map(|scale| scale.ln()).sum(),
            };
            Component { ln_offset: ln_scale - 0.5 * self.dimension() as f64 * LN_TAU, ..component.clone() }
        };
        self.fast.iter().map(bare).collect()
    }

    /// ln p(x) of each observation; of what was observed, where values are missing.
    ///
    /// # Errors
    /// If the observations have another length.
    pub fn ln_pdf_rows(&self, data: &Observations) -> Result<Vec<f64>, Error> {
        Ok(self.proportions(data)?.1)
    }

    /// The probability that observation i belongs to component k, observations as rows.
    ///
    /// # Errors
    /// If the observations have another length, or one is so far from all components that its density
    /// underflows.
    pub fn responsibilities(&self, data: &Observations) -> Result<DMatrix<f64>, Error> {
        let (proportions, ln_pdf) = self.proportions(data)?;
        match ln_pdf.iter().position(|&ln_pdf| ln_pdf == f64::NEG_INFINITY) {
            Some(row) => Err(Error::NoBlock { observation: row }),
            None => Ok(proportions),
        }
    }

    /// The most probable component of each observation, the first of equals.
    ///
    /// # Errors
    /// As for [`responsibilities`](Self::responsibilities).
    pub fn labels(&self, data: &Observations) -> Result<Vec<usize>, Error> {
        let proportions = self.responsibilities(data)?;
        let mut best = vec![(0, f64::NEG_INFINITY); data.len()];
        for (k, column) in proportions.column_iter().enumerate() {
            for (best, &proportion) in best.iter_mut().zip(column.iter()) {
                *best = if proportion > best.1 { (k, proportion) } else { *best };
            }
        }
        Ok(best.into_iter().map(|(k, _)| k).collect())
    }
}

/// Weights, means and covariances, without what is computed from them.
impl fmt::Debug for GaussianMixture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GaussianMixture")
            .field("weights", &self.weights.probabilities())
            .field("means", self.means())
            .field("covariances", self.covariances())
            .finish_non_exhaustive()
    }
}

impl Density for GaussianMixture {
    type Point = [f64];

    /// -∞ for a point of another length, NaN for one with NaN.
    fn ln_pdf(&self, x: &[f64]) -> f64 {
        if x.iter().any(|x| x.is_nan()) {
            return f64::NAN;
        }
        if x.len() != self.dimension() {
            return f64::NEG_INFINITY;
        }
        ln_sum_exp(&self.fast.iter().map(|component| component.ln_density(x)).collect::<Vec<_>>())
    }
}

/// The components in the form that is fast, if all covariances have a factor.
fn prepare(
    weights: &Categorical,
    means: &DMatrix<f64>,
    covariances: &Covariances,
) -> Result<Vec<Component>, Error> {
    let d = means.ncols();
    let whiten = |matrix: &DMatrix<f64>| {
        factor(matrix, d).map(|cholesky| (Whitening::of_cholesky(&cholesky), cholesky.ln_determinant()))
    };
    let tied = if let Covariances::Tied(matrix) = covariances { Some(whiten(matrix)?) } else { None };
    let mut components = Vec::with_capacity(means.nrows());
    for (k, ln_weight) in weights.ln_probabilities().iter().enumerate() {
        let (whitening, ln_determinant) = match (covariances, &tied) {
            (_, Some(tied)) => tied.clone(),
            (Covariances::Full(all), _) => whiten(&all[k]).map_err(|error| error.at(k))?,
            (Covariances::Tied(one), _) => whiten(one)?,
            (Covariances::Diagonal(rows), _) => independent(rows.row(k).iter().copied(), k)?,
            (Covariances::Spherical(all), _) => independent(std::iter::repeat_n(all[k], d), k)?,
        };
        let centre = means.row(k).iter().copied().collect();
        let ln_offset = ln_weight - 0.5 * (d as f64 * LN_TAU + ln_determinant);
        components.push(Component { centre, whitening, ln_offset });
    }
    Ok(components)
}

fn factor(matrix: &DMatrix<f64>, d: usize) -> Result<Cholesky, ParamError> {
    let (rows, columns) = matrix.shape();
    let square = rows == d && columns == d;
    check::require(square, "GaussianMixture", "size of a covariance", rows as f64, "that of the means")?;
    for i in 0..d {
        for j in 0..i {
            let (a, b) = (matrix[(i, j)], matrix[(j, i)]);
            let same = (a - b).abs() <= 1e-12 * (a.abs() + b.abs());
            check::require(same, "GaussianMixture", "covariance", a, "symmetric")?;
        }
    }
    Cholesky::new(matrix).map_err(|error| error.of_parameter("GaussianMixture", "covariance"))
}

fn independent(variances: impl Iterator<Item = f64>, k: usize) -> Result<(Whitening, f64), ParamError> {
    let variances: Vec<f64> = variances.collect();
    let mut ln_determinant = 0.0;
    for &variance in &variances {
        check::positive("GaussianMixture", "variance", variance).map_err(|error| error.at(k))?;
        ln_determinant += variance.ln();
    }
    Ok((Whitening::of_variances(&variances), ln_determinant))
}
