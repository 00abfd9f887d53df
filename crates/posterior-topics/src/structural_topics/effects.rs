//! What features do to the proportions of topics.

use posterior_dist::stream::stream;
use posterior_dist::{StudentT, Univariate as _};
use posterior_gaussian::InverseWishart;
use posterior_math::linalg::{Cholesky, DMatrix, DVector, multiply};
use posterior_math::streaming::quantile_of_sorted;
use posterior_math::{ParamError, check};
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

use super::document::proportions;
use super::model::{StructuralTopics, mean_of};
use super::options::TYPE;
use super::regression::Regression;

/// Draws of the regression, whose quantiles are the ends of intervals.
const DRAWS: u64 = 500;

/// Pairs of documents with opposite deviations over which expected proportions are averaged.
const PAIRS: usize = 128;

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
}

impl StructuralTopics {
    /// The expected proportions of documents with these features, averaged over documents and over what is
    /// not known of the regression.
    ///
    /// Cost: as [`effect`](Self::effect).
    ///
    /// # Errors
    /// Another number of features, or one that is not finite.
    pub fn prevalence(&self, features: &[f64]) -> Result<Vec<f64>, ParamError> {
        let row = self.parts().units.row(features)?;
        Ok(intervals(&self.expected(&[row], |[at]| at), 0.5).mean)
    }

    /// By how much the expected proportions of documents differ between two settings of the features,
    /// with intervals of so much probability, as wide as the replicates of the fit differ. Of a fit without
    /// replicates they hold what is not known of coefficients, covariance and the log-ratios of the
    /// documents, and take the words of topics as known, which makes them too short: see the [module](super).
    ///
    /// Without randomness: 500 draws of the regression are always the same.
    ///
    /// Cost: 500 x (512 x topics² + (features x topics)²).
    ///
    /// # Errors
    /// Another number of features, one that is not finite, or a probability that is not between 0 and 1.
    pub fn effect(&self, from: &[f64], to: &[f64], probability: f64) -> Result<TopicIntervals, ParamError> {
        check::open_probability(TYPE, "probability", probability)?;
        let rows = [self.parts().units.row(from)?, self.parts().units.row(to)?];
        let difference = |[before, after]: [Vec<f64>; 2]| {
            after.iter().zip(before).map(|(after, before)| after - before).collect()
        };
        let found = intervals(&self.expected(&rows, difference), probability);
        if self.parts().replicates.is_empty() {
            return Ok(found);
        }
        Ok(around(found.mean, &self.replicated(&rows, difference), probability))
    }

    /// By each replicate of the fit, a function of the expected proportions with these rows of features.
    fn replicated<const N: usize>(
        &self,
        rows: &[Vec<f64>; N],
        function: impl Fn([Vec<f64>; N]) -> Vec<f64>,
    ) -> Vec<Vec<f64>> {
        let replicate = |own: &Regression| {
            let factor = Cholesky::new(&own.covariance).expect("invariant: the constructor has checked it");
            let deviations = multiply(factor.factor(), &noise(own.covariance.nrows()));
            function(rows.each_ref().map(|row| average(&mean_of(&own.gamma, row), &deviations)))
        };
        self.parts().replicates.iter().map(replicate).collect()
    }

    /// By each draw of the regression, a function of the expected proportions with these rows of features.
    fn expected<const N: usize>(
        &self,
        rows: &[Vec<f64>; N],
        function: impl Fn([Vec<f64>; N]) -> Vec<f64> + Sync,
    ) -> Vec<Vec<f64>> {
        let parts = self.parts();
        let (features, size) = parts.regression.gamma.shape();
        let noise = noise(size);
        let scale = &parts.regression.covariance * parts.degrees_of_freedom;
        let covariances = InverseWishart::new(parts.degrees_of_freedom, &scale)
            .expect("invariant: the constructor has checked it");
        let draw = |draw: u64| {
            let mut rng = stream(0, &[1 + draw]);
            let white = DVector::from_fn(features * size, |_, _| StandardNormal.sample(&mut rng));
            let moved = self.root().factor() * white;
            let gamma =
                &parts.regression.gamma + DMatrix::from_column_slice(features, size, moved.as_slice());
            let deviations = multiply(&covariances.sample_cholesky(&mut rng), &noise);
            function(rows.each_ref().map(|row| average(&mean_of(&gamma, row), &deviations)))
        };
        (0..DRAWS).into_par_iter().map(draw).collect()
    }
}

/// Standardised deviations of documents from their means.
fn noise(size: usize) -> DMatrix<f64> {
    let mut rng = stream(0, &[]);
    DMatrix::from_fn(size, PAIRS, |_, _| StandardNormal.sample(&mut rng))
}

/// The proportions of documents with this mean of log-ratios, averaged over their deviations.
fn average(mean: &[f64], deviations: &DMatrix<f64>) -> Vec<f64> {
    let mut sum = vec![0.0; mean.len() + 1];
    for deviations in deviations.column_iter() {
        for sign in [-1.0, 1.0] {
            let eta: Vec<f64> = mean.iter().zip(&deviations).map(|(mean, own)| mean + sign * own).collect();
            sum.iter_mut().zip(proportions(&eta)).for_each(|(sum, theta)| *sum += theta);
        }
    }
    for sum in &mut sum {
        *sum /= (2 * deviations.ncols()) as f64;
    }
    sum
}

/// Intervals around means, as wide as replicates differ: of Student's t, since they are few.
fn around(mean: Vec<f64>, replicates: &[Vec<f64>], probability: f64) -> TopicIntervals {
    let count = replicates.len() as f64;
    let quantile = StudentT::standard(count - 1.0)
        .expect("invariant: a model has no replicate or at least two")
        .quantile(0.5 + 0.5 * probability);
    let half_width = |k: usize| {
        let own = replicates.iter().map(|own| own[k]);
        let centre = own.clone().sum::<f64>() / count;
        quantile * (own.map(|x| (x - centre).powi(2)).sum::<f64>() / (count - 1.0)).sqrt()
    };
    let half_widths: Vec<f64> = (0..mean.len()).map(half_width).collect();
    let end = |sign: f64| mean.iter().zip(&half_widths).map(|(mean, half)| mean + sign * half).collect();
    TopicIntervals { low: end(-1.0), high: end(1.0), mean }
}

fn intervals(draws: &[Vec<f64>], probability: f64) -> TopicIntervals {
    let tail = 0.5 * (1.0 - probability);
    let topics = draws.first().map_or(0, Vec::len);
    let mut found = TopicIntervals { mean: Vec::new(), low: Vec::new(), high: Vec::new() };
    for k in 0..topics {
        let mut column: Vec<f64> = draws.iter().map(|draw| draw[k]).collect();
        column.sort_by(f64::total_cmp);
        found.mean.push(column.iter().sum::<f64>() / column.len() as f64);
        found.low.push(quantile_of_sorted(&column, tail));
        found.high.push(quantile_of_sorted(&column, 1.0 - tail));
    }
    found
}
