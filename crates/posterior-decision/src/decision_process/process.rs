//! States, actions, and what they lead to.

use posterior_math::check;

use crate::Error;

/// Probabilities may miss 1 by this.
const MISS: f64 = 1e-9;

/// An action in a state.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ProcessAction {
    /// The reward in expectation.
    reward: f64,
    /// Next states with their probabilities.
    next: Vec<(usize, f64)>,
}

impl ProcessAction {
    /// An action with this expected reward, and the states that may follow, each with its probability; a
    /// state that stands twice has both.
    ///
    /// # Errors
    /// If the reward is not finite, a probability not in [0, 1], or their sum is not 1 within 10⁻⁹.
    pub fn new(reward: f64, next: Vec<(usize, f64)>) -> Result<Self, Error> {
        const NAME: &str = "ProcessAction";
        check::finite(NAME, "reward", reward)?;
        for &(_, probability) in &next {
            check::probability(NAME, "probability", probability)?;
        }
        let sum: f64 = next.iter().map(|(_, probability)| probability).sum();
        check::require((sum - 1.0).abs() <= MISS, NAME, "sum of probabilities", sum, "1 within 1e-9")?;
        let next = next.into_iter().map(|(state, probability)| (state, probability / sum)).collect();
        Ok(Self { reward, next })
    }

    /// The reward in expectation.
    pub const fn reward(&self) -> f64 {
        self.reward
    }

    /// The states that may follow, each with its probability.
    pub fn next(&self) -> &[(usize, f64)] {
        &self.next
    }

    /// r + γ Σ P(s') v(s').
    pub(super) fn value(&self, values: &[f64], discount: f64) -> f64 {
        self.reward + discount * self.next.iter().map(|&(state, p)| p * values[state]).sum::<f64>()
    }
}

/// A Markov decision process: the actions of each state.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DecisionProcess {
    actions: Vec<Vec<ProcessAction>>,
}

impl DecisionProcess {
    /// A process with these actions of each state; a state without actions ends everything.
    ///
    /// # Errors
    /// If there are no states, or a next state is none of them.
    pub fn new(actions: Vec<Vec<ProcessAction>>) -> Result<Self, Error> {
        check::at_least_one("DecisionProcess", "states", actions.len())?;
        let states = actions.len();
        let next = actions.iter().flatten().flat_map(|action| &action.next).map(|(state, _)| *state);
        if let Some(wrong) = next.filter(|&state| state >= states).max() {
            let least = "below the number of states";
            check::require(false, "DecisionProcess", "next state", wrong as f64, least)?;
        }
        Ok(Self { actions })
    }

    /// How many states there are.
    pub const fn states(&self) -> usize {
        self.actions.len()
    }

    /// The actions of a state.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn actions(&self, state: usize) -> &[ProcessAction] {
        &self.actions[state]
    }

    /// What each action of each state is worth if these values follow.
    ///
    /// # Panics
    /// If there are fewer values than states.
    pub fn action_values(&self, values: &[f64], discount: f64) -> Vec<Vec<f64>> {
        let of_state = |all: &Vec<ProcessAction>| all.iter().map(|own| own.value(values, discount)).collect();
        self.actions.iter().map(of_state).collect()
    }

    /// The best action of each state, the first of several, and its value: one step of Bellman's equation.
    pub(super) fn step(&self, values: &[f64], discount: f64) -> (Vec<f64>, Vec<Option<usize>>) {
        let best = |all: &Vec<ProcessAction>| {
            let worth = all.iter().map(|own| own.value(values, discount)).enumerate();
            let best = worth.reduce(|best, own| if own.1 > best.1 { own } else { best });
            best.map_or((0.0, None), |(action, value)| (value, Some(action)))
        };
        self.actions.iter().map(best).unzip()
    }
}
