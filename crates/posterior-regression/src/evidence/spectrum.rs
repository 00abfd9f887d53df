//! The evidence of one precision for all weights, in coordinates in which everything is diagonal.

use std::f64::consts::TAU;

use posterior_math::linalg::{Cholesky, DMatrix, SymmetricEigen, transpose_multiply};

use crate::Error;
use crate::linear::LinearData;
use crate::linear::blocks::Blocks;

/// Eigenvalues below this proportion of the largest are rounding.
const RANK: f64 = 1e-14;

/// The design by its singular values, without the free columns.
pub(super) struct Spectrum {
    /// λ, the squares of the singular values.
    values: Vec<f64>,
    /// uᵀ y, the responses along the left singular vectors; 0 where λ is 0.
    along: Vec<f64>,
    /// |y|² in directions that no feature has.
    beyond: f64,
    /// n less the free weights.
    pub(super) rows: f64,
    /// What does not depend on α and β.
    constant: f64,
}

/// The evidence and what its updates are made of.
pub(super) struct At {
    pub(super) ln_evidence: f64,
    /// γ.
    pub(super) determined: f64,
    /// n - γ, which is positive however small it is.
    pub(super) undetermined: f64,
    /// |m|².
    pub(super) weights: f64,
    /// |y - Φ m|².
    pub(super) residuals: f64,
}

/// Refuses free columns that are not there, or there twice.
pub(super) fn penalised(features: usize, free: &[usize]) -> Result<Vec<usize>, Error> {
    for (index, &column) in free.iter().enumerate() {
        let fine = column < features && !free[..index].contains(&column);
        let requirement = "a column of the design, there once";
        posterior_math::check::require(fine, "evidence", "free", column as f64, requirement)
            .map_err(|error| error.at(index))?;
    }
    Ok((0..features).filter(|column| !free.contains(column)).collect())
}

impl Spectrum {
    pub(super) fn new(data: &LinearData<'_>, free: &[usize]) -> Result<Self, Error> {
        let features = data.features();
        let kept = penalised(features, free)?;
        let blocks = Blocks::new(data, &DMatrix::zeros(features, 1), 1.0);
        let gram = blocks.gram();
        let block = |rows: &[usize], columns: &[usize]| {
            DMatrix::from_fn(rows.len(), columns.len(), |i, j| gram[(rows[i], columns[j])])
        };
        let collinear = |_| Error::Collinear {
            column: free.last().map_or_else(String::new, |&j| data.names()[j].clone()),
        };
        let factor = Cholesky::new(&block(free, free)).map_err(collinear)?;
        // What the free columns leave of the others, and of the responses.
        let others = factor.half_solve(&block(free, &kept));
        let response = factor.half_solve(&block(free, &[features]));
        let rest = block(&kept, &kept) - transpose_multiply(&others, &others);
        let pull = block(&kept, &[features]) - transpose_multiply(&others, &response);
        let eigen = SymmetricEigen::new(&rest)?;
        let largest = eigen.values().iter().fold(0.0, |most: f64, &value| most.max(value));
        let mut spectrum = Self {
            values: Vec::new(),
            along: Vec::new(),
            beyond: 0.0,
            rows: data.informative() as f64 - free.len() as f64,
            constant: 0.5 * (data.ln_weights() - factor.ln_determinant()),
        };
        let mut least_squares = DMatrix::zeros(kept.len(), 1);
        for (index, &value) in eigen.values().iter().enumerate() {
            let vector = eigen.vectors().column(index);
            let (value, along) = if value > RANK * largest {
                let pull = vector.dot(&pull.column(0));
                least_squares.column_mut(0).axpy(pull / value, &vector, 1.0);
                (value, pull / value.sqrt())
            } else {
                (0.0, 0.0)
            };
            spectrum.values.push(value);
            spectrum.along.push(along);
        }
        // The residuals of least squares from the rows: a difference of sums of squares would lose them.
        let free_weights = factor.half_solve_transpose(&(response - &others * &least_squares));
        let mut all = DMatrix::zeros(features, 1);
        kept.iter().enumerate().for_each(|(i, &column)| all[(column, 0)] = least_squares[(i, 0)]);
        free.iter().enumerate().for_each(|(i, &column)| all[(column, 0)] = free_weights[(i, 0)]);
        spectrum.beyond = blocks.residual_products(&all)[(features, 0)];
        Ok(spectrum)
    }

    /// The mean of λ, and of y².
    pub(super) fn scales(&self) -> (f64, f64) {
        let count = self.values.len().max(1) as f64;
        let squares: f64 = self.along.iter().map(|along| along * along).sum();
        (self.values.iter().sum::<f64>() / count, (squares + self.beyond) / self.rows)
    }

    pub(super) const fn weights(&self) -> usize {
        self.values.len()
    }

    pub(super) fn at(&self, alpha: f64, beta: f64) -> At {
        let rank = self.values.iter().filter(|&&value| value > 0.0).count();
        let undetermined = (self.rows - rank as f64).max(0.0);
        let mut at =
            At { ln_evidence: 0.0, determined: 0.0, undetermined, weights: 0.0, residuals: self.beyond };
        let mut ln_determinant = 0.0;
        for (&value, &along) in self.values.iter().zip(&self.along) {
            let ratio = beta * value / alpha;
            at.determined += ratio / (1.0 + ratio);
            if value > 0.0 {
                at.undetermined += (1.0 + ratio).recip();
            }
            at.weights += (along * value.sqrt() * (beta / alpha) / (1.0 + ratio)).powi(2);
            at.residuals += (along / (1.0 + ratio)).powi(2);
            ln_determinant += ratio.ln_1p();
        }
        let distance = beta * at.residuals + alpha * at.weights;
        at.ln_evidence =
            self.constant + 0.5 * (self.rows * (beta.ln() - TAU.ln()) - ln_determinant - distance);
        at
    }
}
