//! Gaussian Markov random fields.

use posterior_math::linalg::DVector;
use posterior_math::sparse::{Ordering, SparseSymmetric};
use posterior_math::special::LN_TAU;
use rand_distr::StandardNormal;

use super::NAME;
use super::base::{Base, refused};
use super::constraint::{Constraint, is_fulfilled};
use crate::matrix_check;
use crate::prelude::*;

/// The distribution of n numbers with a mean vector and a sparse precision matrix, possibly under linear
/// constraints: a Gaussian Markov random field.
///
/// # Density
/// p(x) = (2π)^(-n/2) |Q|^(1/2) exp(-(x - μ)ᵀ Q (x - μ) / 2); where Q is singular or there are constraints,
/// with respect to length, area … in the subspace in which x is, and |Q| without the eigenvalues 0
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ | `mean` | finite | |
/// | Q | `precision` | sparse, positive definite; singular with the null space N | `Q` (R-INLA, spam) |
/// | A, e | constraints A x = e | independent rows | `extraconstr` (R-INLA) |
///
/// An intrinsic field, whose Q is singular, is held as the distribution under constraints B x = B μ that
/// decide along the null space: sums of zero for random walks, one for each connected part of a map.
///
/// # Moments
/// mean μ, covariance Q⁻¹, which is dense and not computed; [`marginal_variances`](Self::marginal_variances)
///
/// # Numerics
/// One sparse Cholesky factor of Q, in an order of little fill. A draw is x = μ + L⁻ᵀ e, moved by
/// Q⁻¹ Aᵀ (A Q⁻¹ Aᵀ)⁻¹ (A x - e) where there are constraints; each constraint costs one solution, and n
/// numbers of memory.
///
/// # References
/// H. Rue, L. Held, Gaussian Markov Random Fields, Chapman & Hall (2005): chapters 2 and 3.
///
/// # Example
/// ```
/// use posterior_dist::Density;
/// use posterior_gaussian::GaussianMarkovField;
/// use posterior_gaussian::math::sparse::{Ordering, SparseSymmetric};
///
/// // x₁ and x₃ are independent given x₂, as there is no entry for the two.
/// let precision = SparseSymmetric::from_triplets(
///     3,
///     [(0, 0, 2.0), (1, 1, 2.0), (2, 2, 2.0), (1, 0, -1.0), (2, 1, -1.0)],
/// )?;
/// let field = GaussianMarkovField::new(&[0.0; 3], precision, &Ordering::MinimumDegree)?;
/// assert_eq!(field.neighbours()[0], [1]);
/// assert!((field.marginal_variances()[1] - 1.0).abs() < 1e-15);
/// let exact = 0.5 * (4.0_f64.ln() - 3.0 * std::f64::consts::TAU.ln());
/// assert!((field.ln_pdf(&[0.0; 3]) - exact).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianMarkovField {
    /// The mean without the constraint.
    pub(super) centre: DVector<f64>,
    pub(super) base: Base,
    pub(super) constraint: Option<Constraint>,
    pub(super) mean: DVector<f64>,
}

impl GaussianMarkovField {
    /// The field with this mean and a positive definite precision.
    ///
    /// # Errors
    /// If the sizes do not agree, the mean is not finite, or the precision is not positive definite: then the
    /// index is that of the first column, in the order of elimination, with a bad pivot.
    pub fn new(mean: &[f64], precision: SparseSymmetric, ordering: &Ordering) -> Result<Self, ParamError> {
        Self::centred(mean, Base::proper(precision, ordering)?)
    }

    /// The intrinsic field with this mean, a precision with the null space that is spanned by the columns of
    /// `null`, and B x = B μ for the rows of `identify`, as many as the null space has dimensions.
    ///
    /// # Errors
    /// If the sizes do not agree, the precision times the null space is not zero, the precision is not
    /// positive definite beside the null space, or B does not decide along all of it.
    pub fn intrinsic(
        mean: &[f64],
        precision: SparseSymmetric,
        null: &DMatrix<f64>,
        identify: &DMatrix<f64>,
        ordering: &Ordering,
    ) -> Result<Self, ParamError> {
        let n = precision.size();
        matrix_check::length(NAME, "rows of the null space", null.nrows(), n)?;
        matrix_check::length(NAME, "columns of the constraint", identify.ncols(), n)?;
        matrix_check::length(NAME, "rows of the constraint", identify.nrows(), null.ncols())?;
        matrix_check::finite(NAME, "null space", null.as_slice())?;
        matrix_check::finite(NAME, "constraint", identify.as_slice())?;
        Self::centred(mean, Base::new(precision, null.clone(), identify.clone(), ordering)?)
    }

    pub(super) fn centred(mean: &[f64], base: Base) -> Result<Self, ParamError> {
        matrix_check::length(NAME, "mean", mean.len(), base.dimension())?;
        matrix_check::finite(NAME, "mean", mean)?;
        let centre = DVector::from_column_slice(mean);
        Ok(Self { mean: centre.clone(), centre, base, constraint: None })
    }

    /// The same field with another positive definite precision of the same stored entries, for which the
    /// analysis is not made again; constraints and a null space are left behind.
    ///
    /// # Errors
    /// If entries are stored elsewhere, or as [`GaussianMarkovField::new`].
    pub fn with_precision(&self, precision: SparseSymmetric) -> Result<Self, ParamError> {
        Self::centred(self.centre.as_slice(), Base::with_symbolic(precision, self.base.symbolic())?)
    }

    /// The field under A x = e, for a few rows A; they replace constraints that were there before, other than
    /// those of an intrinsic field.
    ///
    /// # Errors
    /// If the sizes do not agree, a number is not finite, or a row depends on the others.
    pub fn constrained(&self, rows: &DMatrix<f64>, values: &[f64]) -> Result<Self, ParamError> {
        matrix_check::length(NAME, "columns of the constraint", rows.ncols(), self.dimension())?;
        matrix_check::length(NAME, "values of the constraint", values.len(), rows.nrows())?;
        matrix_check::finite(NAME, "constraint", rows.as_slice())?;
        matrix_check::finite(NAME, "values of the constraint", values)?;
        let values = DVector::from_column_slice(values);
        let constraint = Constraint::new(&self.base, self.centre.as_slice(), rows.clone(), values)?;
        let mut mean = self.centre.clone();
        constraint.correct(mean.as_mut_slice(), &constraint.values);
        Ok(Self { centre: self.centre.clone(), base: self.base.clone(), constraint: Some(constraint), mean })
    }

    /// The dimension n.
    pub fn dimension(&self) -> usize {
        self.centre.len()
    }

    /// The dimension of the subspace in which x is: n less the null space and the constraints.
    pub fn rank(&self) -> usize {
        self.base.rank() - self.constraint.as_ref().map_or(0, |constraint| constraint.values.len())
    }

    /// The mean, under the constraints.
    pub const fn mean(&self) -> &DVector<f64> {
        &self.mean
    }

    /// The precision Q, as it is without constraints.
    pub const fn precision(&self) -> &SparseSymmetric {
        &self.base.precision
    }

    /// B of the constraints B x = B μ that decide along the null space of an intrinsic field; without rows if
    /// Q is regular.
    pub const fn identifying_rows(&self) -> &DMatrix<f64> {
        &self.base.identify
    }

    /// ln |Q|, without the eigenvalues that are zero.
    pub const fn ln_pseudo_determinant(&self) -> f64 {
        self.base.ln_pseudo_determinant
    }

    /// ln p(μ).
    fn ln_peak(&self) -> f64 {
        // The constraint's part is that at a point that fulfils it, beside the density without it.
        self.ln_unchecked(self.mean.as_slice())
    }

    fn ln_unchecked(&self, x: &[f64]) -> f64 {
        let off: Vec<f64> = x.iter().zip(self.centre.iter()).map(|(x, mean)| x - mean).collect();
        let added = self.constraint.as_ref().map_or(0.0, |constraint| constraint.ln_density);
        self.base.ln_peak
            - 0.5 * (self.base.rank() as f64 * LN_TAU + self.base.precision.quadratic_form(&off))
            + added
    }

    fn is_inside(&self, x: &[f64]) -> bool {
        let identified = &self.base.identify * &self.centre;
        is_fulfilled(&self.base.identify, &identified, x)
            && self.constraint.as_ref().is_none_or(|own| is_fulfilled(&own.rows, &own.values, x))
    }

    /// Draws into `x`: a solution with Lᵀ, and the correction for constraints.
    ///
    /// # Panics
    /// Unless x has n coordinates.
    #[track_caller]
    pub fn sample_into<R: Rng + ?Sized>(&self, rng: &mut R, x: &mut [f64]) {
        assert_eq!(x.len(), self.dimension(), "coordinates of the point");
        let noise = (0..self.base.rank()).map(|_| StandardNormal.sample(rng)).collect();
        x.copy_from_slice(&self.base.draw(noise));
        x.iter_mut().zip(self.centre.iter()).for_each(|(x, mean)| *x += mean);
        if let Some(constraint) = &self.constraint {
            constraint.correct(x, &constraint.values);
        }
    }
}

impl Density for GaussianMarkovField {
    type Point = [f64];

    /// -∞ for points that are not in the subspace of the constraints, up to 10^-8 of the terms of their sums.
    fn ln_pdf(&self, x: &[f64]) -> f64 {
        if x.iter().any(|x| x.is_nan()) {
            return f64::NAN;
        }
        if x.len() != self.dimension() || x.iter().any(|x| x.is_infinite()) || !self.is_inside(x) {
            return f64::NEG_INFINITY;
        }
        Some(self.ln_unchecked(x)).filter(|ln| !ln.is_nan()).unwrap_or(f64::NEG_INFINITY)
    }
}

impl Entropy for GaussianMarkovField {
    fn entropy(&self) -> f64 {
        0.5 * self.rank() as f64 - self.ln_peak()
    }
}

impl Mode for GaussianMarkovField {
    fn mode(&self) -> Option<Vec<f64>> {
        Some(self.mean.as_slice().to_vec())
    }
}

impl Distribution<Vec<f64>> for GaussianMarkovField {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let mut x = vec![0.0; self.dimension()];
        self.sample_into(rng, &mut x);
        x
    }
}

/// A matrix that was built here and has no factor.
pub(super) fn built(
    matrix: Result<SparseSymmetric, posterior_math::linalg::MatrixError>,
) -> Result<SparseSymmetric, ParamError> {
    matrix.map_err(refused)
}
