//! The kernel of a neural network with infinitely many sigmoid units.

use std::f64::consts::FRAC_2_PI;
use std::fmt;

use posterior_math::check::{self, ParamError};

use super::{CovarianceFunction, Kernel, KernelParameter};

/// (2/π) arcsin(2 s/√((1 + 2 s₁₁)(1 + 2 s₂₂))) with s = b + w x·x'.
#[derive(Debug)]
struct NeuralNetwork {
    weight: f64,
    bias: f64,
}

impl Kernel {
    /// (2/π) arcsin(2 s(x, x')/√((1 + 2 s(x, x)) (1 + 2 s(x', x')))) with s(x, x') = b + w x·x': one layer of
    /// infinitely many units erf(u₀ + u·x), whose biases have variance b and whose weights have variance w.
    ///
    /// Source: C. K. I. Williams, Computation with infinite neural networks, Neural Computation 10 (1998);
    /// Rasmussen and Williams, equation 4.29.
    ///
    /// # Errors
    /// If a variance is not positive and finite.
    pub fn neural_network(weight: f64, bias: f64) -> Result<Self, ParamError> {
        let weight = check::positive("neural_network", "weight", weight)?;
        Ok(Self::new(NeuralNetwork { weight, bias: check::positive("neural_network", "bias", bias)? }))
    }
}

fn inner(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// 1 + 2 s(x, x), 1 + 2 s(x', x'), and 2 s(x, x').
struct Moments {
    left: f64,
    right: f64,
    both: f64,
}

impl Moments {
    fn sine(&self) -> f64 {
        (self.both / (self.left.sqrt() * self.right.sqrt())).clamp(-1.0, 1.0)
    }
}

impl NeuralNetwork {
    fn moments(&self, x: &[f64], y: &[f64]) -> Moments {
        let moment = |x: &[f64], y: &[f64]| 2.0 * (self.bias + self.weight * inner(x, y));
        Moments { left: 1.0 + moment(x, x), right: 1.0 + moment(y, y), both: moment(x, y) }
    }

    /// √((1 + 2 s₁₁)(1 + 2 s₂₂) - 4 s²), as a sum of what is not negative: Lagrange's identity.
    fn remainder(&self, x: &[f64], y: &[f64], moments: &Moments) -> f64 {
        let mut squares = 0.0;
        for (x, y) in x.iter().zip(y) {
            squares += self.weight * self.bias * (x - y) * (x - y);
        }
        for i in 0..x.len() {
            for j in 0..i {
                squares += (self.weight * (x[i] * y[j] - x[j] * y[i])).powi(2);
            }
        }
        (moments.left + moments.right - 1.0 + 4.0 * squares).sqrt()
    }
}

impl CovarianceFunction for NeuralNetwork {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        let moments = self.moments(x, y);
        FRAC_2_PI * moments.both.atan2(self.remainder(x, y, &moments))
    }

    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) {
        let moments = self.moments(x, y);
        let scale = FRAC_2_PI / self.remainder(x, y, &moments);
        let norm = moments.left.sqrt() * moments.right.sqrt();
        let slope = |left: f64, right: f64, both: f64| {
            scale * (both - 0.5 * moments.sine() * norm * (left / moments.left + right / moments.right))
        };
        let weight = 2.0 * self.weight;
        gradient[0] = slope(weight * inner(x, x), weight * inner(y, y), weight * inner(x, y));
        gradient[1] = slope(2.0 * self.bias, 2.0 * self.bias, 2.0 * self.bias);
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        vec![
            KernelParameter::positive("neural_network.weight", self.weight),
            KernelParameter::positive("neural_network.bias", self.bias),
        ]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        Kernel::neural_network(values[0], values[1])
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "neural_network({}, {})", self.weight, self.bias)
    }
}
