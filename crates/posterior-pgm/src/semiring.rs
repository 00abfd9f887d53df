//! Semirings: what "add" and "multiply" mean when a product of tables is summed.

use std::fmt::Debug;

use posterior_math::log_space::{ln_add_exp, ln_sum_exp};

/// Two operations with a ⊗ (b ⊕ c) = a ⊗ b ⊕ a ⊗ c: all that elimination on a graph needs (Aji and McEliece
/// 2000).
///
/// One algorithm answers many questions: [`SumProduct`] gives probabilities, [`MaxProduct`] the best joint
/// state, [`Counting`] the number of joint states that are possible.
pub trait Semiring {
    /// The numbers in the tables.
    type Value: Copy + PartialEq + Debug + Send + Sync;

    /// The neutral element of ⊕, which annihilates under ⊗.
    const ZERO: Self::Value;
    /// The neutral element of ⊗.
    const ONE: Self::Value;

    /// The sum a ⊕ b.
    fn add(a: Self::Value, b: Self::Value) -> Self::Value;

    /// The product a ⊗ b.
    fn multiply(a: Self::Value, b: Self::Value) -> Self::Value;

    /// Whether ⊕ of many values is cheaper at once than one by one.
    const SUMS_TOGETHER: bool = false;

    /// ⊕ of all values: in four parts, so that the compiler can use vector instructions.
    fn sum(values: &[Self::Value]) -> Self::Value {
        let mut parts = [Self::ZERO; 4];
        let chunks = values.chunks_exact(4);
        let rest = chunks.remainder().iter().fold(Self::ZERO, |sum, &value| Self::add(sum, value));
        for chunk in chunks {
            for (part, &value) in parts.iter_mut().zip(chunk) {
                *part = Self::add(*part, value);
            }
        }
        Self::add(Self::add(Self::add(parts[0], parts[1]), Self::add(parts[2], parts[3])), rest)
    }
}

/// Probabilities: + and ×.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SumProduct;

impl Semiring for SumProduct {
    type Value = f64;
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    fn add(a: f64, b: f64) -> f64 {
        a + b
    }

    fn multiply(a: f64, b: f64) -> f64 {
        a * b
    }
}

/// The best joint state of nonnegative tables: max and ×.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaxProduct;

impl Semiring for MaxProduct {
    type Value = f64;
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    fn add(a: f64, b: f64) -> f64 {
        if b > a { b } else { a }
    }

    fn multiply(a: f64, b: f64) -> f64 {
        a * b
    }
}

/// Logarithms of probabilities: ln(eᵃ + eᵇ) and +.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogSumProduct;

impl Semiring for LogSumProduct {
    type Value = f64;
    const ZERO: f64 = f64::NEG_INFINITY;
    const ONE: f64 = 0.0;

    fn add(a: f64, b: f64) -> f64 {
        ln_add_exp(a, b)
    }

    fn multiply(a: f64, b: f64) -> f64 {
        a + b
    }

    /// One logarithm for all, after the largest was taken out.
    const SUMS_TOGETHER: bool = true;

    fn sum(values: &[f64]) -> f64 {
        ln_sum_exp(values)
    }
}

/// The best joint state of logarithms: max and +.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaxSum;

impl Semiring for MaxSum {
    type Value = f64;
    const ZERO: f64 = f64::NEG_INFINITY;
    const ONE: f64 = 0.0;

    fn add(a: f64, b: f64) -> f64 {
        if b > a { b } else { a }
    }

    fn multiply(a: f64, b: f64) -> f64 {
        a + b
    }
}

/// The joint state of least energy: min and +.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MinSum;

impl Semiring for MinSum {
    type Value = f64;
    const ZERO: f64 = f64::INFINITY;
    const ONE: f64 = 0.0;

    fn add(a: f64, b: f64) -> f64 {
        if b < a { b } else { a }
    }

    fn multiply(a: f64, b: f64) -> f64 {
        a + b
    }
}

/// How many joint states there are: integers, which stop at the largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counting;

impl Semiring for Counting {
    type Value = u64;
    const ZERO: u64 = 0;
    const ONE: u64 = 1;

    fn add(a: u64, b: u64) -> u64 {
        a.saturating_add(b)
    }

    fn multiply(a: u64, b: u64) -> u64 {
        a.saturating_mul(b)
    }
}

/// Expectations of sums: a probability, and the probability times a value (Eisner 2002).
///
/// Where each table holds (p, p · f), elimination gives (∑ ∏ p, ∑ ∏ p ∑ f): the expectation of the sum of all
/// f in one pass, and the entropy of a model where f = −ln p.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectationSemiring;

impl Semiring for ExpectationSemiring {
    type Value = (f64, f64);
    const ZERO: (f64, f64) = (0.0, 0.0);
    const ONE: (f64, f64) = (1.0, 0.0);

    fn add(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
        (a.0 + b.0, a.1 + b.1)
    }

    fn multiply(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
        (a.0 * b.0, a.0 * b.1 + a.1 * b.0)
    }
}
