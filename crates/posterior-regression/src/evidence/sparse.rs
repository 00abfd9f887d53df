//! A regression with a precision for each weight, of which most may be infinite.

use std::f64::consts::TAU;

use posterior_math::linalg::{Cholesky, DMatrix, DVector, gram_of_columns, multiply, transpose_multiply};

use super::spectrum::penalised;
use crate::Error;
use crate::linear::LinearData;
use crate::linear::blocks::Blocks;

/// Whitened data, without the free columns and what they explain.
pub(super) struct Sparse {
    design: DMatrix<f64>,
    response: DVector<f64>,
    gram: DMatrix<f64>,
    pull: DVector<f64>,
    /// n less the free weights.
    pub(super) rows: f64,
    constant: f64,
    /// The column of the data that each column here is.
    pub(super) columns: Vec<usize>,
}

/// The posterior of the weights that are in the model.
pub(super) struct Active {
    pub(super) mean: DVector<f64>,
    factor: Cholesky,
    /// Variances of the weights.
    pub(super) variances: DVector<f64>,
    /// |y - Φ m|².
    pub(super) residuals: f64,
    pub(super) ln_evidence: f64,
}

impl Sparse {
    pub(super) fn new(data: &LinearData<'_>, free: &[usize]) -> Result<Self, Error> {
        let columns = penalised(data.features(), free)?;
        let features = data.features();
        let rows = Blocks::new(data, &DMatrix::zeros(features, 1), 1.0).rows(0..data.rows());
        let z = rows.select_columns(free);
        let kept: Vec<usize> = columns.iter().copied().chain([features]).collect();
        let mut others = rows.select_columns(&kept);
        let name = |_| Error::Collinear {
            column: free.last().map_or_else(String::new, |&j| data.names()[j].clone()),
        };
        let factor = Cholesky::new(&gram_of_columns(&z)).map_err(name)?;
        // Twice: the second projection removes what rounding left of the first.
        for _ in 0..2 {
            others -= multiply(&z, &factor.solve(&transpose_multiply(&z, &others)));
        }
        let design = others.columns(0, columns.len()).into_owned();
        let response = others.column(columns.len()).into_owned();
        Ok(Self {
            gram: gram_of_columns(&design),
            pull: design.tr_mul(&response),
            design,
            response,
            rows: data.informative() as f64 - free.len() as f64,
            constant: 0.5 * (data.ln_weights() - factor.ln_determinant()),
            columns,
        })
    }

    /// |y|².
    pub(super) fn square(&self) -> f64 {
        self.response.norm_squared()
    }

    /// |φ|² and φᵀ y of a feature.
    pub(super) fn feature(&self, index: usize) -> (f64, f64) {
        (self.gram[(index, index)], self.pull[index])
    }

    /// The posterior with these precisions of the features in the model.
    pub(super) fn solve(&self, active: &[(usize, f64)], beta: f64) -> Result<Active, Error> {
        let count = active.len();
        let mut precision =
            DMatrix::from_fn(count, count, |i, j| beta * self.gram[(active[i].0, active[j].0)]);
        for (i, (_, alpha)) in active.iter().enumerate() {
            precision[(i, i)] += alpha;
        }
        let factor = Cholesky::decompose(precision)?;
        let pull = DVector::from_iterator(count, active.iter().map(|&(j, _)| beta * self.pull[j]));
        let mean = factor.solve_vector(&pull);
        let mut residual = self.response.clone();
        for (&(j, _), &weight) in active.iter().zip(mean.iter()) {
            residual.axpy(-weight, &self.design.column(j), 1.0);
        }
        let residuals = residual.norm_squared();
        let (mut ln_prior, mut distance) = (0.0, beta * residuals);
        for (&(_, alpha), weight) in active.iter().zip(mean.iter()) {
            ln_prior += alpha.ln();
            distance += alpha * weight * weight;
        }
        let ln_noise = self.rows * (beta.ln() - TAU.ln());
        let ln_evidence = self.constant + 0.5 * (ln_noise + ln_prior - factor.ln_determinant() - distance);
        let variances = factor.inverse_diagonal();
        Ok(Active { mean, factor, variances, residuals, ln_evidence })
    }

    /// φᵀ G⁻¹ φ and φᵀ G⁻¹ y of each feature, with the covariance G of the responses under the model without
    /// this feature.
    pub(super) fn sparsity_and_quality(
        &self,
        active: &[(usize, f64)],
        solved: &Active,
        beta: f64,
    ) -> Vec<(f64, f64)> {
        let indices: Vec<usize> = active.iter().map(|&(j, _)| j).collect();
        let cross = self.gram.select_rows(&indices) * beta;
        let white = solved.factor.half_solve(&cross);
        let explained = cross.tr_mul(&solved.mean);
        let mut measures: Vec<(f64, f64)> = (0..self.columns.len())
            .map(|j| {
                let sparsity = beta * self.gram[(j, j)] - white.column(j).norm_squared();
                (sparsity, beta * self.pull[j] - explained[j])
            })
            .collect();
        for (k, &(j, alpha)) in active.iter().enumerate() {
            let precision = solved.variances[k].recip();
            measures[j] = (precision - alpha, solved.mean[k] * precision);
        }
        measures
    }
}
