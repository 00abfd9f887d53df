//! Actions compared by draws of a posterior.

use posterior_math::check;
use posterior_math::linalg::DMatrix;
use posterior_math::streaming::MeanVariance;

use crate::Error;

/// What draws say of several actions.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ComparedByDraws {
    /// The mean loss of each action.
    pub expected: Vec<f64>,
    /// The standard error of each mean loss.
    pub standard_errors: Vec<f64>,
    /// The action with the least mean loss, the first if several tie.
    pub best: usize,
    /// For each action, by how much its mean loss exceeds the best one's.
    pub excess: Vec<f64>,
    /// The standard error of each excess: of the difference draw by draw, in which what both actions share
    /// cancels.
    pub excess_standard_errors: Vec<f64>,
}

/// Compares actions by their losses under draws of a posterior: a row for each draw, a column for each
/// action.
///
/// Neighbouring draws of a Markov chain are alike: their errors are those of the means of `batch` draws in a
/// row, which should be several times longer than the chain remembers; 1 for independent draws. What is left
/// of the last batch counts in the means only.
///
/// ```
/// use posterior_decision::loss::compare_by_draws;
/// use posterior_math::linalg::DMatrix;
///
/// // Two actions whose losses go up and down together.
/// let losses = DMatrix::from_fn(100, 2, |draw, action| draw as f64 + 0.1 * action as f64);
/// let compared = compare_by_draws(&losses, 1)?;
/// assert_eq!(compared.best, 0);
/// assert!((compared.excess[1] - 0.1).abs() < 1e-13 && compared.excess_standard_errors[1] < 1e-13);
/// assert!(compared.standard_errors[0] > 2.0);
/// # Ok::<(), posterior_decision::Error>(())
/// ```
///
/// # Errors
/// If there is no action, fewer than two batches, or a loss is not finite.
pub fn compare_by_draws(losses: &DMatrix<f64>, batch: usize) -> Result<ComparedByDraws, Error> {
    let name = "compare_by_draws";
    check::at_least_one(name, "actions", losses.ncols())?;
    check::at_least_one(name, "batch", batch)?;
    let batches = losses.nrows() / batch;
    check::require(batches > 1, name, "batches", batches as f64, "at least 2")?;
    for &loss in losses {
        check::finite(name, "loss", loss)?;
    }
    let columns: Vec<&[f64]> = losses.as_slice().chunks_exact(losses.nrows()).collect();
    let expected: Vec<f64> = columns.iter().map(|column| mean(column.iter().copied())).collect();
    let best = (1..expected.len()).fold(
        0,
        |best, action| {
            if expected[action] < expected[best] { action } else { best }
        },
    );
    let standard_errors =
        columns.iter().map(|column| standard_error(column.iter().copied(), batch, batches)).collect();
    let beside = |action: usize| columns[action].iter().zip(columns[best]).map(|(own, best)| own - best);
    Ok(ComparedByDraws {
        standard_errors,
        best,
        excess: (0..columns.len()).map(|action| mean(beside(action))).collect(),
        excess_standard_errors: (0..columns.len())
            .map(|action| standard_error(beside(action), batch, batches))
            .collect(),
        expected,
    })
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    values.collect::<MeanVariance>().mean()
}

fn standard_error(values: impl Iterator<Item = f64>, batch: usize, batches: usize) -> f64 {
    let values: Vec<f64> = values.collect();
    let means: MeanVariance =
        values.chunks_exact(batch).map(|chunk| chunk.iter().sum::<f64>() / batch as f64).collect();
    (means.sample_variance() / batches as f64).sqrt()
}
