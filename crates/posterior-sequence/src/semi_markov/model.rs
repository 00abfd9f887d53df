//! The model: initial distribution, steps, durations, emissions.

use posterior_dist::Categorical;
use posterior_math::check::DimensionError;
use posterior_math::linalg::DMatrix;

use super::durations::Durations;
use crate::emission::Emissions;
use crate::error::Error;

/// A hidden semi-Markov model: a state lasts for a time that has a distribution of its own, then comes the
/// next one.
///
/// z of the first segment ~ π, of the next one ~ A(z, ·); its duration ~ the distribution of its state; each
/// of its positions shows something of the emission of its state. Rows of A have a zero on the diagonal, as a
/// rule: otherwise a state can follow itself, as a segment of its own.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(into = "super::serde_form::Written<E>", try_from = "super::serde_form::Written<E>"),
    serde(bound(
        serialize = "E: Clone + serde::Serialize",
        deserialize = "E: Emissions + serde::Deserialize<'de>"
    ))
)]
pub struct SemiMarkovModel<E> {
    pub(super) ln_initial: Vec<f64>,
    /// Row after row.
    pub(super) ln_transitions: Vec<f64>,
    pub(super) durations: Vec<Durations>,
    pub(super) emissions: E,
    pub(super) window: Window,
}

/// The part of the process that a sequence shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Window {
    /// The beginning of its first segment.
    pub begin: Begin,
    /// The end of its last segment.
    pub end: End,
}

/// The beginning of the first segment of a sequence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Begin {
    /// At the first position.
    #[default]
    Segment,
    /// At some time before (left-censored): the process has run for long, and what is left of the first
    /// segment has the distribution [`Durations::residual`] of its state.
    Running,
}

/// The end of the last segment of a sequence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// At the last position or after it (right-censored): it counts by the probability to last at least so
    /// long.
    #[default]
    Running,
    /// At the last position.
    Segment,
}

impl<E: Emissions> SemiMarkovModel<E> {
    /// The model with these distributions; rows of `transitions` are where a step begins. A sequence begins
    /// with a segment, and ends anywhere ([`with_window`](Self::with_window) says otherwise).
    ///
    /// # Errors
    /// If their sizes do not go together, or probabilities are none or do not sum to one within 1e-9.
    pub fn new(
        initial: &[f64],
        transitions: &DMatrix<f64>,
        durations: Vec<Durations>,
        emissions: E,
    ) -> Result<Self, Error> {
        let states = emissions.states();
        for (what, found) in [
            ("initial probabilities", initial.len()),
            ("rows of the transitions", transitions.nrows()),
            ("columns of the transitions", transitions.ncols()),
            ("distributions of durations", durations.len()),
        ] {
            if found != states || states == 0 {
                return Err(DimensionError::new(what, states.max(1), found).into());
            }
        }
        let ln = |row: &[f64]| -> Result<Vec<f64>, Error> {
            Ok(Categorical::from_probabilities(row)?.ln_probabilities().to_vec())
        };
        let mut ln_transitions = Vec::with_capacity(states * states);
        for row in transitions.row_iter() {
            ln_transitions.extend(ln(&row.iter().copied().collect::<Vec<_>>())?);
        }
        let ln_initial = ln(initial)?;
        Ok(Self { ln_initial, ln_transitions, durations, emissions, window: Window::default() })
    }

    /// The same model of sequences that show this part of the process.
    #[must_use]
    pub fn with_window(self, window: Window) -> Self {
        Self { window, ..self }
    }

    /// The number of states, K.
    pub const fn states(&self) -> usize {
        self.durations.len()
    }

    /// The initial distribution, π.
    pub fn initial(&self) -> Vec<f64> {
        self.ln_initial.iter().map(|ln| ln.exp()).collect()
    }

    /// The transitions, A.
    pub fn transitions(&self) -> DMatrix<f64> {
        let probabilities: Vec<f64> = self.ln_transitions.iter().map(|ln| ln.exp()).collect();
        DMatrix::from_row_slice(self.states(), self.states(), &probabilities)
    }

    /// The distribution of the duration of each state.
    pub fn durations(&self) -> &[Durations] {
        &self.durations
    }

    /// The distributions of the observations.
    pub const fn emissions(&self) -> &E {
        &self.emissions
    }

    /// The part of the process that a sequence shows.
    pub const fn window(&self) -> Window {
        self.window
    }

    /// The distributions of the first segments.
    pub(super) fn first_durations(&self) -> Vec<Durations> {
        match self.window.begin {
            Begin::Segment => self.durations.clone(),
            Begin::Running => self.durations.iter().map(Durations::residual).collect(),
        }
    }
}
