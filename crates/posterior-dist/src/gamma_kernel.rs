//! t^(a + j) e^(-t) / Γ(a): what the densities of the gamma law and of its reciprocal are made of.

use std::f64::consts::TAU;

use posterior_math::special::{ln_gamma, poisson_deviance, stirling_remainder};

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
}
