//! The exponential function.

use std::f64::consts::LOG2_E;

use pulp::{Arch, Simd, WithSimd};

/// ln 2 in two parts: k times the first is exact for every exponent k.
const LN_2_HIGH: f64 = 0.6931471803691238;
const LN_2_LOW: f64 = 1.9082149292705877e-10;

/// Added to a number, it leaves the nearest integer plus 2046 in the last bits.
const ROUNDER: f64 = 6755399441055744.0 + 2046.0;

/// What the bits of a rounded number exceed those of its integer plus 2046 by.
const ROUNDER_BITS: u64 = 6755399441055744_f64.to_bits();

/// Beyond these the result is 0 or ∞.
const LOWEST: f64 = -746.0;
const HIGHEST: f64 = 710.0;

/// (eʳ - 1 - r)/r² for |r| ≤ ln 2 / 2, within 4e-19 relative to eʳ (interpolation at the zeros of Chebyshev's
/// polynomial).
const COEFFICIENTS: [f64; 11] = [
    0.5,
    0.1666666666666667,
    0.04166666666666667,
    0.00833333333332612,
    0.0013888888888883737,
    0.00019841269874873975,
    2.480158732558584e-05,
    2.755725533255441e-06,
    2.7557273594799413e-07,
    2.510524515390137e-08,
    2.0914707069612355e-09,
];

/// Replaces each x by e^x: within one unit in the last place, also where the result is subnormal.
///
/// ```
/// let mut numbers = [1e-300, 709.0, 710.0, f64::NAN];
/// posterior_math::elementwise::exp(&mut numbers);
/// assert_eq!(numbers[..3], [1.0, 709_f64.exp(), f64::INFINITY]);
/// assert!(numbers[3].is_nan());
/// ```
pub fn exp(numbers: &mut [f64]) {
    Arch::new().dispatch(Exp(numbers));
}

struct Exp<'a>(&'a mut [f64]);

impl WithSimd for Exp<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for number in self.0 {
            *number = exp_of(*number);
        }
    }
}

/// 2ᵏ eʳ with x = k ln 2 + r; no branch, so that the compiler vectorises it.
#[inline(always)]
fn exp_of(x: f64) -> f64 {
    // Comparisons that NaN fails, so that it stays.
    let x = if x < LOWEST { LOWEST } else { x };
    let x = if x > HIGHEST { HIGHEST } else { x };
    let rounded = x * LOG2_E + ROUNDER;
    let k = rounded - ROUNDER;
    let r = (x - k * LN_2_HIGH) - k * LN_2_LOW;
    let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10] = COEFFICIENTS;
    let square = r * r;
    let fourth = square * square;
    let low = (c0 + c1 * r) + (c2 + c3 * r) * square;
    let middle = (c4 + c5 * r) + (c6 + c7 * r) * square;
    let high = (c8 + c9 * r) + c10 * square;
    let fraction = 1.0 + (r + square * (low + (middle + high * fourth) * fourth));
    // 2ᵏ in two factors: it may be out of range although the product is not.
    let exponents = rounded.to_bits().wrapping_sub(ROUNDER_BITS);
    let first = exponents >> 1;
    let second = exponents.wrapping_sub(first);
    fraction * f64::from_bits(first << 52) * f64::from_bits(second << 52)
}
