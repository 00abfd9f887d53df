//! A model, and what its labels have to keep to.

use posterior::sequence::crf::{
    AttributeSequence, ConditionalRandomField, ConstrainedField, LabelConstraints, Scores,
};
use posterior::text::chunking::ChunkScheme;

use crate::args::CrfConstraints;
use crate::failure::Failure;

/// A model, and what its labels have to keep to.
pub(super) struct Decoder<'m> {
    pub(super) model: &'m ConditionalRandomField,
    constrained: Option<ConstrainedField<'m>>,
}

impl<'m> Decoder<'m> {
    /// Of labels that may be any.
    pub(super) const fn free(model: &'m ConditionalRandomField) -> Self {
        Self { model, constrained: None }
    }

    /// Of labels that keep to what `--constraints` asks for.
    pub(super) fn new(
        model: &'m ConditionalRandomField,
        constraints: Option<CrfConstraints>,
    ) -> Result<Self, Failure> {
        let Some(constraints) = constraints else { return Ok(Self::free(model)) };
        let scheme = match constraints {
            CrfConstraints::Bio => ChunkScheme::Bio,
            CrfConstraints::Bioes => ChunkScheme::Bioes,
        };
        let constrained = LabelConstraints::chunks(model.vocabulary().labels(), scheme)
            .and_then(|constraints| model.constrained(&constraints))
            .map_err(|error| Failure::data(format!("--constraints: {error}")))?;
        Ok(Self { model, constrained: Some(constrained) })
    }

    /// The scores of all labels of a sequence.
    pub(super) fn scores(&self, sequence: &AttributeSequence) -> Scores<'_> {
        match &self.constrained {
            Some(field) => field.scores(sequence),
            None => self.model.scores(sequence),
        }
    }
}
