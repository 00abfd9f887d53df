//! x = W z + μ + noise.

use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::{Cholesky, DMatrix, multiply_transpose, transpose_multiply};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::patterns::{Pattern, patterns};
use crate::error::Error;
use crate::observations::Observations;

/// x = W z + μ + e with z ~ N(0, I) of k numbers, and independent e ~ N(0, diag ψ) of d: probabilistic PCA
/// where all ψ are equal, factor analysis where they are not.
///
/// Missing values are integrated out: only what is observed of a row counts. By Woodbury's identity
/// everything costs O(d k) a row, and O(d k²) for each pattern of missing values.
///
/// ```
/// use posterior_latent::Observations;
/// use posterior_latent::principal_components::FactorModel;
/// use posterior_math::linalg::DMatrix;
///
/// // Two noisy readings of one number.
/// let model = FactorModel::new(&[0.0, 0.0], &DMatrix::from_element(2, 1, 1.0), &[0.5, 0.5])?;
/// let rows = Observations::with_missing(&DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 1.5, f64::NAN]))?;
/// let means = model.posterior_means(&rows)?;
/// assert!((means[0] - 0.8).abs() < 1e-15 && (means[1] - 1.0).abs() < 1e-15);
/// assert!((model.impute(&rows)?[(1, 1)] - 1.0).abs() < 1e-15);
/// # Ok::<(), posterior_latent::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct FactorModel {
    mean: Vec<f64>,
    #[cfg_attr(feature = "serde", serde(with = "posterior_math::linalg::written"))]
    loadings: DMatrix<f64>,
    noise: Vec<f64>,
}

/// A model as somebody wrote it.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    mean: Vec<f64>,
    #[serde(with = "posterior_math::linalg::written")]
    loadings: DMatrix<f64>,
    noise: Vec<f64>,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for FactorModel {
    type Error = Error;

    fn try_from(Unchecked { mean, loadings, noise }: Unchecked) -> Result<Self, Error> {
        Self::new(&mean, &loadings, &noise)
    }
}

impl FactorModel {
    /// The model of mean μ, loadings W (d by k) and noise variances ψ.
    ///
    /// # Errors
    /// If the sizes differ, if there is no coordinate, if a variance is not positive, or if a number is not
    /// finite.
    pub fn new(mean: &[f64], loadings: &DMatrix<f64>, noise: &[f64]) -> Result<Self, Error> {
        let d = mean.len().max(1);
        let sizes = [
            ("coordinates of the mean", mean.len()),
            ("rows of loadings", loadings.nrows()),
            ("noise variances", noise.len()),
        ];
        for (what, found) in sizes {
            check::dimension(what, d, found)?;
        }
        for (parameter, numbers) in [("mean", mean), ("loadings", loadings.as_slice())] {
            for &value in numbers {
                check::finite("FactorModel", parameter, value)?;
            }
        }
        for (t, &value) in noise.iter().enumerate() {
            check::positive("FactorModel", "noise", value).map_err(|error| error.at(t))?;
        }
        Ok(Self { mean: mean.to_vec(), loadings: loadings.clone(), noise: noise.to_vec() })
    }

    /// The mean μ.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// W, one column for each factor.
    pub const fn loadings(&self) -> &DMatrix<f64> {
        &self.loadings
    }

    /// The noise variances ψ.
    pub fn noise(&self) -> &[f64] {
        &self.noise
    }

    /// How many numbers a row has.
    pub fn dimension(&self) -> usize {
        self.mean.len()
    }

    /// How many factors there are.
    pub fn factors(&self) -> usize {
        self.loadings.ncols()
    }

    /// The covariance matrix of x, W Wᵀ + diag ψ.
    pub fn covariance(&self) -> DMatrix<f64> {
        let mut covariance = multiply_transpose(&self.loadings, &self.loadings);
        for (t, noise) in self.noise.iter().enumerate() {
            covariance[(t, t)] += noise;
        }
        covariance
    }

    /// Σ w ln p(x), of what is observed.
    ///
    /// # Errors
    /// If rows have another length.
    pub fn ln_likelihood(&self, data: &Observations) -> Result<f64, Error> {
        let data = data.counted();
        let ln_densities = self.ln_densities(&data)?;
        Ok(ln_densities.iter().enumerate().map(|(i, ln_density)| data.weight(i) * ln_density).sum())
    }

    /// ln p(x) of what is observed of each row: 0 where nothing is.
    ///
    /// # Errors
    /// If rows have another length.
    pub fn ln_densities(&self, data: &Observations) -> Result<Vec<f64>, Error> {
        let mut all = vec![0.0; data.len()];
        self.for_each(data, |pattern, expected| {
            for (&i, &ln_density) in pattern.rows.iter().zip(&expected.ln_densities) {
                all[i] = ln_density;
            }
        })?;
        Ok(all)
    }

    /// E (z | x) for each row: rows by factors.
    ///
    /// # Errors
    /// If rows have another length.
    pub fn posterior_means(&self, data: &Observations) -> Result<DMatrix<f64>, Error> {
        let mut all = DMatrix::zeros(data.len(), self.factors());
        self.for_each(data, |pattern, expected| {
            for (row, &i) in expected.means.row_iter().zip(&pattern.rows) {
                all.set_row(i, &row);
            }
        })?;
        Ok(all)
    }

    /// The covariance of z given a row of which these coordinates are observed; it does not depend on their
    /// values.
    ///
    /// # Errors
    /// If there is no such coordinate, or the model is out of the range of f64.
    pub fn posterior_covariance(&self, observed: &[usize]) -> Result<DMatrix<f64>, Error> {
        if let Some(&found) = observed.iter().find(|&&t| t >= self.dimension()) {
            return Err(DimensionError::new("an observed coordinate", self.dimension(), found).into());
        }
        Ok(self.restrict(observed)?.precision.inverse())
    }

    /// The rows with E (x | what is observed) in place of what is missing.
    ///
    /// # Errors
    /// If rows have another length.
    pub fn impute(&self, data: &Observations) -> Result<DMatrix<f64>, Error> {
        let predicted = multiply_transpose(&self.posterior_means(data)?, &self.loadings);
        let mut filled = data.values().clone();
        for (t, mut column) in filled.column_iter_mut().enumerate() {
            for (i, x) in column.iter_mut().enumerate().filter(|(_, x)| x.is_nan()) {
                *x = predicted[(i, t)] + self.mean[t];
            }
        }
        Ok(filled)
    }

    /// Rows drawn from the model.
    pub fn sample<R: Rng + ?Sized>(&self, rows: usize, rng: &mut R) -> DMatrix<f64> {
        let mut normal = || -> f64 { StandardNormal.sample(rng) };
        let factors = DMatrix::from_fn(rows, self.factors(), |_, _| normal());
        let mut drawn = multiply_transpose(&factors, &self.loadings);
        for (t, mut column) in drawn.column_iter_mut().enumerate() {
            for x in column.iter_mut() {
                *x += self.mean[t] + self.noise[t].sqrt() * normal();
            }
        }
        drawn
    }

    fn for_each(
        &self,
        data: &Observations,
        mut see: impl FnMut(&Pattern, &Expectation),
    ) -> Result<(), Error> {
        check::dimension("coordinates of an observation", self.dimension(), data.dimension())?;
        for pattern in patterns(data.values()) {
            see(&pattern, &self.expectation(&pattern)?);
        }
        Ok(())
    }

    fn restrict(&self, observed: &[usize]) -> Result<Restricted, Error> {
        let loadings = self.loadings.select_rows(observed);
        let mut weighted = loadings.clone();
        for (mut row, &t) in weighted.row_iter_mut().zip(observed) {
            row /= self.noise[t];
        }
        let precision =
            transpose_multiply(&loadings, &weighted) + DMatrix::identity(self.factors(), self.factors());
        Ok(Restricted { precision: Cholesky::decompose(precision)?, loadings, weighted })
    }

    /// What is expected of z for the rows of a pattern.
    pub(super) fn expectation(&self, pattern: &Pattern) -> Result<Expectation, Error> {
        let Restricted { precision, loadings, weighted } = self.restrict(&pattern.columns)?;
        let mut residuals = pattern.values.clone();
        for (mut column, &t) in residuals.column_iter_mut().zip(&pattern.columns) {
            column.add_scalar_mut(-self.mean[t]);
        }
        let means = precision.solve(&transpose_multiply(&weighted, &residuals.transpose())).transpose();
        residuals -= multiply_transpose(&means, &loadings);
        // rᵀ(WWᵀ + Ψ)⁻¹r = |r - W z|²/Ψ + |z|² at z = E (z | x): a sum without a difference.
        let noise = pattern.columns.iter().map(|&t| self.noise[t]);
        let constant = pattern.columns.len() as f64 * std::f64::consts::TAU.ln()
            + noise.clone().map(f64::ln).sum::<f64>()
            + precision.ln_determinant();
        let ln_density = |i: usize| {
            let misfit: f64 =
                residuals.row(i).iter().zip(noise.clone()).map(|(r, noise)| r * r / noise).sum();
            -0.5 * (constant + misfit + means.row(i).norm_squared())
        };
        let ln_densities = (0..pattern.rows.len()).map(ln_density).collect();
        Ok(Expectation { means, covariance: precision.inverse(), ln_densities })
    }
}

/// The model of some coordinates.
struct Restricted {
    /// I + Wᵀ diag(1/ψ) W.
    precision: Cholesky,
    /// W.
    loadings: DMatrix<f64>,
    /// diag(1/ψ) W.
    weighted: DMatrix<f64>,
}

/// What is expected of z for some rows.
#[derive(Debug, Clone)]
pub(super) struct Expectation {
    /// E z, one row for each row.
    pub(super) means: DMatrix<f64>,
    /// The covariance of z, the same for all.
    pub(super) covariance: DMatrix<f64>,
    pub(super) ln_densities: Vec<f64>,
}
