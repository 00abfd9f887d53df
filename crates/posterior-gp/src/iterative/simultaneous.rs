//! Conjugate gradients for several right-hand sides at once: each step computes the matrix once for all.

use posterior_math::linalg::{DMatrix, LowRank};
use posterior_math::optimize::LinearOptions;

/// A step of conjugate gradients: its length α, and the proportion β of the direction that the next one
/// keeps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) length: f64,
    pub(super) keep: f64,
}

/// Solutions of one system for several right-hand sides.
#[derive(Debug)]
pub(super) struct Solved {
    pub(super) solutions: DMatrix<f64>,
    /// The steps of each right-hand side: the Lanczos matrix in other words.
    pub(super) steps: Vec<Vec<Step>>,
    pub(super) iterations: usize,
    /// The largest relative residual, computed afresh.
    pub(super) residual: f64,
    pub(super) converged: bool,
}

/// Solves A X = B from X = 0; as [`posterior_math::optimize::conjugate_gradients`] for each column, but with
/// one product of A with all columns that are still at work, and with the steps kept.
pub(super) fn solve(
    product: &impl Fn(&DMatrix<f64>) -> DMatrix<f64>,
    preconditioner: &LowRank,
    right: &DMatrix<f64>,
    options: &LinearOptions,
) -> Solved {
    let columns = right.ncols();
    let mut solutions = DMatrix::zeros(right.nrows(), columns);
    let mut steps = vec![Vec::new(); columns];
    let norms: Vec<f64> = right.column_iter().map(|column| column.norm()).collect();
    let mut residuals = right.clone();
    let mut directions = preconditioner.solve(right);
    let mut energies: Vec<f64> =
        (0..columns).map(|j| residuals.column(j).dot(&directions.column(j))).collect();
    let mut active: Vec<usize> = (0..columns).filter(|&j| norms[j] > 0.0).collect();
    let mut iterations = 0;
    while !active.is_empty() && iterations < options.max_iterations {
        iterations += 1;
        let images = product(&directions.select_columns(&active));
        let mut left = Vec::with_capacity(active.len());
        for (image, &j) in images.column_iter().zip(&active) {
            let curvature = directions.column(j).dot(&image);
            let length = energies[j] / curvature;
            if !(curvature > 0.0 && energies[j] > 0.0 && length.is_finite()) {
                continue;
            }
            solutions.column_mut(j).axpy(length, &directions.column(j), 1.0);
            residuals.column_mut(j).axpy(-length, &image, 1.0);
            steps[j].push(Step { length, keep: 0.0 });
            if residuals.column(j).norm() > options.relative * norms[j] {
                left.push(j);
            }
        }
        active = left;
        let solved = preconditioner.solve(&residuals.select_columns(&active));
        for (solved, &j) in solved.column_iter().zip(&active) {
            let energy = residuals.column(j).dot(&solved);
            let keep = energy / energies[j];
            if let Some(step) = steps[j].last_mut() {
                step.keep = keep;
            }
            directions.column_mut(j).axpy(1.0, &solved, keep);
            energies[j] = energy;
        }
    }
    let rest = right - product(&solutions);
    let residual = (0..columns).filter(|&j| norms[j] > 0.0).map(|j| rest.column(j).norm() / norms[j]).fold(
        0.0,
        |largest: f64, proportion| {
            if proportion > largest || proportion.is_nan() { proportion } else { largest }
        },
    );
    // The recurrence drifts from the residual by rounding.
    let converged = active.is_empty() && residual <= 10.0 * options.relative;
    Solved { solutions, steps, iterations, residual, converged }
}
