//! The error function erf x = 2/√π ∫₀ˣ e^(-t²) dt, its complement, and the complement without its exponential
//! decay.

use std::f64::consts::FRAC_2_SQRT_PI;

use super::exact::exact_square;
use super::polynomial::polynomial;

/// Up to here erf has its own polynomial, and above it is 1 - erfc.
const SMALL_TO: f64 = 0.85;

/// From here on [`scaled_complement`] holds.
const SCALED_FROM: f64 = 0.5;

/// From here on erfc is below the smallest subnormal number.
const VANISHES_FROM: f64 = 27.3;

/// Below this, 2 exp(x²) overflows.
const OVERFLOWS_BELOW: f64 = -26.7;

/// erf(x) / x on x² ≤ ¾, in powers of x²; error below 3e-19 (interpolation at Chebyshev points with 60
/// digits, mpmath 1.3; so are the others).
const SMALL: [f64; 12] = [
    FRAC_2_SQRT_PI,
    -0.3761263890318374,
    0.11283791670954493,
    -0.026866170644973524,
    0.00522397762340871,
    -0.0008548326868599297,
    0.00012055325494924972,
    -1.4925411533551613e-05,
    1.6457013907764837e-06,
    -1.6293444273884912e-07,
    1.4147272175166887e-08,
    -8.727804892971983e-10,
];

/// erfcx(x) on [½, 4] as a ratio of polynomials in x; error below 2e-18.
const MIDDLE_ABOVE: [f64; 9] = [
    1.0000000000061475,
    1.9174150541208184,
    1.8293748727720025,
    1.0971271198620272,
    0.44685614828909787,
    0.12598738653257832,
    0.024032217289083745,
    0.002852668943880476,
    0.00016357124680051294,
];
const MIDDLE_BELOW: [f64; 10] = [
    1.0,
    3.0457942213139275,
    4.266185618629667,
    3.6174606551146113,
    2.0537449232983582,
    0.8131837317170921,
    0.2258350303960212,
    0.042740952473668145,
    0.005056224223225985,
    0.00028992248346680914,
];

/// x erfcx(x) on [4, ∞) as a ratio of polynomials in 1/x²; error below 3e-18.
const FAR_ABOVE: [f64; 6] = [
    0.5641895835477563,
    14.360643200239075,
    121.89635699680933,
    412.55846090671685,
    515.3801581402914,
    161.23208338025304,
];
const FAR_BELOW: [f64; 7] = [
    1.0,
    25.953577341743852,
    228.2824560412278,
    827.7918777696226,
    1198.27210076635,
    551.309028221967,
    34.979494630785425,
];

/// The error function erf x = 2/√π ∫₀ˣ e^(-t²) dt.
///
/// erf(±∞) = ±1, NaN for NaN. Relative error below 3e-16.
///
/// ```
/// // The proportion of a normal distribution within two standard deviations.
/// let value = posterior_math::special::erf(2_f64.sqrt());
/// assert!((value - 0.9544997361036416).abs() < 1e-15);
/// ```
pub fn erf(x: f64) -> f64 {
    if x.abs() <= SMALL_TO {
        erf_small(x)
    } else if x.abs() < 6.0 {
        (1.0 - erfc_tail(x.abs())).copysign(x)
    } else if x.is_nan() {
        x
    } else {
        1_f64.copysign(x)
    }
}

/// The complementary error function erfc x = 1 - erf x.
///
/// erfc(-∞) = 2, zero from about 27.23 on, NaN for NaN.
///
/// # Numerics
/// Relative error below 7e-16 in the whole tail: erfc x = e^(-x²) [`erfcx`]`(x)`, and x² is taken with twice
/// the digits, because its rounding alone would cost two of them.
///
/// ```
/// let value = posterior_math::special::erfc(5.0);
/// assert!((value / 1.537459794428035e-12 - 1.0).abs() < 1e-15);
/// ```
pub fn erfc(x: f64) -> f64 {
    if x >= SCALED_FROM {
        erfc_tail(x)
    } else if x > -SCALED_FROM {
        1.0 - erf_small(x)
    } else if x.is_nan() {
        x
    } else {
        2.0 - erfc_tail(-x)
    }
}

/// The scaled complementary error function erfcx x = e^(x²) erfc x, which falls like 1 / (x √π) only.
///
/// Zero at ∞; +∞ below -26.63, NaN for NaN. Relative error below 6e-16.
///
/// # References
/// W. J. Cody, Rational Chebyshev approximations for the error function, Mathematics of Computation 23
/// (1969): the intervals and the forms; the coefficients are new.
///
/// ```
/// let value = posterior_math::special::erfcx(1e10); // 1 / (x √π)
/// assert!((value / 5.641895835477563e-11 - 1.0).abs() < 1e-15);
/// ```
pub fn erfcx(x: f64) -> f64 {
    if x >= SCALED_FROM {
        scaled_complement(x)
    } else if x > -SCALED_FROM {
        (x * x).exp() * (1.0 - erf_small(x))
    } else if x > OVERFLOWS_BELOW {
        let (square, rest) = exact_square(x);
        let growth = square.exp();
        2.0 * (growth + growth * rest) - scaled_complement(-x)
    } else if x.is_nan() {
        x
    } else {
        f64::INFINITY
    }
}

/// erf(x) for |x| ≤ 0.85.
pub(super) fn erf_small(x: f64) -> f64 {
    x * polynomial(&SMALL, x * x)
}

/// erfcx(x) for x ≥ ½.
pub(super) fn scaled_complement(x: f64) -> f64 {
    if x < 4.0 {
        return polynomial(&MIDDLE_ABOVE, x) / polynomial(&MIDDLE_BELOW, x);
    }
    if x > 1e8 {
        return 0.5 * FRAC_2_SQRT_PI / x;
    }
    let y = (x * x).recip();
    polynomial(&FAR_ABOVE, y) / (x * polynomial(&FAR_BELOW, y))
}

/// erfc(x) for x ≥ ½.
fn erfc_tail(x: f64) -> f64 {
    if x > VANISHES_FROM {
        return 0.0;
    }
    let (square, rest) = exact_square(x);
    let decay = (-square).exp();
    (decay - decay * rest) * scaled_complement(x)
}
