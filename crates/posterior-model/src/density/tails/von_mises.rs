//! The tails of the von Mises distribution on [-π, π].

use std::f64::consts::PI;

use posterior_math::special::ln_bessel_i0;

use super::positive;

/// Beyond this concentration a term of the series more is needed for each unit of its root.
const TERMS: f64 = 12.0;

/// I_j(κ) / I_0(κ) for j from 0, until they vanish: by the recurrence backwards.
fn ratios(kappa: f64) -> Vec<f64> {
    let n = (20.0 + TERMS * kappa.sqrt() + 0.1 * kappa).ceil() as usize;
    // r_j = I_(j + 1) / I_j = 1 / (2 (j + 1) / κ + r_(j + 1)).
    let mut steps = vec![0.0; n + 1];
    for j in (0..n).rev() {
        steps[j] = (2.0 * (j as f64 + 1.0) / kappa + steps[j + 1]).recip();
    }
    let mut all = vec![1.0];
    for step in &steps[..n] {
        let last = all.last().copied().unwrap_or(0.0);
        all.push(last * step);
    }
    all
}

/// y in [-π, π], mean, concentration.
pub(super) fn von_mises(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, mu, kappa) = (x[0], x[1], x[2]);
    if !(positive(kappa) && (-PI..=PI).contains(&y) && mu.is_finite()) {
        return f64::NAN;
    }
    let (from, to) = if upper { (y, PI) } else { (-PI, y) };
    let all = ratios(kappa);
    let (mut share, mut by_kappa) = (0.5 * (to - from) / PI, 0.0);
    for j in 1..all.len() - 1 {
        let order = j as f64;
        let turn = ((order * (to - mu)).sin() - (order * (from - mu)).sin()) / (order * PI);
        share += all[j] * turn;
        by_kappa += (0.5 * (all[j - 1] + all[j + 1]) - all[j] * all[1]) * turn;
    }
    let density = |y: f64| (kappa * (y - mu).cos() - ln_bessel_i0(kappa)).exp() / (2.0 * PI);
    let sign = if upper { -1.0 } else { 1.0 };
    (d[0], d[1]) = (sign * density(y) / share, (density(from) - density(to)) / share);
    d[2] = by_kappa / share;
    share.ln()
}
