//! Arc-cosine kernels: infinitely many step, rectified linear or quadratic features.

use std::f64::consts::PI;
use std::fmt;

use posterior_math::check::{self, ParamError};

use super::{CovarianceFunction, Kernel, KernelParameter};

/// |u|ⁿ|u'|ⁿ Jₙ(θ)/π with u = (√b, x) and the angle θ between u and u'.
#[derive(Debug)]
struct ArcCosine {
    order: u32,
    bias: f64,
}

impl Kernel {
    /// |u|ⁿ |u'|ⁿ Jₙ(θ)/π, where u = (√b, x) and θ is the angle between u and u': 2 E[(w·u)₊ⁿ (w·u')₊ⁿ] for standard normal
    /// weights w, that is, one layer of infinitely many units.
    ///
    /// The order n, which stays as it is in fits, is 0 for steps, 1 for rectified linear units and 2 for
    /// their squares; b is the variance of the biases over that of the weights.
    ///
    /// Source: Y. Cho, L. K. Saul, Kernel methods for deep learning, NIPS 2009, equations 1 to 6.
    ///
    /// # Errors
    /// If the order is above 2, or the bias is not positive and finite.
    pub fn arc_cosine(order: u32, bias: f64) -> Result<Self, ParamError> {
        if order > 2 {
            return Err(ParamError::new("arc_cosine", "order", f64::from(order), "0, 1 or 2"));
        }
        Ok(Self::new(ArcCosine { order, bias: check::positive("arc_cosine", "bias", bias)? }))
    }

    /// [`arc_cosine`](Self::arc_cosine) of order 1: infinitely many rectified linear units.
    ///
    /// # Errors
    /// If the bias is not positive and finite.
    pub fn relu(bias: f64) -> Result<Self, ParamError> {
        Self::arc_cosine(1, bias)
    }
}

/// |u|, |u'| and the angle between them.
struct Angle {
    left: f64,
    right: f64,
    theta: f64,
}

impl ArcCosine {
    /// The angle by W. Kahan's formula, which keeps its digits for parallel vectors.
    fn angle(&self, x: &[f64], y: &[f64]) -> Angle {
        let bias = self.bias.sqrt();
        let norm = |x: &[f64]| x.iter().fold(bias, |norm, x| norm.hypot(*x));
        let (left, right) = (norm(x), norm(y));
        let pairs = || std::iter::once((bias, bias)).chain(x.iter().copied().zip(y.iter().copied()));
        let length = |sign: f64| {
            let squares = pairs().map(|(x, y)| (x / left + sign * (y / right)).powi(2));
            squares.sum::<f64>().sqrt()
        };
        Angle { left, right, theta: 2.0 * length(-1.0).atan2(length(1.0)) }
    }
}

/// Jₙ(θ)/π
fn angular(order: u32, theta: f64) -> f64 {
    let (sin, cos) = theta.sin_cos();
    let value = match order {
        0 => PI - theta,
        1 => sin + (PI - theta) * cos,
        _ => 3.0 * sin * cos + (PI - theta) * (1.0 + 2.0 * cos * cos),
    };
    value / PI
}

/// -(dJₙ/dθ)/(π sin θ): the derivative by cos θ. Infinite for parallel vectors if n = 0.
fn angular_slope(order: u32, theta: f64) -> f64 {
    match order {
        0 => 1.0 / (PI * theta.sin()),
        1 => (PI - theta) / PI,
        _ => 4.0 * angular(1, theta),
    }
}

impl CovarianceFunction for ArcCosine {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        let Angle { left, right, theta } = self.angle(x, y);
        (left * right).powi(self.order.cast_signed()) * angular(self.order, theta)
    }

    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) {
        let Angle { left, right, theta } = self.angle(x, y);
        let size = (left * right).powi(self.order.cast_signed());
        let inverses = (left.powi(-2), right.powi(-2));
        // d ln(|u||u'|)ⁿ/d ln b, and d cos θ/d ln b without cancellation for small angles.
        let growth = 0.5 * f64::from(self.order) * self.bias * (inverses.0 + inverses.1);
        let half = (0.5 * theta).sin();
        let turn = self.bias
            * (half * half * (inverses.0 + inverses.1) - 0.5 * (left.recip() - right.recip()).powi(2));
        let turned = if theta == 0.0 { 0.0 } else { turn * angular_slope(self.order, theta) };
        gradient[0] = size * (growth * angular(self.order, theta) + turned);
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        vec![KernelParameter::positive("arc_cosine.bias", self.bias)]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        Kernel::arc_cosine(self.order, values[0])
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "arc_cosine({}, {})", self.order, self.bias)
    }
}
