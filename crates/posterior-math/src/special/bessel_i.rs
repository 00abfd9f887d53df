//! The modified Bessel functions I₀ and I₁ by their logarithms, and their ratio, the mean of the von Mises
//! distribution.

use super::constants::HALF_LN_TAU;
use super::polynomial::polynomial;

/// 1 / (k!)², k = 1, 2, …
const SERIES_0: [f64; 24] = [
    1.0,
    0.25,
    0.027777777777777777778,
    0.0017361111111111111111,
    6.9444444444444444444e-5,
    1.9290123456790123457e-6,
    3.9367598891408415218e-8,
    6.1511873267825648778e-10,
    7.5940584281266233059e-12,
    7.5940584281266233059e-14,
    6.2760813455591928148e-16,
    4.3583898233049950103e-18,
    2.5789288895295828463e-20,
    1.3157800456783585951e-22,
    5.8479113141260382003e-25,
    2.284340357080483672e-27,
    7.9042918930120542283e-30,
    2.4395962632753253791e-32,
    6.7578843858042254269e-35,
    1.6894710964510563567e-37,
    3.8310002187098783599e-40,
    7.9152897080782610742e-43,
    1.4962740468957015263e-45,
    2.5976979980828151499e-48,
];

/// 1 / (k! (k + 1)!), k = 1, 2, …
const SERIES_1: [f64; 24] = [
    0.5,
    0.083333333333333333333,
    0.0069444444444444444444,
    0.00034722222222222222222,
    1.1574074074074074074e-5,
    2.7557319223985890653e-7,
    4.9209498614260519022e-9,
    6.8346525853139609753e-11,
    7.5940584281266233059e-13,
    6.9036894801151120963e-15,
    5.2300677879659940123e-17,
    3.3526075563884577002e-19,
    1.8420920639497020331e-21,
    8.7718669711890573004e-24,
    3.6549445713287738752e-26,
    1.3437296218120492188e-28,
    4.3912732738955856824e-31,
    1.2839980333028028311e-33,
    3.3789421929021127135e-36,
    8.0451004592907445558e-39,
    1.7413637357772174363e-41,
    3.4414303078601135105e-44,
    6.2344751953987563597e-47,
    1.0390791992331260599e-49,
];

/// Chebyshev coefficients of √(2πx) e^(-x) I₀(x) in 16/x - 1 on x ≥ 8 (mpmath 1.4, 80 nodes at 60 digits).
const SCALED_0: [f64; 26] = [
    1.0082792054587400319,
    0.0084451226249209431977,
    0.00017270063077756652704,
    7.2475910999589629334e-6,
    5.1358772687802224829e-7,
    5.681696580812039754e-8,
    8.5130912228479602062e-9,
    1.2384253640034156034e-9,
    2.9801672301775267398e-11,
    -7.8956698317201713488e-11,
    -3.3127127631469398433e-11,
    -4.4973386368108875931e-12,
    1.7997902965207698339e-12,
    9.6574832300685536412e-13,
    3.8604236582086752495e-14,
    -1.0403934481726887425e-13,
    -2.3950448895047711691e-14,
    9.5544665396637010533e-15,
    4.4431493480031774079e-15,
    -8.5864191086248113836e-16,
    -7.0878022195875254416e-16,
    8.6759991049698506225e-17,
    1.1193652915913705444e-16,
    -1.2108279125199573123e-17,
    -1.8130894726416112955e-17,
    2.4869450794210852677e-18,
];

/// As [`SCALED_0`], for I₁.
const SCALED_1: [f64; 26] = [
    0.97580060232628592615,
    -0.024467442963276384886,
    -0.0002772053607638288576,
    -9.7321467280201252931e-6,
    -6.2972423863980775627e-7,
    -6.5961142154239047146e-8,
    -9.6138729194231162228e-9,
    -1.401140901027573805e-9,
    -4.7563166542317858685e-11,
    8.1530681073527234937e-11,
    3.5408148322608958693e-11,
    5.1025640654050344077e-12,
    -1.8044093418733205641e-12,
    -1.0235944675964539621e-12,
    -5.26778420341409688e-14,
    1.0709418947555121575e-13,
    2.6119760917903906279e-14,
    -9.5612905922099641025e-15,
    -4.7133504466327548854e-15,
    8.2924334507540151321e-16,
    7.4262096127410384462e-16,
    -8.0450884242298474064e-17,
    -1.1656586922323759271e-16,
    1.1065130320681485687e-17,
    1.8843067481536130404e-17,
    -2.3347184103812112215e-18,
];

/// From here on the expansions in 1 / x are used, and the power series below.
const LARGE_FROM: f64 = 8.0;

/// ln I₀(x), for all real x: I₀ is even.
///
/// Zero at 0, +∞ at ±∞, NaN for NaN. Relative error below 3e-16.
///
/// ```
/// let value = posterior_math::special::ln_bessel_i0(1000.0);
/// assert!((value / 995.62730888986946 - 1.0).abs() < 1e-15);
/// ```
pub fn ln_bessel_i0(x: f64) -> f64 {
    let x = x.abs();
    if x < LARGE_FROM {
        excess(&SERIES_0, x).ln_1p()
    } else if x < f64::INFINITY {
        x + (scaled(&SCALED_0, x).ln() - HALF_LN_TAU - 0.5 * x.ln())
    } else {
        x
    }
}

/// ln(I₀(x) e^(-|x|)), which keeps its digits for large x, where ln I₀(x) is nearly |x|.
///
/// Zero at 0, -∞ at ±∞, NaN for NaN.
///
/// ```
/// let value = posterior_math::special::ln_bessel_i0_scaled(1e12); // -½ ln 2πx + 1 / (8x)
/// assert!((value / -14.734449091168822 - 1.0).abs() < 1e-15);
/// ```
pub fn ln_bessel_i0_scaled(x: f64) -> f64 {
    let x = x.abs();
    if x < LARGE_FROM {
        excess(&SERIES_0, x).ln_1p() - x
    } else if x < f64::INFINITY {
        scaled(&SCALED_0, x).ln() - HALF_LN_TAU - 0.5 * x.ln()
    } else {
        -x
    }
}

/// ln I₁(x) for x ≥ 0.
///
/// -∞ at 0, +∞ at ∞, NaN for negative x and for NaN. Relative error below 3e-16, next to the root at 1.56 of
/// what the rounding of x allows.
///
/// ```
/// let value = posterior_math::special::ln_bessel_i1(1e-300);
/// assert!((value - (0.5e-300_f64).ln()).abs() < 1e-12);
/// ```
pub fn ln_bessel_i1(x: f64) -> f64 {
    if x < 0.0 || x.is_nan() {
        f64::NAN
    } else if x < LARGE_FROM {
        if x < 1e-300 { x.ln() - std::f64::consts::LN_2 } else { ln_small_i1(x) }
    } else if x < f64::INFINITY {
        x + (scaled(&SCALED_1, x).ln() - HALF_LN_TAU - 0.5 * x.ln())
    } else {
        x
    }
}

/// ln of (x / 2) (1 + …), as one logarithm next to the root.
fn ln_small_i1(x: f64) -> f64 {
    let excess = excess(&SERIES_1, x);
    if x > 0.5 { (0.5 * x * (1.0 + excess)).ln() } else { (0.5 * x).ln() + excess.ln_1p() }
}

/// A(x) = I₁(x) / I₀(x), the mean resultant length of the von Mises distribution with concentration x; odd in
/// x.
///
/// ±1 at ±∞, NaN for NaN. Relative error below 6e-16.
///
/// ```
/// let value = posterior_math::special::bessel_i1_over_i0(1.0);
/// assert!((value - 0.4463899658965345).abs() < 1e-15);
/// ```
pub fn bessel_i1_over_i0(x: f64) -> f64 {
    let size = x.abs();
    if size < LARGE_FROM {
        0.5 * x * ((1.0 + excess(&SERIES_1, x)) / (1.0 + excess(&SERIES_0, x)))
    } else if x.is_nan() {
        x
    } else {
        (scaled(&SCALED_1, size) / scaled(&SCALED_0, size)).min(1.0).copysign(x)
    }
}

/// The concentration κ with I₁(κ) / I₀(κ) = r, which fits a von Mises distribution to the mean resultant
/// length r; odd in r.
///
/// ±∞ at ±1, NaN beyond and for NaN.
///
/// # Numerics
/// Newton's method from a rational start (Banerjee et al.), with A' = 1 - A / κ - A². The error is that of
/// the rounding of r (which moves κ by up to 2κ times as much): below 1e-15 (2 + 2κ), relative.
///
/// # References
/// A. Banerjee, I. S. Dhillon, J. Ghosh, S. Sra, Clustering on the unit hypersphere, JMLR 6 (2005).
///
/// ```
/// use posterior_math::special::{bessel_i1_over_i0, inverse_bessel_ratio};
///
/// assert!((inverse_bessel_ratio(bessel_i1_over_i0(3.0)) - 3.0).abs() < 1e-13);
/// ```
pub fn inverse_bessel_ratio(r: f64) -> f64 {
    let target = r.abs();
    if !(target < 1.0) {
        return if target == 1.0 { f64::INFINITY.copysign(r) } else { f64::NAN };
    }
    if target < 1e-8 {
        return 2.0 * r;
    }
    let gap = 1.0 - target;
    let mut kappa = target * (2.0 - target * target) / (gap * (1.0 + target));
    if gap < 1e-5 {
        kappa = (0.5 + 0.25 * gap + 0.375 * gap * gap) / gap;
    }
    for _ in 0..20 {
        let ratio = bessel_i1_over_i0(kappa);
        let slope = if kappa < 1e3 {
            1.0 - ratio / kappa - ratio * ratio
        } else {
            (0.5 + (0.25 + 0.375 / kappa) / kappa) / (kappa * kappa)
        };
        let step = (ratio - target) / slope;
        kappa = (kappa - step).max(0.25 * kappa);
        if step.abs() <= 1e-15 * kappa || (gap < 1e-5 && step.abs() <= 1e-9 * kappa) {
            break;
        }
    }
    kappa.copysign(r)
}

/// The power series without its leading one.
fn excess(coefficients: &[f64], x: f64) -> f64 {
    let z = 0.25 * x * x;
    z * polynomial(coefficients, z)
}

/// √(2πx) e^(-x) I(x) for x ≥ 8, by Clenshaw's recurrence.
fn scaled(coefficients: &[f64], x: f64) -> f64 {
    let twice = 2.0 * (16.0 / x - 1.0);
    let (next, after) = coefficients[1..]
        .iter()
        .rev()
        .fold((0.0, 0.0), |(next, after), &coefficient| (twice * next - after + coefficient, next));
    0.5 * twice * next - after + coefficients[0]
}
