//! What to choose when.

use posterior_pgm::VarId;

/// What to choose of one decision, for every state of what matters for it.
#[derive(Debug, Clone, PartialEq)]
pub struct DecisionRule {
    pub(super) decision: VarId,
    pub(super) information: Vec<VarId>,
    pub(super) cards: Vec<usize>,
    /// Of each state of the information and each option: the expected utility that is lost by it; NaN where
    /// nothing could have led to the state.
    pub(super) losses: Vec<f64>,
    pub(super) options: usize,
}

impl DecisionRule {
    /// What is chosen.
    pub const fn decision(&self) -> VarId {
        self.decision
    }

    /// What matters for the choice, of all that is known: a decision may depend on less than it could.
    pub fn information(&self) -> &[VarId] {
        &self.information
    }

    /// How many options there are.
    pub const fn options(&self) -> usize {
        self.options
    }

    /// The best option when the information is in these states, the first of equals; none if nothing that is
    /// hidden could have led to them.
    ///
    /// # Panics
    /// If the states are not those of the information.
    #[track_caller]
    pub fn choice(&self, states: &[usize]) -> Option<usize> {
        self.losses(states).iter().position(|&loss| loss == 0.0)
    }

    /// By how much the expected utility of each option is below that of the best one, when the information is
    /// in these states; NaN if nothing that is hidden could have led to them.
    ///
    /// # Panics
    /// If the states are not those of the information.
    #[track_caller]
    pub fn losses(&self, states: &[usize]) -> &[f64] {
        assert_eq!(states.len(), self.cards.len(), "states of the information");
        let row = states.iter().zip(&self.cards).fold(0, |row, (&state, &card)| {
            assert!(state < card, "state {state} of {card}");
            row * card + state
        });
        &self.losses[row * self.options..(row + 1) * self.options]
    }
}

/// The best strategy.
#[derive(Debug, Clone, PartialEq)]
pub struct Strategy {
    pub(super) expected_utility: f64,
    pub(super) probability: f64,
    pub(super) policies: Vec<DecisionRule>,
}

impl Strategy {
    /// The expected utility of the best strategy.
    pub const fn expected_utility(&self) -> f64 {
        self.expected_utility
    }

    /// The probability of what was seen; 1 if nothing was.
    pub const fn probability(&self) -> f64 {
        self.probability
    }

    /// What to choose, decision by decision in their order of time.
    pub fn policies(&self) -> &[DecisionRule] {
        &self.policies
    }
}
