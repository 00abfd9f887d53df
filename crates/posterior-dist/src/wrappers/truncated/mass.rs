//! The probability of an interval, with all digits: from the better tail, or from the density.

use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod, gauss_kronrod_pieces};

use crate::density::{Density, Univariate};
use crate::scaled::ln_ratio;

/// A tail below this is held by its logarithm.
pub(super) const TINY: f64 = 1e-290;

/// A difference below this proportion of the tail has lost too many digits.
const NARROW: f64 = 1.0 / 64.0;

/// From this logarithm on what is below and what is above add up to the whole only if it is their sum.
const ROUNDED: f64 = -600.0;

/// The relative error of a tail.
const TAIL: f64 = 1e-14;

/// An error of the integral with which it still has more digits than a difference.
const SETTLED: f64 = 1e-11;

/// The part of an interval that is integrated by itself at either end.
const NEXT: f64 = 1.0 / 64.0;

/// From this relative width on an interval has enough numbers for parts of it.
const FINE: f64 = 1e-6;

/// How well the density is integrated over a narrow interval.
const INTEGRAL: f64 = 1e-13;

/// A probability: `proportion` · exp(`ln_scale`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::wrappers) struct Mass {
    proportion: f64,
    /// 0 for what f64 can hold.
    ln_scale: f64,
    /// Whether it came as a plain difference of tails.
    difference: bool,
}

impl Mass {
    /// P(a ≤ X ≤ b); NaN for NaN.
    pub(in crate::wrappers) fn between<D: Univariate + Density<Point = f64>>(
        distribution: &D,
        a: f64,
        b: f64,
    ) -> Self {
        let (lower, upper) = (distribution.cdf(b), distribution.sf(a));
        let (near, far) = if lower <= 0.5 {
            (lower, distribution.cdf(a))
        } else if upper <= 0.5 {
            (upper, distribution.sf(b))
        } else {
            (1.0, distribution.cdf(a) + distribution.sf(b))
        };
        if !(near < TINY) {
            let proportion = near - far;
            if proportion >= NARROW * near || proportion.is_nan() {
                return Self { proportion, ln_scale: 0.0, difference: true };
            }
            let plain = Self { proportion: proportion.max(0.0), ln_scale: 0.0, difference: false };
            return plain.or_integral(distribution, [a, b], near, TAIL);
        }
        let (ln_near, ln_far) = if lower <= 0.5 {
            (distribution.ln_cdf(b), distribution.ln_cdf(a))
        } else {
            (distribution.ln_sf(a), distribution.ln_sf(b))
        };
        if ln_near == f64::NEG_INFINITY {
            return Self { proportion: 0.0, ln_scale: 0.0, difference: false };
        }
        let proportion = (ln_far - ln_near).exp_m1().min(0.0).abs();
        let plain = Self { proportion, ln_scale: ln_near, difference: false };
        if proportion < NARROW {
            plain.or_integral(distribution, [a, b], 1.0, TAIL.max(f64::EPSILON * ln_near.abs()))
        } else {
            plain
        }
    }

    /// The integral of the density, if it has more digits than this difference of two tails, of which the
    /// larger one is `near`, in the same units, with the relative `error`; and if the difference does not
    /// contradict it.
    fn or_integral<D: Univariate + Density<Point = f64>>(
        self,
        distribution: &D,
        ends: [f64; 2],
        near: f64,
        error: f64,
    ) -> Self {
        let Some(found) = integral(distribution, ends, self.ln_scale, error * near / self.proportion) else {
            return self;
        };
        let value = found.proportion * (found.ln_scale - self.ln_scale).exp();
        if (value - self.proportion).abs() <= 100.0 * error * near { found } else { self }
    }

    /// The number itself, which may underflow.
    pub(in crate::wrappers) fn value(self) -> f64 {
        self.proportion * self.ln_scale.exp()
    }

    /// Its logarithm.
    pub(super) fn ln(self) -> f64 {
        self.proportion.ln() + self.ln_scale
    }

    /// Whether it is the plain difference of two tails, good to their digits.
    pub(super) const fn is_difference(self) -> bool {
        self.difference
    }

    /// The quotient with the whole; where the rounding of logarithms makes the masses of parts differ from
    /// that of the whole, with the sum of this and the rest.
    pub(super) fn proportion(self, rest: impl FnOnce() -> Self, whole: Self) -> f64 {
        if self.proportion == 0.0 || self.ln() > ROUNDED {
            return self.over(whole).min(1.0);
        }
        let rest = rest();
        let odds = rest.over(self);
        if odds < f64::INFINITY { (1.0 + odds).recip() } else { self.ln_over(rest).exp() }
    }

    /// ln of the same.
    pub(super) fn ln_proportion(self, rest: impl FnOnce() -> Self, whole: Self) -> f64 {
        if self.proportion == 0.0 || self.ln() > ROUNDED {
            return self.ln_over(whole).min(0.0);
        }
        let rest = rest();
        let odds = rest.over(self);
        if odds < f64::INFINITY { -odds.ln_1p() } else { self.ln_over(rest) }
    }

    /// The quotient of two.
    pub(super) fn over(self, whole: Self) -> f64 {
        if self.proportion == 0.0 {
            return 0.0; // whose scale says nothing
        }
        let factor = (self.ln_scale - whole.ln_scale).exp();
        if factor.is_normal() {
            self.proportion / whole.proportion * factor
        } else {
            self.ln_over(whole).exp()
        }
    }

    /// ln of the quotient.
    pub(super) fn ln_over(self, whole: Self) -> f64 {
        if self.proportion == 0.0 {
            return f64::NEG_INFINITY;
        }
        ln_ratio(self.proportion, whole.proportion) + (self.ln_scale - whole.ln_scale)
    }
}

/// ∫ p(x) dx from a to b, over ln |x| where the ends are of different size; `None` if the quadrature does not
/// find it with a relative error below the `worst`: the numbers between a and b may be few, and the
/// logarithms of the density have 16 digits.
fn integral<D: Univariate + Density<Point = f64>>(
    distribution: &D,
    [a, b]: [f64; 2],
    ln_scale: f64,
    worst: f64,
) -> Option<Mass> {
    let ln_density = [distribution.ln_pdf(&a), distribution.ln_pdf(&b)];
    let largest = a.abs().max(b.abs());
    let change = (ln_density[1] - ln_density[0]).abs();
    let noise = change * ((largest.next_up() - largest) / (b - a)) + f64::EPSILON * ln_density[0].abs();
    let noise = if noise.is_finite() { noise } else { 0.0 };
    if noise > worst {
        return None;
    }
    let relative = INTEGRAL.max(16.0 * noise);
    let options = QuadratureOptions { relative, max_evaluations: 1_050, ..QuadratureOptions::default() };
    let (small, large) = if a.abs() < b.abs() { (a.abs(), b.abs()) } else { (b.abs(), a.abs()) };
    let in_logarithms = a * b.signum() > 0.0 && large > 8.0 * small && large >= f64::MIN_POSITIVE;
    let ln_of = |x: f64| distribution.ln_pdf(&x) + if in_logarithms { x.abs().ln() } else { 0.0 };
    let peak = ln_of(a).max(ln_of(b));
    let peak = if peak.is_finite() { peak } else { ln_scale };
    let of = |x: f64| (ln_of(x) - peak).exp();
    let width = b - a;
    // Where symmetric densities have a kink.
    let median = distribution.quantile(0.5);
    let (found, unit) = if in_logarithms {
        let of_ln = |t: f64| of(t.exp().clamp(small, large).copysign(a));
        let (from, to) = (small.ln(), large.ln());
        let cuts = [from, (median * b.signum()).ln(), to];
        let cuts = if from < cuts[1] && cuts[1] < to { &cuts[..] } else { &[from, to] };
        (gauss_kronrod_pieces(of_ln, cuts, &options), 1.0)
    } else if width.is_finite() {
        // In widths, of which f64 may have few digits. A kink next to an end is before the first node of a
        // rule.
        let next = if width > FINE * largest { NEXT } else { 0.0 };
        let mut cuts = [0.0, next, ((median - a) / width).clamp(0.0, 1.0), 1.0 - next, 1.0];
        cuts.sort_by(f64::total_cmp);
        (gauss_kronrod_pieces(|u| of(a + u * width), &cuts, &options), width)
    } else {
        (gauss_kronrod(of, a, b, &options), 1.0)
    };
    let ln_scale = peak + unit.ln();
    // The logarithm of a density is made of larger terms, whose rounding the quadrature cannot settle.
    let settled = found.converged || found.error <= SETTLED * found.value;
    settled.then_some(Mass { proportion: found.value, ln_scale, difference: false })
}
