//! The coordinates in which a search moves: free scales, in units of what makes a difference, within soft
//! limits.

use posterior_math::check;
use posterior_math::log_space::{ln_1m_exp, ln_1p_exp, logistic};

use super::HyperparameterOptions;
use super::options::place;
use crate::Error;
use crate::kernel::{FreeScale, KernelParameter};

/// Without other limits a parameter on a logarithmic scale may grow and shrink by this factor.
const REACH: f64 = 1e8;

/// A limit that a parameter may have run into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtLimit {
    /// The lower one.
    Lower,
    /// The upper one.
    Upper,
}

/// One coordinate u: φ = u far from the limits, and approaches them beyond.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coordinate {
    /// Of φ; infinite without limits.
    lower: f64,
    upper: f64,
    /// How softly the limits act, and the unit of u.
    width: f64,
}

impl Coordinate {
    fn new(lower: f64, upper: f64, width: f64) -> Self {
        let room = (upper - lower) / 8.0;
        Self { lower, upper, width: if room < width { room } else { width } }
    }

    /// φ(u) and its derivative: u - s(u - b) + s(a - u) in units of the width, with s(t) = ln(1 + eᵗ).
    pub(super) fn free(&self, u: f64) -> (f64, f64) {
        let below = self.lower / self.width - u;
        let above = u - self.upper / self.width;
        let free = self.width * (u - ln_1p_exp(above) + ln_1p_exp(below));
        (free.clamp(self.lower, self.upper), self.width * (1.0 - logistic(above) - logistic(below)))
    }

    /// u(φ), of a φ pulled inside of the limits.
    pub(super) fn position(&self, free: f64) -> f64 {
        let inside = free.max(self.lower + 1e-3 * self.width).min(self.upper - 1e-3 * self.width);
        inside / self.width + ln_1m_exp((self.lower - inside) / self.width)
            - ln_1m_exp((inside - self.upper) / self.width)
    }

    /// The limit that φ has run into: it moves by less than a twentieth of what it would without.
    pub(super) fn limit(&self, free: f64) -> Option<AtLimit> {
        let close = 0.05 * self.width;
        if free - self.lower < close {
            Some(AtLimit::Lower)
        } else if self.upper - free < close {
            Some(AtLimit::Upper)
        } else {
            None
        }
    }
}

/// The coordinates of all parameters.
pub(super) fn coordinates(
    parameters: &[KernelParameter],
    scales: &[f64],
    options: &HyperparameterOptions,
) -> Result<Vec<Coordinate>, Error> {
    let mut limits: Vec<Option<(f64, f64)>> = vec![None; parameters.len()];
    for (name, lower, upper) in &options.limits {
        let index = place(name, parameters)?;
        let (lower, upper) = checked(&parameters[index], *lower, *upper)?;
        limits[index] = Some((lower, upper));
    }
    let coordinates = parameters.iter().zip(scales).zip(limits).map(|((parameter, &scale), limits)| {
        let (lower, upper) = limits.unwrap_or_else(|| match parameter.scale {
            FreeScale::Ln => (parameter.free() - REACH.ln(), parameter.free() + REACH.ln()),
            FreeScale::Identity => (f64::NEG_INFINITY, f64::INFINITY),
        });
        Coordinate::new(lower, upper, scale)
    });
    Ok(coordinates.collect())
}

/// Limits on the free scale.
fn checked(parameter: &KernelParameter, lower: f64, upper: f64) -> Result<(f64, f64), Error> {
    let (lower_free, upper_free) = (parameter.scale.free(lower), parameter.scale.free(upper));
    check::require(
        lower_free.is_finite(),
        "FitOptions",
        "lower limit",
        lower,
        "a value the parameter can have",
    )?;
    check::require(
        upper_free.is_finite(),
        "FitOptions",
        "upper limit",
        upper,
        "a value the parameter can have",
    )?;
    check::require(lower_free < upper_free, "FitOptions", "upper limit", upper, "above the lower limit")?;
    Ok((lower_free, upper_free))
}
