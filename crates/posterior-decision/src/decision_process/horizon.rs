//! So many steps, and then nothing more.

use posterior_math::check;

use super::DecisionProcess;
use crate::Error;

/// The best for each number of steps that are left.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct FiniteHorizon {
    /// The value of each state with 0, 1, ... steps left.
    pub values: Vec<Vec<f64>>,
    /// The best action of each state with 1, 2, ... steps left; none where everything has ended.
    pub policy: Vec<Vec<Option<usize>>>,
}

impl DecisionProcess {
    /// The best values and actions where there are so many steps, and each state is worth `last` after them.
    /// Costs one pass over all transitions a step.
    ///
    /// # Errors
    /// If the discount is not in [0, 1], or `last` has not one finite number for each state.
    pub fn finite_horizon(&self, steps: usize, discount: f64, last: &[f64]) -> Result<FiniteHorizon, Error> {
        const NAME: &str = "DecisionProcess";
        check::probability(NAME, "discount", discount)?;
        check::dimension("last values", self.states(), last.len())?;
        last.iter().try_for_each(|&value| check::finite(NAME, "last value", value).map(|_| ()))?;
        let (mut values, mut policy) = (vec![last.to_vec()], Vec::with_capacity(steps));
        for step in 0..steps {
            let (mut next, actions) = self.step(&values[step], discount);
            for (state, action) in actions.iter().enumerate() {
                if action.is_none() {
                    next[state] = last[state];
                }
            }
            values.push(next);
            policy.push(actions);
        }
        Ok(FiniteHorizon { values, policy })
    }
}
