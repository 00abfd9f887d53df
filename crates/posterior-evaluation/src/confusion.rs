//! Labels against labels.

use posterior_math::check::{self, ParamError};

use crate::Tally;

/// How often each label was taken for each.
///
/// ```
/// use posterior_evaluation::Confusion;
///
/// let confusion = Confusion::of(3, [(0, 0), (0, 1), (1, 1), (2, 2)])?;
/// assert_eq!(confusion.accuracy(), Some(0.75));
/// assert_eq!((confusion.precision(1), confusion.recall(1)), (Some(0.5), Some(1.0)));
/// assert_eq!(confusion.f1(0), Some(2.0 / 3.0));
/// # Ok::<(), posterior_math::check::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confusion {
    labels: usize,
    /// At index truth · K + predicted.
    counts: Vec<u64>,
}

impl Confusion {
    /// Nothing counted yet, of so many labels.
    pub fn new(labels: usize) -> Self {
        Self { labels, counts: vec![0; labels * labels] }
    }

    /// The counts of pairs (truth, predicted).
    ///
    /// # Errors
    /// If there is no such label.
    pub fn of(labels: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Result<Self, ParamError> {
        let mut confusion = Self::new(labels);
        for (truth, predicted) in pairs {
            confusion.push(truth, predicted)?;
        }
        Ok(confusion)
    }

    /// Counts a token.
    ///
    /// # Errors
    /// If there is no such label.
    pub fn push(&mut self, truth: usize, predicted: usize) -> Result<(), ParamError> {
        let largest = truth.max(predicted);
        check::require(
            largest < self.labels,
            "Confusion",
            "label",
            largest as f64,
            "below the number of labels",
        )?;
        self.counts[truth * self.labels + predicted] += 1;
        Ok(())
    }

    /// Adds the counts of another.
    ///
    /// # Errors
    /// If it is of other labels.
    pub fn merge(&mut self, other: &Self) -> Result<(), ParamError> {
        let same = self.labels == other.labels;
        check::require(same, "Confusion", "labels", other.labels as f64, "as many as here")?;
        for (own, other) in self.counts.iter_mut().zip(&other.counts) {
            *own += other;
        }
        Ok(())
    }

    /// The number of labels, K.
    pub const fn labels(&self) -> usize {
        self.labels
    }

    /// How often `truth` was taken for `predicted`.
    ///
    /// # Panics
    /// If there is no such label.
    #[track_caller]
    pub fn count(&self, truth: usize, predicted: usize) -> u64 {
        assert!(truth.max(predicted) < self.labels, "label of {}", self.labels);
        self.counts[truth * self.labels + predicted]
    }

    /// Tokens that were right, and all.
    pub fn tally(&self) -> Tally {
        let correct = (0..self.labels).map(|label| self.count(label, label)).sum();
        Tally { correct, total: self.counts.iter().sum() }
    }

    /// The proportion of tokens that were right; `None` if there is none.
    pub fn accuracy(&self) -> Option<f64> {
        self.tally().rate()
    }

    /// How many tokens have the label in truth.
    ///
    /// # Panics
    /// If there is no such label, here and below.
    #[track_caller]
    pub fn support(&self, label: usize) -> u64 {
        (0..self.labels).map(|predicted| self.count(label, predicted)).sum()
    }

    /// How many tokens were predicted to have the label.
    #[track_caller]
    pub fn predicted(&self, label: usize) -> u64 {
        (0..self.labels).map(|truth| self.count(truth, label)).sum()
    }

    /// Of the tokens predicted to have the label, the proportion that has it; `None` if nothing was so
    /// predicted.
    #[track_caller]
    pub fn precision(&self, label: usize) -> Option<f64> {
        Tally { correct: self.count(label, label), total: self.predicted(label) }.rate()
    }

    /// Of the tokens with the label, the proportion that was predicted to have it; `None` if nothing has it.
    #[track_caller]
    pub fn recall(&self, label: usize) -> Option<f64> {
        Tally { correct: self.count(label, label), total: self.support(label) }.rate()
    }

    /// 2 right/(predicted + true), the harmonic mean of precision and recall; `None` if the label is neither
    /// in truth nor predicted.
    #[track_caller]
    pub fn f1(&self, label: usize) -> Option<f64> {
        let total = self.support(label) + self.predicted(label);
        Tally { correct: 2 * self.count(label, label), total }.rate()
    }

    /// The mean of [`f1`](Self::f1) over labels that have one: each label counts alike, however rare; `None`
    /// if none has one.
    pub fn macro_f1(&self) -> Option<f64> {
        let scores: Vec<f64> = (0..self.labels).filter_map(|label| self.f1(label)).collect();
        (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
    }

    /// The mistakes (truth, predicted, count), the most frequent first, ties by label.
    pub fn mistakes(&self) -> Vec<(usize, usize, u64)> {
        let pairs = (0..self.labels).flat_map(|truth| (0..self.labels).map(move |own| (truth, own)));
        let mut mistakes: Vec<(usize, usize, u64)> = pairs
            .filter(|(truth, predicted)| truth != predicted)
            .map(|(truth, predicted)| (truth, predicted, self.count(truth, predicted)))
            .filter(|(.., count)| *count > 0)
            .collect();
        mistakes.sort_by_key(|&(.., count)| std::cmp::Reverse(count));
        mistakes
    }
}
