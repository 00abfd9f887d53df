//! The penalty by how well rows are predicted that a fit has not seen.

use posterior_math::check;
use posterior_math::iteration::Silent;
use posterior_math::streaming::MeanVariance;

use super::fit::SparseSoftmaxFit;
use super::model::{SparsePenalty, SparseSoftmax, Tolerance};
use crate::Error;

/// Penalties of squares alone, from 10⁴ down in half decades.
const RIDGES: usize = 17;

/// Penalties with absolute values, from the least that leaves no coefficient down to this part of it.
const MIXED: (usize, f64) = (25, 1e-3);

/// Of penalties so many without a better loss, no smaller one is tried.
const PATIENCE: usize = 3;

/// A held-out loss needs fewer digits than a fit.
const ROUGH: Tolerance = Tolerance(1e-6);

/// The loss of rows that were held out, for one penalty.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct HeldOutLoss {
    /// The strength of the penalty, λ.
    pub strength: f64,
    /// The mean of -ln P(class | x) over all rows, by their weights, in nats.
    pub mean: f64,
    /// The standard error of the mean over the rows, as if they had one weight.
    pub standard_error: f64,
}

/// Penalties, and which of them predicts best.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PenaltyChoice {
    /// From the largest penalty to the last that was tried: the search ends when three in a row are no
    /// better.
    pub held_out: Vec<HeldOutLoss>,
    /// The one of the least loss.
    pub best: SparsePenalty,
}

impl SparseSoftmax<'_> {
    /// Chooses the strength of the penalty by cross-validation; row `i` is of fold `folds[i]`, and rows of
    /// weight 0 are of none. Each penalty starts from the coefficients of the one before it.
    ///
    /// # Errors
    /// Another number of folds than of rows, fewer than two folds, one whose rows have no weight or all;
    /// mixing outside of 0 to 1; no column that says anything of the classes, under a penalty with absolute
    /// values.
    ///
    /// # Cost
    /// Folds times penalties fits, at most 17 penalties of squares and 25 with absolute values.
    pub fn penalty_by_folds(&self, mixing: f64, folds: &[usize]) -> Result<PenaltyChoice, Error> {
        check::dimension("folds of rows", self.labels.len(), folds.len())?;
        let count = folds.iter().max().map_or(0, |last| last + 1);
        check::enough("folds", 2, count)?;
        let strengths = self.strengths(mixing)?;
        let members = |fold: usize| (0..folds.len()).filter(move |&row| folds[row] == fold);
        let mut models = Vec::with_capacity(count);
        for fold in 0..count {
            let weight: f64 = members(fold).map(|row| self.weights[row]).sum();
            check::positive("SparseSoftmax", "weight of a fold", weight)?;
            let start = vec![0.0; self.shape().len()];
            models.push((self.without(members(fold))?, start));
        }
        let mut choice = Vec::with_capacity(strengths.len());
        let (mut best, mut since) = (f64::INFINITY, 0);
        for strength in strengths {
            let penalty = SparsePenalty { strength, mixing };
            let mut losses = MeanVariance::new();
            let mut rows = 0_usize;
            for (fold, (model, start)) in models.iter_mut().enumerate() {
                let fit = model.fit_from(&penalty, start, &ROUGH, &mut Silent)?.model;
                for (row, loss) in self.losses(&fit, members(fold))? {
                    losses.push_weighted(loss, self.weights[row]);
                    rows += 1;
                }
                fit.point().clone_into(start);
            }
            let (mean, standard_error) = (losses.mean(), (losses.variance() / rows as f64).sqrt());
            choice.push(HeldOutLoss { strength, mean, standard_error });
            // A gain of less than rounding is none.
            since = if mean < best - 1e-9 { 0 } else { since + 1 };
            best = best.min(mean);
            if since >= PATIENCE {
                break;
            }
        }
        let least = choice.iter().min_by(|a, b| a.mean.total_cmp(&b.mean));
        let strength = least.ok_or(Error::NoFit { why: "no penalty was tried" })?.strength;
        Ok(PenaltyChoice { held_out: choice, best: SparsePenalty { strength, mixing } })
    }

    /// The losses of some rows, without those of weight 0.
    fn losses(
        &self,
        fit: &SparseSoftmaxFit,
        rows: impl Iterator<Item = usize>,
    ) -> Result<Vec<(usize, f64)>, Error> {
        let probabilities = fit.probabilities(self.design)?;
        let there = rows.filter(|&row| self.weights[row] > 0.0);
        Ok(there.map(|row| (row, -probabilities[(row, self.labels[row])].ln())).collect())
    }

    /// The penalties to try, in falling order.
    fn strengths(&self, mixing: f64) -> Result<Vec<f64>, Error> {
        check::probability("SparsePenalty", "mixing", mixing)?;
        if mixing == 0.0 {
            return Ok((0..RIDGES).map(|step| 10_f64.powf(4.0 - 0.5 * step as f64)).collect());
        }
        let largest = self.largest_slope() / mixing;
        if !(largest > 0.0) {
            return Err(Error::NoFit { why: "no column says anything of the classes" });
        }
        let (count, ratio) = MIXED;
        Ok((0..count).map(|step| largest * ratio.powf(step as f64 / (count - 1) as f64)).collect())
    }

    /// The largest slope of a coefficient where all are 0 and the intercepts are the best.
    fn largest_slope(&self) -> f64 {
        let shape = self.shape();
        let total: f64 = self.weights.iter().sum();
        let mut rates = vec![0.0; self.classes];
        for (&label, &weight) in self.labels.iter().zip(&self.weights) {
            rates[label] += weight / total;
        }
        let first = self.classes - shape.vectors;
        let mut slopes = vec![0.0; shape.columns * shape.vectors];
        for (i, j, value) in self.design.triplets() {
            for vector in 0..shape.vectors {
                let own = f64::from(u8::from(self.labels[i] == first + vector));
                slopes[shape.place(j, vector)] += self.weights[i] * value * (own - rates[first + vector]);
            }
        }
        slopes.into_iter().fold(0.0, |most: f64, slope| most.max(slope.abs()))
    }
}
