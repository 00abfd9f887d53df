//! What messages are made of: probabilities, or their logarithms where probabilities could underflow.

use std::f64::consts::LN_2;

use crate::belief_propagation::Domain;

/// Weights that messages can be scaled and divided in.
pub(super) trait Arithmetic: Domain {
    /// a ⊘ b, with 0 ⊘ 0 = 0.
    fn quotient(a: f64, b: f64) -> f64 {
        if !Self::LINEAR {
            return if a == f64::NEG_INFINITY { a } else { a - b };
        }
        if b == 0.0 { 0.0 } else { a / b }
    }

    /// Divides a message by a power of two or by its largest entry, and says what was divided by; `None` if
    /// all are zero.
    fn scale(message: &mut [f64]) -> Option<Scale> {
        if Self::LINEAR { scale_linear(message) } else { scale_logs(message) }
    }

    /// Turns weights into probabilities; false if all are zero.
    fn probabilities(weights: &mut [f64]) -> bool {
        if Self::LINEAR { normalize_linear(weights) } else { normalize_logs(weights) }
    }

    /// The logarithm of the smallest weight that is not zero, where small ones could underflow; else
    /// infinite.
    fn ln_least(weights: &[f64]) -> f64 {
        if !Self::LINEAR {
            return f64::INFINITY;
        }
        weights.iter().fold(f64::INFINITY, |least, &w| if w > 0.0 && w < least { w } else { least }).ln()
    }
}

impl<S: Domain> Arithmetic for S {}

/// What messages were divided by.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Scale {
    /// Powers of two, which lose no digit.
    pub(super) exponent: i64,
    /// And a logarithm.
    pub(super) ln: f64,
}

impl Scale {
    /// ln of the divisor.
    pub(super) fn value(self) -> f64 {
        self.exponent as f64 * LN_2 + self.ln
    }

    /// Both divisors together.
    pub(super) fn and(self, other: Self) -> Self {
        Self { exponent: self.exponent + other.exponent, ln: self.ln + other.ln }
    }
}

fn largest(weights: &[f64]) -> f64 {
    weights.iter().fold(f64::NEG_INFINITY, |a, &b| if b > a { b } else { a })
}

/// Numbers as they are.
fn scale_linear(message: &mut [f64]) -> Option<Scale> {
    let largest = largest(message);
    if largest <= 0.0 {
        return None;
    }
    let exponent = (largest.to_bits() >> 52).cast_signed() - 1023;
    // Subnormal, or too large to have an inverse: never after potentials were scaled.
    if !(-1022..=1022).contains(&exponent) {
        for value in &mut *message {
            *value /= largest;
        }
        return Some(Scale { exponent: 0, ln: largest.ln() });
    }
    if exponent != 0 {
        let factor = f64::from_bits((1023 - exponent).cast_unsigned() << 52);
        for value in &mut *message {
            *value *= factor;
        }
    }
    Some(Scale { exponent, ln: 0.0 })
}

fn normalize_linear(weights: &mut [f64]) -> bool {
    let total: f64 = weights.iter().sum();
    if !(total > 0.0 && total.is_finite()) {
        return false;
    }
    for weight in &mut *weights {
        *weight /= total;
    }
    true
}

/// Logarithms.
fn scale_logs(message: &mut [f64]) -> Option<Scale> {
    let largest = largest(message);
    if largest == f64::NEG_INFINITY {
        return None;
    }
    for value in &mut *message {
        *value -= largest;
    }
    Some(Scale { exponent: 0, ln: largest })
}

fn normalize_logs(weights: &mut [f64]) -> bool {
    if scale_logs(weights).is_none() {
        return false;
    }
    for weight in &mut *weights {
        *weight = weight.exp();
    }
    normalize_linear(weights)
}
