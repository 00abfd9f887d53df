//! Metropolis-Hastings on finitely many states, where the transition matrix can be looked at.

use posterior_dist::AliasTable;
use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;
use rand::Rng;
use rand_distr::Distribution;

use super::{accept, acceptance};
use crate::Error;

/// Metropolis-Hastings on the states 0, …, n - 1, with weights that need not sum to 1 and any proposal
/// matrix.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_sampling::metropolis::FiniteMetropolis;
///
/// // Weights 1 : 2, always proposing the other state.
/// let flip = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 1.0, 0.0]);
/// let chain = FiniteMetropolis::new(&[0.0, 2.0_f64.ln()], &flip)?;
/// assert_eq!(chain.transition_matrix(), DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.5, 0.5]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FiniteMetropolis {
    ln_weights: Vec<f64>,
    proposal: DMatrix<f64>,
    rows: Vec<AliasTable>,
}

impl FiniteMetropolis {
    /// With ln p of each state up to a constant, and the probability of proposing j from i in row i, column
    /// j.
    ///
    /// # Errors
    /// A weight that is NaN or +∞, or all of them zero; a matrix of another size; a row that is not
    /// probabilities with the sum 1 (to 1e-9).
    pub fn new(ln_weights: &[f64], proposal: &DMatrix<f64>) -> Result<Self, Error> {
        let n = ln_weights.len();
        check::dimension("rows of the proposal matrix", n, proposal.nrows())?;
        check::dimension("columns of the proposal matrix", n, proposal.ncols())?;
        for (i, &weight) in ln_weights.iter().enumerate() {
            let legal = weight < f64::INFINITY;
            check::require(legal, "FiniteMetropolis", "ln_weights", weight, "a number or -inf")
                .map_err(|error| error.at(i))?;
        }
        let largest = ln_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        check::finite("FiniteMetropolis", "largest of ln_weights", largest)?;
        let rows = (0..n).map(|i| row(proposal, i)).collect::<Result<_, _>>()?;
        Ok(Self { ln_weights: ln_weights.to_vec(), proposal: proposal.clone(), rows })
    }

    /// One step from state `from`.
    ///
    /// # Errors
    /// No such state.
    pub fn step<R: Rng + ?Sized>(&self, from: usize, rng: &mut R) -> Result<usize, Error> {
        let n = self.rows.len();
        check::require(from < n, "FiniteMetropolis", "state", from as f64, "less than the number of states")?;
        let to: usize = self.rows[from].sample(rng);
        let (_, accepted) = accept(self.ln_ratio(from, to), rng);
        Ok(if accepted { to } else { from })
    }

    /// The probabilities of going from i (row) to j (column) in one step.
    pub fn transition_matrix(&self) -> DMatrix<f64> {
        let n = self.rows.len();
        let mut matrix = DMatrix::from_fn(n, n, |i, j| {
            if i == j { 0.0 } else { self.proposal[(i, j)] * acceptance(self.ln_ratio(i, j)) }
        });
        for i in 0..n {
            let stay = self.proposal[(i, i)];
            let refused = |j: usize| self.proposal[(i, j)] * (1.0 - acceptance(self.ln_ratio(i, j)));
            matrix[(i, i)] = stay + (0..n).filter(|&j| j != i).map(refused).sum::<f64>();
        }
        matrix
    }

    /// ln p(j) - ln p(i) + ln q(i | j) - ln q(j | i).
    fn ln_ratio(&self, i: usize, j: usize) -> f64 {
        self.ln_weights[j] - self.ln_weights[i] + self.proposal[(j, i)].ln() - self.proposal[(i, j)].ln()
    }
}

fn row(proposal: &DMatrix<f64>, i: usize) -> Result<AliasTable, ParamError> {
    let row: Vec<f64> = proposal.row(i).iter().copied().collect();
    for (j, &entry) in row.iter().enumerate() {
        check::probability("FiniteMetropolis", "row of the proposal matrix", entry)
            .map_err(|error| error.at(j))?;
    }
    let sum: f64 = row.iter().sum();
    let whole = (sum - 1.0).abs() < 1e-9;
    check::require(whole, "FiniteMetropolis", "sum of the row of the proposal matrix", sum, "1")
        .map_err(|error| error.at(i))?;
    AliasTable::from_weights(&row)
}
