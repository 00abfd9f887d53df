//! What a number must be able to do for a function to be differentiated.

use std::fmt::Debug;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use super::elementary::Elementary;

/// A real number, with or without derivatives: [`f64`], [`Dual`](super::Dual), [`Var`](super::Var).
///
/// Only three methods are required; everything else is made of them. Comparisons go through
/// [`value`](Self::value): the derivative is that of the branch that was taken. A function whose arguments
/// are `impl Into<R>` takes numbers of either kind, with derivatives or without.
pub trait Real:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
    + AddAssign
    + Sum
    + From<f64>
{
    /// A number that depends on nothing.
    fn constant(value: f64) -> Self;

    /// The number without its derivatives.
    fn value(self) -> f64;

    /// The function `f` of the number, with its derivatives.
    #[must_use]
    fn apply(self, f: Elementary) -> Self;

    /// Exponential function e^x.
    #[must_use]
    fn exp(self) -> Self {
        self.apply(Elementary::Exp)
    }

    /// e^x - 1, with all digits for small x.
    #[must_use]
    fn exp_m1(self) -> Self {
        self.apply(Elementary::ExpM1)
    }

    /// Natural logarithm ln x.
    #[must_use]
    fn ln(self) -> Self {
        self.apply(Elementary::Ln)
    }

    /// ln(1 + x), with all digits for small x.
    #[must_use]
    fn ln_1p(self) -> Self {
        self.apply(Elementary::Ln1p)
    }

    /// Square root √x.
    #[must_use]
    fn sqrt(self) -> Self {
        self.apply(Elementary::Sqrt)
    }

    /// sin x.
    #[must_use]
    fn sin(self) -> Self {
        self.apply(Elementary::Sin)
    }

    /// cos x.
    #[must_use]
    fn cos(self) -> Self {
        self.apply(Elementary::Cos)
    }

    /// tanh x.
    #[must_use]
    fn tanh(self) -> Self {
        self.apply(Elementary::Tanh)
    }

    /// arctan x.
    #[must_use]
    fn atan(self) -> Self {
        self.apply(Elementary::Atan)
    }

    /// Absolute value |x|, with the derivative 0 at 0.
    #[must_use]
    fn abs(self) -> Self {
        self.apply(Elementary::Abs)
    }

    /// Power xⁿ with an integer exponent.
    #[must_use]
    fn powi(self, n: i32) -> Self {
        self.apply(Elementary::Powi(n))
    }

    /// Power x^p with a constant exponent.
    #[must_use]
    fn powf(self, p: f64) -> Self {
        self.apply(Elementary::Powf(p))
    }

    /// Reciprocal 1 / x.
    #[must_use]
    fn recip(self) -> Self {
        self.apply(Elementary::Powi(-1))
    }

    /// 1 / (1 + e^(-x)).
    #[must_use]
    fn logistic(self) -> Self {
        self.apply(Elementary::Logistic)
    }

    /// ln(1 / (1 + e^(-x))).
    #[must_use]
    fn ln_logistic(self) -> Self {
        -(-self).ln_1p_exp()
    }

    /// ln(1 + e^x).
    #[must_use]
    fn ln_1p_exp(self) -> Self {
        self.apply(Elementary::Ln1pExp)
    }

    /// ln |Γ(x)|.
    #[must_use]
    fn ln_gamma(self) -> Self {
        self.apply(Elementary::LnGamma)
    }

    /// Φ(x), the cdf of the standard normal distribution.
    #[must_use]
    fn normal_cdf(self) -> Self {
        self.apply(Elementary::NormalCdf)
    }

    /// ln Φ(x).
    #[must_use]
    fn ln_normal_cdf(self) -> Self {
        self.apply(Elementary::LnNormalCdf)
    }

    /// ψ(x) = d ln Γ(x) / dx.
    #[must_use]
    fn digamma(self) -> Self {
        self.polygamma(0)
    }

    /// The n-th derivative of ψ(x).
    #[must_use]
    fn polygamma(self, n: u32) -> Self {
        self.apply(Elementary::Polygamma(n))
    }
}

impl Real for f64 {
    fn constant(value: f64) -> Self {
        value
    }

    fn value(self) -> f64 {
        self
    }

    fn apply(self, f: Elementary) -> Self {
        f.of(self)
    }
}
