//! Draws from the gamma distribution with rate 1, as logarithms.

use rand::Rng;
use rand::distr::{Distribution, Open01};

/// From this shape on a gamma variate never underflows, and its logarithm is not needed.
pub(crate) const PLAIN_FROM: f64 = 0.1;

/// Up to this shape variates and their sums do not overflow.
pub(crate) const PLAIN_TO: f64 = 1e300;

/// The logarithm of a draw from Gamma(a, 1): for a < 1 by Gamma(a) = Gamma(a + 1) · U^(1/a), which underflows
/// only as a number.
pub(crate) fn sample_ln_gamma<R: Rng + ?Sized>(a: f64, rng: &mut R) -> f64 {
    let shape = if a < 1.0 { a + 1.0 } else { a };
    let gamma = rand_distr::Gamma::new(shape, 1.0).expect("a is positive");
    let ln_draw = gamma.sample(rng).ln();
    if a < 1.0 {
        let uniform: f64 = Open01.sample(rng);
        ln_draw + uniform.ln() / a
    } else {
        ln_draw
    }
}

/// A draw from Gamma(a, 1) for a not so small that it would underflow.
pub(crate) fn sample_gamma<R: Rng + ?Sized>(a: f64, rng: &mut R) -> f64 {
    rand_distr::Gamma::new(a, 1.0).expect("a is positive").sample(rng)
}

/// The root of a draw from χ²(ν): with few degrees of freedom it may be a number where the square underflows.
/// NaN if ν is negative or NaN.
pub fn sample_chi<R: Rng + ?Sized>(degrees_of_freedom: f64, rng: &mut R) -> f64 {
    if degrees_of_freedom.is_nan() || degrees_of_freedom < 0.0 {
        return f64::NAN;
    }
    if degrees_of_freedom < 1.0 {
        return (0.5 * (std::f64::consts::LN_2 + sample_ln_gamma(0.5 * degrees_of_freedom, rng))).exp();
    }
    // At least one, which the crate takes.
    rand_distr::ChiSquared::new(degrees_of_freedom).map_or(f64::NAN, |square| f64::sqrt(square.sample(rng)))
}
