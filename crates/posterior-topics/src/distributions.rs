//! Checks of numbers that are to be probabilities, and random ones to start from.

use std::ops::AddAssign;

use posterior_dist::Dirichlet;
use posterior_math::ParamError;
use posterior_math::linalg::DMatrix;
use rand::Rng;
use rand_distr::{Distribution, Exp1};

use crate::factor_rows::FactorRows;

/// How far a sum of probabilities may be from one.
const ROUNDING: f64 = 1e-8;

/// Refuses what is no distribution.
pub(crate) fn check_proportions(
    type_name: &'static str,
    parameter: &'static str,
    proportions: impl Iterator<Item = f64>,
) -> Result<(), ParamError> {
    let mut sum = 0.0;
    for proportion in proportions {
        if !(0.0..=1.0 + ROUNDING).contains(&proportion) {
            return Err(ParamError::new(type_name, parameter, proportion, "a probability"));
        }
        sum += proportion;
    }
    if (sum - 1.0).abs() <= ROUNDING {
        Ok(())
    } else {
        Err(ParamError::new(type_name, parameter, sum, "a distribution: its sum must be 1"))
    }
}

/// Refuses a matrix that has a row which is no distribution.
pub(crate) fn check_rows(
    type_name: &'static str,
    parameter: &'static str,
    matrix: &DMatrix<f64>,
) -> Result<(), ParamError> {
    matrix.row_iter().enumerate().try_for_each(|(i, row)| {
        check_proportions(type_name, parameter, row.iter().copied()).map_err(|error| error.at(i))
    })
}

/// Rows that are uniform over the simplex.
pub(crate) fn random_rows<R: Rng + ?Sized>(rows: usize, columns: usize, rng: &mut R) -> FactorRows {
    let mut made = FactorRows::from_fn(rows, columns, |_, _| positive_draw(rng));
    made.for_each_row(|_, row| normalize(row));
    made
}

/// Columns that scatter about given proportions of the rows, and sum to one. Where there is no proportion
/// there is none.
pub(crate) fn random_columns<R: Rng + ?Sized>(
    proportions: &[f64],
    columns: usize,
    rng: &mut R,
) -> FactorRows {
    let mut made =
        FactorRows::from_fn(proportions.len(), columns, |i, _| proportions[i] * positive_draw(rng));
    let sums = made.column_sums();
    made.for_each_row(|_, row| row.iter_mut().zip(&sums).for_each(|(value, sum)| *value /= sum));
    made
}

fn positive_draw<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    let draw: f64 = Exp1.sample(rng);
    draw.max(1e-12)
}

/// Divides by the sum, which is to be positive.
pub(crate) fn normalize(numbers: &mut [f64]) {
    let sum: f64 = numbers.iter().sum();
    for number in numbers {
        *number /= sum;
    }
}

/// ln of probabilities drawn from the Dirichlet distribution with these concentrations, which are positive
/// and finite.
pub(crate) fn draw_ln_dirichlet<R: Rng + ?Sized>(concentrations: &[f64], rng: &mut R) -> Vec<f64> {
    // One outcome has all the probability; a Dirichlet distribution of one number is none.
    if concentrations.len() == 1 {
        return vec![0.0];
    }
    Dirichlet::new(concentrations).expect("invariant: concentrations are positive and finite").sample_ln(rng)
}

/// The numbers of topics in the order of their weights, the largest first.
pub(crate) fn heaviest_first(weights: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    order
}

/// The sums of columns of a table, row by row.
pub(crate) fn column_sums<T: Copy + Default + AddAssign>(table: &[T], columns: usize) -> Vec<T> {
    let mut sums = vec![T::default(); columns];
    for row in table.chunks_exact(columns) {
        for (sum, &number) in sums.iter_mut().zip(row) {
            *sum += number;
        }
    }
    sums
}
