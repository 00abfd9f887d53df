//! Both tails of the inverse Gaussian distribution, without the cancellation of their two terms.

use std::f64::consts::{FRAC_1_SQRT_2, PI, TAU};

use posterior_math::special::{erfcx, normal_cdf};

use crate::fixed_quadrature::integrate_up_to;

/// What e-fold of the integrand does not matter any more.
const NEGLIGIBLE: f64 = 40.0;

/// A distance of which the square does not matter.
const SMALL: f64 = 1e-100;

/// From here on the first term of the asymptotic series of erfcx is all of it.
const FAR: f64 = 1e9;

/// Where a point lies: a = √(λ/x) (x/μ - 1), b = √(λ/x) (x/μ + 1) and their distance.
#[derive(Clone, Copy)]
pub(super) struct Point {
    a: f64,
    b: f64,
    distance: f64,
}

impl Point {
    pub(super) fn new(x: f64, mean: f64, shape: f64) -> Self {
        let root = shape.sqrt() / x.sqrt();
        let a = if x == mean { 0.0 } else { root * ((x - mean) / mean) };
        Self { a, b: root * (x / mean + 1.0), distance: 2.0 * root }
    }

    /// The point with this a, from √(λ/μ).
    pub(super) fn at(a: f64, root: f64) -> Self {
        let b = a.hypot(2.0 * root);
        let distance = if a < 0.0 { b - a } else { 2.0 * root * (2.0 * root / (a + b)) };
        Self { a, b, distance }
    }

    /// x, from √(λ/μ), μ and λ.
    pub(super) fn x(&self, root: f64, mean: f64, shape: f64) -> f64 {
        let (a, b) = (self.a, self.b);
        let h = a / root;
        if h.abs() < 0.5 {
            // x/μ = 1 + h s with s = √(x/μ).
            mean + mean * (h * (0.5 * (h + h.hypot(2.0))))
        } else if a < 0.0 {
            (2.0 * shape.sqrt() / (b - a)).powi(2)
        } else {
            ((a + b) / (2.0 * shape.sqrt()) * mean).powi(2)
        }
    }

    /// The size of the derivative with a of the logarithm of a tail, from that logarithm.
    pub(super) fn slope(&self, ln_tail: f64) -> f64 {
        (-0.5 * self.a * self.a - ln_tail).exp() / TAU.sqrt() * (self.distance / self.b)
    }

    pub(super) const fn a(&self) -> f64 {
        self.a
    }

    /// Φ(a) + e^(2λ/μ) Φ(-b), of which e^(-a²/2) erfcx(b/√2)/2 is the second term.
    pub(super) fn lower(&self) -> f64 {
        let second = 0.5 * (-0.5 * self.a * self.a).exp() * erfcx(self.b * FRAC_1_SQRT_2);
        (normal_cdf(self.a) + second).min(1.0)
    }

    pub(super) fn ln_lower(&self) -> f64 {
        if self.a > -1.0 {
            let lower = self.lower();
            return if lower < 0.5 { lower.ln() } else { (-self.upper()).ln_1p() };
        }
        let sum = erfcx(-self.a * FRAC_1_SQRT_2) + erfcx(self.b * FRAC_1_SQRT_2);
        (0.5 * sum).ln() - 0.5 * self.a * self.a
    }

    /// Φ(-a) - e^(2λ/μ) Φ(-b).
    pub(super) fn upper(&self) -> f64 {
        if self.a < 0.0 {
            let upper = 1.0 - self.lower();
            if upper > 0.1 {
                return upper;
            }
        }
        let decay = (-0.5 * self.a * self.a).exp();
        if decay == 0.0 { 0.0 } else { 0.5 * decay * self.difference() }
    }

    pub(super) fn ln_upper(&self) -> f64 {
        if self.a < 0.0 {
            let lower = self.lower();
            if lower < 0.9 {
                return (-lower).ln_1p();
            }
        }
        let ln_decay = -0.5 * self.a * self.a;
        if ln_decay == f64::NEG_INFINITY {
            ln_decay
        } else if self.a > FAR {
            ln_decay + self.distance.ln() - self.a.ln() - self.b.ln() - 0.5 * TAU.ln()
        } else {
            (0.5 * self.difference()).ln() + ln_decay
        }
    }

    /// erfcx(u) - erfcx(v) at u = a/√2 and v = b/√2, as 2/√π ∫₀^∞ e^(-t² - 2ut) (1 - e^(-2(v - u)t)) dt where
    /// it cancels.
    fn difference(&self) -> f64 {
        let [u, v] = [self.a, self.b].map(|z| z * FRAC_1_SQRT_2);
        let near = erfcx(u);
        let difference = near - erfcx(v);
        if difference > 0.5 * near || near == 0.0 {
            return difference;
        }
        let step = 2.0 * FRAC_1_SQRT_2 * self.distance;
        // Where t² + 2ut has grown by what is negligible, in four parts.
        let reach = NEGLIGIBLE / (u + (u * u + NEGLIGIBLE).sqrt());
        // Of so small a step the tail is a part, which the terms would lose among the subnormal numbers.
        let (unit, step) = if step < SMALL { (step, 0.0) } else { (1.0, step) };
        let term = |t: f64| {
            let fall = if step > 0.0 { -(-step * t).exp_m1() } else { t };
            (-t * (t + 2.0 * u)).exp() * fall
        };
        let parts = [0.1, 0.25, 0.5, 1.0];
        let mut from = 0.0;
        let mut integral = 0.0;
        for part in parts {
            let to = part * reach;
            integral += integrate_up_to(to, to - from, term);
            from = to;
        }
        2.0 / PI.sqrt() * integral * unit
    }
}
