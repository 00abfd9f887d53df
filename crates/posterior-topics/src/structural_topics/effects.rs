//! What features do to the proportions of topics.

use posterior_dist::stream::stream;
use posterior_math::linalg::{DMatrix, multiply};
use posterior_math::streaming::quantile_of_sorted;
use posterior_math::{ParamError, check};
use posterior_sampling::diagnostics::ess_mean;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

use super::log_concave::proportions;
use super::model::{StructuralTopics, mean_of};
use super::options::TYPE;
use crate::TopicModel as _;

/// Pairs of documents with opposite deviations over which expected proportions are averaged.
const PAIRS: usize = 256;

/// An estimate for each topic with its central interval.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TopicIntervals {
    /// The posterior mean.
    pub mean: Vec<f64>,
    /// The lower end.
    pub low: Vec<f64>,
    /// The upper end.
    pub high: Vec<f64>,
    /// How many independent draws the kept states are worth for the mean; NaN where they are too few to say.
    /// Below about 100 the ends of the interval are rough, and below about 20 it may lie: more sweeps help.
    pub effective_draws: Vec<f64>,
}

impl StructuralTopics {
    /// The expected proportions of a document with these features, averaged over documents, with intervals of
    /// so much probability: they hold what is not known of coefficients, covariance, topics and proportions.
    ///
    /// Cost: draws x 512 x topics².
    ///
    /// # Errors
    /// Another number of features, one that is not finite, or a probability that is not between 0 and 1.
    pub fn prevalence(&self, features: &[f64], probability: f64) -> Result<TopicIntervals, ParamError> {
        let draws = self.expected(features)?;
        intervals(&draws, probability)
    }

    /// The difference of [`prevalence`](Self::prevalence) between two settings of the features, with
    /// intervals.
    ///
    /// # Errors
    /// As [`prevalence`](Self::prevalence).
    pub fn effect(&self, from: &[f64], to: &[f64], probability: f64) -> Result<TopicIntervals, ParamError> {
        let (before, mut draws) = (self.expected(from)?, self.expected(to)?);
        for (draw, before) in draws.iter_mut().zip(&before) {
            draw.iter_mut().zip(before).for_each(|(after, before)| *after -= before);
        }
        intervals(&draws, probability)
    }

    /// Expected proportions by each draw of the regression.
    fn expected(&self, features: &[f64]) -> Result<Vec<Vec<f64>>, ParamError> {
        self.mean_at(features)?;
        let noise = self.noise();
        let rows = 1 + features.len();
        let expected = |(draw, root): (usize, &DMatrix<f64>)| {
            let mean = mean_of(self.coefficient_draws(), draw * rows, features)?;
            let deviations = multiply(root, &noise);
            let mut sum = vec![0.0; mean.len() + 1];
            for deviation in deviations.column_iter() {
                for sign in [-1.0, 1.0] {
                    let eta: Vec<f64> =
                        mean.iter().zip(&deviation).map(|(mean, own)| mean + sign * own).collect();
                    sum.iter_mut().zip(proportions(&eta)).for_each(|(sum, theta)| *sum += theta);
                }
            }
            sum.iter_mut().for_each(|sum| *sum /= 2.0 * PAIRS as f64);
            Ok(sum)
        };
        self.roots.par_iter().enumerate().map(expected).collect()
    }

    /// White noise of documents, (topics - 1) x pairs: the same for all that is compared.
    fn noise(&self) -> DMatrix<f64> {
        let mut rng = stream(0, &[]);
        DMatrix::from_fn(self.topics().len() - 1, PAIRS, |_, _| StandardNormal.sample(&mut rng))
    }
}

fn intervals(draws: &[Vec<f64>], probability: f64) -> Result<TopicIntervals, ParamError> {
    let is_inside = probability > 0.0 && probability < 1.0;
    check::require(is_inside, TYPE, "probability", probability, "between 0 and 1")?;
    let tail = 0.5 * (1.0 - probability);
    let topics = draws.first().map_or(0, Vec::len);
    let mut found =
        TopicIntervals { mean: Vec::new(), low: Vec::new(), high: Vec::new(), effective_draws: Vec::new() };
    for k in 0..topics {
        let mut column: Vec<f64> = draws.iter().map(|draw| draw[k]).collect();
        found.effective_draws.push(ess_mean(&[&column]).unwrap_or(f64::NAN));
        column.sort_by(f64::total_cmp);
        found.mean.push(column.iter().sum::<f64>() / column.len() as f64);
        found.low.push(quantile_of_sorted(&column, tail));
        found.high.push(quantile_of_sorted(&column, 1.0 - tail));
    }
    Ok(found)
}
