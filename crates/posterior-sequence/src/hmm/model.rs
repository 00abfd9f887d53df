//! The model: how it starts, how it goes on, what its states show.

use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::DMatrix;

use crate::chain::{Edges, LinearChain, Transitions};
use crate::emission::Emissions;
use crate::error::Error;
use crate::stochastic::normalize;

/// A hidden Markov model: the distribution π of the first state, the distributions A of the next state given
/// the present one, and what states show.
///
/// All probabilities are those of a model that exists: rows sum to one. Zeros are structural: no path takes
/// such a step, and expectation maximisation leaves them zero.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize),
    serde(
        try_from = "super::serde_form::Unchecked<E>",
        bound(deserialize = "E: Emissions + serde::Deserialize<'de>")
    )
)]
pub struct HiddenMarkovModel<E> {
    initial: Vec<f64>,
    transition: DMatrix<f64>,
    emissions: E,
    ln_initial: Vec<f64>,
    prepared: Transitions,
}

impl<E: Emissions> HiddenMarkovModel<E> {
    /// The model with π = `initial`, A(i, j) = `transition[(i, j)]` and these distributions of observations.
    ///
    /// Rows that do not sum to one but for rounding are divided by their sums.
    ///
    /// # Errors
    /// No state; a matrix or emissions of another number of states; a number that is no probability (for A
    /// with its row); a row whose sum is not within 1e-9 of one.
    pub fn new(initial: &[f64], transition: &DMatrix<f64>, emissions: E) -> Result<Self, Error> {
        let states = initial.len();
        if states == 0 {
            return Err(DimensionError::new("states", 1, 0).into());
        }
        for (what, found) in [
            ("rows of the transition matrix", transition.nrows()),
            ("columns of the transition matrix", transition.ncols()),
            ("states of the emissions", emissions.states()),
        ] {
            check::dimension(what, states, found)?;
        }
        let mut initial = initial.to_vec();
        normalize("HiddenMarkovModel", "initial probabilities", &mut initial)?;
        let mut rows = transition.transpose();
        for (i, mut row) in rows.column_iter_mut().enumerate() {
            normalize("HiddenMarkovModel", "transition probabilities of state", row.as_mut_slice())
                .map_err(|error| error.at(i))?;
        }
        let transition = rows.transpose();
        let prepared = Transitions::from_ln(&transition.map(f64::ln))?;
        let ln_initial = initial.iter().map(|p| p.ln()).collect();
        Ok(Self { initial, transition, emissions, ln_initial, prepared })
    }

    /// The model that stays where it is with probability `stickiness`, and else draws the next state by
    /// `weights`, as it draws the first.
    ///
    /// With a stickiness of 0 observations are independent draws from the mixture of the distributions of the
    /// states: how a mixture becomes the start of a fit.
    ///
    /// # Errors
    /// Weights or emissions of other numbers, weights that are no distribution, a stickiness outside of [0,
    /// 1].
    pub fn from_weights(weights: &[f64], stickiness: f64, emissions: E) -> Result<Self, Error> {
        check::probability("HiddenMarkovModel", "stickiness", stickiness)?;
        let step = |i: usize, j: usize| {
            let moved = (1.0 - stickiness) * weights[j];
            if i == j { stickiness + moved } else { moved }
        };
        Self::new(weights, &DMatrix::from_fn(weights.len(), weights.len(), step), emissions)
    }

    /// The same states with other distributions of observations.
    ///
    /// # Errors
    /// If these have another number of states.
    pub fn with_emissions<F: Emissions>(self, emissions: F) -> Result<HiddenMarkovModel<F>, Error> {
        let (expected, found) = (self.initial.len(), emissions.states());
        check::dimension("states of the emissions", expected, found)?;
        let Self { initial, transition, emissions: _, ln_initial, prepared } = self;
        Ok(HiddenMarkovModel { initial, transition, emissions, ln_initial, prepared })
    }
}

impl<E> HiddenMarkovModel<E> {
    /// The number of states, K.
    pub const fn states(&self) -> usize {
        self.initial.len()
    }

    /// The initial distribution, π.
    pub fn initial(&self) -> &[f64] {
        &self.initial
    }

    /// A, whose rows are the distributions of the next state.
    pub const fn transition(&self) -> &DMatrix<f64> {
        &self.transition
    }

    /// The distributions of what the states show.
    pub const fn emissions(&self) -> &E {
        &self.emissions
    }

    /// The distributions of what the states show, taken out of the model.
    pub fn into_emissions(self) -> E {
        self.emissions
    }

    /// ln π.
    pub fn ln_initial(&self) -> &[f64] {
        &self.ln_initial
    }

    /// A, prepared for passing messages.
    pub const fn transitions(&self) -> &Transitions {
        &self.prepared
    }

    /// The chain of states given observations with these ln p(x_t | z_t = k), K numbers a position.
    ///
    /// # Errors
    /// If they are not K a position.
    pub fn chain<'a>(&'a self, ln_nodes: &'a [f64]) -> Result<LinearChain<'a>, Error> {
        LinearChain::new(&self.ln_initial, Edges::Same(&self.prepared), ln_nodes)
    }
}
