//! The best policy without an end of time.

use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};

use super::DecisionProcess;
use crate::Error;

/// An action takes the place of another only if it is better by more than this proportion: rounding.
const BETTER: f64 = 1e-12;

/// Steps after which values that creep are given up.
const MOST: usize = 10_000_000;

/// The best values and a policy that has them.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SolvedProcess {
    /// What each state is worth.
    pub values: Vec<f64>,
    /// The best action of each state, the first of several; none where everything has ended.
    pub policy: Vec<Option<usize>>,
    /// What each action of each state is worth, if everything after it is best.
    pub action_values: Vec<Vec<f64>>,
    /// No value is farther from the truth than this; 0 of a solution that is exact but for rounding.
    pub gap: f64,
    /// Steps that were made.
    pub iterations: usize,
}

impl DecisionProcess {
    fn check_discount(discount: f64) -> Result<(), Error> {
        check::probability("DecisionProcess", "discount", discount)?;
        Ok(())
    }

    /// What each state is worth under a policy, one action for each state that has any. Solves the linear
    /// system: states³ operations, states² numbers of memory.
    ///
    /// # Errors
    /// If the discount is not in [0, 1]; if the policy is not one of the process; or if the discount is 1 and
    /// the policy may go on for ever.
    pub fn values_of(&self, policy: &[Option<usize>], discount: f64) -> Result<Vec<f64>, Error> {
        const NAME: &str = "DecisionProcess";
        Self::check_discount(discount)?;
        check::dimension("actions of a policy", self.states(), policy.len())?;
        let mut system = DMatrix::identity(self.states(), self.states());
        let mut rewards = DVector::zeros(self.states());
        for (state, choice) in policy.iter().enumerate() {
            let all = self.actions(state);
            let Some(choice) = choice else {
                let free = all.is_empty();
                check::require(free, NAME, "state without an action", state as f64, "one that has none")?;
                continue;
            };
            check::require(*choice < all.len(), NAME, "action", *choice as f64, "an action of its state")?;
            rewards[state] = all[*choice].reward();
            for &(next, p) in all[*choice].next() {
                system[(state, next)] -= discount * p;
            }
        }
        if discount == 1.0 {
            self.way_out(|state, action| policy[state] == Some(action))?;
        }
        let values = system.lu().solve(&rewards).ok_or(Error::NeverEnds)?;
        Ok(values.as_slice().to_vec())
    }

    /// For each state an allowed action that comes nearer to an end; none where everything has ended.
    fn way_out(&self, allowed: impl Fn(usize, usize) -> bool) -> Result<Vec<Option<usize>>, Error> {
        let mut way = vec![None; self.states()];
        let mut ends: Vec<bool> = (0..self.states()).map(|state| self.actions(state).is_empty()).collect();
        while ends.contains(&false) {
            let nearer = |state: usize| {
                let leads = |action: &usize| {
                    let next = self.actions(state)[*action].next();
                    allowed(state, *action) && next.iter().any(|&(to, p)| p > 0.0 && ends[to])
                };
                (0..self.actions(state).len()).find(leads).map(|action| (state, action))
            };
            let found: Vec<_> = (0..self.states()).filter(|&state| !ends[state]).filter_map(nearer).collect();
            if found.is_empty() {
                return Err(Error::NeverEnds);
            }
            for (state, action) in found {
                (ends[state], way[state]) = (true, Some(action));
            }
        }
        Ok(way)
    }

    /// The best policy by Howard's iteration: exact but for rounding. A step costs states³ operations, and
    /// few are made; memory is states² numbers.
    ///
    /// Without a discount (1) every state must lead to an end, and whoever goes on for ever must lose by it.
    ///
    /// # Errors
    /// If the discount is not in [0, 1]; or if it is 1 and from some state no actions lead to an end, or it
    /// pays to go on for ever.
    pub fn policy_iteration(&self, discount: f64) -> Result<SolvedProcess, Error> {
        Self::check_discount(discount)?;
        let mut policy = if discount < 1.0 {
            self.step(&vec![0.0; self.states()], discount).1
        } else {
            self.way_out(|_, _| true)?
        };
        let mut iterations = 0;
        loop {
            let values = self.values_of(&policy, discount)?;
            let action_values = self.action_values(&values, discount);
            iterations += 1;
            let mut changed = false;
            for (choice, worth) in policy.iter_mut().zip(&action_values) {
                let Some(now) = *choice else { continue };
                let best =
                    (0..worth.len()).fold(now, |best, own| if worth[own] > worth[best] { own } else { best });
                let margin = BETTER * worth.iter().fold(1.0_f64, |most, own| most.max(own.abs()));
                if worth[best] > worth[now] + margin {
                    (*choice, changed) = (Some(best), true);
                }
            }
            if !changed {
                return Ok(SolvedProcess { values, policy, action_values, gap: 0.0, iterations });
            }
        }
    }

    /// The best values by Bellman's equation, again and again, until they are certain to the tolerance by the
    /// bounds of MacQueen; and the policy that is best by them. A step costs one pass over all transitions.
    ///
    /// # Errors
    /// If the discount is not in [0, 1) or the tolerance not positive; or if rounding does not let the values
    /// be so certain.
    pub fn value_iteration(&self, discount: f64, tolerance: f64) -> Result<SolvedProcess, Error> {
        const NAME: &str = "DecisionProcess";
        check::require((0.0..1.0).contains(&discount), NAME, "discount", discount, "in [0, 1)")?;
        check::positive(NAME, "tolerance", tolerance)?;
        let mut values = vec![0.0; self.states()];
        for iterations in 1..=MOST {
            let (next, _) = self.step(&values, discount);
            let [low, high] = Self::shifts(&values, &next, discount);
            let (middle, gap) = (low.midpoint(high), 0.5 * (high - low));
            if gap <= tolerance {
                let state =
                    |(state, value)| if self.actions(state).is_empty() { 0.0 } else { value + middle };
                let values: Vec<f64> = next.into_iter().enumerate().map(state).collect();
                let action_values = self.action_values(&values, discount);
                let (_, policy) = self.step(&values, discount);
                return Ok(SolvedProcess { values, policy, action_values, gap, iterations });
            }
            if next == values {
                let reached = "above what rounding leaves";
                check::require(false, NAME, "tolerance", tolerance, reached)?;
            }
            values = next;
        }
        check::require(false, NAME, "tolerance", tolerance, "one that 10⁷ steps reach")?;
        Err(Error::NoValue)
    }

    /// By how much the best values may be below and above `next`, which follows from `values` by one step.
    fn shifts(values: &[f64], next: &[f64], discount: f64) -> [f64; 2] {
        let steps = || next.iter().zip(values).map(|(next, value)| next - value);
        let factor = discount / (1.0 - discount);
        [factor * steps().fold(f64::INFINITY, f64::min), factor * steps().fold(f64::NEG_INFINITY, f64::max)]
    }

    /// A lower and an upper bound of the best value of each state, from any values (MacQueen); states without
    /// actions are worth 0, whatever is said of them. The upper bounds fulfil every constraint v(s) ≥
    /// r(s, a) + γ Σ P(s' | s, a) v(s') of the linear programme whose least solution are the best values.
    ///
    /// # Errors
    /// If the discount is not in [0, 1), or there is not one finite value for each state.
    pub fn bounds(&self, values: &[f64], discount: f64) -> Result<[Vec<f64>; 2], Error> {
        const NAME: &str = "DecisionProcess";
        check::require((0.0..1.0).contains(&discount), NAME, "discount", discount, "in [0, 1)")?;
        check::dimension("values", self.states(), values.len())?;
        values.iter().try_for_each(|&value| check::finite(NAME, "value", value).map(|_| ()))?;
        let ended = |state: usize| self.actions(state).is_empty();
        let values: Vec<f64> =
            values.iter().enumerate().map(|(state, &own)| if ended(state) { 0.0 } else { own }).collect();
        let (next, _) = self.step(&values, discount);
        let shifted = |shift: f64| {
            let of_state = |(state, value)| if ended(state) { 0.0 } else { value + shift };
            next.iter().copied().enumerate().map(of_state).collect()
        };
        Ok(Self::shifts(&values, &next, discount).map(shifted))
    }
}
