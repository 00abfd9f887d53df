//! The density, by its Laplace transform turned back.
//!
//! With s = 2w - c²/2 the transform is cosh(c/2)ᵇ / coshᵇ√w, with poles at w = -((k + ½) π)². The density is
//! twice the integral of exp(2 w x) / coshᵇ√w around them, over 2πi: around a circle through the saddle point
//! on its right, where the integrand is largest, and on its left through a point between two poles beyond
//! which it is nothing.

use std::f64::consts::{FRAC_PI_2, LN_2, PI, TAU};

use posterior_math::special::ln_gamma;

/// e^-NOTHING is nothing beside 1.
const NOTHING: f64 = 45.0;

/// Points of the rule at the start, and at most.
const FIRST_POINTS: usize = 64;
const MOST_POINTS: usize = 1 << 16;

/// Below this multiple of b + 1 the first of the alternating terms is all: the next is (b + 2) e^-((b +
/// 1)/(2x)) of it.
const ONE_TERM: f64 = 1e-3;

/// Beyond this multiple of b the first pole is all, and the largest of its powers: the others are b²/x of a
/// logarithm of -5x.
const ONE_POLE: f64 = 1e8;

/// ln p(x) for x > 0 and c ≥ 0.
pub(super) fn ln_pdf(b: f64, c: f64, x: f64) -> f64 {
    // ln cosh(c/2) - c/2 + ln 2 = ln(1 + e^-c); the rest with one rounding.
    let tilted = b * ((-c).exp().ln_1p() - LN_2) + 0.5 * c * (b - c * x);
    if x < ONE_TERM * (b + 1.0) {
        let power = (b - 1.0) * LN_2 + b.ln() - 0.5 * (TAU.ln() + 3.0 * x.ln());
        return tilted + power - 0.125 * b * (b / x);
    }
    if x > ONE_POLE * b {
        let power = LN_2 + b * PI.ln() + (b - 1.0) * (2.0 * x).ln() - ln_gamma(b);
        return tilted + power - 0.5 * PI * PI * x;
    }
    let pole = -FRAC_PI_2 * FRAC_PI_2;
    let (saddle, distance) = saddle_point(2.0 * x / b);
    let peak = 2.0 * saddle * x - b * ln_cosh_root(saddle);
    // Where the other poles are nothing beside the first, a circle around that alone; else through -(kπ)²,
    // where |cosh √w| = 1.
    let alone = distance < 9.0 && 4.0 * PI * PI * x > NOTHING + 1.1 * b;
    let (center, radius) = if alone {
        (pole, distance)
    } else {
        let reach = (0.5 * (NOTHING - peak) / x).max(0.0);
        let k = (reach.sqrt() / PI).ceil().max(1.0);
        let left = -(k * PI).powi(2);
        (0.5 * (saddle + left), 0.5 * (saddle - left))
    };
    let at = |angle: f64| {
        let w = [center + radius * angle.cos(), radius * angle.sin()];
        let [ln_size, phase] = ln_cosh_of_root(w);
        let exponent = 2.0 * w[0] * x - b * ln_size - peak;
        // Times the direction of the circle.
        exponent.exp() * (2.0 * w[1] * x - b * phase + angle).cos()
    };
    let mean = circle_mean(at);
    tilted + LN_2 + peak + (radius * mean).ln()
}

/// A change below this is the last: with twice as many points the error of the rule is the square of what it
/// was.
const SMALL_CHANGE: f64 = 1e-8;

/// The mean of an even function over the circle: the trapezoidal rule, whose points are doubled until it
/// stays.
fn circle_mean(at: impl Fn(f64) -> f64) -> f64 {
    let mut points = FIRST_POINTS;
    let mut sum = (0..points).map(|j| at(TAU * j as f64 / points as f64)).sum::<f64>();
    loop {
        let between: f64 = (0..points).map(|j| at(TAU * (j as f64 + 0.5) / points as f64)).sum();
        let (old, new) = (sum / points as f64, (sum + between) / (2 * points) as f64);
        sum += between;
        points *= 2;
        if (new - old).abs() <= SMALL_CHANGE * new.abs() || points >= MOST_POINTS {
            return new;
        }
    }
}

/// Where d/dw ln cosh √w = `slope`: the point, and its distance from the first pole.
fn saddle_point(slope: f64) -> (f64, f64) {
    if slope <= 0.5 {
        // w = u², tanh u / (2u) = slope, with u at most 1/(2 slope).
        let u = bisect(0.0, 0.5 / slope, |u| if u == 0.0 { true } else { u.tanh() / (2.0 * u) > slope });
        (u * u, u * u + FRAC_PI_2 * FRAC_PI_2)
    } else {
        // w = -(π/2 - d)², cot d / (2 (π/2 - d)) = slope.
        let d = bisect(0.0, FRAC_PI_2, |d| d.tan() * (2.0 * slope) * (FRAC_PI_2 - d) < 1.0);
        let v = FRAC_PI_2 - d;
        (-v * v, d * (PI - d))
    }
}

/// The point up to which a condition holds.
fn bisect(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..200 {
        let middle = low.midpoint(high);
        if middle == low || middle == high {
            break;
        }
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low.midpoint(high)
}

/// ln cosh √w for a real w to the right of the first pole.
fn ln_cosh_root(w: f64) -> f64 {
    if w >= 0.0 {
        let u = w.sqrt();
        u + (-2.0 * u).exp().ln_1p() - LN_2
    } else {
        (-w).sqrt().cos().ln()
    }
}

/// ln |cosh √w| and its phase.
fn ln_cosh_of_root([re, im]: [f64; 2]) -> [f64; 2] {
    let size = re.hypot(im);
    // √w = u + iv, with u ≥ 0.
    let (u, v) = if re >= 0.0 {
        let u = (0.5 * (size + re)).sqrt();
        (u, if u > 0.0 { 0.5 * im / u } else { 0.0 })
    } else {
        let v = (0.5 * (size - re)).sqrt().copysign(im);
        (0.5 * im / v, v)
    };
    let fall = (-2.0 * u).exp();
    let (even, odd) = (0.5 * (1.0 + fall) * v.cos(), -0.5 * (-2.0 * u).exp_m1() * v.sin());
    [u + even.hypot(odd).ln(), odd.atan2(even)]
}
