//! What it is worth to know more before acting.

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use super::table::{LossTable, check_probabilities};
use crate::Error;

impl LossTable {
    /// By how much the expected loss falls if the state is known before acting: never negative.
    ///
    /// min_a E l(x, a) - E min_a l(x, a).
    ///
    /// # Errors
    /// As for [`decide`](Self::decide).
    pub fn value_of_perfect_information(&self, probabilities: &[f64]) -> Result<f64, Error> {
        // From the regrets, so that no large expected losses are subtracted.
        Ok(self.regrets().decide(probabilities)?.loss().max(0.0))
    }

    /// By how much the expected loss falls if the result of an experiment is known before acting: never
    /// negative.
    ///
    /// `likelihood` has a row for each state and a column for each result: P(result | state). What the
    /// experiment costs is the most that it is worth.
    ///
    /// # Errors
    /// As for [`decide`](Self::decide); if there is not a row for each state, or a row is no distribution.
    pub fn value_of_sample_information(
        &self,
        probabilities: &[f64],
        likelihood: &DMatrix<f64>,
    ) -> Result<f64, Error> {
        check::dimension("rows of the likelihood", self.states(), likelihood.nrows())?;
        check::at_least_one("LossTable", "results", likelihood.ncols())?;
        for row in likelihood.row_iter() {
            check_probabilities("likelihood", &row.iter().copied().collect::<Vec<_>>())?;
        }
        let regrets = self.regrets();
        let without = regrets.decide(probabilities)?.loss();
        let after_result = |result: usize| {
            let joint: Vec<f64> =
                probabilities.iter().zip(likelihood.column(result).iter()).map(|(p, l)| p * l).collect();
            (0..self.actions()).map(|action| regrets.expected(action, &joint)).fold(f64::INFINITY, f64::min)
        };
        let with: f64 = (0..likelihood.ncols()).map(after_result).sum();
        Ok((without - with).max(0.0))
    }
}
