//! The file form of a fit: intercepts, and of each class the coefficients that are not 0.

use serde::{Deserialize, Serialize};

use super::fit::SparseSoftmaxFit;
use super::loss::Shape;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    columns: usize,
    /// One of two classes, else one for each class.
    intercepts: Vec<f64>,
    /// Of each of them column and coefficient, by column.
    coefficients: Vec<Vec<(usize, f64)>>,
}

impl From<SparseSoftmaxFit> for File {
    fn from(fit: SparseSoftmaxFit) -> Self {
        let Shape { columns, vectors } = fit.shape;
        let of_vector = |vector: usize| {
            let all = (0..columns).map(|column| (column, fit.point[fit.shape.place(column, vector)]));
            all.filter(|(_, own)| *own != 0.0).collect()
        };
        Self {
            columns,
            intercepts: fit.point[columns * vectors..].to_vec(),
            coefficients: (0..vectors).map(of_vector).collect(),
        }
    }
}

impl TryFrom<File> for SparseSoftmaxFit {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        let shape = Shape { columns: file.columns, vectors: file.intercepts.len() };
        // Of two classes there is one vector.
        if matches!(shape.vectors, 0 | 2) || file.coefficients.len() != shape.vectors {
            return Err(format!(
                "{} intercepts with {} lists of coefficients",
                shape.vectors,
                file.coefficients.len()
            ));
        }
        let length = shape.columns.checked_add(1).and_then(|own| own.checked_mul(shape.vectors));
        let length = length.filter(|&length| length <= 1 << 32).ok_or("too many columns")?;
        let mut point = vec![0.0; length];
        for (vector, own) in file.coefficients.iter().enumerate() {
            for &(column, coefficient) in own {
                if column >= shape.columns || !coefficient.is_finite() {
                    return Err(format!("column {column} of {} with {coefficient}", shape.columns));
                }
                point[shape.place(column, vector)] = coefficient;
            }
        }
        point[shape.columns * shape.vectors..].copy_from_slice(&file.intercepts);
        if !file.intercepts.iter().all(|own| own.is_finite()) {
            return Err("an intercept that is not finite".to_owned());
        }
        // As it was written, to the bit.
        Ok(Self { shape, point })
    }
}
