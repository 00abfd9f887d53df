//! The filter by straight lines, in square-root form.

use posterior_math::linalg::{
    DMatrix, DVector, solve_lower_transpose_in_place, solve_upper_transpose_in_place, triangularize,
};
use posterior_math::special::HALF_LN_TAU;

use super::filtered::{NonlinearFiltered, Step, Update};
use super::{Linearization, Linearize, Map, NonlinearStateSpace};
use crate::{Error, Series};

/// How to filter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NonlinearOptions {
    /// How many times, at most, an observation's line is found: the first where the state is thought to be
    /// before the observation, others where it is thought to be after it. 1 by default: no iteration.
    pub max_iterations: usize,
    /// The iteration of an observation has converged when the mean moves by less than this many prior
    /// standard deviations.
    pub tolerance: f64,
}

impl Default for NonlinearOptions {
    fn default() -> Self {
        Self { max_iterations: 1, tolerance: 1e-9 }
    }
}

/// The distributions of the state given what was seen before each time, and up to it, both taken as normal.
///
/// With [`Taylor`](super::Taylor) the extended filter, and the iterated one if `options` say so (a
/// Gauss-Newton search for the mode of each state); with [`SigmaPoints`](super::SigmaPoints) the filters of
/// that name, and iterated the posterior linearisation filter.
///
/// # Errors
/// If the series does not fit the model, a function is not finite where the rule evaluates it, a number
/// overflows, or an innovation has a singular covariance.
pub fn filter<F: Map, H: Map, L: Linearize<F> + Linearize<H>>(
    model: &NonlinearStateSpace<F, H>,
    series: &Series,
    rule: &L,
    options: &NonlinearOptions,
) -> Result<NonlinearFiltered, Error> {
    model.check(series)?;
    let mut filtered = NonlinearFiltered::empty(model.states(), model.width());
    let (mut mean, mut root) = (model.start().0.clone(), model.start().1.clone());
    for t in 0..series.len() {
        let update = update(model, (&mean, &root), series.at(t), t, rule, options)?;
        let prior = (mean, root);
        (mean, root) = match &update {
            None => prior.clone(),
            Some(update) => (&prior.0 + &prior.1 * &update.mean, &prior.1 * &update.root),
        };
        filtered.push(t, prior, (mean.clone(), root.clone()), update);
        if t + 1 < series.len() {
            let line = rule.linearize(model.transition(), t, &mean, &root)?;
            if !line.is_finite() {
                return Err(Error::Undefined { what: "transition", time: t });
            }
            let stacked = [&line.slope, &line.residual_root, &model.transition_root(t)];
            root = triangularize(stack(&stacked)).transpose();
            mean = line.mean;
            if !root.iter().all(|entry| entry.is_finite()) {
                return Err(Error::Overflow { time: t + 1 });
            }
            filtered.push_step(Step { slope: line.slope, residual_root: line.residual_root });
        }
    }
    Ok(filtered)
}

/// The transposes of matrices with the same number of rows, one below the other.
pub(super) fn stack(parts: &[&DMatrix<f64>]) -> DMatrix<f64> {
    let columns = parts.first().map_or(0, |part| part.nrows());
    let mut stacked = DMatrix::zeros(parts.iter().map(|part| part.ncols()).sum(), columns);
    let mut row = 0;
    for part in parts {
        stacked.rows_mut(row, part.ncols()).copy_from(&part.transpose());
        row += part.ncols();
    }
    stacked
}

/// `None` if nothing is there.
fn update<F: Map, H: Map, L: Linearize<H>>(
    model: &NonlinearStateSpace<F, H>,
    (mean, root): (&DVector<f64>, &DMatrix<f64>),
    seen: &[f64],
    t: usize,
    rule: &L,
    options: &NonlinearOptions,
) -> Result<Option<Update>, Error> {
    let there: Vec<usize> = (0..seen.len()).filter(|&i| !seen[i].is_nan()).collect();
    if there.is_empty() {
        return Ok(None);
    }
    let y = DVector::from_iterator(there.len(), there.iter().map(|&i| seen[i]));
    let noise = model.observation_root(t).select_rows(&there);
    let n = mean.len();
    let line_at = |center: &DVector<f64>, spread: &DMatrix<f64>| {
        let line = rule.linearize(model.observation(), t, center, spread)?;
        let line = Linearization {
            mean: line.mean.select_rows(&there),
            slope: line.slope.select_rows(&there),
            residual_root: line.residual_root.select_rows(&there),
        };
        if line.is_finite() { Ok(line) } else { Err(Error::Undefined { what: "observation", time: t }) }
    };
    let mut found = condition(line_at(mean, root)?, &noise, &y, t)?;
    found.converged = options.max_iterations <= 1;
    for _ in 1..options.max_iterations {
        // Where the observation is exact, nothing is left along which to find a line again.
        if (0..n).any(|i| found.root[(i, i)] <= 4.0 * n as f64 * f64::EPSILON) {
            break;
        }
        let mut line = line_at(&(mean + root * &found.mean), &(root * &found.root))?;
        // From a slope along the posterior's root to one along the prior's: B C⁻¹.
        let mut slope = line.slope.transpose();
        solve_lower_transpose_in_place(&found.root, &mut slope);
        line.slope = slope.transpose();
        line.mean -= &line.slope * &found.mean;
        let mut next = condition(line, &noise, &y, t)?;
        next.converged = (&next.mean - &found.mean).amax() <= options.tolerance;
        found = next;
        if found.converged {
            break;
        }
    }
    Ok(Some(found))
}

/// Bayes' rule for a standard normal ξ and y = μ + B ξ + e + noise, by one orthogonal reduction.
fn condition(line: Linearization, noise: &DMatrix<f64>, y: &DVector<f64>, t: usize) -> Result<Update, Error> {
    let (m, n) = line.slope.shape();
    let above = stack(&[noise, &line.residual_root]);
    let rows = above.nrows();
    let mut array = DMatrix::zeros(rows + n, m + n);
    array.view_mut((0, 0), (rows, m)).copy_from(&above);
    array.view_mut((rows, 0), (n, m)).copy_from(&line.slope.transpose());
    array.view_mut((rows, m), (n, n)).fill_with_identity();
    let triangle = triangularize(array);
    let innovation = triangle.view((0, 0), (m, m)).into_owned();
    for (j, column) in innovation.column_iter().enumerate() {
        let size = column.norm();
        if !size.is_finite() {
            return Err(Error::Overflow { time: t });
        }
        if column[j] <= 4.0 * m as f64 * f64::EPSILON * size {
            return Err(Error::Singular { time: t });
        }
    }
    let mut white = DMatrix::from_column_slice(m, 1, (y - line.mean).as_slice());
    solve_upper_transpose_in_place(&innovation, &mut white);
    let mean = triangle.view((0, m), (m, n)).tr_mul(&white).column(0).into_owned();
    let root = triangle.view((m, m), (n, n)).transpose();
    let spread: f64 = innovation.diagonal().iter().map(|entry| entry.ln()).sum();
    let ln_likelihood = -0.5 * white.norm_squared() - spread - HALF_LN_TAU * m as f64;
    Ok(Update { mean, root, ln_likelihood, converged: true })
}
