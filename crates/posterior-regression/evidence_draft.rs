//! The penalty by the evidence: how probable the classes are with the coefficients integrated out.

use std::f64::consts::TAU;

use posterior_math::check;
use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix};

use super::fit::SparseSoftmaxFit;
use super::folds::{PATIENCE, ROUGH};
use super::model::{SparsePenalty, SparseSoftmax};
use crate::Error;

/// The side of the largest matrix that is factored.
const LARGEST: usize = 3000;

/// The evidence for one penalty.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PenaltyEvidence {
    /// The strength of the penalty, λ.
    pub strength: f64,
    /// ln P(classes | λ) by Laplace's method.
    pub ln_evidence: f64,
}

/// Penalties of squares, and which of them has the most evidence.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EvidenceChoice {
    /// From the largest penalty to the last that was tried: the search ends when three in a row are no
    /// better.
    pub evidence: Vec<PenaltyEvidence>,
    /// The one of the most evidence.
    pub best: SparsePenalty,
}

impl SparseSoftmax<'_> {
    /// Chooses the strength of a penalty of squares by the evidence. Each penalty starts from the
    /// coefficients of the one before it.
    ///
    /// # Errors
    /// As of [`SparseSoftmax::ln_evidence`].
    ///
    /// # Cost
    /// At most 17 fits with their evidence.
    pub fn penalty_by_evidence(&self) -> Result<EvidenceChoice, Error> {
        self.check_size()?;
        let mut start = vec![0.0; self.shape().len()];
        let mut evidence = Vec::new();
        let (mut best, mut most, mut since) = (None, f64::NEG_INFINITY, 0);
        for strength in self.strengths(0.0)? {
            let penalty = SparsePenalty::ridge(strength);
            let fit = self.fit_from(&penalty, &start, &ROUGH, &mut Silent)?.model;
            let ln_evidence = self.ln_evidence(&fit, &penalty)?;
            evidence.push(PenaltyEvidence { strength, ln_evidence });
            fit.point().clone_into(&mut start);
            if ln_evidence > most {
                (best, most, since) = (Some(penalty), ln_evidence, 0);
            } else {
                since += 1;
            }
            if since >= PATIENCE {
                break;
            }
        }
        let best = best.ok_or(Error::NoFit { why: "no penalty has evidence" })?;
        Ok(EvidenceChoice { evidence, best })
    }

    /// ln P(classes | λ), the coefficients with their normal prior of precision λ integrated out by Laplace's
    /// method at the fit, in nats. The intercepts have the flat prior of density 1 along differences of
    /// classes: only differences between penalties of the same rows mean something.
    ///
    /// # Errors
    /// Absolute values in the penalty, which has no curvature there; a fit of another shape; both rows and
    /// columns, times classes above two, more than 3000.
    ///
    /// # Cost
    /// The cube of the lesser of rows and columns, times classes above two, and its square in memory.
    pub fn ln_evidence(&self, fit: &SparseSoftmaxFit, penalty: &SparsePenalty) -> Result<f64, Error> {
        let (_, value) = self.loss_at(fit, penalty)?;
        self.check_size()?;
        let k = self.shape().vectors;
        let roots = self.curvature_roots(fit)?;
        let (of_columns, mut of_intercepts) = self.curvature(&roots, penalty.strength)?;
        let free = if k == 1 {
            1
        } else {
            // What all classes share is no difference.
            of_intercepts.add_scalar_mut(1.0 / k as f64);
            k - 1
        };
        let of_intercepts = Cholesky::decompose(of_intercepts)?;
        let determinants = of_columns.ln_determinant() + of_intercepts.ln_determinant();
        Ok(0.5 * (free as f64 * TAU.ln() - determinants) - value)
    }

    fn check_size(&self) -> Result<(), Error> {
        let lesser = self.design.rows().min(self.shape().columns) * self.shape().vectors;
        let fits = "at most 3000 for the evidence; folds choose a penalty of any size";
        check::require(lesser <= LARGEST, "SparseSoftmax", "lesser of rows and columns", lesser as f64, fits)?;
        Ok(())
    }

    /// Of each row a matrix S, vectors x vectors by columns, with S Sᵀ the curvature w (diag p - p pᵀ) of its
    /// loss.
    fn curvature_roots(&self, fit: &SparseSoftmaxFit) -> Result<Vec<DMatrix<f64>>, Error> {
        let k = self.shape().vectors;
        let first = self.classes - k;
        let probabilities = fit.probabilities(self.design)?;
        let root = |(row, weight): (usize, &f64)| {
            let p: Vec<f64> = probabilities.row(row).iter().copied().collect();
            if k == 1 {
                return DMatrix::from_element(1, 1, (weight * p[0] * p[1]).sqrt());
            }
            let entry = |a: usize, b: usize| {
                let own = if a == b { 1.0 } else { 0.0 };
                weight.sqrt() * p[first + b].sqrt() * (own - p[first + a])
            };
            DMatrix::from_fn(k, k, entry)
        };
        Ok(self.weights.iter().enumerate().map(root).collect())
    }

    /// Factors of I + G Gᵀ/λ or I + Gᵀ G/λ, whichever is smaller, for the design G times the roots; and the
    /// curvature that is left of the intercepts, given the coefficients.
    fn curvature(&self, roots: &[DMatrix<f64>], strength: f64) -> Result<(Cholesky, DMatrix<f64>), Error> {
        let shape = self.shape();
        let k = shape.vectors;
        let (rows, columns) = (self.design.rows() * k, shape.columns * k);
        let by_columns = columns <= rows;
        let (side, lines) = if by_columns { (columns, rows) } else { (rows, columns) };
        let mut entries = vec![Vec::new(); lines];
        let scale = strength.sqrt().recip();
        for (i, j, value) in self.design.triplets() {
            for (a, b) in (0..k).flat_map(|a| (0..k).map(move |b| (a, b))) {
                let entry = value * scale * roots[i][(a, b)];
                let (row, column) = (i * k + b, j * k + a);
                let (line, place) = if by_columns { (row, column) } else { (column, row) };
                entries[line].push((place, entry));
            }
        }
        let mut products = DMatrix::identity(side, side);
        for line in &entries {
            for &(a, x) in line {
                for &(b, y) in line {
                    products[(a, b)] += x * y;
                }
            }
        }
        let factors = Cholesky::decompose(products)?;
        let of_rows = DMatrix::from_fn(rows, k, |row, vector| roots[row / k][(vector, row % k)]);
        let left = if by_columns {
            let mut shared = DMatrix::zeros(side, k);
            for (row, line) in entries.iter().enumerate() {
                for &(place, entry) in line {
                    for vector in 0..k {
                        shared[(place, vector)] += entry * of_rows[(row, vector)];
                    }
                }
            }
            let half = factors.half_solve(&shared);
            of_rows.tr_mul(&of_rows) - half.tr_mul(&half)
        } else {
            let half = factors.half_solve(&of_rows);
            half.tr_mul(&half)
        };
        Ok((factors, left))
    }
}
