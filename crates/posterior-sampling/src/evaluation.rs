//! The log-density where a chain starts, and at a proposal.

use posterior_dist::target::{EvalError, GradTarget, Target};
use posterior_math::check;

use crate::Error;

/// ln p where a chain starts: finite, or the start is refused.
pub(crate) fn at_start<T: Target + ?Sized>(target: &T, position: &[f64]) -> Result<f64, Error> {
    check_start(position, target.dim())?;
    started(position, target.ln_density(position))
}

/// ln p and its gradient where a chain starts: finite, or the start is refused.
pub(crate) fn at_start_grad<T: GradTarget + ?Sized>(
    target: &T,
    position: &[f64],
    gradient: &mut [f64],
) -> Result<f64, Error> {
    check_start(position, target.dim())?;
    let ln_density = started(position, target.ln_density_grad(position, gradient))?;
    match gradient.iter().position(|slope| !slope.is_finite()) {
        None => Ok(ln_density),
        Some(i) => Err(refused(position, format!("coordinate {i} of the gradient is {}", gradient[i]))),
    }
}

/// ln p at a proposal; NaN where it has no value, and where the proposal is no point of ℝⁿ.
pub(crate) fn at_proposal<T: Target + ?Sized>(target: &T, position: &[f64]) -> Result<f64, Error> {
    if is_point(position) { proposed(target.ln_density(position)) } else { Ok(f64::NAN) }
}

/// As [`at_proposal`], with the gradient; NaN where one of them has no value.
pub(crate) fn at_proposal_grad<T: GradTarget + ?Sized>(
    target: &T,
    position: &[f64],
    gradient: &mut [f64],
) -> Result<f64, Error> {
    if !is_point(position) {
        return Ok(f64::NAN);
    }
    let ln_density = proposed(target.ln_density_grad(position, gradient))?;
    let flat = ln_density == f64::NEG_INFINITY || gradient.iter().all(|slope| slope.is_finite());
    Ok(if flat { ln_density } else { f64::NAN })
}

/// ln p where a chain is put: as given, or computed where it was not (NaN).
pub(crate) fn at_relocation<T: Target + ?Sized>(
    target: &T,
    position: &[f64],
    ln_density: f64,
) -> Result<f64, Error> {
    if ln_density.is_nan() { at_start(target, position) } else { Ok(ln_density) }
}

/// A start that no chain can take.
pub(crate) fn refused(position: &[f64], why: String) -> Error {
    Error::Start { position: position.to_vec(), why }
}

/// Refuses what is no point of ℝⁿ.
pub(crate) fn check_start(position: &[f64], dim: usize) -> Result<(), Error> {
    check::dimension("coordinates of a start", dim, position.len())?;
    match position.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(i) => Err(refused(position, format!("coordinate {i} is {}", position[i]))),
    }
}

fn is_point(position: &[f64]) -> bool {
    position.iter().all(|x| x.is_finite())
}

fn started(position: &[f64], value: Result<f64, EvalError>) -> Result<f64, Error> {
    match value {
        Ok(ln_density) if ln_density.is_finite() => Ok(ln_density),
        Ok(ln_density) => Err(refused(position, format!("ln p(x) is {ln_density}"))),
        Err(why) if why.is_fatal() => Err(why.into()),
        Err(why) => Err(refused(position, why.to_string())),
    }
}

fn proposed(value: Result<f64, EvalError>) -> Result<f64, Error> {
    match value {
        Ok(ln_density) if ln_density < f64::INFINITY => Ok(ln_density),
        Err(why) if why.is_fatal() => Err(why.into()),
        Ok(_) | Err(_) => Ok(f64::NAN),
    }
}
