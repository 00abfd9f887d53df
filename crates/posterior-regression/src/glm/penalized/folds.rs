//! The penalty by how well rows are predicted that a fit has not seen.

use posterior_math::check;

use super::{PenalizedFit, PenaltyOptions};
use crate::Error;
use crate::glm::model::Glm;
use crate::glm::response_distribution::ResponseDistribution;

/// The deviance of rows that were held out, for one penalty.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct HeldOutDeviance {
    /// The mean over all rows, by their weights: of a Gaussian the mean square error.
    pub mean: f64,
    /// The standard error of the mean, from how different the folds are.
    pub standard_error: f64,
}

/// A path of penalties, and which of them predicts best.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PenaltyPath {
    /// From the largest penalty to the least, fitted to all rows.
    pub fits: Vec<PenalizedFit>,
    /// Of each penalty, by fits to the other folds.
    pub held_out: Vec<HeldOutDeviance>,
    /// The place of the least deviance of held-out rows.
    pub best: usize,
    /// The place of the largest penalty whose deviance is within one standard error of the least.
    pub sparsest: usize,
}

impl<L: ResponseDistribution + Sync + Clone> Glm<'_, L> {
    /// The path, each of whose penalties predicts each fold from all others.
    ///
    /// # Errors
    /// As [`penalty_path`](Self::penalty_path); another number of folds than of rows; fewer than two folds,
    /// or one whose rows have no weight.
    ///
    /// # Cost
    /// That of a path for each fold and one more.
    pub fn penalty_by_folds(&self, folds: &[usize], options: &PenaltyOptions) -> Result<PenaltyPath, Error> {
        let fits = self.penalty_path(options)?;
        let penalties: Vec<f64> = fits.iter().map(|own| own.penalty).collect();
        let held_out = self.held_out_deviances(folds, &penalties, options)?;
        let best = (0..held_out.len())
            .min_by(|a, b| held_out[*a].mean.total_cmp(&held_out[*b].mean))
            .ok_or(Error::NoFit { why: "the path has no penalty" })?;
        let enough = held_out[best].mean + held_out[best].standard_error;
        let sparsest = held_out.iter().position(|own| own.mean <= enough).unwrap_or(best);
        Ok(PenaltyPath { fits, held_out, best, sparsest })
    }

    /// The deviance of each fold by fits to all others, for penalties in falling order.
    ///
    /// # Errors
    /// As [`penalty_by_folds`](Self::penalty_by_folds); a penalty that is negative or not finite.
    pub fn held_out_deviances(
        &self,
        folds: &[usize],
        penalties: &[f64],
        options: &PenaltyOptions,
    ) -> Result<Vec<HeldOutDeviance>, Error> {
        let data = self.data();
        check::dimension("folds of rows", data.rows(), folds.len())?;
        let count = folds.iter().max().map_or(0, |last| last + 1);
        check::enough("folds", 2, count)?;
        for penalty in penalties {
            check::non_negative("Glm", "penalty", *penalty)?;
        }
        let mut weights = Vec::with_capacity(count);
        // Of each fold, the mean deviance for each penalty.
        let mut deviances: Vec<Vec<f64>> = Vec::with_capacity(count);
        for fold in 0..count {
            let others: Vec<f64> = folds
                .iter()
                .enumerate()
                .map(|(row, own)| if *own == fold { 0.0 } else { data.weight(row) })
                .collect();
            let own = |row: &usize| folds[*row] == fold && data.weight(*row) > 0.0;
            let rows: Vec<usize> = (0..data.rows()).filter(own).collect();
            let weight: f64 = rows.iter().map(|row| data.weight(*row)).sum();
            check::positive("Glm", "weight of a fold", weight)?;
            let model = Glm::new(self.distribution().clone(), data.clone().with_weights(&others)?)?;
            let mean = |fit: &PenalizedFit| {
                let predictors = data.predictors(&fit.coefficients);
                let term = |row: &usize| {
                    let term = self.distribution().term(data.response()[*row], predictors[*row]);
                    -2.0 * data.weight(*row) * term.ln_likelihood
                };
                rows.iter().map(term).sum::<f64>() / weight
            };
            deviances.push(model.along(penalties, options)?.iter().map(mean).collect());
            weights.push(weight);
        }
        let total: f64 = weights.iter().sum();
        let held_out = (0..penalties.len()).map(|place| {
            let each = || deviances.iter().map(|own| own[place]).zip(&weights);
            let mean = each().map(|(own, weight)| own * weight).sum::<f64>() / total;
            let variance = each().map(|(own, weight)| weight * (own - mean).powi(2)).sum::<f64>() / total;
            HeldOutDeviance { mean, standard_error: (variance / (count - 1) as f64).sqrt() }
        });
        Ok(held_out.collect())
    }
}
