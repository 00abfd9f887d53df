//! A Markov chain on finitely many states, and its distribution over several steps.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{DMatrix, DVector};

use crate::error::in_order;
use crate::{Error, Matrices};

/// Sums of probabilities may miss one by this much, and are then divided by.
const SUM_TOLERANCE: f64 = 1e-9;

/// A Markov chain on K states: the distribution of the first, and for each step the probabilities of the
/// next.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscreteChain {
    initial: Vec<f64>,
    transitions: Matrices,
}

impl DiscreteChain {
    /// A chain that starts with the probabilities `initial`; entry (i, j) of the matrix at time t is the
    /// probability that the state at time t + 1 is j if it is i at time t.
    ///
    /// # Errors
    /// If the sizes do not agree, a number is no probability, or the probabilities of a row do not sum to one
    /// within 1e-9.
    pub fn new(initial: &[f64], transitions: &Matrices) -> Result<Self, Error> {
        check::require(!initial.is_empty(), "Chain", "states", 0.0, "positive")?;
        check::dimension("rows of the transitions", initial.len(), transitions.rows())?;
        check::dimension("columns of the transitions", initial.len(), transitions.columns())?;
        let initial = distribution(initial.to_vec(), "initial", "sum of initial")?;
        let transitions = transitions.try_map(|matrix| {
            let mut matrix = matrix.clone();
            for (i, mut row) in matrix.row_iter_mut().enumerate() {
                let own =
                    distribution(row.iter().copied().collect(), "transition", "sum of a row of transition");
                row.iter_mut().zip(own.map_err(|why| why.at(i))?).for_each(|(entry, own)| *entry = own);
            }
            Ok(matrix)
        })?;
        Ok(Self { initial, transitions })
    }

    /// The number K of states.
    pub const fn states(&self) -> usize {
        self.initial.len()
    }

    /// The distribution of the state at time 0.
    pub fn initial(&self) -> &[f64] {
        &self.initial
    }

    /// The transition probabilities of each step.
    pub const fn transitions(&self) -> &Matrices {
        &self.transitions
    }

    /// The probability of each state at time `to`, given each state at time `from`: the product of the steps
    /// between them, by the equation of Chapman and Kolmogorov. The identity if the times are the same.
    ///
    /// # Errors
    /// If the chain does not reach so far, or `to` is before `from`.
    pub fn steps(&self, from: usize, to: usize) -> Result<DMatrix<f64>, Error> {
        self.reaches(to)?;
        in_order(from, to)?;
        let identity = DMatrix::identity(self.states(), self.states());
        Ok((from..to).fold(identity, |product, t| product * self.transitions.matrix(t)))
    }

    /// The distribution of the state at time `t`, if nothing is seen.
    ///
    /// # Errors
    /// If the chain does not reach so far.
    pub fn distribution(&self, t: usize) -> Result<Vec<f64>, Error> {
        self.reaches(t)?;
        Ok((0..t).fold(self.initial.clone(), |distribution, t| self.step(&distribution, t)))
    }

    /// The distribution after the step from time `t`.
    pub(super) fn step(&self, distribution: &[f64], t: usize) -> Vec<f64> {
        let matrix = self.transitions.matrix(t);
        matrix.tr_mul(&DVector::from_column_slice(distribution)).as_slice().to_vec()
    }

    /// Whether time `t` can be spoken of.
    pub(super) fn reaches(&self, t: usize) -> Result<(), Error> {
        Ok(check::enough("steps of the chain", t, self.transitions.times().unwrap_or(usize::MAX))?)
    }

    /// Whether these are log-likelihoods of the states at times that the chain reaches.
    pub(super) fn check(&self, ln_likelihoods: &DMatrix<f64>) -> Result<(), Error> {
        check::dimension("states of the likelihoods", self.states(), ln_likelihoods.ncols())?;
        self.reaches(ln_likelihoods.nrows().saturating_sub(1))?;
        for (time, row) in ln_likelihoods.row_iter().enumerate() {
            for &value in &row {
                let usual = value < f64::INFINITY;
                check::require(usual, "Chain", "ln likelihood", value, "a number or -inf")
                    .map_err(|why| why.at(time))?;
            }
        }
        Ok(())
    }
}

/// Probabilities that sum to one, nearly; then exactly.
fn distribution(
    mut probabilities: Vec<f64>,
    each: &'static str,
    together: &'static str,
) -> Result<Vec<f64>, ParamError> {
    for &p in &probabilities {
        check::probability("Chain", each, p)?;
    }
    let sum: f64 = probabilities.iter().sum();
    check::require((sum - 1.0).abs() <= SUM_TOLERANCE, "Chain", together, sum, "1")?;
    for p in &mut probabilities {
        *p /= sum;
    }
    Ok(probabilities)
}
