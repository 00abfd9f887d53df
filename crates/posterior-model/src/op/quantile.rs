//! Quantiles of distributions whose distribution functions have all derivatives.

use posterior_math::special::{inverse_beta_p, inverse_beta_q};

use crate::density::Tail;

/// A distribution whose quantiles the library has. The first argument is the probability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Quantile {
    /// Two shapes.
    Beta,
    /// Degrees of freedom, location, scale.
    StudentT,
}

impl Quantile {
    const fn tail(self) -> Tail {
        match self {
            Self::Beta => Tail::Beta,
            Self::StudentT => Tail::StudentT,
        }
    }

    pub(super) fn value(self, x: &[f64]) -> f64 {
        let p = x[0];
        if !(0.0..=1.0).contains(&p) {
            return f64::NAN;
        }
        match self {
            Self::Beta => inverse_beta_p(x[1], x[2], p).0,
            Self::StudentT => {
                let (nu, mu, s) = (x[1], x[2], x[3]);
                if !(nu > 0.0 && s > 0.0) {
                    return f64::NAN;
                }
                // Beyond |z| is half of the incomplete beta function at ν / (ν + z²).
                let outer = 2.0 * p.min(1.0 - p);
                let (share, rest) = if outer < 0.5 {
                    inverse_beta_p(0.5 * nu, 0.5, outer)
                } else {
                    inverse_beta_q(0.5 * nu, 0.5, 1.0 - outer)
                };
                let z = (nu * rest / share).sqrt();
                mu + s * if p < 0.5 { -z } else { z }
            }
        }
    }

    /// By the theorem of implicit functions: dy/dp = 1 / (F ∂ln F/∂y), dy/dθ = -∂ln F/∂θ / ∂ln F/∂y.
    pub(super) fn slopes(self, x: &[f64], y: f64, d: &mut [f64; 8]) {
        let mut at = [0.0; 8];
        at[..x.len()].copy_from_slice(x);
        at[0] = y;
        let mut own = [0.0; 8];
        self.tail().value(&at[..x.len()], false, &mut own);
        d[0] = (x[0] * own[0]).recip();
        for i in 1..x.len() {
            d[i] = -own[i] / own[0];
        }
    }
}
