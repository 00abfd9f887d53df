//! Right or wrong.

/// How many of so many were right: of all tokens, of those with unknown words, of whole sequences.
///
/// ```
/// use posterior_evaluation::Tally;
///
/// let (truth, predicted) = ([0, 1, 1, 2], [0, 1, 2, 2]);
/// let (mut tokens, mut sequences) = (Tally::default(), Tally::default());
/// truth.iter().zip(&predicted).for_each(|(truth, predicted)| tokens.push(truth, predicted));
/// sequences.push(&truth, &predicted);
/// assert_eq!((tokens.rate(), sequences.rate()), (Some(0.75), Some(0.0)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Those that were right.
    pub correct: u64,
    /// All.
    pub total: u64,
}

impl Tally {
    /// Counts one.
    pub fn push<L: PartialEq + ?Sized>(&mut self, truth: &L, predicted: &L) {
        self.correct += u64::from(truth == predicted);
        self.total += 1;
    }

    /// Adds the counts of another.
    pub const fn merge(&mut self, other: &Self) {
        self.correct += other.correct;
        self.total += other.total;
    }

    /// The proportion that was right; `None` of nothing.
    pub fn rate(&self) -> Option<f64> {
        (self.total > 0).then(|| self.correct as f64 / self.total as f64)
    }
}
