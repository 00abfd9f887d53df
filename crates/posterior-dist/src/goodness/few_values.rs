//! The distributions of Anderson and Darling's statistic and that of Cramér and von Mises for few values:
//! their limits, corrected.

use std::f64::consts::PI;

use posterior_math::special::{bessel_k, gamma};

use super::limits::{anderson_darling_limit_sf, cramer_von_mises_limit_sf};

/// A p-value below which the correction is the same proportion of it.
const SMALL: f64 = 1e-3;

/// P(A² ≥ z) of n values.
pub(super) fn anderson_darling_sf(n: f64, z: f64) -> f64 {
    if n == 1.0 {
        // A² = -1 - ln u(1 - u): both tails of one uniform number.
        let product = (-1.0 - z).exp();
        return if product >= 0.25 { 1.0 } else { 4.0 * product / (1.0 + (1.0 - 4.0 * product).sqrt()) };
    }
    let limit = anderson_darling_limit_sf(z);
    let corrected = if limit < SMALL {
        limit * (1.0 - correction(n, 1.0 - SMALL) / SMALL)
    } else {
        limit - correction(n, 1.0 - limit)
    };
    corrected.clamp(0.0, 1.0)
}

/// What is added to the limit x of the distribution function of A² for n values (Marsaglia and Marsaglia).
fn correction(n: f64, x: f64) -> f64 {
    let horner = |coefficients: &[f64], x: f64| coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c);
    if x > 0.8 {
        return horner(&[-130.2137, 745.2337, -1705.091, 1950.646, -1116.360, 255.7844], x) / n;
    }
    let cut = 0.01265 + 0.1757 / n;
    if x < cut {
        let v = x / cut;
        let v = v.sqrt() * (1.0 - v) * (49.0 * v - 102.0);
        return v * (0.0037 / (n * n) + 0.00078 / n + 0.00006) / n;
    }
    let v = (x - cut) / (0.8 - cut);
    let v = horner(&[-0.000_226_33, 6.54034, -14.6538, 14.458, -8.259, 1.91864], v);
    v * (0.04213 + 0.01365 / n) / n
}

/// Where the upper tail of the limit of W² is 0.001.
const SMALL_AT: f64 = 1.16786;

/// P(W² ≥ z) of n values.
pub(super) fn cramer_von_mises_sf(n: f64, z: f64) -> f64 {
    if n == 1.0 {
        return 1.0 - 2.0 * (z - 1.0 / 12.0).max(0.0).sqrt().min(0.5);
    }
    if z <= (12.0 * n).recip() {
        return 1.0;
    }
    let limit = cramer_von_mises_limit_sf(z);
    let corrected = if z > SMALL_AT {
        let at = cramer_von_mises_limit_sf(SMALL_AT);
        limit * (1.0 - second_order(SMALL_AT, at) / (n * at)).max(0.1)
    } else {
        limit - second_order(z, limit) / n
    };
    corrected.clamp(0.0, 1.0)
}

/// n times what is added to the distribution function of the limit, to the first order of 1/n (Csörgő and
/// Faraway, equation 1.10).
fn second_order(x: f64, limit_sf: f64) -> f64 {
    let root = PI.sqrt();
    let ed2 = |y: f64| {
        let z = 0.25 * y * y;
        (-z).exp() * (0.5 * y).powf(1.5) * (bessel_k(0.25, z) + bessel_k(0.75, z)) / root
    };
    let ed3 = |y: f64| {
        let z = 0.25 * y * y;
        let sum = 2.0 * bessel_k(0.25, z) + 3.0 * bessel_k(0.75, z) - bessel_k(1.25, z);
        (-z).exp() * (0.5 * y).powf(2.5) * sum / root
    };
    let (sx, y1, y2) = (2.0 * x.sqrt(), x.powf(0.75), x.powf(1.25));
    let mut sum = (1.0 - limit_sf) / 12.0;
    for k in 0..60 {
        let k = f64::from(k);
        let (m, half) = (2.0 * k + 1.0, gamma(k + 0.5));
        let [first, third, fifth] = [1.0, 3.0, 5.0].map(|own| (4.0 * k + own) / sx);
        let term = m * half * ed2(third) / (9.0 * y1)
            + half * ed3(first) / (72.0 * y2)
            + (m + 2.0) * gamma(k + 1.5) * ed3(fifth) / (6.0 * y2)
            + 7.0 * m * half * (ed2(first) + ed2(fifth)) / (144.0 * y1);
        let term = term / (PI * gamma(k + 1.0));
        sum -= term;
        if term.abs() < 1e-14 {
            break;
        }
    }
    sum
}
