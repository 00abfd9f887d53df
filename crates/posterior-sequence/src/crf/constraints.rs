//! Labels that can come first, last, and after each other.

use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::DMatrix;
use posterior_text::alphabet::Alphabet;
use posterior_text::chunking::ChunkScheme;

use crate::chain::{Marginals, Path, Transitions};
use crate::error::Error;

use super::model::ConditionalRandomField;
use super::scores::{Scores, check_labels};
use super::sequence::AttributeSequence;

const NEVER: f64 = f64::NEG_INFINITY;

/// Which labels can come first, last, and after each other.
///
/// ```
/// use posterior_sequence::crf::LabelConstraints;
/// use posterior_text::alphabet::Alphabet;
/// use posterior_text::chunking::ChunkScheme;
///
/// let labels: Alphabet = ["O", "B-NP", "I-NP"].into_iter().collect();
/// let constraints = LabelConstraints::chunks(&labels, ChunkScheme::Bio)?;
/// assert!(constraints.allow(&[0, 1, 2]) && !constraints.allow(&[0, 2]));
/// # Ok::<(), posterior_sequence::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelConstraints {
    starts: Vec<bool>,
    /// From i to j at index i K + j.
    steps: Vec<bool>,
    ends: Vec<bool>,
}

impl LabelConstraints {
    /// What these functions say of K labels: whether one can come first, the second after the first, and one
    /// last.
    ///
    /// # Errors
    /// If there is no label.
    pub fn from_fn(
        labels: usize,
        starts: impl Fn(usize) -> bool,
        steps: impl Fn(usize, usize) -> bool,
        ends: impl Fn(usize) -> bool,
    ) -> Result<Self, Error> {
        if labels == 0 {
            return Err(DimensionError::new("labels", 1, 0).into());
        }
        Ok(Self {
            starts: (0..labels).map(starts).collect(),
            steps: (0..labels * labels).map(|at| steps(at / labels, at % labels)).collect(),
            ends: (0..labels).map(ends).collect(),
        })
    }

    /// What a scheme of chunks says of labels with these names.
    ///
    /// # Errors
    /// [`Error::Label`] with the first label that the scheme does not have.
    pub fn chunks(labels: &Alphabet, scheme: ChunkScheme) -> Result<Self, Error> {
        let names: Vec<&str> = labels.iter().collect();
        if let Some(label) = names.iter().find(|label| !scheme.has(label)) {
            let (label, forms) = (
                (*label).to_owned(),
                match scheme {
                    ChunkScheme::Bio => "O, B-TYPE and I-TYPE",
                    _ => "O, B-TYPE, I-TYPE, E-TYPE and S-TYPE",
                },
            );
            return Err(Error::Label { label, message: format!("the scheme has {forms}") });
        }
        Self::from_fn(
            names.len(),
            |label| scheme.starts(names[label]),
            |before, label| scheme.follows(names[before], names[label]),
            |label| scheme.ends(names[label]),
        )
    }

    /// The number of labels, K.
    pub const fn labels(&self) -> usize {
        self.starts.len()
    }

    /// Whether these can be the labels of a sequence; `false` of a label that is none.
    pub fn allow(&self, labels: &[usize]) -> bool {
        let k = self.labels();
        let (Some(&first), Some(&last)) = (labels.first(), labels.last()) else { return true };
        labels.iter().all(|&label| label < k)
            && self.starts[first]
            && self.ends[last]
            && labels.windows(2).all(|pair| self.steps[pair[0] * k + pair[1]])
    }
}

/// A conditional random field whose labels keep to constraints: p(y | x) ∝ exp(score(x, y)) for all y that
/// they allow, and exactly 0 for the others.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstrainedField<'m> {
    model: &'m ConditionalRandomField,
    first: Vec<f64>,
    transitions: Transitions,
    /// 0, or -∞ where a label cannot come last.
    last: Vec<f64>,
}

impl ConditionalRandomField {
    /// The same model of labels that keep to constraints. O(K²).
    ///
    /// # Errors
    /// If they are for another number of labels.
    pub fn constrained(&self, constraints: &LabelConstraints) -> Result<ConstrainedField<'_>, Error> {
        let k = self.features().labels();
        check::dimension("labels of the constraints", k, constraints.labels())?;
        let masked = |allowed: bool, score: f64| if allowed { score } else { NEVER };
        let first = self.first().iter().zip(&constraints.starts).map(|(&score, &is)| masked(is, score));
        let transitions = DMatrix::from_fn(k, k, |before, label| {
            masked(constraints.steps[before * k + label], self.transitions().ln_row(before)[label])
        });
        Ok(ConstrainedField {
            model: self,
            first: first.collect(),
            transitions: Transitions::from_ln(&transitions)?,
            last: constraints.ends.iter().map(|&is| masked(is, 0.0)).collect(),
        })
    }
}

impl ConstrainedField<'_> {
    /// The scores of all labels, -∞ where they cannot be: from them, as a
    /// [`LinearChain`](crate::chain::LinearChain), comes everything.
    pub fn scores(&self, sequence: &AttributeSequence) -> Scores<'_> {
        let mut scores = self.model.scores_with(&self.first, &self.transitions, sequence);
        if let Some(nodes) = scores.nodes.rchunks_exact_mut(self.last.len()).next() {
            nodes.iter_mut().zip(&self.last).for_each(|(node, last)| *node += last);
        }
        scores
    }

    /// The most probable labels that are allowed, and their score.
    ///
    /// # Errors
    /// [`Error::Impossible`], of sequence 0, if no labels of this length are allowed.
    pub fn tag(&self, sequence: &AttributeSequence) -> Result<Path, Error> {
        let scores = self.scores(sequence);
        let chain = scores.chain();
        chain.best_path().ok_or_else(|| impossible(sequence))
    }

    /// The so many most probable label sequences that are allowed, the best first, each with its score and
    /// ln p(y | x); fewer if fewer are allowed, and none if none is.
    pub fn k_best(&self, sequence: &AttributeSequence, count: usize) -> Vec<(Path, f64)> {
        self.scores(sequence).k_best(count)
    }

    /// p(y_t = k | x) and ln Z(x), the sum over what is allowed.
    ///
    /// # Errors
    /// As [`tag`](Self::tag).
    pub fn marginals(&self, sequence: &AttributeSequence) -> Result<Marginals, Error> {
        let marginals = self.scores(sequence).chain().marginals();
        if marginals.ln_z == NEVER { Err(impossible(sequence)) } else { Ok(marginals) }
    }

    /// ln p(y | x); -∞ of labels that are not allowed.
    ///
    /// # Errors
    /// If there are not as many labels as positions, the model does not have one of them, or no labels of
    /// this length are allowed.
    pub fn ln_probability(&self, sequence: &AttributeSequence, labels: &[usize]) -> Result<f64, Error> {
        check_labels(labels, sequence.len(), self.last.len())?;
        let scores = self.scores(sequence);
        let ln_z = scores.chain().ln_z();
        if ln_z == NEVER { Err(impossible(sequence)) } else { Ok(scores.score(labels)? - ln_z) }
    }
}

/// That no labels of the length of a sequence are allowed.
fn impossible(sequence: &AttributeSequence) -> Error {
    Error::Impossible { sequence: 0, position: sequence.len().saturating_sub(1) }
}
