//! Non-negative numbers of f64's digits and a far wider range.

use std::cmp::Ordering;
use std::f64::consts::LN_2;

/// 2⁵¹² and its reciprocal.
const STEP: f64 = 1.340_780_792_994_259_7e154;
const STEP_DOWN: f64 = 7.458_340_731_200_207e-155;
/// Digits of a step, in powers of two.
const BITS: f64 = 512.0;
/// 2⁻²⁵⁶ and 2²⁵⁶: between them are the mantissas.
const LOW: f64 = 8.636_168_555_094_445e-78;
const HIGH: f64 = 1.157_920_892_373_162e77;

/// mantissa · 2^(-512 steps).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wide {
    mantissa: f64,
    steps: i32,
}

impl Wide {
    pub(super) const ZERO: Self = Self { mantissa: 0.0, steps: 0 };

    /// A number from 0 to 1.
    pub(super) fn of(value: f64) -> Self {
        Self { mantissa: value, steps: 0 }.normal()
    }

    fn normal(mut self) -> Self {
        if self.mantissa == 0.0 {
            return Self::ZERO;
        }
        while self.mantissa < LOW {
            self.mantissa *= STEP;
            self.steps += 1;
        }
        if self.mantissa >= HIGH {
            self.mantissa *= STEP_DOWN;
            self.steps -= 1;
        }
        self
    }

    pub(super) fn times(self, other: Self) -> Self {
        Self { mantissa: self.mantissa * other.mantissa, steps: self.steps + other.steps }.normal()
    }

    pub(super) fn plus(self, other: Self) -> Self {
        if self.mantissa == 0.0 || other.mantissa == 0.0 {
            return if self.mantissa == 0.0 { other } else { self };
        }
        let (large, small) = match self.steps.cmp(&other.steps) {
            Ordering::Equal => {
                return Self { mantissa: self.mantissa + other.mantissa, steps: self.steps }.normal();
            }
            Ordering::Less => (self, other),
            Ordering::Greater => (other, self),
        };
        if small.steps - large.steps > 1 {
            return large;
        }
        Self { mantissa: large.mantissa + small.mantissa * STEP_DOWN, steps: large.steps }.normal()
    }

    /// The number in f64, at most 1.
    pub(super) fn value(self) -> f64 {
        match self.steps {
            0 => self.mantissa.min(1.0),
            1 => self.mantissa * STEP_DOWN,
            2 => self.mantissa * STEP_DOWN * STEP_DOWN,
            _ => 0.0,
        }
    }

    /// Its logarithm, at most 0.
    pub(super) fn ln(self) -> f64 {
        (self.mantissa.ln() - f64::from(self.steps) * (BITS * LN_2)).min(0.0)
    }
}
