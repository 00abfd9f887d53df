//! How good labels are, in the fields of the command line's contract.

use std::collections::BTreeSet;

use posterior::evaluation::{Confusion, ProbabilityScores, Reliability, Tally};
use posterior::text::alphabet::Alphabet;
use posterior::text::chunking::{ChunkCounts, ChunkScores, chunks};
use serde::Serialize;

use super::decoder::Decoder;
use super::recipe::Cook;
use super::sequences_input::Sequences;
use crate::failure::Failure;
use crate::json::Number;
use crate::output::significant;
use crate::pictures::BINS;

/// A label against the others.
#[derive(Debug, Serialize)]
pub(super) struct LabelScore {
    pub(super) label: String,
    pub(super) precision: Option<f64>,
    pub(super) recall: Option<f64>,
    pub(super) f1: Option<f64>,
    pub(super) support: u64,
}

/// A type of chunks.
#[derive(Debug, Serialize)]
pub(super) struct ChunkScore {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) precision: f64,
    pub(super) recall: f64,
    pub(super) f1: f64,
    pub(super) truth: u64,
    pub(super) predicted: u64,
    pub(super) correct: u64,
}

/// Labels that a model gave against the true ones.
#[derive(Debug, Serialize)]
pub(super) struct Scores {
    pub(super) sequences: usize,
    pub(super) tokens: u64,
    pub(super) accuracy: f64,
    pub(super) sequence_accuracy: f64,
    /// Of words that the fit has seen, and that it has not; `None` where there are none, or no words.
    pub(super) known_accuracy: Option<f64>,
    pub(super) unknown_accuracy: Option<f64>,
    pub(super) unknown_words: u64,
    /// Of chunks where labels tell chunks, else the mean over labels.
    pub(super) f1: Option<f64>,
    pub(super) f1_of: &'static str,
    pub(super) precision: Option<f64>,
    pub(super) recall: Option<f64>,
    pub(super) chunks: Vec<ChunkScore>,
    pub(super) labels: Vec<LabelScore>,
    /// A row for each true label, in the order of `labels`.
    pub(super) confusion: Vec<Vec<u64>>,
    /// Infinite if a true label is none of the model's, or not allowed.
    pub(super) ln_loss: Option<Number>,
    pub(super) calibration_error: Option<f64>,
    /// Tokens whose true label is none of the model's.
    pub(super) unknown_labels: usize,
    /// Tokens whose true label has probability 0: `--constraints` rule it out.
    pub(super) forbidden_labels: usize,
    pub(super) unknown_attributes: usize,
    /// Whether the most probable labels were right as often as said.
    #[serde(skip)]
    pub(super) reliability: Reliability,
    /// The tokens whose labels the model is least sure of.
    pub(super) doubtful: Vec<Doubt>,
}

/// A token about whose label the model is in doubt.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Doubt {
    pub(super) sequence: usize,
    pub(super) token: usize,
    pub(super) word: String,
    pub(super) predicted: String,
    pub(super) truth: String,
    pub(super) probability: f64,
}

/// Doubtful tokens that are shown.
const DOUBTS: usize = 12;

impl Scores {
    /// The loss with its name, and why it is infinite where it is.
    pub(super) fn ln_loss_fact(&self) -> Option<(String, String)> {
        let loss = self.ln_loss.as_ref()?.0;
        let value = match (self.unknown_labels, self.forbidden_labels) {
            (0, 0) => significant(loss),
            (0, 1) => "infinite: the label of one token is not allowed by --constraints".to_owned(),
            (0, more) => format!("infinite: the labels of {more} tokens are not allowed by --constraints"),
            (1, _) => "infinite: the label of one token is unknown to the model".to_owned(),
            (more, _) => format!("infinite: the labels of {more} tokens are unknown to the model"),
        };
        Some(("ln loss of a token".to_owned(), value))
    }

    /// Labels these sequences and compares.
    pub(super) fn of(
        decoder: &Decoder<'_>,
        cook: &Cook,
        sequences: &Sequences,
        indices: &[usize],
        known: &BTreeSet<String>,
    ) -> Result<Self, Failure> {
        let refused =
            |error: posterior::sequence::Error| Failure::data(format!("{}: {error}", sequences.source));
        let model = decoder.model;
        let mut names = model.vocabulary().labels().clone();
        for &index in indices {
            names.intern(sequences.labels(index));
        }
        let own = model.vocabulary().labels().len();
        let mut counts = Counts::new(names.len());
        for &index in indices {
            let sequence = cook.sequence(model.sequence(), sequences, index).map_err(refused)?;
            let scores = decoder.scores(&sequence);
            let chain = scores.chain();
            let best = chain.best_path().ok_or_else(|| sequences.impossible(index))?.states;
            let labels = sequences.labels(index);
            let truth = names.encode(&labels).map_err(|error| refused(error.into()))?;
            let words = sequences.words(index);
            let nodes = chain.marginals().nodes;
            counts.attributes += sequence.unknown();
            counts.sequences.push(&truth, &best);
            for (token, (&truth, &best)) in truth.iter().zip(&best).enumerate() {
                counts.confusion.push(truth, best).map_err(|error| refused(error.into()))?;
                let row = &nodes[token * own..(token + 1) * own];
                counts.unknown_labels += usize::from(truth >= own);
                counts.forbidden_labels += usize::from(truth < own && row[truth] == 0.0);
                counts.probabilities.push(row, truth).map_err(|error| refused(error.into()))?;
                let word = words.as_ref().map_or("", |words| words[token]);
                if words.is_some() {
                    let tally = if known.contains(word) { &mut counts.known } else { &mut counts.unknown };
                    tally.push(&truth, &best);
                }
                let name = |label: usize| names.name(label).unwrap_or_default().to_owned();
                counts.doubts.push(Doubt {
                    sequence: index,
                    token,
                    word: word.to_owned(),
                    predicted: name(best),
                    truth: name(truth),
                    probability: row[best],
                });
            }
            if counts.doubts.len() > 1000 {
                keep_doubtful(&mut counts.doubts);
            }
            let output: Vec<&str> = best.iter().map(|&label| names.name(label).unwrap_or_default()).collect();
            match (&mut counts.chunks, chunks(&labels), chunks(&output)) {
                (Some(scores), Some(truth), Some(predicted)) => scores.push(&truth, &predicted),
                (own, ..) => *own = None,
            }
        }
        keep_doubtful(&mut counts.doubts);
        Ok(counts.output(&names))
    }
}

fn keep_doubtful(doubts: &mut Vec<Doubt>) {
    doubts.sort_by(|a, b| a.probability.total_cmp(&b.probability));
    doubts.truncate(DOUBTS);
}

/// What is counted.
struct Counts {
    confusion: Confusion,
    sequences: Tally,
    known: Tally,
    unknown: Tally,
    /// `None` once a label was none of a chunk.
    chunks: Option<ChunkScores>,
    probabilities: ProbabilityScores,
    attributes: usize,
    doubts: Vec<Doubt>,
    unknown_labels: usize,
    forbidden_labels: usize,
}

impl Counts {
    fn new(labels: usize) -> Self {
        Self {
            confusion: Confusion::new(labels),
            sequences: Tally::default(),
            known: Tally::default(),
            unknown: Tally::default(),
            chunks: Some(ChunkScores::default()),
            probabilities: ProbabilityScores::new(BINS),
            attributes: 0,
            doubts: Vec::new(),
            unknown_labels: 0,
            forbidden_labels: 0,
        }
    }

    fn output(self, names: &Alphabet) -> Scores {
        let Self { confusion, sequences, known, unknown, chunks, probabilities, .. } = self;
        let all = chunks.as_ref().map(ChunkScores::all);
        let labels = names.iter().enumerate().map(|(label, name)| LabelScore {
            label: name.to_owned(),
            precision: confusion.precision(label),
            recall: confusion.recall(label),
            f1: confusion.f1(label),
            support: confusion.support(label),
        });
        let kinds = chunks.iter().flat_map(ChunkScores::kinds).map(|(kind, counts)| ChunkScore {
            kind: kind.to_owned(),
            precision: counts.precision(),
            recall: counts.recall(),
            f1: counts.f1(),
            truth: counts.truth,
            predicted: counts.predicted,
            correct: counts.correct,
        });
        let row = |truth: usize| (0..names.len()).map(|own| confusion.count(truth, own)).collect();
        Scores {
            sequences: sequences.total as usize,
            tokens: confusion.tally().total,
            accuracy: confusion.accuracy().unwrap_or(1.0),
            sequence_accuracy: sequences.rate().unwrap_or(1.0),
            known_accuracy: known.rate(),
            unknown_accuracy: unknown.rate(),
            unknown_words: unknown.total,
            f1: all.as_ref().map_or_else(|| confusion.macro_f1(), |all| Some(all.f1())),
            f1_of: if all.is_some() { "chunks" } else { "labels" },
            precision: all.as_ref().map(ChunkCounts::precision),
            recall: all.as_ref().map(ChunkCounts::recall),
            chunks: kinds.collect(),
            labels: labels.collect(),
            confusion: (0..names.len()).map(row).collect(),
            ln_loss: probabilities.mean_ln_loss().map(Number),
            calibration_error: probabilities.reliability().calibration_error(),
            unknown_labels: self.unknown_labels,
            forbidden_labels: self.forbidden_labels,
            unknown_attributes: self.attributes,
            reliability: probabilities.reliability().clone(),
            doubtful: self.doubts,
        }
    }
}
