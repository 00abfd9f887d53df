//! Matrices and vectors as data of `serde`, for `#[serde(with = "posterior_math::linalg::written")]`.
//!
//! A matrix is `{"rows": 2, "columns": 1, "values": [1.0, 2.0]}`, its numbers column by column. Numbers are
//! finite: JSON has no word for others.

use std::borrow::Cow;

use nalgebra::{Dim, Dyn, Matrix, VecStorage};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

/// A matrix, or a vector if C is one column.
type Stored<C> = Matrix<f64, Dyn, C, VecStorage<f64, Dyn, C>>;

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written<'a> {
    rows: usize,
    columns: usize,
    values: Cow<'a, [f64]>,
}

/// Writes a matrix or a vector.
///
/// # Errors
/// If the serializer does not take it.
pub fn serialize<C: Dim, S: Serializer>(matrix: &Stored<C>, serializer: S) -> Result<S::Ok, S::Error> {
    let (rows, columns) = matrix.shape();
    Written { rows, columns, values: Cow::Borrowed(matrix.as_slice()) }.serialize(serializer)
}

/// Reads what [`serialize`] wrote.
///
/// # Errors
/// Other numbers of values than rows times columns; of a vector, other than one column.
pub fn deserialize<'de, C: Dim, D: Deserializer<'de>>(deserializer: D) -> Result<Stored<C>, D::Error> {
    let Written { rows, columns, values } = Written::deserialize(deserializer)?;
    if rows.checked_mul(columns) != Some(values.len()) {
        let found = values.len();
        return Err(D::Error::custom(format!("{rows} rows of {columns} columns, but {found} values")));
    }
    if C::try_to_usize().is_some_and(|expected| expected != columns) {
        return Err(D::Error::custom(format!("a vector has one column, not {columns}")));
    }
    Ok(Matrix::from_data(VecStorage::new(Dyn(rows), C::from_usize(columns), values.into_owned())))
}
