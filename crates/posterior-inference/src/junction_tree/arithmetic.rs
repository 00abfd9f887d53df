//! What messages are made of: probabilities, or their logarithms where probabilities could underflow.

use std::f64::consts::LN_2;

use posterior_pgm::{LogSumProduct, MaxProduct, MaxSum, Semiring, SumProduct};

/// A semiring of weights that messages can be scaled and divided in.
pub(super) trait Arithmetic: Semiring<Value = f64> {
    /// a ⊘ b, with 0 ⊘ 0 = 0.
    fn quotient(a: f64, b: f64) -> f64;

    /// Divides a message by a power of two or by its largest entry, and says what was divided by; `None` if
    /// all are zero.
    fn scale(message: &mut [f64]) -> Option<Scale>;

    /// The logarithm of a weight.
    fn ln(weight: f64) -> f64;

    /// From a probability or a potential.
    fn weight(value: f64) -> f64;

    /// Turns weights into probabilities; false if all are zero.
    fn probabilities(weights: &mut [f64]) -> bool;

    /// The logarithm of the smallest weight that is not zero, where small ones could underflow; else
    /// infinite.
    fn ln_least(weights: &[f64]) -> f64;
}

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

fn quotient_linear(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
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

fn ln_least_linear(weights: &[f64]) -> f64 {
    weights.iter().fold(f64::INFINITY, |least, &w| if w > 0.0 && w < least { w } else { least }).ln()
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

fn quotient_logs(a: f64, b: f64) -> f64 {
    if a == f64::NEG_INFINITY { a } else { a - b }
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

impl Arithmetic for SumProduct {
    fn quotient(a: f64, b: f64) -> f64 {
        quotient_linear(a, b)
    }
    fn scale(message: &mut [f64]) -> Option<Scale> {
        scale_linear(message)
    }
    fn ln(weight: f64) -> f64 {
        weight.ln()
    }
    fn weight(value: f64) -> f64 {
        value
    }
    fn probabilities(weights: &mut [f64]) -> bool {
        normalize_linear(weights)
    }
    fn ln_least(weights: &[f64]) -> f64 {
        ln_least_linear(weights)
    }
}

impl Arithmetic for MaxProduct {
    fn quotient(a: f64, b: f64) -> f64 {
        quotient_linear(a, b)
    }
    fn scale(message: &mut [f64]) -> Option<Scale> {
        scale_linear(message)
    }
    fn ln(weight: f64) -> f64 {
        weight.ln()
    }
    fn weight(value: f64) -> f64 {
        value
    }
    fn probabilities(weights: &mut [f64]) -> bool {
        normalize_linear(weights)
    }
    fn ln_least(weights: &[f64]) -> f64 {
        ln_least_linear(weights)
    }
}

impl Arithmetic for LogSumProduct {
    fn quotient(a: f64, b: f64) -> f64 {
        quotient_logs(a, b)
    }
    fn scale(message: &mut [f64]) -> Option<Scale> {
        scale_logs(message)
    }
    fn ln(weight: f64) -> f64 {
        weight
    }
    fn weight(value: f64) -> f64 {
        value.ln()
    }
    fn probabilities(weights: &mut [f64]) -> bool {
        normalize_logs(weights)
    }
    fn ln_least(_: &[f64]) -> f64 {
        f64::INFINITY
    }
}

impl Arithmetic for MaxSum {
    fn quotient(a: f64, b: f64) -> f64 {
        quotient_logs(a, b)
    }
    fn scale(message: &mut [f64]) -> Option<Scale> {
        scale_logs(message)
    }
    fn ln(weight: f64) -> f64 {
        weight
    }
    fn weight(value: f64) -> f64 {
        value.ln()
    }
    fn probabilities(weights: &mut [f64]) -> bool {
        normalize_logs(weights)
    }
    fn ln_least(_: &[f64]) -> f64 {
        f64::INFINITY
    }
}
