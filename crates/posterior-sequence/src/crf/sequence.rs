//! What is seen along a sequence.

use super::rows::Rows;

/// The largest |value| of a feature, and of a weight: so scores are finite.
pub(super) const LARGEST: f64 = 1e150;

/// The observations of one sequence: at each position a list of attributes with values, maybe a row of dense
/// features, and maybe attributes of the step that leads to it.
///
/// Made by a [`SequenceBuilder`](super::SequenceBuilder). Attributes are numbers of a
/// [`CrfVocabulary`](super::CrfVocabulary). A value takes no memory as long as all of the sequence are 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AttributeSequence {
    pub(super) length: usize,
    pub(super) nodes: Rows,
    pub(super) steps: Rows,
    pub(super) width: usize,
    pub(super) dense: Vec<f64>,
    pub(super) unknown: usize,
}

impl AttributeSequence {
    /// The number of positions T.
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no position.
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The attributes at position t with their values, in the order in which they were given; none beyond the
    /// end.
    pub fn attributes(&self, t: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.nodes.entries(t)
    }

    /// The attributes of the step from position t - 1 to position t.
    pub fn step_attributes(&self, t: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.steps.entries(t)
    }

    /// The dense features at position t; empty if there are none.
    pub fn dense(&self, t: usize) -> &[f64] {
        self.dense.get(t * self.width..(t + 1) * self.width).unwrap_or(&[])
    }

    /// The number of attributes that were ignored because the vocabulary, which was not to grow, did not
    /// have them.
    pub const fn unknown(&self) -> usize {
        self.unknown
    }
}
