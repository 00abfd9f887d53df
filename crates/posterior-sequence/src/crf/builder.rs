//! Sequences, position by position.

use posterior_math::check::{self, DimensionError, ParamError};

use crate::error::Error;

use super::sequence::{AttributeSequence, LARGEST};
use super::vocabulary::CrfVocabulary;

/// Where names get their numbers.
#[derive(Debug)]
pub(super) enum Names<'a> {
    /// New attributes get the next number.
    Grow(&'a mut CrfVocabulary),
    /// New attributes are ignored.
    Fixed(&'a CrfVocabulary),
}

impl Names<'_> {
    fn vocabulary(&self) -> &CrfVocabulary {
        match self {
            Self::Grow(vocabulary) => vocabulary,
            Self::Fixed(vocabulary) => vocabulary,
        }
    }

    /// The number of an attribute, `None` if it is unknown.
    fn number(&mut self, place: Place, name: &str) -> Option<usize> {
        match (self, place) {
            (Self::Grow(vocabulary), Place::Position) => Some(vocabulary.attributes.insert(name)),
            (Self::Grow(vocabulary), Place::Step) => Some(vocabulary.step_attributes.insert(name)),
            (Self::Fixed(vocabulary), Place::Position) => vocabulary.attributes.get(name),
            (Self::Fixed(vocabulary), Place::Step) => vocabulary.step_attributes.get(name),
        }
    }
}

/// What an attribute is of.
#[derive(Debug, Clone, Copy)]
enum Place {
    Position,
    Step,
}

/// A sequence under construction.
///
/// A feature that is not given is 0, whether sparse or dense. An attribute that is given twice at a position
/// counts twice.
///
/// ```
/// use posterior_sequence::crf::Dataset;
///
/// let mut data = Dataset::new();
/// let mut sentence = data.sequence();
/// sentence.token([("word=the", 1.0), ("capital", 1.0)])?;
/// sentence.token([("word=dog", 1.0), ("length", 3.0)])?;
/// let sentence = sentence.finish();
/// data.push(sentence, ["DET", "NOUN"])?;
/// assert_eq!((data.len(), data.tokens(), data.vocabulary().attributes().len()), (1, 2, 4));
/// # Ok::<(), posterior_sequence::Error>(())
/// ```
#[derive(Debug)]
pub struct SequenceBuilder<'a> {
    names: Names<'a>,
    sequence: AttributeSequence,
}

impl<'a> SequenceBuilder<'a> {
    pub(super) fn new(names: Names<'a>) -> Self {
        let width = names.vocabulary().width;
        Self { names, sequence: AttributeSequence { width, ..AttributeSequence::default() } }
    }

    /// Begins the next position, with these attributes and values.
    ///
    /// # Errors
    /// If a value is not a number, or beyond ±10^150. The position is there then, with the attributes before
    /// it.
    pub fn token<S: AsRef<str>>(
        &mut self,
        attributes: impl IntoIterator<Item = (S, f64)>,
    ) -> Result<&mut Self, Error> {
        let sequence = &mut self.sequence;
        sequence.nodes.end(sequence.length);
        sequence.length += 1;
        sequence.dense.resize(sequence.length * sequence.width, 0.0);
        self.add(Place::Position, attributes)
    }

    /// Begins the next position, with these attributes, each with the value 1.
    ///
    /// # Errors
    /// As [`token`](Self::token).
    pub fn present<S: AsRef<str>>(
        &mut self,
        attributes: impl IntoIterator<Item = S>,
    ) -> Result<&mut Self, Error> {
        self.token(attributes.into_iter().map(|name| (name, 1.0)))
    }

    /// Gives the step that leads to the position begun last these attributes: features of two labels in a
    /// row. At the first position, to which no step leads, they have no effect.
    ///
    /// # Errors
    /// If a value is not a number or beyond ±10^150, or no position is begun.
    pub fn step<S: AsRef<str>>(
        &mut self,
        attributes: impl IntoIterator<Item = (S, f64)>,
    ) -> Result<&mut Self, Error> {
        let sequence = &mut self.sequence;
        let before = sequence.length.checked_sub(1).ok_or_else(no_position)?;
        sequence.steps.end(before);
        self.add(Place::Step, attributes)
    }

    /// Gives the position begun last these dense features.
    ///
    /// # Errors
    /// If they are not as many as the vocabulary says, one is not a number or beyond ±10^150, or no position
    /// is begun.
    pub fn dense(&mut self, features: &[f64]) -> Result<&mut Self, Error> {
        let sequence = &mut self.sequence;
        check::dimension("dense features of a position", sequence.width, features.len())?;
        for &feature in features {
            check_value(feature)?;
        }
        let before = sequence.length.checked_sub(1).ok_or_else(no_position)?;
        sequence.dense[before * sequence.width..].copy_from_slice(features);
        Ok(self)
    }

    /// The sequence.
    pub fn finish(self) -> AttributeSequence {
        self.sequence
    }

    /// Adds attributes of the last position, or of the step to it.
    fn add<S: AsRef<str>>(
        &mut self,
        place: Place,
        attributes: impl IntoIterator<Item = (S, f64)>,
    ) -> Result<&mut Self, Error> {
        let sequence = &mut self.sequence;
        let rows = match place {
            Place::Position => &mut sequence.nodes,
            Place::Step => &mut sequence.steps,
        };
        for (name, value) in attributes {
            check_value(value)?;
            match self.names.number(place, name.as_ref()) {
                None => sequence.unknown += 1,
                Some(number) if rows.push(number, value) => {}
                Some(_) => return Err(full()),
            }
        }
        rows.end(sequence.length);
        Ok(self)
    }
}

fn check_value(value: f64) -> Result<f64, ParamError> {
    check::require(value.abs() <= LARGEST, "Sequence", "value of a feature", value, "within ±10^150")
}

fn no_position() -> Error {
    Error::TooFew { what: "a feature of a sequence", needed: "a position that is begun" }
}

fn full() -> Error {
    DimensionError::new("attributes of one sequence, at most", u32::MAX as usize, u32::MAX as usize + 1)
        .into()
}

impl CrfVocabulary {
    /// Begins a sequence in these words: unknown attributes are ignored and counted.
    pub fn sequence(&self) -> SequenceBuilder<'_> {
        SequenceBuilder::new(Names::Fixed(self))
    }
}
