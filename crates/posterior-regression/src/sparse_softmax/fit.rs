//! Coefficients that were found.

use posterior_math::check;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::softmax_in_place;
use posterior_math::sparse::SparseMatrix;

use super::loss::{Shape, predictors};
use crate::Error;

/// Intercepts and coefficients of a sparse softmax regression.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::written::File", into = "super::written::File"))]
pub struct SparseSoftmaxFit {
    pub(super) shape: Shape,
    /// The coefficients of each column, one for each vector; the intercepts last.
    pub(super) point: Vec<f64>,
}

impl SparseSoftmaxFit {
    /// The sums of the intercepts of all classes are 0, as the classes' vectors tell only differences.
    pub(super) fn new(shape: Shape, mut point: Vec<f64>) -> Self {
        if shape.vectors > 1 {
            let intercepts = &mut point[shape.columns * shape.vectors..];
            let mean = intercepts.iter().sum::<f64>() / intercepts.len() as f64;
            for own in intercepts.iter_mut() {
                *own -= mean;
            }
        }
        Self { shape, point }
    }

    pub(super) fn point(&self) -> &[f64] {
        &self.point
    }

    /// The number of classes.
    pub const fn classes(&self) -> usize {
        if self.shape.vectors == 1 { 2 } else { self.shape.vectors }
    }

    /// The number of columns.
    pub const fn columns(&self) -> usize {
        self.shape.columns
    }

    /// The intercept of a class; of the first of two it is 0.
    ///
    /// # Panics
    /// If there is no such class.
    #[track_caller]
    pub fn intercept(&self, class: usize) -> f64 {
        self.coefficient(self.shape.columns, class)
    }

    /// The coefficient of a column for a class; of the first of two classes it is 0.
    ///
    /// # Panics
    /// If there is no such class or column.
    #[track_caller]
    pub fn coefficient(&self, column: usize, class: usize) -> f64 {
        let vectors = self.shape.vectors;
        let first = self.classes() - vectors;
        class.checked_sub(first).map_or(0.0, |own| self.point[column * vectors..][..vectors][own])
    }

    /// How many coefficients are not 0, without the intercepts.
    pub fn nonzero(&self) -> usize {
        let columns = &self.point[..self.shape.columns * self.shape.vectors];
        columns.iter().filter(|own| **own != 0.0).count()
    }

    /// The probabilities of the classes (columns) of the rows of a design.
    ///
    /// # Errors
    /// Another number of columns than in the fit.
    pub fn probabilities(&self, design: &SparseMatrix) -> Result<DMatrix<f64>, Error> {
        check::dimension("columns of new rows", self.shape.columns, design.columns())?;
        let rows = predictors(design, self.shape, &self.point);
        let mut all = DMatrix::zeros(design.rows(), self.classes());
        let first = self.classes() - self.shape.vectors;
        let mut row_of = vec![0.0; self.classes()];
        for (i, row) in rows.chunks_exact(self.shape.vectors).enumerate() {
            row_of[..first].fill(0.0);
            row_of[first..].copy_from_slice(row);
            softmax_in_place(&mut row_of);
            for (class, p) in row_of.iter().enumerate() {
                all[(i, class)] = *p;
            }
        }
        Ok(all)
    }
}
