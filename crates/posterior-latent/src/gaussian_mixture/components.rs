//! Gaussian components without weights: for models that say in another way than a mixture whose an
//! observation is.

use std::fmt;
use std::ops::{Deref, Range};

use posterior_gaussian::NormalInverseWishart;
use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};

use super::estimate::{Estimator, scatter};
use super::missing::{Conditional, Pattern, moments, patterns_of};
#[cfg(feature = "serde")]
use super::model::written::{Rows, matrix, rows};
use super::model::{Covariances, GaussianMixture, Gaussians};
use super::options::GaussianMixtureOptions;
use super::prior::ln_density;
use crate::error::Error;
use crate::gaussian_tiles::{Component, Moments, add_moments, ln_densities};
use crate::mixture::{Happened, IncidentKind};

/// K Gaussian distributions, prepared for many observations at a time.
///
/// Observations are rows of a matrix; NaN is what is missing.
///
/// ```
/// use posterior_latent::gaussian_mixture::{Covariances, GaussianComponents};
/// use posterior_math::linalg::DMatrix;
///
/// let means = DMatrix::from_row_slice(2, 1, &[-2.0, 2.0]);
/// let components = GaussianComponents::new(&means, Covariances::Spherical(vec![1.0, 1.0]))?;
/// let rows = DMatrix::from_row_slice(3, 1, &[2.0, f64::NAN, -2.0]);
/// let mut ln_densities = [0.0; 4];
/// components.ln_densities(&rows, 0..2, &mut ln_densities)?;
/// let highest = -0.5 * std::f64::consts::TAU.ln();
/// let expected = [highest - 8.0, highest, 0.0, 0.0];
/// assert!(ln_densities.iter().zip(expected).all(|(own, known)| (own - known).abs() < 1e-13));
/// # Ok::<(), posterior_latent::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Written", into = "Written"))]
pub struct GaussianComponents {
    gaussians: Gaussians,
    /// The same as the inner loop takes them.
    fast: Vec<Component>,
}

/// As they stand in a file.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    means: Rows,
    covariances: Covariances,
}

#[cfg(feature = "serde")]
impl From<GaussianComponents> for Written {
    fn from(components: GaussianComponents) -> Self {
        Self { means: rows(components.means()), covariances: components.covariances().clone() }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Written> for GaussianComponents {
    type Error = Error;

    fn try_from(Written { means, covariances }: Written) -> Result<Self, Error> {
        Self::new(&matrix(&means)?, covariances)
    }
}

/// Means and covariances, without what is computed from them.
impl fmt::Debug for GaussianComponents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GaussianComponents")
            .field("means", self.means())
            .field("covariances", self.covariances())
            .finish()
    }
}

/// What is kept of observations for an M step: weights, and moments about the means of the components that
/// proportions came from.
#[derive(Debug, Clone, PartialEq)]
pub struct ComponentMoments {
    moments: Vec<Moments>,
}

impl ComponentMoments {
    /// Adds the moments of other observations, about the same means.
    ///
    /// # Errors
    /// If they are of another number of components, or of other dimensions.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        let size = |all: &Self| all.moments.iter().map(|moments| moments.second.len()).sum::<usize>();
        for (what, expected, found) in [
            ("components of the moments", self.moments.len(), other.moments.len()),
            ("moments", size(self), size(other)),
        ] {
            check::dimension(what, expected, found)?;
        }
        for (sum, more) in self.moments.iter_mut().zip(&other.moments) {
            sum.add(more);
        }
        Ok(())
    }

    /// How much component k has been given.
    ///
    /// # Panics
    /// If there is no such component.
    #[track_caller]
    pub fn weight(&self, k: usize) -> f64 {
        self.moments[k].weight
    }
}

impl Deref for GaussianComponents {
    type Target = Gaussians;

    fn deref(&self) -> &Gaussians {
        &self.gaussians
    }
}

impl GaussianComponents {
    /// The components with these means as rows, and covariances.
    ///
    /// # Errors
    /// As for [`GaussianMixture::new`].
    pub fn new(means: &DMatrix<f64>, covariances: Covariances) -> Result<Self, Error> {
        let weights = vec![1.0; means.nrows().max(1)];
        Ok(Self::of_mixture(&GaussianMixture::new(&weights, means, covariances)?))
    }

    /// The components of a mixture, without its weights.
    pub fn of_mixture(mixture: &GaussianMixture) -> Self {
        Self { gaussians: (**mixture).clone(), fast: mixture.unweighted() }
    }

    /// A point of component k.
    ///
    /// # Panics
    /// If there is no such component.
    #[track_caller]
    pub fn sample<R: rand::Rng + ?Sized>(&self, k: usize, rng: &mut R) -> Vec<f64> {
        self.fast[k].sample(rng)
    }

    /// Writes ln p of these rows under each component, K numbers a row; of what was observed, where values
    /// are missing, and 0 where all are.
    ///
    /// # Errors
    /// If rows have another length, there is no such row, or not K numbers to be written for each.
    pub fn ln_densities(
        &self,
        values: &DMatrix<f64>,
        rows: Range<usize>,
        out: &mut [f64],
    ) -> Result<(), Error> {
        self.check(values, &rows, out.len())?;
        ln_densities(values, rows.clone(), &self.fast, out);
        self.each_incomplete(values, rows, |pattern, conditionals, row, place| {
            let out = &mut out[place * self.components()..][..self.components()];
            if pattern.is_empty() {
                out.fill(0.0);
                return;
            }
            let observed = pattern.observed(values, row);
            for (out, conditional) in out.iter_mut().zip(conditionals) {
                *out = conditional.ln_joint(&observed).0;
            }
        })
    }

    /// The moments of no observation.
    pub fn no_moments(&self) -> ComponentMoments {
        let scatter = scatter(self.covariances().kind());
        ComponentMoments { moments: vec![Moments::zero(self.dimension(), scatter); self.components()] }
    }

    /// Adds these rows: the i-th counts `proportions[i K + k]` times in component k, not negative. What is
    /// missing is expected given what was observed; a row without a value does not count.
    ///
    /// # Errors
    /// As for [`ln_densities`](Self::ln_densities), or if a value is infinite.
    pub fn add_moments(
        &self,
        values: &DMatrix<f64>,
        rows: Range<usize>,
        proportions: &[f64],
        moments_of: &mut ComponentMoments,
    ) -> Result<(), Error> {
        self.check(values, &rows, proportions.len())?;
        let scatter = scatter(self.covariances().kind());
        let skip = |row: usize| (0..values.ncols()).any(|j| values[(row, j)].is_nan());
        let all = &mut moments_of.moments;
        add_moments(values, rows.clone(), &self.fast, proportions, skip, (all.as_mut_slice(), scatter));
        let (k, d) = (self.components(), self.dimension());
        let mut sums = vec![(0.0, DVector::zeros(d), DMatrix::zeros(d, d)); k];
        let mut any = false;
        self.each_incomplete(values, rows, |pattern, conditionals, row, place| {
            if pattern.is_empty() {
                return;
            }
            any = true;
            let observed = pattern.observed(values, row);
            let proportions = &proportions[place * k..][..k];
            for ((sum, conditional), &proportion) in sums.iter_mut().zip(conditionals).zip(proportions) {
                if proportion > 0.0 {
                    conditional.add(pattern, proportion, &conditional.ln_joint(&observed).1, sum);
                }
            }
        })?;
        if any {
            for (moments_of, sum) in moments_of.moments.iter_mut().zip(sums) {
                moments_of.add(&moments(sum, scatter));
            }
        }
        Ok(())
    }

    /// The components that fit these moments best, with the prior, the added variance and the kind of
    /// covariances of these `options` and `self`; no variance of coordinate j is below `floor[j]`. What
    /// happened to which component is reported: one that can't be estimated stays.
    ///
    /// # Errors
    /// If the floor has another length.
    pub fn estimate(
        &self,
        moments: &ComponentMoments,
        options: &GaussianMixtureOptions,
        floor: &[f64],
    ) -> Result<(Self, Happened), Error> {
        check::dimension("coordinates of the floor", self.dimension(), floor.len())?;
        if moments.moments.iter().all(|moments| moments.weight == 0.0) {
            let died = |k: usize| (k, IncidentKind::Died);
            return Ok((self.clone(), (0..self.components()).map(died).collect()));
        }
        let kind = self.covariances().kind();
        let estimator = Estimator { options, kind, floor, previous: Some(&self.gaussians) };
        let (mixture, happened) = estimator.estimate(&moments.moments, self.means())?;
        Ok((Self::of_mixture(&mixture), happened))
    }

    /// ln p of means and covariances under a prior, up to a constant.
    ///
    /// # Errors
    /// If the prior has another dimension.
    pub fn ln_prior(&self, prior: &NormalInverseWishart) -> Result<f64, Error> {
        check::dimension("coordinates of the prior", self.dimension(), prior.dimension())?;
        Ok(ln_density(prior, &self.gaussians))
    }

    fn check(&self, values: &DMatrix<f64>, rows: &Range<usize>, numbers: usize) -> Result<(), Error> {
        for (what, expected, found) in [
            ("coordinates", self.dimension(), values.ncols()),
            ("numbers", rows.len() * self.components(), numbers),
        ] {
            check::dimension(what, expected, found)?;
        }
        let inside = rows.end <= values.nrows();
        check::require(inside, "GaussianComponents", "row", rows.end as f64, "at most the number of rows")?;
        Ok(())
    }

    /// Calls `f` with each of these rows in which something is missing, the components given the rest, and
    /// the place of the row.
    fn each_incomplete(
        &self,
        values: &DMatrix<f64>,
        rows: Range<usize>,
        mut f: impl FnMut(&Pattern, &[Conditional], usize, usize),
    ) -> Result<(), Error> {
        let mut gaps = false;
        for column in values.column_iter() {
            for x in &column.as_slice()[rows.clone()] {
                gaps |= x.is_nan();
            }
        }
        if !gaps {
            return Ok(());
        }
        for pattern in patterns_of(values, rows.clone()).iter().filter(|pattern| !pattern.is_complete()) {
            let conditionals: Vec<Conditional> = if pattern.is_empty() {
                Vec::new()
            } else {
                let given = |k: usize| Conditional::new(&self.gaussians, k, 0.0, pattern);
                (0..self.components()).map(given).collect::<Result<_, _>>()?
            };
            for &row in pattern.rows() {
                f(pattern, &conditionals, row, row - rows.start);
            }
        }
        Ok(())
    }
}
