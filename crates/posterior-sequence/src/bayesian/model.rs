//! The model: priors of the initial distribution, of the transitions and of the emissions.

use posterior_dist::Conjugate;
use posterior_inference::variational::ConjugateFactor;
use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::DMatrix;

use super::row::DirichletRow;
use crate::error::Error;

/// A hidden Markov model with priors: π ~ Dirichlet, each row of A ~ Dirichlet, the parameters of state k
/// from a conjugate prior.
#[derive(Debug, Clone, PartialEq)]
pub struct BayesianHmm<F: Conjugate<P>, P> {
    initial: DirichletRow,
    rows: Vec<DirichletRow>,
    /// States without data.
    emissions: Vec<ConjugateFactor<F, P>>,
    fixed: F::Fixed,
}

impl<F: Conjugate<P>, P> BayesianHmm<F, P> {
    /// The model with these priors, of which there is one row and one emission for each state; `fixed` is
    /// what the family holds fixed (`()`, a dimension, …).
    ///
    /// # Errors
    /// If their numbers do not agree, or what is fixed does not fit a prior.
    pub fn new(
        initial: DirichletRow,
        rows: Vec<DirichletRow>,
        emissions: Vec<P>,
        fixed: F::Fixed,
    ) -> Result<Self, Error> {
        let states = initial.alpha().len();
        for (what, found) in
            [("rows of the transitions", rows.len()), ("priors of emissions", emissions.len())]
        {
            check::dimension(what, states, found)?;
        }
        if let Some(row) = rows.iter().find(|row| row.alpha().len() != states) {
            let (what, found) = ("entries of a row of the transitions", row.alpha().len());
            return Err(DimensionError::new(what, states, found).into());
        }
        let factor = |prior| ConjugateFactor::new(prior, fixed.clone());
        let emissions = emissions.into_iter().map(factor).collect::<Result<_, _>>()?;
        Ok(Self { initial, rows, emissions, fixed })
    }

    /// `states` states with the same α for all initial states and transitions, and the same prior of the
    /// emission. With α below 1 states that are not needed lose their observations.
    ///
    /// # Errors
    /// If there are no states, α is not positive and finite, or what is fixed does not fit the prior.
    pub fn symmetric(states: usize, alpha: f64, emission: P, fixed: F::Fixed) -> Result<Self, Error>
    where
        P: Clone,
    {
        let row = DirichletRow::symmetric(states, alpha)?;
        Self::new(row.clone(), vec![row; states], vec![emission; states], fixed)
    }

    /// The same model with `kappa` more for each state to follow itself.
    ///
    /// # Errors
    /// If κ is negative or not finite.
    pub fn with_stickiness(self, kappa: f64) -> Result<Self, Error> {
        check::non_negative("BayesianHmm", "kappa", kappa)?;
        self.with_rows_of(|i, j, alpha| if i == j { alpha + kappa } else { alpha })
    }

    /// The same model, in which a state can be followed by itself and by the `ahead` states after it only. It
    /// begins anywhere, unless its initial distribution says otherwise.
    ///
    /// # Errors
    /// If a row loses all of its α.
    pub fn left_to_right(self, ahead: usize) -> Result<Self, Error> {
        self.with_rows_of(|i, j, alpha| if (i..=i.saturating_add(ahead)).contains(&j) { alpha } else { 0.0 })
    }

    /// The same model, in which state j can follow state i only where `allowed` is not zero.
    ///
    /// # Errors
    /// If the matrix is not square with a row for each state, or a row loses all of its α.
    pub fn with_allowed(self, allowed: &DMatrix<f64>) -> Result<Self, Error> {
        let expected = self.states();
        for (what, found) in
            [("rows of what is allowed", allowed.nrows()), ("columns of what is allowed", allowed.ncols())]
        {
            check::dimension(what, expected, found)?;
        }
        self.with_rows_of(|i, j, alpha| if allowed[(i, j)] == 0.0 { 0.0 } else { alpha })
    }

    fn with_rows_of(self, alpha: impl Fn(usize, usize, f64) -> f64) -> Result<Self, Error> {
        let row = |(i, row): (usize, &DirichletRow)| {
            let changed: Vec<f64> =
                row.alpha().iter().enumerate().map(|(j, &old)| alpha(i, j, old)).collect();
            DirichletRow::new(&changed)
        };
        let rows = self.rows.iter().enumerate().map(row).collect::<Result<_, _>>()?;
        Ok(Self { rows, ..self })
    }

    /// Number K of hidden states.
    pub const fn states(&self) -> usize {
        self.rows.len()
    }

    /// The prior of the initial distribution.
    pub const fn initial(&self) -> &DirichletRow {
        &self.initial
    }

    /// The prior of the transitions from each state.
    pub fn rows(&self) -> &[DirichletRow] {
        &self.rows
    }

    /// The prior of a state's emission.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn emission(&self, state: usize) -> &P {
        self.emissions[state].prior()
    }

    /// What the family holds fixed.
    pub const fn fixed(&self) -> &F::Fixed {
        &self.fixed
    }

    /// States without data.
    pub(crate) fn empty(&self) -> &[ConjugateFactor<F, P>] {
        &self.emissions
    }
}
