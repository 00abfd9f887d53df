//! More columns than rows: coefficients in as many coordinates as there are rows.

use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector, multiply};

use crate::Error;
use crate::linear::data::finite;

/// The space that the rows of a design span, and one coordinate more for what is orthogonal to it.
///
/// Where coefficients w have independent priors N(0, sd²), data say nothing about the part of w that is
/// orthogonal to all rows X: it keeps its prior. With an orthonormal basis Q of the rows, a = Qᵀ w and a
/// number c have the same priors N(0, sd²), Xw = X Q a, and for any vector x the number xᵀw is distributed as
/// xᵀQ a + |x - Q Qᵀx| c. So a model of p columns is one of n + 1: posterior, evidence, predictions and the
/// marginal distribution of every coefficient are exactly the same. Several vectors have the right marginal
/// distributions one by one, and not jointly: c stands for another direction for each.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::glm::RowSpace;
///
/// let rows = DMatrix::from_row_slice(2, 4, &[1.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
/// let space = RowSpace::of(&rows)?;
/// let new = space.coordinates(&DMatrix::from_row_slice(1, 4, &[1.0, 1.0, 1.0, 1.0]))?;
/// assert_eq!(new.shape(), (1, 3));
/// // Lengths stay: a prior variance of xᵀw is sd² |x|².
/// assert!((new.norm_squared() - 4.0).abs() < 1e-14);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RowSpace {
    /// Q: columns of the design x rows of the design.
    #[cfg_attr(feature = "serde", serde(with = "posterior_math::linalg::written"))]
    basis: DMatrix<f64>,
}

impl RowSpace {
    /// That of these rows.
    ///
    /// Cost: 4 p n² operations for n rows of p columns, and a matrix of p x n.
    ///
    /// # Errors
    /// No more columns than rows: there is nothing to be saved; a number that is not finite.
    pub fn of(design: &DMatrix<f64>) -> Result<Self, Error> {
        let (rows, columns) = design.shape();
        check::enough("columns, more than rows", rows + 1, columns)?;
        finite("feature", rows, design.as_slice())?;
        Ok(Self { basis: design.transpose().qr().q() })
    }

    /// The number of coordinates: one more than rows.
    pub fn dimension(&self) -> usize {
        self.basis.ncols() + 1
    }

    /// Rows in these coordinates; the last one is the length of what is orthogonal to the rows of the design.
    ///
    /// # Errors
    /// Another number of columns than the design has; a number that is not finite.
    pub fn coordinates(&self, rows: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        check::dimension("columns of new rows", self.basis.nrows(), rows.ncols())?;
        finite("feature", rows.nrows(), rows.as_slice())?;
        let within = multiply(rows, &self.basis);
        let beyond = rows.transpose() - multiply(&self.basis, &within.transpose());
        let lengths = DVector::from_iterator(rows.nrows(), beyond.column_iter().map(|own| own.norm()));
        let last = within.ncols();
        let mut coordinates = within.insert_column(last, 0.0);
        coordinates.set_column(last, &lengths);
        Ok(coordinates)
    }

    /// The coordinates of the vector that picks one coefficient.
    ///
    /// # Panics
    /// If there is no such column.
    #[track_caller]
    pub fn of_coefficient(&self, column: usize) -> Vec<f64> {
        let own = self.basis.row(column);
        let beyond = (1.0 - own.norm_squared()).max(0.0).sqrt();
        own.iter().copied().chain([beyond]).collect()
    }
}
