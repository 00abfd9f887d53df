//! Control variates: functions of the draws whose means are known.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{Cholesky, DMatrix, DVector, MatrixError, PivotedCholesky};
use posterior_math::streaming::StreamingCovariance;

use super::{Estimate, at_least, moments};
use crate::Error;

/// Of the variance of a control, at least this proportion must be its own, or it adds nothing but rounding to
/// the others.
const OWN_PROPORTION: f64 = 1e-10;

/// A mean that was freed of what known means explain.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Controlled {
    /// The mean; its standard error is that of the residual.
    pub estimate: Estimate,
    /// What was taken of each control; zero for one that does not vary, or is a linear function of others.
    pub coefficients: Vec<f64>,
    /// The variance that is left, over that of the values: what the same accuracy costs now, in draws.
    pub variance_left: f64,
}

/// The mean of independent values, less the part that controls explain: their optimal linear combination,
/// found by regression.
///
/// `controls` has a row for each value and a column for each control, `means` the known mean of each control.
/// If β are the coefficients of the regression of the values on the controls, the estimate is ȳ - βᵀ(c̄ - μ).
/// The bias from estimating β is of order 1/S, and zero where values and controls are jointly normal; the
/// standard error counts the error of β.
///
/// ```
/// use posterior_dist::stream::stream;
/// use posterior_math::linalg::DMatrix;
/// use posterior_sampling::estimate::control_variates;
/// use rand::RngExt;
///
/// // E exp(u), with u as the control: its mean is 1/2.
/// let mut rng = stream(1, &[]);
/// let uniform: Vec<f64> = (0..1000).map(|_| rng.random()).collect();
/// let values: Vec<f64> = uniform.iter().map(|u| u.exp()).collect();
/// let controlled = control_variates(&values, &DMatrix::from_vec(1000, 1, uniform), &[0.5])?;
/// assert!((controlled.estimate.value - 1.0_f64.exp_m1()).abs() < 4.0 * controlled.estimate.standard_error);
/// assert!(controlled.variance_left < 1.0 / 50.0); // a draw is worth sixty
/// # Ok::<(), posterior_sampling::Error>(())
/// ```
///
/// # Errors
/// Sizes that do not go together; fewer values than controls and two more; a number that is not finite, with
/// its place.
pub fn control_variates(values: &[f64], controls: &DMatrix<f64>, means: &[f64]) -> Result<Controlled, Error> {
    check_sizes(values, controls, means)?;
    let (n, k) = controls.shape();
    let own = moments("control_variates", values.iter().copied())?;
    let mut joint = StreamingCovariance::new(k + 1);
    let mut row = vec![0.0; k + 1];
    for (i, &value) in values.iter().enumerate() {
        for (j, cell) in row[..k].iter_mut().enumerate() {
            *cell = check::finite("control_variates", "control", controls[(i, j)])
                .map_err(|error| error.at(i))?;
        }
        row[k] = value;
        joint.push(&row);
    }
    let (scatter, centre) = (joint.scatter(), joint.mean());
    let kept = independent(&scatter, k)?;
    let gram = DMatrix::from_fn(kept.len(), kept.len(), |a, b| scaled(&scatter, kept[a], kept[b]));
    let gram = Cholesky::new(&gram).map_err(|error| refused(&error))?;
    let scale = DVector::from_iterator(kept.len(), kept.iter().map(|&j| scatter[(j, j)].sqrt()));
    let moment = DVector::from_fn(kept.len(), |a, _| scatter[(kept[a], k)] / scale[a]);
    let beta = gram.solve_vector(&moment).component_div(&scale);
    let shift = DVector::from_iterator(kept.len(), kept.iter().map(|&j| centre[j] - means[j]));
    // Residuals one by one: what is left may be far smaller than the variance that it is left of.
    let residual = |i: usize| {
        let explained: f64 = kept.iter().zip(&beta).map(|(&j, b)| b * (controls[(i, j)] - centre[j])).sum();
        values[i] - own.mean() - explained
    };
    let squares: f64 = (0..n).map(|i| residual(i).powi(2)).sum();
    let variance = squares / (n - 1 - kept.len()) as f64;
    let leverage = gram.half_solve_vector(&shift.component_div(&scale)).norm_squared();
    let mut coefficients = vec![0.0; k];
    for (&j, &b) in kept.iter().zip(&beta) {
        coefficients[j] = b;
    }
    let estimate = Estimate {
        value: own.mean() - beta.dot(&shift),
        standard_error: (variance * (1.0 / n as f64 + leverage)).sqrt(),
        draws: n,
    };
    let total = own.sample_variance();
    let variance_left = if total > 0.0 { variance / total } else { 1.0 };
    Ok(Controlled { estimate, coefficients, variance_left })
}

fn check_sizes(values: &[f64], controls: &DMatrix<f64>, means: &[f64]) -> Result<(), Error> {
    let (n, k) = controls.shape();
    for (what, expected, found) in
        [("rows of controls", values.len(), n), ("means of controls", k, means.len())]
    {
        check::dimension(what, expected, found)?;
    }
    for (j, &mean) in means.iter().enumerate() {
        check::finite("control_variates", "mean", mean).map_err(|error| error.at(j))?;
    }
    at_least(k + 2, n, "control_variates", "values", "at least the number of controls and two")?;
    Ok(())
}

/// The correlation of two columns.
fn scaled(scatter: &DMatrix<f64>, i: usize, j: usize) -> f64 {
    if i == j { 1.0 } else { scatter[(i, j)] / scatter[(i, i)].sqrt() / scatter[(j, j)].sqrt() }
}

/// The controls that vary, without those that are linear functions of the others.
fn independent(scatter: &DMatrix<f64>, controls: usize) -> Result<Vec<usize>, Error> {
    let varying: Vec<usize> = (0..controls).filter(|&j| scatter[(j, j)] > 0.0).collect();
    let correlation =
        DMatrix::from_fn(varying.len(), varying.len(), |a, b| scaled(scatter, varying[a], varying[b]));
    let factor =
        PivotedCholesky::with_tolerance(&correlation, OWN_PROPORTION).map_err(|error| refused(&error))?;
    let mut kept: Vec<usize> = factor.pivots().iter().map(|&a| varying[a]).collect();
    kept.sort_unstable();
    Ok(kept)
}

/// Only overflow of squares gets here.
fn refused(_: &MatrixError) -> ParamError {
    ParamError::new("control_variates", "covariance of the controls", f64::NAN, "finite: scale the controls")
}
