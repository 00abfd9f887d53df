//! Inverses of the normal distribution function and of the error functions.

use std::f64::consts::{FRAC_1_SQRT_2, LN_2, SQRT_2};

use super::normal::{inverse_mills, ln_normal_cdf};
use super::polynomial::polynomial;

/// Half the width of the central interval of probabilities around ½.
const CENTRAL: f64 = 0.425;

/// The logarithm of ½ - 0.425.
const LN_TAIL: f64 = -2.590267165445829;

/// From here on the square root of -ln p is beyond the published fits.
const FAR_FROM: f64 = 27.4;

/// The quantile at ½ + q over q, in powers of 0.425² - q².
const CENTRAL_ABOVE: [f64; 8] = [
    3.387_132_872_796_366_5,
    133.141_667_891_784_38,
    1_971.590_950_306_551_3,
    13_731.693_765_509_46,
    45_921.953_931_549_87,
    67_265.770_927_008_7,
    33_430.575_583_588_13,
    2_509.080_928_730_122_7,
];
const CENTRAL_BELOW: [f64; 8] = [
    1.0,
    42.313_330_701_600_91,
    687.187_007_492_057_9,
    5_394.196_021_424_751,
    21_213.794_301_586_597,
    39_307.895_800_092_71,
    28_729.085_735_721_943,
    5_226.495_278_852_854,
];

/// The upper quantile in powers of r - 1.6, for r = √(-ln p) ≤ 5.
const NEAR_ABOVE: [f64; 8] = [
    1.423_437_110_749_683_5,
    4.630_337_846_156_546,
    5.769_497_221_460_691,
    3.647_848_324_763_204_5,
    1.270_458_252_452_368_4,
    0.241_780_725_177_450_6,
    0.022_723_844_989_269_184,
    0.000_774_545_014_278_341_4,
];
const NEAR_BELOW: [f64; 8] = [
    1.0,
    2.053_191_626_637_759,
    1.676_384_830_183_803_8,
    0.689_767_334_985_1,
    0.148_103_976_427_480_08,
    0.015_198_666_563_616_457,
    0.000_547_593_808_499_534_5,
    1.050_750_071_644_416_9e-9,
];

/// The upper quantile in powers of r - 5, for larger r.
const DEEP_ABOVE: [f64; 8] = [
    6.657_904_643_501_103,
    5.463_784_911_164_114,
    1.784_826_539_917_291_3,
    0.296_560_571_828_504_87,
    0.026_532_189_526_576_124,
    0.001_242_660_947_388_078_4,
    0.000_027_115_555_687_434_876,
    2.010_334_399_292_288_1e-7,
];
const DEEP_BELOW: [f64; 8] = [
    1.0,
    0.599_832_206_555_887_9,
    0.136_929_880_922_735_8,
    0.014_875_361_290_850_615,
    0.000_786_869_131_145_613_2,
    0.000_018_463_183_175_100_548,
    1.421_511_758_316_446e-7,
    2.044_263_103_389_939_8e-15,
];

/// Φ⁻¹(p), the standard normal quantile.
///
/// -∞ at 0, ∞ at 1, NaN outside of [0, 1] and for NaN.
///
/// # Numerics
/// Relative error below 8e-16 for the p given: next to 1, where f64 has no digits for the tail, ask
/// [`normal_upper_quantile`] or [`normal_ln_quantile`].
///
/// # References
/// M. J. Wichura, Algorithm AS 241: the percentage points of the normal distribution, Applied Statistics 37
/// (1988).
///
/// ```
/// let value = posterior_math::special::normal_quantile(0.975);
/// assert!((value - 1.959963984540054).abs() < 1e-15);
/// ```
pub fn normal_quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= CENTRAL {
        q * central_ratio(q)
    } else if q < 0.0 {
        -upper_tail((-p.ln()).sqrt())
    } else {
        upper_tail((-(1.0 - p).ln()).sqrt())
    }
}

/// The x with 1 - Φ(x) = q: exact for tiny q, where [`normal_quantile`]`(1 - q)` is not.
///
/// ```
/// let value = posterior_math::special::normal_upper_quantile(1e-20);
/// assert!((value - 9.262340089798408).abs() < 1e-14);
/// ```
pub fn normal_upper_quantile(q: f64) -> f64 {
    -normal_quantile(q)
}

/// The x with ln Φ(x) = ln p: the inverse of [`ln_normal_cdf`], also where p is not a number of f64.
///
/// -∞ at -∞, ∞ at 0, NaN for positive numbers and for NaN. The error is below 8e-16 relative, plus that of ln
/// p next to the root at ln ½.
///
/// ```
/// let value = posterior_math::special::normal_ln_quantile(-804.6084420137538);
/// assert!((value + 40.0).abs() < 1e-13);
/// ```
pub fn normal_ln_quantile(ln_p: f64) -> f64 {
    if ln_p < LN_TAIL {
        -upper_tail((-ln_p).sqrt())
    } else if ln_p < -LN_2 {
        normal_quantile(ln_p.exp())
    } else {
        -normal_quantile(-ln_p.exp_m1())
    }
}

/// The inverse error function: the x with erf x = y.
///
/// ±∞ at ±1, NaN outside of [-1, 1] and for NaN. Relative error below 8e-16.
///
/// ```
/// use posterior_math::special::{erf, erf_inv};
///
/// assert!((erf_inv(erf(0.3)) - 0.3).abs() < 1e-15);
/// ```
pub fn erf_inv(y: f64) -> f64 {
    if y.abs() <= 2.0 * CENTRAL {
        return y * (0.5 * FRAC_1_SQRT_2 * central_ratio(0.5 * y));
    }
    let tail = 0.5 * (1.0 - y.abs());
    (FRAC_1_SQRT_2 * upper_tail((-tail.ln()).sqrt())).copysign(y)
}

/// The inverse complementary error function: the x with erfc x = y.
///
/// ∞ at 0, -∞ at 2, NaN outside of [0, 2] and for NaN. Relative error below 8e-16.
///
/// ```
/// let value = posterior_math::special::erfc_inv(1.537459794428035e-12);
/// assert!((value - 5.0).abs() < 1e-14);
/// ```
pub fn erfc_inv(y: f64) -> f64 {
    let q = 0.5 * (1.0 - y);
    if q.abs() <= CENTRAL {
        FRAC_1_SQRT_2 * (q * central_ratio(q))
    } else if q > 0.0 {
        // ln (y / 2) without halving y, which may be subnormal.
        FRAC_1_SQRT_2 * upper_tail((LN_2 - y.ln()).sqrt())
    } else {
        -FRAC_1_SQRT_2 * upper_tail((-(0.5 * (2.0 - y)).ln()).sqrt())
    }
}

/// Φ⁻¹(½ + q) / q for |q| ≤ 0.425.
fn central_ratio(q: f64) -> f64 {
    let rest = CENTRAL * CENTRAL - q * q;
    polynomial(&CENTRAL_ABOVE, rest) / polynomial(&CENTRAL_BELOW, rest)
}

/// The x > 0 with 1 - Φ(x) = exp(-r²), for r ≥ 1.6.
fn upper_tail(r: f64) -> f64 {
    if r <= 5.0 {
        let s = r - 1.6;
        polynomial(&NEAR_ABOVE, s) / polynomial(&NEAR_BELOW, s)
    } else if r <= FAR_FROM {
        let s = r - 5.0;
        polynomial(&DEEP_ABOVE, s) / polynomial(&DEEP_BELOW, s)
    } else {
        far_tail(r)
    }
}

/// As [`upper_tail`], for r ≥ 27.4, and NaN for NaN.
///
/// From x² ≈ 2r² - ln 4πr², two Newton steps on the logarithm.
fn far_tail(r: f64) -> f64 {
    if !(r < 1e10) {
        return SQRT_2 * r;
    }
    let square = r * r;
    let mut x = (2.0 * square - (4.0 * std::f64::consts::PI * square).ln()).sqrt();
    for _ in 0..2 {
        x += (ln_normal_cdf(-x) + square) / inverse_mills(-x);
    }
    x
}
