//! Beta prime distribution at ratios next to 0 that f64 cannot hold, and at infinity by their reciprocals.

use posterior_math::special::{ln_beta, ln_gamma_1p, ln_pochhammer};

use crate::gamma_kernel::GammaKernel;
use crate::scaled::{Positive, ln_ratio};

/// From this second parameter on b times such a ratio is a number that matters, and gamma distributed.
const GAMMA_FROM: f64 = 1e280;

/// Up to this first parameter; beyond, there is no probability at such ratios.
const GAMMA_TO: f64 = 1e200;

/// The end at 0 of a ratio w of gamma variables with shapes a and b.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    a: f64,
    b: f64,
}

impl End {
    pub(super) const fn new(a: f64, b: f64) -> Self {
        Self { a, b }
    }

    fn is_gamma(self) -> bool {
        self.b > GAMMA_FROM && self.a < GAMMA_TO
    }

    /// ln Γ(a + b)/(Γ(a + 1) Γ(b)).
    fn ln_factor(self) -> f64 {
        if self.a > 1.0 {
            -ln_beta(self.a, self.b) - self.a.ln()
        } else {
            ln_pochhammer(self.b, self.a) - ln_gamma_1p(self.a)
        }
    }

    /// ln P(W ≤ x/s).
    pub(super) fn ln_tail(self, x: f64, scale: f64) -> f64 {
        if self.is_gamma() {
            // b x/s; x is at most 4.
            let t = 4.0 * (x * (0.25 * self.b) / scale);
            return GammaKernel::new(self.a).ln_lower(t, || self.b.ln() + ln_ratio(x, scale));
        }
        self.a * ln_ratio(x, scale) + self.ln_factor()
    }

    /// (a + b) x/s, by which ln p(w) is below its power law.
    pub(super) fn decay(self, x: f64, scale: f64) -> f64 {
        4.0 * (x * (0.25 * (self.a + self.b)) / scale)
    }

    /// The w with P(W ≤ w) = p for `lower`, otherwise with P(W > w) = p.
    pub(super) fn quantile(self, p: f64, lower: bool) -> Quotient {
        if self.is_gamma() {
            let kernel = GammaKernel::new(self.a);
            return match if lower { kernel.quantile(p) } else { kernel.upper_quantile(p) } {
                Positive::Number(t) => Quotient::Of(t, self.b),
                Positive::Logarithm(ln_t) => Quotient::Logarithm(ln_t - self.b.ln()),
            };
        }
        let ln_p = if lower { p.ln() } else { (-p).ln_1p() };
        Quotient::Logarithm((ln_p - self.ln_factor()) / self.a)
    }
}

/// A quotient that f64 need not hold.
#[derive(Debug, Clone, Copy)]
pub(super) enum Quotient {
    /// Its two numbers.
    Of(f64, f64),
    /// Its logarithm.
    Logarithm(f64),
}
