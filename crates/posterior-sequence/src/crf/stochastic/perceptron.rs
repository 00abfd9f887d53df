//! The averaged perceptron.

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

/// Options of the averaged perceptron.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PerceptronOptions {
    /// Passes over the data, at most; 10 by default. An epoch without a mistake is the last.
    pub epochs: usize,
    /// For the order of sequences; 0 by default.
    pub seed: u64,
}

impl Default for PerceptronOptions {
    fn default() -> Self {
        Self { epochs: 10, seed: 0 }
    }
}

/// A perceptron that learns from one sequence at a time: for data that come as a stream.
///
/// Where the best labels are not the true ones, weights of what the true ones hold grow, those of what the
/// best hold fall. A sequence costs its Viterbi path, and an update only the positions with mistakes: the
/// mean is kept up to date lazily.
#[derive(Debug, Clone)]
pub struct PerceptronLearner {
    features: Features,
    weights: Weights,
    slopes: Slopes,
}

impl PerceptronLearner {
    /// Starts from zeros.
    pub fn new(features: Features) -> Self {
        Self { weights: Weights::zeros(features.len()), features, slopes: Slopes::new() }
    }

    /// Learns from a sequence that counts like `weight` ones; returns how many labels were wrong before.
    ///
    /// # Errors
    /// If there are not as many labels as positions, a label is none of the model's, or the weight is
    /// negative or not finite.
    pub fn learn(
        &mut self,
        sequence: &AttributeSequence,
        labels: &[usize],
        weight: f64,
    ) -> Result<usize, Error> {
        check_labels(labels, sequence.len(), self.features.labels())?;
        check::non_negative("PerceptronLearner", "weight", weight)?;
        let Self { features, weights, slopes } = self;
        let best = slopes.of_best(features, weights, sequence, labels)?;
        let wrong = best.iter().zip(labels).filter(|(best, label)| best != label).count();
        if wrong > 0 {
            slopes.step(features, sequence, weight, weights);
        }
        weights.count();
        Ok(wrong)
    }

    /// The mean of the weights after each sequence so far.
    pub fn weights(&self) -> Vec<f64> {
        self.weights.mean()
    }
}

/// Fits a model by the averaged perceptron: its best labels, not its probabilities, are fitted.
///
/// The objective in the report is the number of wrong labels in an epoch, each sequence labelled just before
/// it is learned from.
///
/// # References
/// M. Collins, Discriminative training methods for hidden Markov models, EMNLP 2002.
///
/// # Errors
/// If there is no sequence, or features and data do not go together.
pub fn averaged_perceptron(
    data: &Dataset,
    features: Features,
    options: &PerceptronOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<ConditionalRandomField>, Error> {
    if data.is_empty() {
        return Err(Error::TooFew { what: "a perceptron", needed: "a sequence" });
    }
    let mut learner = PerceptronLearner::new(features);
    // Without weights all labels are as good, and the first is taken.
    let wrong_at_first = data.labels().iter().flatten().filter(|&&label| label != 0).count();
    let mut progress = Progress::new(wrong_at_first as f64, options.epochs, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let mut wrong = 0;
        for index in order(options.seed, progress.iterations() + 1, data.len()) {
            wrong += learner.learn(&data.sequences()[index], &data.labels()[index], data.weights()[index])?;
        }
        if progress.stopped_after(wrong as f64) {
            break Stop::Observer;
        }
        if wrong == 0 {
            break Stop::Converged;
        }
    };
    let weights = learner.weights();
    let vocabulary = data.vocabulary().clone().frozen();
    let model = ConditionalRandomField::new(vocabulary, learner.features, weights)?;
    Ok(Fitted { model, report: progress.finish(stop) })
}
