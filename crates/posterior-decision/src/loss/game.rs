//! Actions without probabilities: dominance, and the least worst loss.

use posterior_math::check::DimensionError;
use posterior_math::linalg::DMatrix;

use super::linear_program::maximize;
use super::table::LossTable;
use crate::Error;

/// Why an action should not be taken, whatever the probabilities.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Dominance {
    /// Another action loses less in every state.
    Strict {
        /// The other action.
        by: usize,
    },
    /// Another action loses no more in every state, and less in one.
    Weak {
        /// The other action.
        by: usize,
    },
    /// A random choice among others loses no more in every state, and less in one, as no single action does.
    Mixture {
        /// The probability of each action.
        of: Vec<f64>,
    },
}

/// The least worst expected loss.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Minimax {
    /// The probability of each action.
    pub actions: Vec<f64>,
    /// The distribution of the state against which nothing does better: the least favourable prior.
    pub states: Vec<f64>,
    /// The expected loss, which no state can make larger.
    pub value: f64,
}

impl LossTable {
    /// Why not to take this action; `None` if it is admissible.
    ///
    /// An admissible action of a finite table is a Bayes action for some prior. Comparisons of two actions
    /// are exact, those with mixtures up to a proportion of 10⁻¹⁰ of the largest loss.
    ///
    /// # Errors
    /// If there is no such action.
    pub fn dominated(&self, action: usize) -> Result<Option<Dominance>, Error> {
        self.check_action(action)?;
        let others = (0..self.actions()).filter(|&other| other != action);
        let differences = |other: usize| {
            (0..self.states()).map(move |state| self.loss(other, state) - self.loss(action, state))
        };
        if let Some(by) = others.clone().find(|&other| differences(other).all(|d| d < 0.0)) {
            return Ok(Some(Dominance::Strict { by }));
        }
        let weakly =
            |other: usize| differences(other).all(|d| d <= 0.0) && differences(other).any(|d| d < 0.0);
        if let Some(by) = others.clone().find(|&other| weakly(other)) {
            return Ok(Some(Dominance::Weak { by }));
        }
        Ok(self.dominating_mixture(action))
    }

    /// Max Σ_x (l_a(x) - l_w(x)) over mixtures w with l_w ≤ l_a everywhere; the action itself is one.
    fn dominating_mixture(&self, action: usize) -> Option<Dominance> {
        let others: Vec<usize> = (0..self.actions()).filter(|&other| other != action).collect();
        let scale = self.losses().amax();
        if others.is_empty() || scale == 0.0 {
            return None;
        }
        let states = self.states();
        let constraints = DMatrix::from_fn(states + 1, others.len(), |row, column| {
            if row == states {
                1.0
            } else {
                (self.loss(others[column], row) / scale) - (self.loss(action, row) / scale)
            }
        });
        let gains: Vec<f64> = constraints.column_iter().map(|column| -column.rows(0, states).sum()).collect();
        let mut bounds = vec![0.0; states + 1];
        bounds[states] = 1.0;
        let found = maximize(&gains, &constraints, &bounds)?;
        if found.value <= 1e-10 {
            return None;
        }
        let mut of = vec![0.0; self.actions()];
        for (&other, weight) in others.iter().zip(found.primal) {
            of[other] = weight;
        }
        of[action] = (1.0 - of.iter().sum::<f64>()).max(0.0);
        Some(Dominance::Mixture { of })
    }

    /// The actions that nothing dominates, in their order.
    ///
    /// A linear program for each action: use for tables of up to some hundred actions.
    pub fn admissible(&self) -> Vec<usize> {
        (0..self.actions()).filter(|&action| matches!(self.dominated(action), Ok(None))).collect()
    }

    /// The actions whose worst loss is least, in their order, and that loss.
    pub fn minimax(&self) -> (Vec<usize>, f64) {
        let worst: Vec<f64> = self.losses().row_iter().map(|row| row.max()).collect();
        let least = worst.iter().copied().fold(f64::INFINITY, f64::min);
        ((0..worst.len()).filter(|&action| worst[action] == least).collect(), least)
    }

    /// The random choice of an action whose worst expected loss is least, by the linear program of the matrix
    /// game.
    ///
    /// [`regrets`](Self::regrets) first, for minimax regret.
    #[expect(clippy::missing_panics_doc, reason = "a game with positive losses has a value")]
    pub fn minimax_mixed(&self) -> Minimax {
        let (least, most) = (self.losses().min(), self.losses().max());
        // Halved so that the width of the largest losses is a number.
        let width = 0.5 * most - 0.5 * least;
        if width == 0.0 {
            let mut actions = vec![0.0; self.actions()];
            actions[0] = 1.0;
            let states = vec![1.0 / self.states() as f64; self.states()];
            return Minimax { actions, states, value: least };
        }
        // Losses from 1 to 2: max Σ z under Lᵀ z ≤ 1 has the value 1/v.
        let shifted = DMatrix::from_fn(self.states(), self.actions(), |state, action| {
            1.0 + (0.5 * self.loss(action, state) - 0.5 * least) / width
        });
        let found = maximize(&vec![1.0; self.actions()], &shifted, &vec![1.0; self.states()])
            .expect("invariant: with positive losses every variable is bounded");
        let normal = |weights: Vec<f64>| {
            let sum: f64 = weights.iter().sum();
            weights.into_iter().map(|weight| weight / sum).collect()
        };
        let value = least + 2.0 * ((found.value.recip() - 1.0) * width);
        Minimax { actions: normal(found.primal), states: normal(found.dual), value }
    }

    pub(super) fn check_action(&self, action: usize) -> Result<(), Error> {
        if action < self.actions() {
            Ok(())
        } else {
            Err(DimensionError::new("actions", self.actions(), action + 1).into())
        }
    }
}
