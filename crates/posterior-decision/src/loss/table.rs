//! A loss for every action in every state of the world.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;

use crate::Error;

/// How far the sum of probabilities may be from 1: decimals that were rounded to ten digits.
const SUM_TOLERANCE: f64 = 1e-9;

/// Losses of actions (rows) in states of the world (columns).
///
/// ```
/// use posterior_decision::loss::LossTable;
///
/// // Umbrella or not; dry or wet.
/// let table = LossTable::from_rows(&[&[1.0, 1.0], &[0.0, 5.0]])?;
/// assert_eq!(table.decide(&[0.9, 0.1])?.best, [1]);
/// // To know the weather is worth the half unit that is lost without.
/// assert!((table.value_of_perfect_information(&[0.9, 0.1])? - 0.4).abs() < 1e-15);
/// # Ok::<(), posterior_decision::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LossTable {
    losses: DMatrix<f64>,
}

/// Expected losses, and the actions with the least.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct OptimalActions {
    /// The expected loss of each action.
    pub expected: Vec<f64>,
    /// The actions with the least, in their order; several if they tie up to rounding.
    pub best: Vec<usize>,
}

impl OptimalActions {
    /// The least of `expected`, with all that are as good up to the `rounding` of both.
    pub(super) fn of(expected: Vec<f64>, rounding: &[f64]) -> Self {
        let ends = expected.iter().zip(rounding);
        // What the least may be at most.
        let least = ends.min_by(|a, b| a.0.total_cmp(b.0)).map_or(f64::INFINITY, |(loss, off)| loss + off);
        let best =
            (0..expected.len()).filter(|&action| expected[action] - rounding[action] <= least).collect();
        Self { expected, best }
    }

    /// The least expected loss.
    pub fn loss(&self) -> f64 {
        self.expected.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// By how much the best action that is not tied is worse than the best; `None` if all tie.
    pub fn margin(&self) -> Option<f64> {
        let others = (0..self.expected.len()).filter(|action| !self.best.contains(action));
        others.map(|action| self.expected[action] - self.loss()).reduce(f64::min)
    }
}

impl LossTable {
    /// The table with these losses: a row for each action.
    ///
    /// # Errors
    /// If there is no action or no state, or a loss is not finite.
    pub fn new(losses: DMatrix<f64>) -> Result<Self, Error> {
        check::at_least_one("LossTable", "actions", losses.nrows())?;
        check::at_least_one("LossTable", "states", losses.ncols())?;
        for &loss in &losses {
            check::finite("LossTable", "loss", loss)?;
        }
        Ok(Self { losses })
    }

    /// The table with these rows, one for each action.
    ///
    /// # Errors
    /// As for [`new`](Self::new), and if rows differ in length.
    pub fn from_rows(rows: &[&[f64]]) -> Result<Self, Error> {
        let states = rows.first().map_or(0, |row| row.len());
        for row in rows {
            check::dimension("losses of an action", states, row.len())?;
        }
        Self::new(DMatrix::from_fn(rows.len(), states, |action, state| rows[action][state]))
    }

    /// The number of actions.
    pub fn actions(&self) -> usize {
        self.losses.nrows()
    }

    /// The number of states of the world.
    pub fn states(&self) -> usize {
        self.losses.ncols()
    }

    /// The losses: a row for each action.
    pub const fn losses(&self) -> &DMatrix<f64> {
        &self.losses
    }

    /// The loss of an action in a state.
    pub(super) fn loss(&self, action: usize, state: usize) -> f64 {
        self.losses[(action, state)]
    }

    /// The expected loss of each action, and the actions with the least (Bayes actions).
    ///
    /// # Errors
    /// If there is not a probability for each state, one is negative or NaN, or they do not sum to 1 within
    /// 10⁻⁹.
    pub fn decide(&self, probabilities: &[f64]) -> Result<OptimalActions, Error> {
        check::dimension("probabilities", self.states(), probabilities.len())?;
        check_probabilities("LossTable", probabilities)?;
        let expected = (0..self.actions()).map(|action| self.expected(action, probabilities)).collect();
        let of_action = |action: usize| rounding(self.losses.row(action).iter(), probabilities);
        Ok(OptimalActions::of(expected, &(0..self.actions()).map(of_action).collect::<Vec<_>>()))
    }

    pub(super) fn expected(&self, action: usize, weights: &[f64]) -> f64 {
        weights.iter().enumerate().map(|(state, weight)| weight * self.loss(action, state)).sum()
    }

    /// The table of regrets: what an action loses beside the best one in the same state.
    #[must_use]
    pub fn regrets(&self) -> Self {
        let least: Vec<f64> = self.losses.column_iter().map(|column| column.min()).collect();
        let losses = DMatrix::from_fn(self.actions(), self.states(), |action, state| {
            self.loss(action, state) - least[state]
        });
        Self { losses }
    }
}

/// What Σ p l may be off by: a loss that nothing leads to does not count, however large it is.
pub(super) fn rounding<'a>(left: impl Iterator<Item = &'a f64>, right: &[f64]) -> f64 {
    let size: f64 = left.zip(right).map(|(left, right)| (left * right).abs()).sum();
    (4.0 + right.len() as f64) * f64::EPSILON * size
}

/// Probabilities that sum to 1.
pub(super) fn check_probabilities(type_name: &'static str, probabilities: &[f64]) -> Result<(), ParamError> {
    for (place, &probability) in probabilities.iter().enumerate() {
        check::probability(type_name, "probability", probability).map_err(|error| error.at(place))?;
    }
    let sum: f64 = probabilities.iter().sum();
    check::require((sum - 1.0).abs() <= SUM_TOLERANCE, type_name, "sum of probabilities", sum, "1")?;
    Ok(())
}
