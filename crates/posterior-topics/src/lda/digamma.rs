//! Digamma and ln Γ of all numbers of a slice at once.
//!
//! Both move an argument below 8 up by eight steps of the recurrence and take the asymptotic series there.
//! The products and sums of the eight steps are polynomials in `u = x (x + 7)`, all of whose coefficients are
//! positive:
//!
//! ```text
//! x (x+1) .. (x+7)          = P(u) = u (u+6) (u+10) (u+12)
//! 1/x + 1/(x+1) + .. 1/(x+7) = (2x + 7) P'(u) / P(u)
//! ```
//!
//! The error is a few units in the last place of the largest term: below 2e-15 in absolute terms where the
//! result is of the order of one, also next to the zeros. No branch, so that the compiler vectorises the
//! loops, and the bits are the same on every machine.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use posterior_math::special::HALF_LN_TAU;
use pulp::{Arch, Simd, WithSimd};

/// Arguments from here on go to the series as they are.
const FROM: f64 = 8.0;

/// Replaces each positive, normal x by ψ(x).
pub(super) fn digamma(numbers: &mut [f64]) {
    Arch::new().dispatch(Each(numbers, digamma_of));
}

/// The sum of ln Γ(x) over positive, normal x.
pub(super) fn sum_ln_gamma(numbers: &[f64]) -> f64 {
    Arch::new().dispatch(SumLnGamma(numbers))
}

/// Replaces each positive, normal x by ln x.
pub(super) fn ln(numbers: &mut [f64]) {
    Arch::new().dispatch(Each(numbers, ln_of));
}

/// A function of each number, in place.
struct Each<'a, F>(&'a mut [f64], F);

impl<F: Fn(f64) -> f64> WithSimd for Each<'_, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for number in self.0 {
            *number = (self.1)(*number);
        }
    }
}

struct SumLnGamma<'a>(&'a [f64]);

impl WithSimd for SumLnGamma<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        let (lanes, rest) = self.0.as_chunks::<8>();
        let mut sums = [0.0; 8];
        for lane in lanes {
            for (sum, &x) in sums.iter_mut().zip(lane) {
                *sum += ln_gamma_of(x);
            }
        }
        for (sum, &x) in sums.iter_mut().zip(rest) {
            *sum += ln_gamma_of(x);
        }
        sums.iter().sum()
    }
}

/// The eight steps from x: their product P and the derivative P' by u. Without steps they are 1 and 0.
#[inline(always)]
fn steps(x: f64) -> (f64, f64) {
    // Far up the polynomials would overflow, and are not wanted.
    let x = if x < FROM { x } else { FROM };
    let u = x * (x + 7.0);
    let product = u * (720.0 + u * (252.0 + u * (28.0 + u)));
    let slope = 720.0 + u * (504.0 + u * (84.0 + u * 4.0));
    (product, slope)
}

#[inline(always)]
fn digamma_of(x: f64) -> f64 {
    let (product, slope) = steps(x);
    let low = x < FROM;
    let z = if low { x + 8.0 } else { x };
    let below = if low { (2.0 * x + 7.0) * slope / product } else { 0.0 };
    let inverse = z.recip();
    let square = inverse * inverse;
    let series = square
        * (1.0 / 12.0
            - square
                * (1.0 / 120.0
                    - square
                        * (1.0 / 252.0
                            - square
                                * (1.0 / 240.0
                                    - square
                                        * (1.0 / 132.0
                                            - square
                                                * (691.0 / 32760.0
                                                    - square
                                                        * (1.0 / 12.0 - square * (3617.0 / 8160.0))))))));
    (ln_of(z) - (0.5 * inverse + series)) - below
}

#[inline(always)]
fn ln_gamma_of(x: f64) -> f64 {
    let (product, _) = steps(x);
    let low = x < FROM;
    let z = if low { x + 8.0 } else { x };
    let product = if low { product } else { 1.0 };
    let inverse = z.recip();
    let square = inverse * inverse;
    let series = inverse
        * (1.0 / 12.0
            - square
                * (1.0 / 360.0
                    - square
                        * (1.0 / 1260.0
                            - square
                                * (1.0 / 1680.0
                                    - square
                                        * (1.0 / 1188.0
                                            - square
                                                * (691.0 / 360_360.0
                                                    - square
                                                        * (1.0 / 156.0 - square * (3617.0 / 122_400.0))))))));
    ((z - 0.5) * (ln_of(z) - 1.0) + ((HALF_LN_TAU - 0.5) + series)) - ln_of(product)
}

/// As in FreeBSD's `e_log.c`: x = 2ᵏ (1 + f) with 1 + f from √½ to √2, s = f / (2 + f).
#[inline(always)]
fn ln_of(x: f64) -> f64 {
    const LN_2_HIGH: f64 = 6.93147180369123816490e-01;
    const LN_2_LOW: f64 = 1.90821492927058770002e-10;
    /// The bits of √½ less those that become the exponent's.
    const SHIFT: u64 = 0x3ff0_0000_0000_0000 - 0x3fe6_a09e_667f_3bcd;
    /// 2⁵² + 1023 as a number, whose last bits take an exponent.
    const MAGIC: u64 = 0x4330_0000_0000_0000;
    const MAGIC_VALUE: f64 = 4503599627370496.0 + 1023.0;
    let bits = x.to_bits().wrapping_add(SHIFT);
    let exponent = f64::from_bits((bits >> 52) | MAGIC) - MAGIC_VALUE;
    let mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) + 0x3fe6_a09e_667f_3bcd);
    let f = mantissa - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w * (0.3999999999940941908 + w * (0.2222219843214978396 + w * 0.1531383769920937332));
    let odd = z
        * (0.6666666666666735130
            + w * (0.2857142874366239149 + w * (0.1818357216161805012 + w * 0.1479819860511658591)));
    let half_square = 0.5 * f * f;
    exponent * LN_2_HIGH - ((half_square - (s * (half_square + (even + odd)) + exponent * LN_2_LOW)) - f)
}

#[cfg(test)]
mod tests;
