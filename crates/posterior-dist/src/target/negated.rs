//! A log-density as what a minimiser takes.

use super::EvalError;

/// -ln p of what a target returned, and the gradient that it wrote, negated: for a minimiser that looks for
/// the mode. NaN where there is no value; the first error that is fatal is left in `fatal`.
///
/// ```
/// use posterior_dist::target::{FromGradFn, GradTarget, negated};
/// use posterior_math::iteration::Silent;
/// use posterior_math::optimize::minimize;
///
/// let target = FromGradFn::new(1, |x, gradient| {
///     gradient[0] = 3.0 - x[0];
///     -0.5 * (3.0 - x[0]) * (3.0 - x[0])
/// });
/// let mut fatal = None;
/// let objective = |x: &[f64], gradient: &mut [f64]| {
///     negated(target.ln_density_grad(x, gradient), gradient, &mut fatal)
/// };
/// let mode = minimize(objective, &[0.0], &Default::default(), &mut Silent).model.point;
/// assert!((mode[0] - 3.0).abs() < 1e-8 && fatal.is_none());
/// ```
pub fn negated(value: Result<f64, EvalError>, gradient: &mut [f64], fatal: &mut Option<EvalError>) -> f64 {
    for slope in gradient {
        *slope = -*slope;
    }
    match value {
        Ok(value) => -value,
        Err(error) => {
            if error.is_fatal() {
                fatal.get_or_insert(error);
            }
            f64::NAN
        }
    }
}
