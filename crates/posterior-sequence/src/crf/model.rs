//! The model.

use posterior_math::check;

use crate::chain::{Marginals, Path, Transitions};
use crate::error::Error;

use super::builder::SequenceBuilder;
use super::features::{Feature, Features};
use super::scores::{Scores, check_labels};
use super::sequence::{AttributeSequence, LARGEST};
use super::vocabulary::CrfVocabulary;

/// A linear-chain conditional random field: p(y | x) = exp(score(x, y)) / Z(x), the score being linear in the
/// weights.
///
/// ```
/// use posterior_sequence::crf::{ConditionalRandomField, Dataset, Features, FeatureOptions};
///
/// let mut data = Dataset::new();
/// let mut sentence = data.sequence();
/// sentence.present(["the"])?.present(["dog"])?;
/// let sentence = sentence.finish();
/// data.push(sentence, ["DET", "NOUN"])?;
/// let features = Features::select(&data, &FeatureOptions::default())?;
/// // "the" and DET, "dog" and NOUN, DET before NOUN.
/// assert_eq!(features.len(), 3);
/// let model = ConditionalRandomField::new(data.vocabulary().clone(), features, vec![1.0, 1.0, 0.5])?;
/// let marginals = model.marginals(&data.sequences()[0]);
/// assert!(marginals.nodes[0] > 0.7);
/// # Ok::<(), posterior_sequence::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionalRandomField {
    vocabulary: CrfVocabulary,
    features: Features,
    weights: Vec<f64>,
    first: Vec<f64>,
    transitions: Transitions,
}

impl ConditionalRandomField {
    /// The model with these weights.
    ///
    /// # Errors
    /// If names, features and weights do not go together, or a weight is not a number or beyond ±10^150.
    pub fn new(vocabulary: CrfVocabulary, features: Features, weights: Vec<f64>) -> Result<Self, Error> {
        let counts = [
            ("weights", features.len(), weights.len()),
            ("labels of the features", vocabulary.labels().len(), features.labels()),
            ("dense features", vocabulary.dense(), features.width),
        ];
        for (what, expected, found) in counts {
            check::dimension(what, expected, found)?;
        }
        for (index, &weight) in weights.iter().enumerate() {
            let fits = weight.abs() <= LARGEST;
            check::require(fits, "ConditionalRandomField", "weight", weight, "within ±10^150")
                .map_err(|error| error.at(index))?;
        }
        let transitions = Transitions::from_ln(&features.transition_scores(&weights))?;
        let first = features.first_scores(&weights);
        Ok(Self { vocabulary, features, weights, first, transitions })
    }

    /// The names.
    pub const fn vocabulary(&self) -> &CrfVocabulary {
        &self.vocabulary
    }

    /// The features of the weights.
    pub const fn features(&self) -> &Features {
        &self.features
    }

    /// The weights.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The number of weights that are not 0.
    pub fn nonzero(&self) -> usize {
        self.weights.iter().filter(|weight| **weight != 0.0).count()
    }

    /// Names, features and weights.
    pub fn into_parts(self) -> (CrfVocabulary, Features, Vec<f64>) {
        (self.vocabulary, self.features, self.weights)
    }

    /// Begins a sequence in the words of the model: attributes that it does not have are ignored and counted.
    pub fn sequence(&self) -> SequenceBuilder<'_> {
        self.vocabulary.sequence()
    }

    /// The scores of all labels: from them, as a [`Chain`](crate::chain::LinearChain), comes everything.
    ///
    /// What the model does not have counts as absent: attributes beyond its own, and dense features if it has
    /// none.
    pub fn scores(&self, sequence: &AttributeSequence) -> Scores<'_> {
        self.scores_with(&self.first, &self.transitions, sequence)
    }

    /// The same with other scores of first labels and of pairs.
    pub(super) fn scores_with<'a>(
        &self,
        first: &'a [f64],
        transitions: &'a Transitions,
        sequence: &AttributeSequence,
    ) -> Scores<'a> {
        let (mut nodes, mut steps) = (Vec::new(), Vec::new());
        self.features.node_scores(&self.weights, sequence, &mut nodes);
        let each = self.features.step_scores(&self.weights, transitions, sequence, &mut steps);
        Scores { first, nodes, transitions, steps: each.then_some(steps) }
    }

    /// The scores of first labels.
    pub(super) fn first(&self) -> &[f64] {
        &self.first
    }

    /// The scores of pairs of labels.
    pub(super) const fn transitions(&self) -> &Transitions {
        &self.transitions
    }

    /// The most probable labels (Viterbi's path) and their score; of equally probable ones those of
    /// [`Chain::best_path`](crate::chain::LinearChain::best_path).
    #[expect(clippy::missing_panics_doc, reason = "an invariant")]
    pub fn tag(&self, sequence: &AttributeSequence) -> Path {
        self.scores(sequence)
            .chain()
            .best_path()
            .expect("invariant: scores are finite, so that all is possible")
    }

    /// The so many most probable label sequences, the best first, each with its score and ln p(y | x); fewer
    /// if there are fewer. O(T K² `count`).
    pub fn k_best(&self, sequence: &AttributeSequence, count: usize) -> Vec<(Path, f64)> {
        self.scores(sequence).k_best(count)
    }

    /// p(y_t = k | x) and ln Z(x).
    pub fn marginals(&self, sequence: &AttributeSequence) -> Marginals {
        self.scores(sequence).chain().marginals()
    }

    /// ln p(y | x).
    ///
    /// # Errors
    /// If there are not as many labels as positions, or the model does not have one of them.
    pub fn ln_probability(&self, sequence: &AttributeSequence, labels: &[usize]) -> Result<f64, Error> {
        check_labels(labels, sequence.len(), self.features.labels())?;
        let scores = self.scores(sequence);
        Ok(scores.score(labels)? - scores.chain().ln_z())
    }

    /// The features that speak most for and against a label at a position, by |weight|.
    pub fn top_features(&self, label: usize, count: usize) -> Vec<(Feature, f64)> {
        let of_label = |feature: &Feature| match *feature {
            Feature::State { label: of, .. } | Feature::Dense { label: of, .. } => of == label,
            _ => false,
        };
        let mut found: Vec<_> = self
            .features
            .iter()
            .zip(self.weights.iter().copied())
            .filter(|(feature, weight)| of_label(feature) && *weight != 0.0)
            .collect();
        found.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        found.truncate(count);
        found
    }
}
