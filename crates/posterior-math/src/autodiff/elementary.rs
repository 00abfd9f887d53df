//! The functions of one variable with their derivatives, stated once for all kinds of numbers.

use super::real::Real;
use crate::log_space::{ln_1p_exp, logistic};
use crate::special::{digamma, ln_gamma, trigamma};

/// A function of one variable that every [`Real`] can apply.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Elementary {
    /// e^x.
    Exp,
    /// e^x - 1.
    ExpM1,
    /// ln x.
    Ln,
    /// ln(1 + x).
    Ln1p,
    /// √x.
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
    /// xⁿ.
    Powi(i32),
    /// x^p.
    Powf(f64),
    /// 1 / (1 + e^(-x)).
    Logistic,
    /// ln(1 + e^x).
    Ln1pExp,
    /// ln |Γ(x)|.
    LnGamma,
    /// ψ⁽ⁿ⁾(x): the digamma function for 0, the trigamma function for 1, and so on.
    Polygamma(u32),
}

impl Elementary {
    /// f(x).
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
            Self::Polygamma(0) => digamma(x),
            Self::Polygamma(1) => trigamma(x),
            Self::Polygamma(n) => polygamma(n, x),
        }
    }

    /// f'(x), where `y` is f(x).
    pub(super) fn slope<R: Real>(self, x: R, y: R) -> R {
        match self {
            Self::Exp => y,
            Self::ExpM1 => y + 1.0,
            Self::Ln => x.recip(),
            Self::Ln1p => (x + 1.0).recip(),
            Self::Sqrt => y.recip() * 0.5,
            Self::Sin => x.cos(),
            Self::Cos => -x.sin(),
            // 1 - y² would lose its digits where y is almost 1.
            Self::Tanh => (x * 2.0).logistic() * (x * -2.0).logistic() * 4.0,
            Self::Atan => (x * x + 1.0).recip(),
            Self::Abs if x.value() == 0.0 => R::constant(0.0),
            Self::Abs => R::constant(x.value().signum()),
            Self::Powi(0) => R::constant(0.0),
            Self::Powi(n) => x.powi(n - 1) * f64::from(n),
            Self::Powf(p) => x.powf(p - 1.0) * p,
            Self::Logistic => y * (-x).logistic(),
            Self::Ln1pExp => x.logistic(),
            Self::LnGamma => x.digamma(),
            Self::Polygamma(n) => x.polygamma(n.saturating_add(1)),
        }
    }
}

/// Bernoulli's numbers B₂, B₄, …, B₁₄.
const BERNOULLI: [f64; 7] =
    [1.0 / 6.0, -1.0 / 30.0, 1.0 / 42.0, -1.0 / 30.0, 5.0 / 66.0, -691.0 / 2730.0, 7.0 / 6.0];

/// ψ⁽ⁿ⁾(x) for n ≥ 2 and x > 0, by the recurrence and the asymptotic series; NaN for x ≤ 0 and for n > 20.
///
/// Relative error below 5e-16 for n = 2.
fn polygamma(n: u32, x: f64) -> f64 {
    if !(x > 0.0) || n > 20 {
        return f64::NAN;
    }
    let order = f64::from(n);
    let below: f64 = (1..n).map(f64::from).product(); // (n - 1)!
    let mut base = x;
    let mut sum = 0.0;
    while base < 10.0 + order {
        sum += below * order * base.powf(-order - 1.0);
        base += 1.0;
    }
    let scale = base.powf(-order);
    let mut series = scale * (below + 0.5 * below * order / base);
    // B₂ₖ (2k + n - 1)! / (2k)! / base^(2k + n)
    let mut factor = below * scale;
    for (k, bernoulli) in (1..).zip(BERNOULLI) {
        let (even, odd) = (2.0 * f64::from(k), 2.0 * f64::from(k) - 1.0);
        factor *= (odd + order - 1.0) * (even + order - 1.0) / (odd * even) / (base * base);
        series += bernoulli * factor;
    }
    let sign = if n.is_multiple_of(2) { -1.0 } else { 1.0 };
    sign * (sum + series)
}
