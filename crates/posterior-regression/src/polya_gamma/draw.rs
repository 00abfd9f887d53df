//! Draws of PG(1, c), a quarter of Jacobi's distribution J*(1, c/2).

use std::f64::consts::{FRAC_PI_2, PI};

use posterior_math::special::ln_normal_cdf;
use rand::{Rng, RngExt};
use rand_distr::{Exp1, StandardNormal};

/// Below it the series in exp(-1/x) is the better one, above it that in exp(-x).
const SPLIT: f64 = 0.64;

/// Below it the second term is e^-400 of the first, or less.
const NEARLY_ONE_TERM: f64 = 0.01;

/// A draw of PG(1, c), c ≥ 0: proposals from an inverse Gaussian distribution below the split and an
/// exponential one above it, accepted by as many terms of the alternating series as are needed to decide.
pub(super) fn draw_one<R: Rng + ?Sized>(tilt: f64, rng: &mut R) -> f64 {
    if !(tilt < f64::INFINITY) {
        // The distribution's limit is zero; of NaN there is no distribution.
        return if tilt.is_nan() { tilt } else { 0.0 };
    }
    let z = 0.5 * tilt;
    let rate = 0.125 * PI * PI + 0.5 * z * z;
    let upper = proportion_above(z, rate);
    loop {
        let x = if rng.random::<f64>() < upper {
            let excess: f64 = rng.sample(Exp1);
            SPLIT + excess / rate
        } else {
            inverse_gaussian_below(z, rng)
        };
        if accepted(x, rng) {
            return 0.25 * x;
        }
    }
}

/// The chance that a proposal is above the split.
fn proportion_above(z: f64, rate: f64) -> f64 {
    // Both parts times e^z, so that neither underflows alone.
    let above = PI / (2.0 * rate) * (z - rate * SPLIT).exp();
    let root = SPLIT.sqrt();
    let first = ln_normal_cdf((SPLIT * z - 1.0) / root).exp();
    let second = (2.0 * z + ln_normal_cdf(-(SPLIT * z + 1.0) / root)).exp();
    above / (above + 2.0 * (first + second))
}

/// An inverse Gaussian variate of mean 1/z and shape 1, given that it is below the split.
fn inverse_gaussian_below<R: Rng + ?Sized>(z: f64, rng: &mut R) -> f64 {
    if z * SPLIT < 1.0 {
        // The mean is above: one over a squared normal variate in its tail, and rejection for the drift.
        loop {
            let (first, second): (f64, f64) = (rng.sample(Exp1), rng.sample(Exp1));
            if first * first > 2.0 * second / SPLIT {
                continue;
            }
            let x = SPLIT / (1.0 + SPLIT * first).powi(2);
            if rng.random::<f64>() <= (-0.5 * z * z * x).exp() {
                return x;
            }
        }
    }
    let mean = z.recip();
    loop {
        let normal: f64 = rng.sample(StandardNormal);
        let w = 0.5 * normal * normal * mean;
        // The smaller root in units of the mean; the product of both is 1.
        let root = (1.0 + w + (w * (w + 2.0)).sqrt()).recip();
        let x = if rng.random::<f64>() * (1.0 + root) <= 1.0 { mean * root } else { mean / root };
        if x < SPLIT {
            return x;
        }
    }
}

/// Whether a proposal is accepted: partial sums lie above and below the density in turn.
fn accepted<R: Rng + ?Sized>(x: f64, rng: &mut R) -> bool {
    if x < NEARLY_ONE_TERM {
        return true;
    }
    let first = term(0, x);
    let level = rng.random::<f64>() * first;
    let mut sum = first;
    let mut n = 1;
    loop {
        let next = term(n, x);
        if n % 2 == 1 {
            sum -= next;
            if level <= sum {
                return true;
            }
        } else {
            sum += next;
            if level > sum {
                return false;
            }
        }
        n += 1;
    }
}

/// aₙ(x), the terms of the density of J*(1, 0).
fn term(n: u32, x: f64) -> f64 {
    let order = f64::from(n) + 0.5;
    if x > SPLIT {
        PI * order * (-0.5 * (PI * order).powi(2) * x).exp()
    } else {
        let root = (FRAC_PI_2 * x).recip();
        PI * order * root * root.sqrt() * (-2.0 * order * order / x).exp()
    }
}
