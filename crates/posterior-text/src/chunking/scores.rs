//! Chunks against chunks.

use std::collections::BTreeMap;

use posterior_evaluation::Tally;

use super::Chunk;

/// Chunks that are in truth, that were predicted, and that are both: the same tokens and type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ChunkCounts {
    /// Those in truth.
    pub truth: u64,
    /// Those predicted.
    pub predicted: u64,
    /// Those both.
    pub correct: u64,
}

impl ChunkCounts {
    /// Of the predicted chunks the proportion that is right; 0 if there is none, as `conlleval` has it.
    pub fn precision(&self) -> f64 {
        Tally { correct: self.correct, total: self.predicted }.rate().unwrap_or(0.0)
    }

    /// Of the true chunks the proportion that was found; 0 if there is none.
    pub fn recall(&self) -> f64 {
        Tally { correct: self.correct, total: self.truth }.rate().unwrap_or(0.0)
    }

    /// The harmonic mean of precision and recall; 0 if both are.
    pub fn f1(&self) -> f64 {
        Tally { correct: 2 * self.correct, total: self.truth + self.predicted }.rate().unwrap_or(0.0)
    }

    const fn add(&mut self, other: &Self) {
        self.truth += other.truth;
        self.predicted += other.predicted;
        self.correct += other.correct;
    }
}

/// Precision, recall and F1 of chunks, by type and in all, as the program `conlleval` of the CoNLL tasks
/// counts them.
///
/// ```
/// use posterior_text::chunking::{ChunkScores, chunks};
///
/// let mut scores = ChunkScores::default();
/// let truth = chunks(&["B-NP", "I-NP", "B-VP", "O"]).unwrap();
/// let predicted = chunks(&["B-NP", "I-NP", "I-NP", "O"]).unwrap();
/// scores.push(&truth, &predicted);
/// scores.push(&truth, &truth);
/// assert_eq!((scores.all().precision(), scores.all().recall()), (2.0 / 3.0, 0.5));
/// assert_eq!(scores.kind("VP").recall(), 0.5);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChunkScores {
    kinds: BTreeMap<String, ChunkCounts>,
}

impl ChunkScores {
    /// Counts the chunks of a sequence, in the order in which [`chunks`](super::chunks) gives them.
    pub fn push(&mut self, truth: &[Chunk], predicted: &[Chunk]) {
        for chunk in truth {
            self.entry(chunk).truth += 1;
        }
        let mut ahead = truth.iter().peekable();
        for chunk in predicted {
            self.entry(chunk).predicted += 1;
            while ahead.next_if(|own| own.start < chunk.start).is_some() {}
            if ahead.peek() == Some(&chunk) {
                self.entry(chunk).correct += 1;
            }
        }
    }

    fn entry(&mut self, chunk: &Chunk) -> &mut ChunkCounts {
        if !self.kinds.contains_key(&chunk.kind) {
            self.kinds.insert(chunk.kind.clone(), ChunkCounts::default());
        }
        self.kinds.get_mut(&chunk.kind).expect("invariant: put there if it was not")
    }

    /// Adds the counts of another.
    pub fn merge(&mut self, other: &Self) {
        for (kind, counts) in &other.kinds {
            self.kinds.entry(kind.clone()).or_default().add(counts);
        }
    }

    /// The counts of all types together.
    pub fn all(&self) -> ChunkCounts {
        let mut all = ChunkCounts::default();
        self.kinds.values().for_each(|own| all.add(own));
        all
    }

    /// The counts of a type; all 0 if it was never seen.
    pub fn kind(&self, kind: &str) -> ChunkCounts {
        self.kinds.get(kind).copied().unwrap_or_default()
    }

    /// The types that were seen, in the order of their names.
    pub fn kinds(&self) -> impl ExactSizeIterator<Item = (&str, &ChunkCounts)> {
        self.kinds.iter().map(|(kind, counts)| (kind.as_str(), counts))
    }
}
