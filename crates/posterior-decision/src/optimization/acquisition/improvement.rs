//! By how much, and how probably, a value falls below the best one.

use std::f64::consts::TAU;

use posterior_math::special::{ln_normal_cdf, normal_cdf};

/// Below this z, h(z) = φ(z) + z Φ(z) is computed without its cancellation.
const TAIL: f64 = -3.0;

/// E max(best - f, 0) for f normal with this mean and standard deviation: s h(z) with z = (best - mean)/s,
/// h(z) = φ(z) + z Φ(z).
///
/// Without a deviation it is max(best - mean, 0). NaN for NaN, and for a negative deviation.
///
/// ```
/// use posterior_decision::optimization::expected_improvement;
///
/// assert!((expected_improvement(1.0, 0.5, 1.2) - 0.3152194184737265).abs() < 1e-15);
/// ```
///
/// # References
/// D. Jones, M. Schonlau, W. Welch, Journal of Global Optimization 13 (1998).
pub fn expected_improvement(mean: f64, sd: f64, best: f64) -> f64 {
    let gain = best - mean;
    if sd == 0.0 {
        return if gain.is_nan() { gain } else { gain.max(0.0) };
    }
    let z = gain / sd;
    if z > TAIL {
        // A gain of many deviations is more exact than its quotient by them.
        let density = (-0.5 * z * z).exp() / TAU.sqrt();
        check_sd(sd) * density + gain * normal_cdf(z)
    } else {
        check_sd(sd) * ln_h(z).exp()
    }
}

/// ln of [`expected_improvement`], finite where that is zero in floating-point numbers: up to gains of -10¹⁵⁴
/// deviations.
///
/// # Numerics
/// For z ≤ -3, h(z) = φ(z) K/(|z| + K) with the continued fraction K = 1/(|z| + 2/(|z| + 3/(|z| + …))) of
/// Mills' ratio, in which nothing cancels. Relative error of h(z) below 10⁻¹³, times z² of the rounding of z.
///
/// ```
/// use posterior_decision::optimization::ln_expected_improvement;
///
/// let far = ln_expected_improvement(40.0, 1.0, 0.0); // about 10⁻³⁵¹
/// assert!((far + 808.29856835662).abs() < 1e-10);
/// ```
///
/// # References
/// S. Ament, S. Daulton, D. Eriksson, M. Balandat, E. Bakshy, Unexpected improvements to expected
/// improvement, NeurIPS 2023.
pub fn ln_expected_improvement(mean: f64, sd: f64, best: f64) -> f64 {
    let gain = best - mean;
    if sd == 0.0 {
        return if gain.is_nan() { gain } else { gain.max(0.0).ln() };
    }
    check_sd(sd).ln() + ln_h(gain / sd)
}

/// P(f < best), for f normal with this mean and standard deviation; a tie counts as no improvement.
pub fn probability_of_improvement(mean: f64, sd: f64, best: f64) -> f64 {
    ln_probability_of_improvement(mean, sd, best).exp()
}

/// ln P(f < best).
pub(super) fn ln_probability_of_improvement(mean: f64, sd: f64, best: f64) -> f64 {
    let gain = best - mean;
    if sd == 0.0 && gain == 0.0 {
        return f64::NEG_INFINITY;
    }
    ln_normal_cdf(gain / check_sd(sd))
}

/// ln(φ(z) + z Φ(z)).
pub(super) fn ln_h(z: f64) -> f64 {
    let ln_density = -0.5 * z * z - 0.5 * TAU.ln();
    if z > TAIL {
        (ln_density.exp() + z * normal_cdf(z)).ln()
    } else {
        let x = -z;
        // 80 terms are enough from 3 on: the rest falls like e^(-2x √(2n)).
        let fraction = (2..=80).rev().fold(x, |tail, term| x + f64::from(term) / tail).recip();
        ln_density + (fraction / (x + fraction)).ln()
    }
}

fn check_sd(sd: f64) -> f64 {
    if sd >= 0.0 { sd } else { f64::NAN }
}
