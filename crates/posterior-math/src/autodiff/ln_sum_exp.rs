//! ln Σ exp(xᵢ) of numbers with derivatives.

use super::real::Real;
use crate::log_space;

/// ln Σ exp(xᵢ), whose derivatives are the terms' proportions of the sum: the log density of a mixture.
///
/// -∞ for no terms. The sum of terms that are all -∞ is -∞ with derivatives 0; a term of +∞ or NaN is the
/// sum.
///
/// ```
/// use posterior_math::autodiff::{gradient, ln_sum_exp};
///
/// let mut slope = [0.0; 2];
/// let value = gradient(|x| ln_sum_exp(x), &[1000.0, 1000.0], &mut slope);
/// assert!((value - 1000.0 - 2_f64.ln()).abs() < 1e-12);
/// assert_eq!(slope, [0.5, 0.5]);
/// ```
pub fn ln_sum_exp<R: Real>(terms: &[R]) -> R {
    let values = terms.iter().map(|term| term.value());
    let (at, largest) = log_space::largest_of(values);
    if !largest.is_finite() {
        return R::from(largest);
    }
    // A term of -∞ adds nothing, and its difference would have no derivative.
    let adds = |&(index, term): &(usize, &R)| index != at && term.value() > f64::NEG_INFINITY;
    let others: R = terms.iter().enumerate().filter(adds).map(|(_, &term)| (term - terms[at]).exp()).sum();
    terms[at] + others.ln_1p()
}
