//! Labelled sequences.

use posterior_math::check;

use crate::error::Error;

use super::builder::{Names, SequenceBuilder};
use super::sequence::AttributeSequence;
use super::vocabulary::CrfVocabulary;

/// Sequences with the label of each position, in the words of one vocabulary.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dataset {
    vocabulary: CrfVocabulary,
    sequences: Vec<AttributeSequence>,
    labels: Vec<Vec<usize>>,
    weights: Vec<f64>,
}

impl Dataset {
    /// No sequence, and a vocabulary that grows with what comes.
    pub fn new() -> Self {
        Self::default()
    }

    /// No sequence yet, in the words of this vocabulary. For sequences on which a model is tested, those of
    /// the model, [frozen](CrfVocabulary::frozen).
    pub fn with_vocabulary(vocabulary: CrfVocabulary) -> Self {
        Self { vocabulary, ..Self::default() }
    }

    /// Begins a sequence in the words of these data, which become more unless the vocabulary is frozen.
    pub fn sequence(&mut self) -> SequenceBuilder<'_> {
        SequenceBuilder::new(if self.vocabulary.frozen {
            Names::Fixed(&self.vocabulary)
        } else {
            Names::Grow(&mut self.vocabulary)
        })
    }

    /// Adds a sequence with the names of its labels.
    ///
    /// # Errors
    /// If there are not as many labels as positions.
    pub fn push<S: AsRef<str>>(
        &mut self,
        sequence: AttributeSequence,
        labels: impl IntoIterator<Item = S>,
    ) -> Result<(), Error> {
        let labels = self.vocabulary.labels.intern(labels);
        self.push_numbered(sequence, labels, 1.0)
    }

    /// Adds a sequence with the numbers of its labels; it counts like `weight` sequences.
    ///
    /// # Errors
    /// If there are not as many labels as positions, a label has no name, the sequence has another number of
    /// dense features than the vocabulary says, or the weight is negative or not finite.
    pub fn push_numbered(
        &mut self,
        sequence: AttributeSequence,
        labels: Vec<usize>,
        weight: f64,
    ) -> Result<(), Error> {
        let counts = [
            ("labels of a sequence", sequence.len(), labels.len()),
            ("dense features of a position", self.vocabulary.width, sequence.width),
        ];
        for (what, expected, found) in counts {
            check::dimension(what, expected, found)?;
        }
        check::non_negative("Dataset", "weight", weight)?;
        if let Some(position) = labels.iter().position(|&label| label >= self.vocabulary.labels.len()) {
            return Err(Error::Observation {
                sequence: self.len(),
                position,
                message: format!("label {} has no name", labels[position]),
            });
        }
        self.sequences.push(sequence);
        self.labels.push(labels);
        self.weights.push(weight);
        Ok(())
    }

    /// The number of sequences.
    pub const fn len(&self) -> usize {
        self.sequences.len()
    }

    /// Whether there is no sequence.
    pub const fn is_empty(&self) -> bool {
        self.sequences.is_empty()
    }

    /// The number of positions of all sequences.
    pub fn tokens(&self) -> usize {
        self.sequences.iter().map(AttributeSequence::len).sum()
    }

    /// The sequences.
    pub fn sequences(&self) -> &[AttributeSequence] {
        &self.sequences
    }

    /// The labels of each sequence.
    pub fn labels(&self) -> &[Vec<usize>] {
        &self.labels
    }

    /// The weight of each sequence: how many it counts for.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The names.
    pub const fn vocabulary(&self) -> &CrfVocabulary {
        &self.vocabulary
    }

    /// The number of attributes that were ignored because the vocabulary was frozen and did not have them.
    pub fn unknown(&self) -> usize {
        self.sequences.iter().map(AttributeSequence::unknown).sum()
    }
}
