//! Models that read: logistic regression of each letter, and a chain of letters.

use posterior::evaluation::{Confusion, ProbabilityScores, Tally};
use posterior::math::iteration::{Fitted, Silent};
use posterior::sequence::crf::{
    AttributeSequence, ConditionalRandomField, CrfVocabulary, Dataset, FeatureOptions, Features, LabelEnds,
    SequenceBuilder, TrainingOptions, WeightChoice, fit,
};

use super::glyphs::{Ink, LETTERS, PIXELS, name};
use super::writing::Word;
use super::{BINS, L2};
use crate::Outcome;

/// What is a sequence of the model.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// A letter: no weight has to do with its neighbours, which leaves logistic regression with 26 classes.
    Letter,
    /// A word, with weights of neighbours, and of first and last letters.
    Word,
}

impl Unit {
    pub(super) fn data(self, words: &[Word]) -> Outcome<Dataset> {
        let names = (0..LETTERS).map(|letter| name(letter).to_string());
        let mut data =
            Dataset::with_vocabulary(CrfVocabulary::new().with_labels(names).with_dense(PIXELS + 1));
        for word in words {
            let length = if self == Self::Letter { 1 } else { word.letters.len() };
            for (letters, ink) in word.letters.chunks(length).zip(word.ink.chunks(length)) {
                let sequence = sequence(data.sequence(), ink)?;
                data.push_numbered(sequence, letters.to_vec(), 1.0)?;
            }
        }
        Ok(data)
    }

    pub(super) fn features(self, data: &Dataset) -> Outcome<Features> {
        let options = FeatureOptions::default();
        Ok(match self {
            Self::Letter => Features::select(data, &options)?,
            Self::Word => {
                let chain =
                    FeatureOptions { transitions: WeightChoice::All, ends: LabelEnds::Weighted, ..options };
                Features::select(data, &chain)?
            }
        })
    }

    pub(super) fn learn(self, words: &[Word]) -> Outcome<Fitted<ConditionalRandomField>> {
        let data = self.data(words)?;
        let options = TrainingOptions { l2: L2, ..TrainingOptions::default() };
        Ok(fit(&data, self.features(&data)?, &options, &mut Silent)?)
    }
}

/// 1 for ink and -1 for paper, and a 1 for how frequent letters are.
fn sequence(mut builder: SequenceBuilder<'_>, ink: &[Ink]) -> Outcome<AttributeSequence> {
    for ink in ink {
        let pixels = ink.iter().map(|&ink| if ink { 1.0 } else { -1.0 });
        let features: Vec<f64> = pixels.chain([1.0]).collect();
        builder.present::<&str>([])?.dense(&features)?;
    }
    Ok(builder.finish())
}

/// How a word was read.
pub(super) struct Reading {
    pub(super) letters: Vec<usize>,
    /// The probabilities of all letters, for each place.
    pub(super) p: Vec<f64>,
}

impl Reading {
    /// How probable the letter is that was read.
    pub(super) fn certainty(&self, place: usize) -> f64 {
        self.p[place * LETTERS + self.letters[place]]
    }
}

/// The most probable letters of words together, and the probability of each letter by itself.
pub(super) fn read(model: &ConditionalRandomField, words: &[Word]) -> Outcome<Vec<Reading>> {
    let read = |word: &Word| {
        let sequence = sequence(model.sequence(), &word.ink)?;
        Ok(Reading { letters: model.tag(&sequence).states, p: model.marginals(&sequence).nodes })
    };
    words.iter().map(read).collect()
}

/// How well words were read.
pub(super) struct Scores {
    pub(super) words: Tally,
    /// Which letter was taken for which.
    pub(super) letters: Confusion,
    pub(super) said: ProbabilityScores,
}

impl Scores {
    pub(super) fn of(words: &[Word], readings: &[Reading]) -> Outcome<Self> {
        let mut scores = Self {
            words: Tally::default(),
            letters: Confusion::new(LETTERS),
            said: ProbabilityScores::new(BINS),
        };
        for (word, reading) in words.iter().zip(readings) {
            scores.words.push(&word.letters, &reading.letters);
            for (place, (&truth, p)) in word.letters.iter().zip(reading.p.chunks(LETTERS)).enumerate() {
                scores.letters.push(truth, reading.letters[place])?;
                scores.said.push(p, truth)?;
            }
        }
        Ok(scores)
    }

    /// Proportions of right letters and of right words.
    pub(super) fn right(&self) -> [f64; 2] {
        [self.letters.tally(), self.words].map(|tally| tally.rate().unwrap_or(f64::NAN))
    }
}
