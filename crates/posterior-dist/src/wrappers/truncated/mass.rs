//! The probability of an interval, with all digits: from the better tail, or from the density.

use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod};

use crate::density::Univariate;

/// A tail below this is held by its logarithm.
const TINY: f64 = 1e-290;

/// A difference below this share of the tail has lost too many digits.
const NARROW: f64 = 1.0 / 64.0;

/// From this logarithm on its rounding is 10⁻⁸ and more.
const ROUNDED: f64 = -1e8;

/// How well the density is integrated over a narrow interval.
const INTEGRAL: f64 = 1e-13;

/// A probability: `share` · exp(`ln_scale`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mass {
    share: f64,
    /// 0 for what f64 can hold.
    ln_scale: f64,
    /// Whether it came as a plain difference of tails.
    difference: bool,
}

impl Mass {
    /// P(a ≤ X ≤ b); NaN for NaN.
    pub(super) fn between<D: Univariate<Point = f64>>(law: &D, a: f64, b: f64) -> Self {
        let (lower, upper) = (law.cdf(b), law.sf(a));
        let (near, far) = if lower <= 0.5 {
            (lower, law.cdf(a))
        } else if upper <= 0.5 {
            (upper, law.sf(b))
        } else {
            (1.0, law.cdf(a) + law.sf(b))
        };
        if !(near < TINY) {
            let share = near - far;
            if share >= NARROW * near || share.is_nan() {
                return Self { share, ln_scale: 0.0, difference: true };
            }
            let share = integral(law, a, b, 0.0).unwrap_or(share);
            return Self { share, ln_scale: 0.0, difference: false };
        }
        let (ln_near, ln_far) =
            if lower <= 0.5 { (law.ln_cdf(b), law.ln_cdf(a)) } else { (law.ln_sf(a), law.ln_sf(b)) };
        if ln_near == f64::NEG_INFINITY {
            return Self { share: 0.0, ln_scale: 0.0, difference: false };
        }
        let share = -(ln_far - ln_near).exp_m1();
        let better = if share < NARROW { integral(law, a, b, ln_near) } else { None };
        Self { share: better.unwrap_or(share), ln_scale: ln_near, difference: false }
    }

    /// The number itself, which may underflow.
    pub(super) fn value(self) -> f64 {
        self.share * self.ln_scale.exp()
    }

    /// Its logarithm.
    pub(super) fn ln(self) -> f64 {
        self.share.ln() + self.ln_scale
    }

    /// Whether it is the plain difference of two tails, good to their digits.
    pub(super) const fn is_difference(self) -> bool {
        self.difference
    }

    /// The quotient with the whole; where the rounding of logarithms makes the masses of parts differ from that of the whole, with the sum of
    /// this and the rest.
    pub(super) fn share(self, rest: impl FnOnce() -> Self, whole: Self) -> f64 {
        if self.ln_scale > ROUNDED || self.share == 0.0 {
            return self.over(whole).min(1.0);
        }
        (1.0 + rest().over(self)).recip()
    }

    /// ln of the same.
    pub(super) fn ln_share(self, rest: impl FnOnce() -> Self, whole: Self) -> f64 {
        if self.ln_scale > ROUNDED || self.share == 0.0 {
            return self.ln_over(whole).min(0.0);
        }
        let rest = rest();
        let odds = rest.over(self);
        if odds < f64::INFINITY { -odds.ln_1p() } else { self.ln_over(rest) }
    }

    /// The quotient of two.
    pub(super) fn over(self, whole: Self) -> f64 {
        if self.share == 0.0 {
            return 0.0; // whose scale says nothing
        }
        self.share / whole.share * (self.ln_scale - whole.ln_scale).exp()
    }

    /// ln of the quotient.
    pub(super) fn ln_over(self, whole: Self) -> f64 {
        if self.share == 0.0 {
            return f64::NEG_INFINITY;
        }
        (self.share / whole.share).ln() + (self.ln_scale - whole.ln_scale)
    }
}

/// ∫ p(x) dx from a to b over exp(`ln_scale`), if the quadrature finds it; over ln |x| where the ends are of different size.
fn integral<D: Univariate<Point = f64>>(law: &D, a: f64, b: f64, ln_scale: f64) -> Option<f64> {
    let options = QuadratureOptions::default().with_relative(INTEGRAL).with_max_evaluations(2_100);
    let of = |x: f64| (law.ln_pdf(&x) - ln_scale).exp();
    let (small, large) = if a.abs() < b.abs() { (a.abs(), b.abs()) } else { (b.abs(), a.abs()) };
    let found = if a * b.signum() > 0.0 && large > 8.0 * small {
        let of_ln = |t: f64| of(t.exp().copysign(a)) * t.exp();
        gauss_kronrod(of_ln, small.ln(), large.ln(), &options)
    } else {
        gauss_kronrod(of, a, b, &options)
    };
    if found.converged { Some(found.value) } else { None }
}
