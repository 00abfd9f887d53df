//! The limits of Anderson and Darling's statistic and that of Cramér and von Mises, which are those of
//! weighted sums of squared normal variables.

use std::f64::consts::PI;

use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod_pieces};

/// Below this the probability to be above is 1.
const LEAST: f64 = 0.01;

/// P(A² ≥ z) in the limit of many values: A² = Σ χ²_j / (j (j + 1)).
///
/// By Smirnov's formula, a sum of integrals between the zeros of the characteristic function; with 11 digits
/// however small it is. Some thousand evaluations.
///
/// # References
/// T. Anderson, D. Darling, Annals of Mathematical Statistics 23, 1952.
///
/// ```
/// use posterior_dist::goodness::anderson_darling_limit_sf;
///
/// assert!((anderson_darling_limit_sf(2.492) - 0.050_022_186_359_607_87).abs() < 1e-13);
/// ```
pub fn anderson_darling_limit_sf(z: f64) -> f64 {
    between_zeros(z, |k, t| {
        let s = 4.0 * k + t;
        let u = 0.25 * (s * s - 1.0);
        (-0.5 * z * u).exp() * (PI / u).sqrt() * s / (2.0 * PI)
    })
}

/// P(W² ≥ z) in the limit of many values: W² = Σ χ²_j / (π j)², with 11 digits however small it is.
///
/// # References
/// N. Smirnov, 1936; T. Anderson, D. Darling, Annals of Mathematical Statistics 23, 1952.
///
/// ```
/// use posterior_dist::goodness::cramer_von_mises_limit_sf;
///
/// assert!((cramer_von_mises_limit_sf(0.46136) - 0.050_000_383_132_651_28).abs() < 1e-13);
/// ```
pub fn cramer_von_mises_limit_sf(z: f64) -> f64 {
    between_zeros(z, |k, t| {
        let s = PI * (2.0 * k - 0.5 + 0.5 * t);
        (-0.5 * z * s * s).exp() / s.sqrt()
    })
}

/// Σ (-1)^(k+1) ∫ smooth(k, t) / √cos(πt/2) dt over -1 < t < 1.
fn between_zeros(z: f64, smooth: impl Fn(f64, f64) -> f64) -> f64 {
    if z.is_nan() {
        return z;
    }
    if z < LEAST {
        return 1.0;
    }
    let options = QuadratureOptions { relative: 1e-13, ..QuadratureOptions::default() };
    let (mut sum, mut sign) = (0.0, 1.0);
    for k in 1..=100 {
        // t = sin(πw/2) takes the roots at the ends away; cos(πt/2) is the sine of what is left to the end.
        let integrand = |w: f64| {
            let left = 2.0 * (0.25 * PI * (1.0 - w.abs())).sin().powi(2);
            let slope = 0.5 * PI * (0.5 * PI * (1.0 - w.abs())).sin();
            smooth(f64::from(k), (1.0 - left).copysign(w)) * slope / (0.5 * PI * left).sin().sqrt()
        };
        let part = gauss_kronrod_pieces(integrand, &[-1.0, -0.5, 0.0, 0.5, 1.0], &options).value;
        sum += sign * part;
        sign = -sign;
        if part <= 1e-17 * sum {
            break;
        }
    }
    sum.clamp(0.0, 1.0)
}
