//! Whether what is there is given higher scores than what is not.

use posterior_math::check::{self, ParamError};

/// The points of a receiver operating characteristic: at each threshold of a score the proportion of
/// negatives above it and the proportion of positives.
///
/// ```
/// use posterior_evaluation::Roc;
///
/// let roc = Roc::of(&[0.9, 0.8, 0.8, 0.1], &[true, true, false, false])?.unwrap();
/// assert_eq!(roc.points(), [(0.0, 0.0), (0.0, 0.5), (0.5, 1.0), (1.0, 1.0)]);
/// // Of the four pairs of a positive and a negative three are in order, and one is a tie.
/// assert_eq!(roc.area(), 0.875);
/// # Ok::<(), posterior_math::check::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Roc {
    points: Vec<(f64, f64)>,
}

impl Roc {
    /// From scores, the higher the surer, and whether each is a positive. Equal scores share a threshold.
    /// `None` without a positive or without a negative.
    ///
    /// # Errors
    /// Different numbers of both, or a score that is NaN.
    pub fn of(scores: &[f64], positive: &[bool]) -> Result<Option<Self>, ParamError> {
        let same = scores.len() == positive.len();
        check::require(same, "Roc", "scores", scores.len() as f64, "as many as truths")?;
        for (index, &score) in scores.iter().enumerate() {
            check::require(!score.is_nan(), "Roc", "score", score, "a number")
                .map_err(|error| error.at(index))?;
        }
        let positives = positive.iter().filter(|&&truth| truth).count();
        let negatives = positive.len() - positives;
        if positives == 0 || negatives == 0 {
            return Ok(None);
        }
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        let mut points = vec![(0.0, 0.0)];
        let (mut above, mut wrong) = (0_usize, 0_usize);
        for tied in order.chunk_by(|&a, &b| scores[a] == scores[b]) {
            above += tied.iter().filter(|&&index| positive[index]).count();
            wrong += tied.iter().filter(|&&index| !positive[index]).count();
            points.push((wrong as f64 / negatives as f64, above as f64 / positives as f64));
        }
        Ok(Some(Self { points }))
    }

    /// (proportion of negatives, proportion of positives) above the threshold, from (0, 0) to (1, 1).
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// The area under the points: the probability that a positive has a higher score than a negative, ties
    /// counted half (Hanley and McNeil 1982).
    pub fn area(&self) -> f64 {
        let trapezoid = |pair: &[(f64, f64)]| (pair[1].0 - pair[0].0) * 0.5 * (pair[0].1 + pair[1].1);
        self.points.windows(2).map(trapezoid).sum()
    }
}
