//! A few directions in which a space is stretched.

use posterior_math::check;
use posterior_math::linalg::{DMatrix, dot, gram_of_columns};

use super::super::loops;
use crate::Error;

/// How far from 0 and 1 the inner products of directions may be.
const ORTHONORMAL: f64 = 1e-8;

/// I + V (Λ^½ - I) Vᵀ, for orthonormal columns V: symmetric, with the inverse I + V (Λ^-½ - I) Vᵀ.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in super::super) struct Directions {
    dim: usize,
    /// The columns, one after another.
    columns: Vec<f64>,
    /// √λ - 1.
    stretch: Vec<f64>,
    /// 1/√λ - 1.
    shrink: Vec<f64>,
}

impl Directions {
    /// Of orthonormal `directions` with the variances `values`.
    pub(in super::super) fn new(
        dim: usize,
        directions: &DMatrix<f64>,
        values: &[f64],
    ) -> Result<Self, Error> {
        let sizes = [
            ("coordinates of a direction", dim, directions.nrows()),
            ("variances of directions", directions.ncols(), values.len()),
        ];
        for (what, expected, found) in sizes {
            check::dimension(what, expected, found)?;
        }
        for (i, &value) in values.iter().enumerate() {
            check::positive("Metric", "value", value).map_err(|why| why.at(i))?;
        }
        let error = gram_of_columns(directions) - DMatrix::identity(values.len(), values.len());
        // A NaN stays.
        let worst = error
            .iter()
            .map(|error| error.abs())
            .fold(0.0, |worst: f64, error| if error <= worst || worst.is_nan() { worst } else { error });
        check::require(
            worst <= ORTHONORMAL,
            "Metric",
            "error of orthonormal directions",
            worst,
            "at most 1e-8",
        )?;
        Ok(Self {
            dim,
            columns: directions.as_slice().to_vec(),
            stretch: values.iter().map(|value| value.sqrt() - 1.0).collect(),
            shrink: values.iter().map(|value| value.sqrt().recip() - 1.0).collect(),
        })
    }

    /// x := Λ^½ x in these directions.
    pub(super) fn stretch(&self, x: &mut [f64]) {
        self.change(&self.stretch, x);
    }

    /// x := Λ^-½ x in these directions.
    pub(super) fn shrink(&self, x: &mut [f64]) {
        self.change(&self.shrink, x);
    }

    /// Directions are orthogonal, so that one after another is all at once.
    fn change(&self, by: &[f64], x: &mut [f64]) {
        if self.dim > 0 {
            for (column, by) in self.columns.chunks_exact(self.dim).zip(by) {
                let along = dot(column, x);
                loops::add_to(x, along * by, column);
            }
        }
    }
}

#[cfg(feature = "serde")]
impl Directions {
    /// Whether what was read are directions of so many coordinates.
    pub(super) fn check(&self, dim: usize) -> Result<(), Error> {
        let rank = self.stretch.len();
        let sizes = [
            ("coordinates of a direction", dim, self.dim),
            ("inverses of variances", rank, self.shrink.len()),
            ("numbers of directions", dim.saturating_mul(rank), self.columns.len()),
        ];
        for (what, expected, found) in sizes {
            check::dimension(what, expected, found)?;
        }
        let values: Vec<f64> = self.stretch.iter().map(|stretch| (stretch + 1.0) * (stretch + 1.0)).collect();
        let again = Self::new(dim, &DMatrix::from_column_slice(dim, rank, &self.columns), &values)?;
        for (i, (&shrink, &own)) in self.shrink.iter().zip(&again.shrink).enumerate() {
            let close = (shrink - own).abs() <= 1e-9 * (1.0 + own.abs());
            check::require(close, "Metric", "shrink", shrink, "the inverse of its stretch")
                .map_err(|why| why.at(i))?;
        }
        Ok(())
    }
}
