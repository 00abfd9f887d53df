//! Stochastic gradient descent.

use posterior_math::check;
use posterior_math::iteration::{Fitted, Observer, Progress, Stop};

use super::super::dataset::Dataset;
use super::super::features::Features;
use super::super::model::ConditionalRandomField;
use super::super::scores::check_labels;
use super::super::sequence::AttributeSequence;
use super::average::Weights;
use super::order;
use super::slopes::Slopes;
use crate::error::Error;

/// The weights that are the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Averaging {
    /// The last ones; steps fall like 1/t.
    Last,
    /// The mean of those after the first epoch; steps fall like t^(-3/4) (Polyak and Juditsky 1992).
    Mean,
}

/// Options of stochastic gradient descent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SgdOptions {
    /// The factor of |w|² in the objective -Σ ln p + l2 |w|², above 0; 1 by default.
    pub l2: f64,
    /// Passes over the data, at most; 50 by default.
    pub epochs: usize,
    /// The first step; found by trials on up to 1000 sequences where it is `None`, as by default.
    pub first_step: Option<f64>,
    /// The weights that are the result; the mean by default.
    pub averaging: Averaging,
    /// The fit has converged when an epoch changes the objective by less than this proportion; 1e-5 by
    /// default, 0 goes on to the last epoch.
    pub tolerance: f64,
    /// For the order of sequences; 0 by default.
    pub seed: u64,
}

impl Default for SgdOptions {
    fn default() -> Self {
        Self { l2: 1.0, epochs: 50, first_step: None, averaging: Averaging::Mean, tolerance: 1e-5, seed: 0 }
    }
}

impl SgdOptions {
    fn check(&self) -> Result<(), Error> {
        const TYPE: &str = "SgdOptions";
        check::positive(TYPE, "l2", self.l2)?;
        check::non_negative(TYPE, "tolerance", self.tolerance)?;
        if let Some(step) = self.first_step {
            check::positive(TYPE, "first_step", step)?;
        }
        Ok(())
    }
}

/// Descends one sequence at a time: for data that come as a stream.
///
/// A step costs what the sequence is long, not the number of weights: the penalty shrinks all of them by one
/// factor (Bottou 2010).
#[derive(Debug, Clone)]
pub struct SgdLearner {
    features: Features,
    weights: Weights,
    slopes: Slopes,
    averaging: Averaging,
    /// λ = 2 l2/n: the penalty λ |w|²/2 of one sequence.
    lambda: f64,
    first_step: f64,
    steps: f64,
    counting: bool,
}

impl SgdLearner {
    /// Starts from zeros with this first step. `expected` is how many sequences there are: each carries its
    /// proportion of the penalty.
    ///
    /// # Errors
    /// If the penalty or the step is not positive, or no sequence is expected.
    pub fn new(
        features: Features,
        options: &SgdOptions,
        first_step: f64,
        expected: usize,
    ) -> Result<Self, Error> {
        options.check()?;
        check::positive("SgdLearner", "first_step", first_step)?;
        if expected == 0 {
            return Err(Error::TooFew { what: "stochastic gradient descent", needed: "a sequence" });
        }
        Ok(Self {
            weights: Weights::zeros(features.len()),
            features,
            slopes: Slopes::new(),
            averaging: options.averaging,
            lambda: 2.0 * options.l2 / expected as f64,
            first_step,
            steps: 0.0,
            counting: false,
        })
    }

    /// Takes a step for a sequence that counts like `weight` ones; returns its ln p(labels | sequence) before
    /// the step. Times the weight, a step is at most as long as its first.
    ///
    /// # Errors
    /// If there are not as many labels as positions, a label is none of the model's, or the weight is
    /// negative or not finite.
    pub fn learn(
        &mut self,
        sequence: &AttributeSequence,
        labels: &[usize],
        weight: f64,
    ) -> Result<f64, Error> {
        check_labels(labels, sequence.len(), self.features.labels())?;
        check::non_negative("SgdLearner", "weight", weight)?;
        let Self { features, weights, slopes, .. } = self;
        let ln_p = slopes.of_likelihood(features, weights, sequence, labels)?;
        let time = 1.0 + self.lambda * self.first_step * self.steps;
        let rate = self.first_step
            / match self.averaging {
                Averaging::Last => time,
                Averaging::Mean => time.powf(0.75),
            };
        weights.shrink(1.0 / (1.0 + rate * self.lambda));
        slopes.step(features, sequence, rate * weight, weights);
        self.steps += 1.0;
        if self.counting {
            weights.count();
        }
        Ok(ln_p)
    }

    /// From now on weights count into the mean, those before don't: for the end of a first epoch, when the
    /// way from the start has been made.
    pub const fn begin_mean(&mut self) {
        self.counting = true;
    }

    /// The features of the weights.
    pub const fn features(&self) -> &Features {
        &self.features
    }

    /// The weights so far: the mean since [`begin_mean`](Self::begin_mean) with [`Averaging::Mean`], or else
    /// those after the last step.
    pub fn weights(&self) -> Vec<f64> {
        match self.averaging {
            Averaging::Last => self.weights.current(),
            Averaging::Mean => self.weights.mean(),
        }
    }
}

/// Fits a model to maximise Σ ln p(labels | sequence) - l2 |w|² by stochastic gradient descent from zeros.
///
/// The objective of an epoch in the report is Σ -ln p of each sequence just before its step, and the penalty
/// after the last: an estimate that costs nothing; the first entry is exact. Cost of an epoch:
/// forward-backward of all data, and one scatter of each sequence. The result is the same for any number of
/// threads, of which it uses one.
///
/// # References
/// L. Bottou, Large-scale machine learning with stochastic gradient descent, 2010.
///
/// # Errors
/// If there is no sequence, an option is out of its range, or features and data do not go together.
pub fn sgd(
    data: &Dataset,
    features: Features,
    options: &SgdOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<ConditionalRandomField>, Error> {
    options.check()?;
    let uniform = (features.labels() as f64).ln();
    let lengths = data.sequences().iter().zip(data.weights()).map(|(own, weight)| own.len() as f64 * weight);
    let mut last = uniform * lengths.sum::<f64>();
    let mut progress = Progress::new(last, options.epochs, observer);
    let first_step = match options.first_step {
        Some(step) => step,
        None => calibrated(data, &features, options)?,
    };
    let mut learner = SgdLearner::new(features, options, first_step, data.len())?;
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let epoch = progress.iterations() + 1;
        if epoch > 1 {
            learner.begin_mean();
        }
        let loss = epoch_loss(&mut learner, data, &order(options.seed, epoch, data.len()))?;
        let objective = loss + options.l2 * learner.weights.square();
        if progress.stopped_after(objective) {
            break Stop::Observer;
        }
        if (std::mem::replace(&mut last, objective) - objective).abs() < options.tolerance * objective {
            break Stop::Converged;
        }
    };
    let weights = learner.weights();
    let vocabulary = data.vocabulary().clone().frozen();
    let model = ConditionalRandomField::new(vocabulary, learner.features, weights)?;
    Ok(Fitted { model, report: progress.finish(stop) })
}

fn epoch_loss(learner: &mut SgdLearner, data: &Dataset, order: &[usize]) -> Result<f64, Error> {
    let mut loss = 0.0;
    for &index in order {
        let weight = data.weights()[index];
        loss -= weight * learner.learn(&data.sequences()[index], &data.labels()[index], weight)?;
    }
    Ok(loss)
}

/// The first step with the least loss in one pass over some of the data, of 0.1 and what doubling and halving
/// makes of it.
fn calibrated(data: &Dataset, features: &Features, options: &SgdOptions) -> Result<f64, Error> {
    const SAMPLE: usize = 1000;
    const MOST_TRIALS: usize = 20;
    let mut sample = order(options.seed, 0, data.len());
    sample.truncate(SAMPLE);
    let trial = |step: f64| -> Result<f64, Error> {
        let mut learner = SgdLearner::new(features.clone(), options, step, data.len())?;
        match epoch_loss(&mut learner, data, &sample) {
            // The step was so long that scores have overflown.
            Err(Error::Parameter(_)) => Ok(f64::INFINITY),
            other => other,
        }
    };
    let mut best = (0.1, trial(0.1)?);
    for factor in [2.0, 0.5] {
        let start = best.0;
        for _ in 0..MOST_TRIALS {
            let step = best.0 * factor;
            let loss = trial(step)?;
            if loss >= best.1 {
                break;
            }
            best = (step, loss);
        }
        if best.0 > start {
            break;
        }
    }
    Ok(best.0)
}
