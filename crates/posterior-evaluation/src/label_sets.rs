//! Rows that have several labels, or none.

use posterior_math::check::{self, ParamError};

use crate::Tally;

/// How well sets of labels are predicted.
///
/// ```
/// use posterior_evaluation::LabelSets;
///
/// // Of two labels, the first row has the first, the second row both.
/// let mut sets = LabelSets::new(2);
/// sets.push(&[true, false], &[true, false])?;
/// sets.push(&[true, true], &[true, false])?;
/// assert_eq!((sets.f1(0), sets.f1(1)), (Some(1.0), Some(0.0)));
/// assert_eq!((sets.micro_f1(), sets.macro_f1()), (Some(0.8), Some(0.5)));
/// assert_eq!((sets.subset_accuracy(), sets.hamming_loss()), (Some(0.5), Some(0.25)));
/// # Ok::<(), posterior_math::check::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelSets {
    labels: Vec<LabelCounts>,
    rows: Tally,
}

/// How often a label was there, and how often it was predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct LabelCounts {
    /// It was there, and predicted.
    pub hits: u64,
    /// It was predicted, and not there.
    pub false_alarms: u64,
    /// It was there, and not predicted.
    pub misses: u64,
}

impl LabelCounts {
    /// 2 hits/(2 hits + false alarms + misses); `None` where it was neither there nor predicted.
    pub fn f1(&self) -> Option<f64> {
        ratio(2 * self.hits, 2 * self.hits + self.false_alarms + self.misses)
    }

    fn merge(&mut self, other: &Self) {
        self.hits += other.hits;
        self.false_alarms += other.false_alarms;
        self.misses += other.misses;
    }
}

impl LabelSets {
    /// Nothing counted yet, of so many labels.
    pub fn new(labels: usize) -> Self {
        Self { labels: vec![LabelCounts::default(); labels], rows: Tally::default() }
    }

    /// Counts a row: whether it has each label, and whether that was predicted.
    ///
    /// # Errors
    /// Other numbers of labels.
    pub fn push(&mut self, truth: &[bool], predicted: &[bool]) -> Result<(), ParamError> {
        for own in [truth, predicted] {
            let same = own.len() == self.labels.len();
            check::require(same, "LabelSets", "labels of a row", own.len() as f64, "one for each label")?;
        }
        for (counts, (truth, predicted)) in self.labels.iter_mut().zip(truth.iter().zip(predicted)) {
            match (truth, predicted) {
                (true, true) => counts.hits += 1,
                (false, true) => counts.false_alarms += 1,
                (true, false) => counts.misses += 1,
                (false, false) => {}
            }
        }
        self.rows.push(truth, predicted);
        Ok(())
    }

    /// Adds the counts of another.
    ///
    /// # Errors
    /// If it is of another number of labels.
    pub fn merge(&mut self, other: &Self) -> Result<(), ParamError> {
        let (own, found) = (self.labels.len(), other.labels.len());
        check::require(own == found, "LabelSets", "labels", found as f64, "as many as here")?;
        self.labels.iter_mut().zip(&other.labels).for_each(|(own, other)| own.merge(other));
        self.rows.merge(&other.rows);
        Ok(())
    }

    /// The counts of each label.
    pub fn labels(&self) -> &[LabelCounts] {
        &self.labels
    }

    /// Rows, and those of which the whole set was right.
    pub const fn rows(&self) -> Tally {
        self.rows
    }

    /// Of the rows for which a label was predicted, the proportion that has it.
    ///
    /// # Panics
    /// If there is no such label.
    #[track_caller]
    pub fn precision(&self, label: usize) -> Option<f64> {
        let LabelCounts { hits, false_alarms, .. } = self.labels[label];
        ratio(hits, hits + false_alarms)
    }

    /// Of the rows that have a label, the proportion for which it was predicted.
    ///
    /// # Panics
    /// If there is no such label.
    #[track_caller]
    pub fn recall(&self, label: usize) -> Option<f64> {
        let LabelCounts { hits, misses, .. } = self.labels[label];
        ratio(hits, hits + misses)
    }

    /// The F1 of a label, [`LabelCounts::f1`].
    ///
    /// # Panics
    /// If there is no such label.
    #[track_caller]
    pub fn f1(&self, label: usize) -> Option<f64> {
        self.labels[label].f1()
    }

    /// The F1 of the counts of all labels together: frequent ones weigh most. `None` where no label was there
    /// or predicted.
    pub fn micro_f1(&self) -> Option<f64> {
        let mut all = LabelCounts::default();
        self.labels.iter().for_each(|own| all.merge(own));
        all.f1()
    }

    /// The mean F1 of the labels that were there or predicted; `None` without one.
    pub fn macro_f1(&self) -> Option<f64> {
        let all: Vec<f64> = self.labels.iter().filter_map(LabelCounts::f1).collect();
        (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
    }

    /// The proportion of rows of which every label is right; `None` of no rows.
    pub fn subset_accuracy(&self) -> Option<f64> {
        self.rows.rate()
    }

    /// The proportion of wrong answers among all labels of all rows; `None` of none.
    pub fn hamming_loss(&self) -> Option<f64> {
        let wrong: u64 = self.labels.iter().map(|own| own.false_alarms + own.misses).sum();
        ratio(wrong, self.rows.total * self.labels.len() as u64)
    }
}

fn ratio(part: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| part as f64 / all as f64)
}
