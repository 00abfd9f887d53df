//! Riemann's and Hurwitz's zeta functions of a real exponent.

/// B₂ⱼ / (2j)!, j = 1, 2, …: the coefficients of Euler and Maclaurin's formula.
const BERNOULLI: [f64; 12] = [
    0.083_333_333_333_333_33,
    -1.388_888_888_888_889e-3,
    3.306_878_306_878_307e-5,
    -8.267_195_767_195_768e-7,
    2.087_675_698_786_81e-8,
    -5.284_190_138_687_493e-10,
    1.338_253_653_068_467_9e-11,
    -3.389_680_296_322_582_7e-13,
    8.586_062_056_277_845e-15,
    -2.174_868_698_558_062e-16,
    5.509_002_828_360_23e-18,
    -1.395_446_468_581_252_3e-19,
];

/// From a place so far beyond the exponent the rest of the sum is Euler and Maclaurin's.
const BEYOND: f64 = 20.0;

/// Terms below this part of the sum, with all that follow them, are none.
const NEGLIGIBLE: f64 = 1e-18;

/// aˢ ζ(s, a) = Σ (1 + k/a)⁻ˢ over k = 0, 1, …, for a > 0: Hurwitz's zeta function in units of its first
/// term.
///
/// Infinite for s ≤ 1; NaN for NaN and for a that is not positive. a = 1 is Riemann's ζ(s).
///
/// # Numerics
/// Relative error below 4e-15: terms one by one up to k + a = s + 20, Euler and Maclaurin's formula from
/// there; at most some hundred terms.
///
/// ```
/// use posterior_math::special::hurwitz_zeta_scaled;
///
/// let zeta_2 = std::f64::consts::PI.powi(2) / 6.0;
/// assert!((hurwitz_zeta_scaled(2.0, 1.0) - zeta_2).abs() < 1e-15);
/// ```
pub fn hurwitz_zeta_scaled(s: f64, a: f64) -> f64 {
    hurwitz_zeta_scaled_with_slope(s, a)[0]
}

/// [`hurwitz_zeta_scaled`] and its derivative in s, which is -Σ ln(1 + k/a) (1 + k/a)⁻ˢ.
///
/// ```
/// use posterior_math::special::hurwitz_zeta_scaled_with_slope;
///
/// let [_, slope] = hurwitz_zeta_scaled_with_slope(2.0, 1.0); // ζ'(2)
/// assert!((slope + 0.9375482543158437).abs() < 1e-15);
/// ```
pub fn hurwitz_zeta_scaled_with_slope(s: f64, a: f64) -> [f64; 2] {
    if s.is_nan() || !(a > 0.0) {
        return [f64::NAN; 2];
    }
    if s <= 1.0 {
        return [f64::INFINITY, f64::NEG_INFINITY];
    }
    let (mut sum, mut slope, mut k) = (0.0, 0.0, 0.0);
    while a + k < s + BEYOND {
        let ln_growth = (k / a).ln_1p();
        let term = (-s * ln_growth).exp();
        sum += term;
        if term > 0.0 {
            slope -= term * ln_growth;
        }
        // All that follow are at most their integral.
        if term * (1.0 + (a + k) / (s - 1.0)) < NEGLIGIBLE * sum {
            return [sum, slope];
        }
        k += 1.0;
    }
    let [rest, rest_slope] = rest(s, a + k, (k / a).ln_1p());
    [sum + rest, slope + rest_slope]
}

/// Σ (x + j)⁻ˢ over j = 0, 1, … and its derivative, where (x + j)⁻ˢ is in units in which x⁻ˢ is e^(-s l).
fn rest(s: f64, x: f64, l: f64) -> [f64; 2] {
    let first = (-s * l).exp();
    let (integral, inverse) = (x / (s - 1.0), (s - 1.0).recip());
    // The sum of coefficients, and that of their derivatives in s.
    let (mut sum, mut slope) = (integral + 0.5, -integral * inverse);
    // (s)ₙ x⁻ⁿ for odd n, and the derivative of the logarithm of (s)ₙ.
    let (mut rising, mut digammas, mut n) = (s / x, s.recip(), 1.0);
    for coefficient in BERNOULLI {
        let term = coefficient * rising;
        sum += term;
        slope += term * digammas;
        rising *= (s + n) / x * ((s + n + 1.0) / x);
        digammas += (s + n).recip() + (s + n + 1.0).recip();
        n += 2.0;
    }
    [first * sum, first * (slope - l * sum)]
}
