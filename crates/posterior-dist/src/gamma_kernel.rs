//! t^(a + j) e^(-t) / Γ(a) and its integrals: what the gamma distribution and that of its reciprocal are made
//! of.

use std::f64::consts::TAU;

use posterior_math::log_space::ln_1m_exp;
use posterior_math::special::{
    gamma_pq, inverse_gamma_p, inverse_gamma_q, ln_gamma, ln_gamma_1p, ln_gamma_p, ln_gamma_q,
    poisson_deviance, stirling_remainder,
};

use crate::scaled::Positive;

/// From this shape on the large terms a ln t - t and ln Γ(a) are combined by Stirling's formula.
const STIRLING_FROM: f64 = 10.0;

/// The kernel of one shape, with what does not depend on t computed once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GammaKernel {
    shape: f64,
    /// -ln Γ(a), or the kernel at its peak t = a.
    constant: f64,
}

impl GammaKernel {
    pub(crate) fn new(shape: f64) -> Self {
        let constant = if shape < STIRLING_FROM {
            -ln_gamma(shape)
        } else {
            0.5 * (shape / TAU).ln() - stirling_remainder(shape)
        };
        Self { shape, constant }
    }

    /// ln(t^(a + j) e^(-t) / Γ(a)) for t ≥ 0; `j` is -1 or 1, and `ln_t` is for a t that f64 cannot hold.
    pub(crate) fn ln(&self, t: f64, ln_t: impl FnOnce() -> f64, j: f64) -> f64 {
        if t == f64::INFINITY {
            f64::NEG_INFINITY
        } else if t < f64::MIN_POSITIVE {
            (self.shape + j) * ln_t() - ln_gamma(self.shape)
        } else if self.shape < STIRLING_FROM {
            (self.shape + j) * t.ln() - t + self.constant
        } else {
            self.constant - poisson_deviance(self.shape, t) + j * t.ln()
        }
    }
    /// P(T ≤ t) and P(T > t) for t ≥ 0; `ln_t` as in [`ln`](Self::ln). With a small shape much of the
    /// probability may be at numbers that f64 cannot hold.
    pub(crate) fn tails(&self, t: f64, ln_t: impl FnOnce() -> f64) -> (f64, f64) {
        if t < f64::MIN_POSITIVE {
            let ln_lower = self.ln_power(ln_t());
            (ln_lower.exp(), -ln_lower.exp_m1())
        } else {
            gamma_pq(self.shape, t)
        }
    }

    /// ln P(T ≤ t).
    pub(crate) fn ln_lower(&self, t: f64, ln_t: impl FnOnce() -> f64) -> f64 {
        if t < f64::MIN_POSITIVE { self.ln_power(ln_t()) } else { ln_gamma_p(self.shape, t) }
    }

    /// ln P(T > t).
    pub(crate) fn ln_upper(&self, t: f64, ln_t: impl FnOnce() -> f64) -> f64 {
        if t < f64::MIN_POSITIVE { ln_1m_exp(self.ln_power(ln_t())) } else { ln_gamma_q(self.shape, t) }
    }

    /// ln P(T ≤ t) = ln(tᵃ/Γ(a + 1)), of which t leaves no digit.
    fn ln_power(&self, ln_t: f64) -> f64 {
        self.shape * ln_t - ln_gamma_1p(self.shape)
    }

    /// The t with P(T ≤ t) = p.
    pub(crate) fn quantile(&self, p: f64) -> Positive {
        self.known(inverse_gamma_p(self.shape, p), p.ln())
    }

    /// The t with P(T > t) = q.
    pub(crate) fn upper_quantile(&self, q: f64) -> Positive {
        self.known(inverse_gamma_q(self.shape, q), (-q).ln_1p())
    }

    /// t, or from this probability below it where t underflows.
    fn known(&self, t: f64, ln_p: f64) -> Positive {
        if t < f64::MIN_POSITIVE && ln_p > f64::NEG_INFINITY {
            Positive::Logarithm((ln_p + ln_gamma_1p(self.shape)) / self.shape)
        } else {
            Positive::Number(t)
        }
    }
}
