//! Which states can come first, and which after which.

use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::DMatrix;
use rand::Rng;
use rand_distr::{Distribution, Exp1};

use super::HiddenMarkovModel;
use crate::emission::Emissions;
use crate::error::Error;

/// Which states can come first, and which steps are possible: the zeros of a hidden Markov model.
///
/// Expectation maximisation never makes a zero of π or A anything else, so this is chosen with the model that
/// a fit starts from.
///
/// ```
/// use posterior_sequence::hmm::Topology;
///
/// let word = Topology::left_to_right(3, 1)?;
/// assert!(word.starts(0) && !word.starts(1));
/// assert!(word.allows(0, 0) && word.allows(0, 1) && !word.allows(0, 2) && !word.allows(1, 0));
/// # Ok::<(), posterior_sequence::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topology {
    starts: Vec<bool>,
    /// From i to j at index i K + j.
    steps: Vec<bool>,
}

impl Topology {
    /// Every start, every step.
    ///
    /// # Errors
    /// No state.
    pub fn ergodic(states: usize) -> Result<Self, Error> {
        Self::from_fn(states, |_| true, |_, _| true)
    }

    /// From the first state to the last: each stays or goes to one of the next `jump` states. The last one
    /// stays.
    ///
    /// # Errors
    /// No state.
    pub fn left_to_right(states: usize, jump: usize) -> Result<Self, Error> {
        Self::from_fn(states, |i| i == 0, |i, j| j >= i && j - i <= jump)
    }

    /// Round and round: each state stays or goes to the next, the last one to the first; it may start
    /// anywhere.
    ///
    /// # Errors
    /// No state.
    pub fn cyclic(states: usize) -> Result<Self, Error> {
        Self::from_fn(states, |_| true, |i, j| i == j || (i + 1) % states == j)
    }

    /// The starts and the steps for which these functions say so.
    ///
    /// # Errors
    /// No state; no start; a state from which no step leads anywhere.
    pub fn from_fn(
        states: usize,
        starts: impl Fn(usize) -> bool,
        steps: impl Fn(usize, usize) -> bool,
    ) -> Result<Self, Error> {
        if states == 0 {
            return Err(DimensionError::new("states", 1, 0).into());
        }
        let starts: Vec<bool> = (0..states).map(starts).collect();
        let steps: Vec<bool> = (0..states * states).map(|at| steps(at / states, at % states)).collect();
        let some = |row: &[bool]| if row.contains(&true) { 1.0 } else { 0.0 };
        check::positive("Topology", "number of possible starts", some(&starts))?;
        for (i, row) in steps.chunks_exact(states).enumerate() {
            check::positive("Topology", "number of possible steps from state", some(row))
                .map_err(|error| error.at(i))?;
        }
        Ok(Self { starts, steps })
    }

    /// Number K of hidden states.
    pub const fn states(&self) -> usize {
        self.starts.len()
    }

    /// Whether state i can come first.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn starts(&self, i: usize) -> bool {
        self.starts[i]
    }

    /// Whether state j can follow state i.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn allows(&self, i: usize, j: usize) -> bool {
        assert!(j < self.states(), "state {j} of {}", self.states());
        self.steps[i * self.states() + j]
    }

    /// The model in which all that is allowed is equally probable.
    ///
    /// # Errors
    /// If the emissions have another number of states.
    pub fn uniform<E: Emissions>(&self, emissions: E) -> Result<HiddenMarkovModel<E>, Error> {
        self.fill(emissions, || 1.0)
    }

    /// A model whose π and rows of A are drawn uniformly from all distributions on what is allowed.
    ///
    /// # Errors
    /// If the emissions have another number of states.
    pub fn random<E: Emissions, R: Rng + ?Sized>(
        &self,
        emissions: E,
        rng: &mut R,
    ) -> Result<HiddenMarkovModel<E>, Error> {
        self.fill(emissions, || {
            let weight: f64 = Exp1.sample(rng);
            weight.max(f64::MIN_POSITIVE)
        })
    }

    fn fill<E: Emissions>(
        &self,
        emissions: E,
        mut weight: impl FnMut() -> f64,
    ) -> Result<HiddenMarkovModel<E>, Error> {
        let mut distribution = |allowed: &[bool]| -> Vec<f64> {
            let weights: Vec<f64> = allowed.iter().map(|&is| if is { weight() } else { 0.0 }).collect();
            let sum: f64 = weights.iter().sum();
            weights.into_iter().map(|weight| weight / sum).collect()
        };
        let initial = distribution(&self.starts);
        let rows: Vec<f64> = self.steps.chunks_exact(self.states()).flat_map(distribution).collect();
        HiddenMarkovModel::new(
            &initial,
            &DMatrix::from_row_slice(self.states(), self.states(), &rows),
            emissions,
        )
    }
}
