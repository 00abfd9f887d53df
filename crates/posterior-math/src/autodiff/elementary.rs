//! The functions of one variable with their derivatives, stated once for all kinds of numbers.

use crate::log_space::{ln_1p_exp, logistic};
use crate::special::{inverse_mills, ln_gamma, ln_normal_cdf, normal_cdf, polygamma};

/// A function of one variable that every [`Real`](super::Real) can apply.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Elementary {
    /// Exponential function e^x.
    Exp,
    /// e^x - 1.
    ExpM1,
    /// Natural logarithm ln x.
    Ln,
    /// ln(1 + x).
    Ln1p,
    /// Square root √x.
    Sqrt,
    /// sin x.
    Sin,
    /// cos x.
    Cos,
    /// tanh x.
    Tanh,
    /// arctan x.
    Atan,
    /// |x|, with the derivative 0 at 0.
    Abs,
    /// Power xⁿ with an integer exponent.
    Powi(i32),
    /// Power x^p with a constant exponent.
    Powf(f64),
    /// 1 / (1 + e^(-x)).
    Logistic,
    /// ln(1 + e^x).
    Ln1pExp,
    /// ln |Γ(x)|.
    LnGamma,
    /// ψ⁽ⁿ⁾(x): the digamma function for 0, the trigamma function for 1, and so on.
    Polygamma(u32),
    /// Φ(x), the cdf of the standard normal distribution.
    NormalCdf,
    /// ln Φ(x).
    LnNormalCdf,
    /// φ(x) / Φ(x), the derivative of ln Φ.
    InverseMills,
}

impl Elementary {
    /// Value f(x).
    pub fn of(self, x: f64) -> f64 {
        match self {
            Self::Exp => x.exp(),
            Self::ExpM1 => x.exp_m1(),
            Self::Ln => x.ln(),
            Self::Ln1p => x.ln_1p(),
            Self::Sqrt => x.sqrt(),
            Self::Sin => x.sin(),
            Self::Cos => x.cos(),
            Self::Tanh => x.tanh(),
            Self::Atan => x.atan(),
            Self::Abs => x.abs(),
            Self::Powi(n) => x.powi(n),
            Self::Powf(p) => x.powf(p),
            Self::Logistic => logistic(x),
            Self::Ln1pExp => ln_1p_exp(x),
            Self::LnGamma => ln_gamma(x),
            Self::Polygamma(n) => polygamma(n, x),
            Self::NormalCdf => normal_cdf(x),
            Self::LnNormalCdf => ln_normal_cdf(x),
            Self::InverseMills => inverse_mills(x),
        }
    }
}
