//! Topic counts of documents as Gaussian observations of the curves.

use posterior_math::linalg::DMatrix;

use super::laplace_bridge;
use crate::Error;

/// What is added to each count before its logarithm is taken: the empirical logit, whose bias is of second
/// order in one over the count (Haldane 1956; Anscombe 1956).
const HALF: f64 = 0.5;

/// A Gaussian observation for each document and topic: what the document's tokens say of `eta`, and how
/// surely.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PseudoData {
    /// Documents x topics.
    pub(super) mean: DMatrix<f64>,
    /// Documents x topics.
    pub(super) variance: DMatrix<f64>,
}

impl PseudoData {
    /// The bridge of `Dir(n_d + 1/2)` for rows of expected counts (documents x topics).
    ///
    /// The prior of the proportions has no part in it, so that it is not counted twice. Correlations between
    /// topics within a document, of order one over the number of topics, are left out.
    pub(super) fn of_counts(counts: &DMatrix<f64>) -> Result<Self, Error> {
        let mut data = Self { mean: counts.clone(), variance: counts.clone() };
        for (d, row) in counts.row_iter().enumerate() {
            let concentrations: Vec<f64> = row.iter().map(|n| n + HALF).collect();
            let (mean, variance) = laplace_bridge::to_gaussian(&concentrations)?;
            for k in 0..mean.len() {
                data.mean[(d, k)] = mean[k];
                data.variance[(d, k)] = variance[k];
            }
        }
        Ok(data)
    }
}
