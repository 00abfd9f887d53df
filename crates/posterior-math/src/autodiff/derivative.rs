//! The derivatives of the functions of one variable.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

use super::elementary::Elementary;
use super::real::Real;

impl Elementary {
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
            Self::NormalCdf => (x * x * -0.5).exp() * (FRAC_2_SQRT_PI * FRAC_1_SQRT_2 * 0.5),
            Self::LnNormalCdf => x.apply(Self::InverseMills),
            Self::InverseMills => -(y * (x + y)),
        }
    }
}
