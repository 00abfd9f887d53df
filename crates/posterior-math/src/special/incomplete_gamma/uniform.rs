//! The expansion of the incomplete gamma functions for large shapes, uniform around x = a.
//!
//! With ½ η² = x/a - 1 - ln(x/a) and the sign of x - a, Q(a, x) = ½ erfc(η √(a/2)) + e^(-½ a η²) S(η) /
//! √(2πa), and P with - (DLMF 8.12.3, 8.12.4). From the differential equation of S, with the scaled gamma
//! function Γ*(a) = Γ(a) / (√(2π/a) (a/e)^a), Γ* S = Σ βᵢ ηⁱ, βᵢ₋₁ = fᵢ + (i + 1) βᵢ₊₁ / a, Γ* = 1 + β₁ / a,
//! where the fᵢ are the coefficients of η / (x/a - 1) (Gil, Segura and Temme 2012). One loop thus sums over
//! the powers of η and of 1/a.

use std::f64::consts::TAU;

use super::prefactor::{LARGE_FROM, NEAR, near_decay, near_deviance};
use crate::special::erfcx;

/// f₁ and f₂, f₃ and f₄, …: η / (λ - 1) in powers of η where ½ η² = λ - 1 - ln λ (exact rationals, rounded).
const RATIO: [[f64; 2]; 14] = [
    [-0.3333333333333333, 0.08333333333333333],
    [-0.014814814814814815, 0.0011574074074074073],
    [0.0003527336860670194, -0.0001787551440329218],
    [3.919263178522438e-05, -2.185448510679992e-06],
    [-1.85406221071516e-06, 8.296711340953087e-07],
    [-1.7665952736826078e-07, 6.707853543401498e-09],
    [1.0261809784240309e-08, -4.382036018453353e-09],
    [9.14769958223679e-10, -2.5514193994946248e-11],
    [-5.830772132550426e-11, 2.4361948020667415e-11],
    [-5.0276692801141755e-12, 1.1004392031956135e-13],
    [3.371763262400985e-13, -1.392388722418162e-13],
    [2.8534893807047445e-14, -5.139111834242572e-16],
    [-1.9752288294349442e-15, 8.099521156704561e-16],
    [-1.6522531216398162e-16, 2.5305430097478883e-18],
];

/// The tail on the side of x as exp(-`deviance`) (1 - `rest`) `factor`, and x^a e^-x / Γ(a + 1) likewise.
pub(super) struct Uniform {
    pub(super) deviance: f64,
    pub(super) rest: f64,
    pub(super) factor: f64,
    pub(super) prefactor: f64,
}

/// Whether the expansion has full precision.
pub(super) fn is_uniform(a: f64, x: f64) -> bool {
    a >= LARGE_FROM && (a - x).abs() < NEAR * (a + x)
}

impl Uniform {
    /// The expansion where it [holds](is_uniform).
    pub(super) fn new(a: f64, x: f64) -> Self {
        let (deviance, rest) = near_deviance(a, x);
        let inverse = a.recip();
        let eta = (2.0 * deviance * inverse).sqrt().copysign(x - a);
        let (sum, scaled_gamma) = sums(inverse, eta);
        let reciprocal = ((TAU * a).sqrt() * scaled_gamma).recip();
        let series = if x < a { -sum * reciprocal } else { sum * reciprocal };
        Self { deviance, rest, factor: 0.5 * erfcx(deviance.sqrt()) + series, prefactor: reciprocal }
    }
}

/// Σ βᵢ ηⁱ and Γ*(a), even and odd powers apart because they do not wait for each other.
fn sums(inverse: f64, eta: f64) -> (f64, f64) {
    let square = eta * eta;
    let (mut even, mut odd) = (0.0, 0.0);
    let (mut even_sum, mut odd_sum) = (0.0, 0.0);
    for (j, &[first, second]) in RATIO.iter().enumerate().rev() {
        let step = 2.0 * j as f64;
        even = first + (step + 2.0) * inverse * even;
        odd = second + (step + 3.0) * inverse * odd;
        even_sum = even_sum * square + even;
        odd_sum = odd_sum * square + odd;
    }
    (even_sum + eta * odd_sum, 1.0 + odd * inverse)
}

/// ∂P(a, x) / ∂a by the derivative of the expansion.
pub(super) fn shape_slope(a: f64, x: f64) -> f64 {
    let (deviance, rest) = if x == a { (0.0, 0.0) } else { near_deviance(a, x) };
    let inverse = a.recip();
    let eta = (2.0 * deviance * inverse).sqrt().copysign(x - a);
    let (sum, scaled_gamma) = sums(inverse, eta);
    let (sum_slope, gamma_slope) = sums_slope(inverse, eta);
    let series = sum / scaled_gamma;
    let series_slope = -inverse * inverse * (sum_slope - series * gamma_slope) / scaled_gamma;
    let bracket = scaled_gamma.recip() - 0.5 * (eta + (eta * eta + inverse) * series) + series_slope;
    -near_decay(a, x, deviance, rest) / (TAU * a).sqrt() * bracket
}

/// The derivatives of [`sums`] in 1/a.
fn sums_slope(inverse: f64, eta: f64) -> (f64, f64) {
    let square = eta * eta;
    // (βᵢ, its derivative) for even and for odd i.
    let (mut even, mut odd) = ((0.0, 0.0), (0.0, 0.0));
    let (mut even_sum, mut odd_sum) = (0.0, 0.0);
    for (j, &[first, second]) in RATIO.iter().enumerate().rev() {
        let step = 2.0 * j as f64;
        let advance = |constant: f64, factor: f64, (value, slope): (f64, f64)| {
            (constant + factor * inverse * value, factor * (value + inverse * slope))
        };
        even = advance(first, step + 2.0, even);
        odd = advance(second, step + 3.0, odd);
        even_sum = even_sum * square + even.1;
        odd_sum = odd_sum * square + odd.1;
    }
    (even_sum + eta * odd_sum, odd.0 + inverse * odd.1)
}
