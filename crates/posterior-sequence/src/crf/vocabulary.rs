//! The names of labels and attributes.

use posterior_text::alphabet::Alphabet;

/// The names of labels and attributes with their numbers, and how many dense features there are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CrfVocabulary {
    pub(super) labels: Alphabet,
    pub(super) attributes: Alphabet,
    pub(super) step_attributes: Alphabet,
    pub(super) width: usize,
    pub(super) frozen: bool,
}

impl CrfVocabulary {
    /// Nothing known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same names, and this number of dense features at each position.
    #[must_use]
    pub fn with_dense(self, width: usize) -> Self {
        Self { width, ..self }
    }

    /// The same names, and these labels, numbered as they come, after those that are there.
    #[must_use]
    pub fn with_labels<S: AsRef<str>>(mut self, labels: impl IntoIterator<Item = S>) -> Self {
        for label in labels {
            self.labels.insert(label.as_ref());
        }
        self
    }

    /// The same names, of which attributes will not become more: unknown ones are ignored and counted. Labels
    /// may be added.
    #[must_use]
    pub fn frozen(self) -> Self {
        Self { frozen: true, ..self }
    }

    /// The labels.
    pub const fn labels(&self) -> &Alphabet {
        &self.labels
    }

    /// The attributes of positions.
    pub const fn attributes(&self) -> &Alphabet {
        &self.attributes
    }

    /// The attributes of steps.
    pub const fn step_attributes(&self) -> &Alphabet {
        &self.step_attributes
    }

    /// The number of dense features at each position.
    pub const fn dense(&self) -> usize {
        self.width
    }
}
