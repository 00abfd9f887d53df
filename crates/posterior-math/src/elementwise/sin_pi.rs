//! The sine of multiples of π.

use std::f64::consts::PI;

use pulp::{Arch, Simd, WithSimd};

/// sin(πt)/t as a polynomial in t² for |t| ≤ ½, within 4e-19 (interpolation at the zeros of Chebyshev's
/// polynomial).
const COEFFICIENTS: [f64; 9] = [
    PI,
    -5.167712780049969,
    2.5501640398773007,
    -0.5992645293189447,
    0.0821458865731029,
    -0.007370430505916944,
    0.0004662998161898394,
    -2.1903497074626018e-05,
    7.697826768224191e-07,
];

/// Replaces each x by sin πx: exactly zero at the integers, within 4e-16 relative elsewhere; NaN for what is
/// not finite.
///
/// ```
/// let mut numbers = [1.0 / 6.0, 1e15, -0.5];
/// posterior_math::elementwise::sin_pi(&mut numbers);
/// assert!((numbers[0] - 0.5).abs() < 1e-16);
/// assert_eq!(numbers[1..], [0.0, -1.0]);
/// ```
pub fn sin_pi(numbers: &mut [f64]) {
    Arch::new().dispatch(SinPi(numbers));
}

struct SinPi<'a>(&'a mut [f64]);

impl WithSimd for SinPi<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for number in self.0 {
            *number = sin_pi_of(*number);
        }
    }
}

#[inline(always)]
fn sin_pi_of(x: f64) -> f64 {
    let nearest = x.round_ties_even();
    let t = x - nearest;
    let is_odd = nearest - 2.0 * (0.5 * nearest).floor();
    let u = t * t;
    let [c0, c1, c2, c3, c4, c5, c6, c7, c8] = COEFFICIENTS;
    let u2 = u * u;
    let tail = (c1 + c2 * u) + (c3 + c4 * u) * u2 + ((c5 + c6 * u) + (c7 + c8 * u) * u2) * (u2 * u2);
    (1.0 - 2.0 * is_odd) * (t * (c0 + u * tail))
}
