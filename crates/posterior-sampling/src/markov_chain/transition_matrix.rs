//! The distribution of the next state, for each state.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;

use crate::Error;

/// Rows may miss one by this much, and are then divided by their sum.
const ROW_TOLERANCE: f64 = 1e-9;

/// A row-stochastic matrix T: entry (i, j) is the probability that the state after i is j.
///
/// Distributions are rows: the distribution after a step from p is p T. (With columns for rows it would be Tᵀ
/// p.)
#[derive(Debug, Clone, PartialEq)]
pub struct TransitionMatrix {
    matrix: DMatrix<f64>,
}

impl TransitionMatrix {
    /// A square matrix of probabilities whose rows sum to one within 1e-9; they are divided by their sums.
    ///
    /// # Errors
    /// Not square or empty; an entry that is no probability; a row with another sum.
    pub fn new(mut matrix: DMatrix<f64>) -> Result<Self, ParamError> {
        let (rows, columns) = matrix.shape();
        check::require(rows > 0, "TransitionMatrix", "states", rows as f64, "positive")?;
        check::require(rows == columns, "TransitionMatrix", "columns", columns as f64, "as many as rows")?;
        for (i, mut row) in matrix.row_iter_mut().enumerate() {
            for &entry in &row {
                check::probability("TransitionMatrix", "entry of row", entry).map_err(|why| why.at(i))?;
            }
            let sum = row.sum();
            check::require((sum - 1.0).abs() <= ROW_TOLERANCE, "TransitionMatrix", "sum of row", sum, "1")
                .map_err(|why| why.at(i))?;
            row /= sum;
        }
        Ok(Self { matrix })
    }

    /// The matrix with these rows.
    ///
    /// # Errors
    /// As [`new`](Self::new); a row of another length.
    pub fn from_rows(rows: &[impl AsRef<[f64]>]) -> Result<Self, ParamError> {
        let n = rows.len();
        for (i, row) in rows.iter().enumerate() {
            let length = row.as_ref().len();
            check::require(
                length == n,
                "TransitionMatrix",
                "length of row",
                length as f64,
                "as many as rows",
            )
            .map_err(|why| why.at(i))?;
        }
        Self::new(DMatrix::from_fn(n, n, |i, j| rows[i].as_ref()[j]))
    }

    /// The kernel of a sampler on n states: `moves` lists where it goes from a state, with which
    /// probabilities. What is left of one is the probability to stay; a place that is listed twice has both.
    ///
    /// # Errors
    /// No state; a move to a state that is not there; probabilities that are none or sum to more than one.
    pub fn from_moves<I>(n: usize, moves: impl Fn(usize) -> I) -> Result<Self, ParamError>
    where
        I: IntoIterator<Item = (usize, f64)>,
    {
        let mut matrix = DMatrix::zeros(n, n);
        for from in 0..n {
            let mut left = 1.0;
            for (to, probability) in moves(from) {
                check::require(to < n, "TransitionMatrix", "state", to as f64, "below the number of states")?;
                check::probability("TransitionMatrix", "probability of move", probability)
                    .map_err(|why| why.at(from))?;
                matrix[(from, to)] += probability;
                left -= probability;
            }
            check::require(
                left >= -ROW_TOLERANCE,
                "TransitionMatrix",
                "sum of moves",
                1.0 - left,
                "at most 1",
            )
            .map_err(|why| why.at(from))?;
            matrix[(from, from)] += left.max(0.0);
            // Rounding may put a sure move above one.
            for entry in matrix.row_mut(from).iter_mut() {
                *entry = f64::min(*entry, 1.0);
            }
        }
        Self::new(matrix)
    }

    /// A product or mean of stochastic matrices, whose rows miss one by rounding only.
    pub(super) fn from_stochastic(mut matrix: DMatrix<f64>) -> Self {
        for mut row in matrix.row_iter_mut() {
            let sum = row.sum();
            row /= sum;
        }
        Self { matrix }
    }

    /// How many states.
    pub fn size(&self) -> usize {
        self.matrix.nrows()
    }

    /// The transition probabilities T.
    pub const fn as_matrix(&self) -> &DMatrix<f64> {
        &self.matrix
    }

    /// T of these two states.
    #[track_caller]
    pub fn probability(&self, from: usize, to: usize) -> f64 {
        self.matrix[(from, to)]
    }

    /// The distribution after one step from the distribution p: p T.
    ///
    /// # Errors
    /// p of another length, or no distribution.
    pub fn step(&self, distribution: &[f64]) -> Result<Vec<f64>, Error> {
        self.check_distribution(distribution)?;
        Ok(self.step_unchecked(distribution))
    }

    /// The distribution `steps` steps after the distribution p: p Tⁿ. O(n² steps), or O(n³ ln steps) for
    /// many.
    ///
    /// # Errors
    /// p of another length, or no distribution.
    pub fn distribution_after(&self, distribution: &[f64], steps: u64) -> Result<Vec<f64>, Error> {
        self.check_distribution(distribution)?;
        if steps > self.size() as u64 {
            return Ok(self.power(steps).step_unchecked(distribution));
        }
        Ok((0..steps).fold(distribution.to_vec(), |distribution, _| self.step_unchecked(&distribution)))
    }

    /// The expectation of f one step ahead, for each state: T f.
    ///
    /// # Errors
    /// f of another length, or not finite.
    pub fn expectation(&self, f: &[f64]) -> Result<Vec<f64>, Error> {
        self.check_function(f)?;
        Ok(self.matrix.row_iter().map(|row| row.iter().zip(f).map(|(p, f)| p * f).sum()).collect())
    }

    /// This step, then that one: the product of the matrices, in this order. A distribution that both leave
    /// alone, it leaves alone.
    ///
    /// # Errors
    /// Other numbers of states.
    pub fn then(&self, next: &Self) -> Result<Self, Error> {
        same_size(self.size(), next.size())?;
        Ok(Self::from_stochastic(&self.matrix * &next.matrix))
    }

    /// One of these steps, drawn by its weight. A distribution that all leave alone, it leaves alone.
    ///
    /// # Errors
    /// None; other numbers of states; weights that are negative or sum to zero.
    pub fn mixture(kernels: &[(f64, Self)]) -> Result<Self, Error> {
        let total = kernels.iter().map(|(weight, _)| weight).sum();
        check::positive("TransitionMatrix", "sum of weights", total)?;
        let size = kernels.first().map_or(0, |(_, kernel)| kernel.size());
        let mut matrix = DMatrix::zeros(size, size);
        for (i, (weight, kernel)) in kernels.iter().enumerate() {
            check::non_negative("TransitionMatrix", "weight", *weight).map_err(|why| why.at(i))?;
            same_size(size, kernel.size())?;
            matrix += &kernel.matrix * (weight / total);
        }
        Ok(Self::from_stochastic(matrix))
    }

    /// n steps as one: Tⁿ, in O(ln n) products.
    #[must_use]
    pub fn power(&self, steps: u64) -> Self {
        let n = self.size();
        let mut power = Self { matrix: DMatrix::identity(n, n) };
        let mut square = self.clone();
        let mut left = steps;
        while left > 0 {
            if left % 2 == 1 {
                power = Self::from_stochastic(&power.matrix * &square.matrix);
            }
            left /= 2;
            if left > 0 {
                square = Self::from_stochastic(&square.matrix * &square.matrix);
            }
        }
        power
    }

    pub(super) fn step_unchecked(&self, distribution: &[f64]) -> Vec<f64> {
        self.matrix
            .column_iter()
            .map(|column| column.iter().zip(distribution).map(|(t, p)| t * p).sum())
            .collect()
    }

    /// Refuses what is no distribution on the states.
    pub(super) fn check_distribution(&self, distribution: &[f64]) -> Result<(), Error> {
        self.check_length("probabilities of a distribution", distribution)?;
        for (i, &p) in distribution.iter().enumerate() {
            check::probability("distribution of a state", "probability", p).map_err(|why| why.at(i))?;
        }
        let sum: f64 = distribution.iter().sum();
        check::require((sum - 1.0).abs() <= ROW_TOLERANCE, "distribution of a state", "sum", sum, "1")?;
        Ok(())
    }

    /// Refuses what is no function of the states.
    pub(super) fn check_function(&self, f: &[f64]) -> Result<(), Error> {
        self.check_length("values of a function of the state", f)?;
        for (i, &value) in f.iter().enumerate() {
            check::finite("function of a state", "value", value).map_err(|why| why.at(i))?;
        }
        Ok(())
    }

    fn check_length(&self, what: &'static str, values: &[f64]) -> Result<(), Error> {
        Ok(check::dimension(what, self.size(), values.len())?)
    }

    /// Where a step from here may lead.
    pub(super) fn successors(&self, from: usize) -> impl Iterator<Item = usize> {
        (0..self.size()).filter(move |&to| self.matrix[(from, to)] > 0.0)
    }
}

fn same_size(expected: usize, found: usize) -> Result<(), Error> {
    Ok(check::dimension("states of a transition matrix", expected, found)?)
}
