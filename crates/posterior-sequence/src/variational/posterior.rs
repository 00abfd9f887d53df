//! The approximate posterior of a hidden Markov model.

use posterior_dist::{Conjugate, KlDivergence};
use posterior_inference::variational::ConjugateFactor;
use posterior_math::linalg::DMatrix;

use super::expectation::ExpectedPaths;
use crate::bayesian::DirichletRow;
use crate::error::Error;

/// q(z) q(π) Π q(A_i) Π q(w_k): the factors of the approximate posterior.
#[derive(Debug, Clone, PartialEq)]
pub struct VariationalHmm<F: Conjugate<P>, P> {
    pub(super) initial: RowFactor,
    pub(super) rows: Vec<RowFactor>,
    pub(super) emissions: Vec<ConjugateFactor<F, P>>,
    pub(super) paths: ExpectedPaths<F>,
    /// Whether the distributions of initial state and steps are the posterior of these paths.
    pub(super) steps_current: bool,
    /// Whether those of the emissions are.
    pub(super) emissions_current: bool,
}

/// The factor of the initial distribution, or of one row of the transitions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RowFactor {
    pub(super) prior: DirichletRow,
    pub(super) posterior: DirichletRow,
}

impl RowFactor {
    pub(super) fn new(prior: &DirichletRow) -> Self {
        Self { prior: prior.clone(), posterior: prior.clone() }
    }

    pub(super) fn update(&mut self, counts: &[f64]) -> Result<(), Error> {
        self.posterior = self.prior.posterior(counts)?;
        Ok(())
    }

    /// E ln p(z | row) - KL(q ‖ p).
    fn bound(&self, counts: &[f64], current: bool) -> Result<f64, Error> {
        if current {
            // Of the posterior of these counts the difference is their evidence, in which nothing large
            // cancels.
            Ok(self.prior.ln_evidence(counts)?)
        } else {
            Ok(self.posterior.expected_ln_counts(counts) - self.posterior.kl_divergence(&self.prior))
        }
    }
}

impl<F: Conjugate<P>, P> VariationalHmm<F, P> {
    /// The number of states, K.
    pub const fn states(&self) -> usize {
        self.rows.len()
    }

    /// The distribution of the initial probabilities, q(π).
    pub const fn initial(&self) -> &DirichletRow {
        &self.initial.posterior
    }

    /// The distribution of the transitions from state i, q(A_i).
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn row(&self, state: usize) -> &DirichletRow {
        &self.rows[state].posterior
    }

    /// q(w_k) of each state.
    pub fn emissions(&self) -> &[ConjugateFactor<F, P>] {
        &self.emissions
    }

    /// q(z) as the other factors see it.
    pub const fn paths(&self) -> &ExpectedPaths<F> {
        &self.paths
    }

    /// E A, each row of which adds up to one.
    pub fn mean_transitions(&self) -> DMatrix<f64> {
        let rows: Vec<f64> = self.rows.iter().flat_map(|row| row.posterior.mean()).collect();
        DMatrix::from_row_slice(self.states(), self.states(), &rows)
    }

    /// The expected number of positions in each state, gaps included.
    pub fn counts(&self) -> Vec<f64> {
        let arrivals = self.paths.steps.row_sum();
        self.paths.initial.iter().zip(&arrivals).map(|(initial, arrived)| initial + arrived).collect()
    }

    /// The states that expect more than `count` positions, the largest first. The others have fallen back to
    /// the prior.
    pub fn occupied(&self, count: f64) -> Vec<usize> {
        let counts = self.counts();
        let mut occupied: Vec<usize> = (0..counts.len()).filter(|&k| counts[k] > count).collect();
        occupied.sort_by(|&a, &b| counts[b].total_cmp(&counts[a]));
        occupied
    }

    pub(super) fn expected_ln_initial(&self) -> Vec<f64> {
        self.initial.posterior.expected_ln()
    }

    pub(super) fn expected_ln_rows(&self) -> Vec<Vec<f64>> {
        self.rows.iter().map(|row| row.posterior.expected_ln()).collect()
    }

    /// Updates q(π) and q(A).
    pub(super) fn update_steps(&mut self) -> Result<(), Error> {
        self.initial.update(&self.paths.initial)?;
        for (i, row) in self.rows.iter_mut().enumerate() {
            row.update(&row_of(&self.paths.steps, i))?;
        }
        self.steps_current = true;
        Ok(())
    }

    /// Updates the q(w_k).
    pub(super) fn update_emissions(&mut self) -> Result<(), Error> {
        for (emission, statistics) in self.emissions.iter_mut().zip(&self.paths.statistics) {
            emission.update(statistics.clone())?;
        }
        self.emissions_current = true;
        Ok(())
    }
}

impl<F: Conjugate<P>, P: KlDivergence> VariationalHmm<F, P> {
    /// L(q), whatever was updated last.
    pub(super) fn bound(&self) -> Result<f64, Error> {
        let mut sum = self.initial.bound(&self.paths.initial, self.steps_current)?;
        for (i, row) in self.rows.iter().enumerate() {
            sum += row.bound(&row_of(&self.paths.steps, i), self.steps_current)?;
        }
        for (emission, statistics) in self.emissions.iter().zip(&self.paths.statistics) {
            sum += if self.emissions_current {
                F::ln_evidence(emission.prior(), statistics)?
            } else {
                -emission.posterior().kl_divergence(emission.prior())
            };
        }
        let fit = if self.emissions_current { 0.0 } else { self.paths.expected_fit };
        Ok(self.paths.entropy + sum + fit)
    }
}

fn row_of(matrix: &DMatrix<f64>, i: usize) -> Vec<f64> {
    matrix.row(i).iter().copied().collect()
}
