//! Matérn's kernels of orders 1/2, 3/2 and 5/2: functions that are continuous, once and twice differentiable.

use posterior_kalman::continuous::Process;
use posterior_math::check::ParamError;
use posterior_math::elementwise::exp;

use super::SpectralDistribution;
use super::stationary::{Profile, Stationary};
use super::{Kernel, ProcessOptions};

/// Distances beyond are as this one: exp(-t) is 0 there, and its products with powers of t must not be NaN.
const FARTHEST: f64 = 800.0;

/// ρ = exp(-r).
#[derive(Debug, Clone)]
struct Matern12;

/// ρ = (1 + t) exp(-t), t = √3 r.
#[derive(Debug, Clone)]
struct Matern32;

/// ρ = (1 + t + t²/3) exp(-t), t = √5 r.
#[derive(Debug, Clone)]
struct Matern52;

/// Replaces each r² by t = √(c r²), and returns exp(-t).
fn decays(squares: &mut [f64], c: f64) -> Vec<f64> {
    let mut decays = Vec::with_capacity(squares.len());
    for square in squares.iter_mut() {
        let t = (c * *square).sqrt();
        *square = if t > FARTHEST { FARTHEST } else { t };
        decays.push(-*square);
    }
    exp(&mut decays);
    decays
}

/// Replaces each r² by f(t, exp(-t)) with t = √(c r²).
fn map_decay(squares: &mut [f64], c: f64, f: impl Fn(f64, f64) -> f64) {
    let decays = decays(squares, c);
    for (square, &decay) in squares.iter_mut().zip(&decays) {
        *square = f(*square, decay);
    }
}

/// The same with a second function of t and exp(-t).
fn map_decay_twice(
    squares: &mut [f64],
    slopes: &mut [f64],
    c: f64,
    value: impl Fn(f64, f64) -> f64,
    slope: impl Fn(f64, f64) -> f64,
) {
    let decays = decays(squares, c);
    for ((square, result), &decay) in squares.iter_mut().zip(slopes).zip(&decays) {
        *result = slope(*square, decay);
        *square = value(*square, decay);
    }
}

/// A correlation, without the last bit by which rounding may lift it; NaN stays.
fn at_most_one(value: f64) -> f64 {
    if value > 1.0 { 1.0 } else { value }
}

impl Matern12 {
    fn value(_t: f64, decay: f64) -> f64 {
        decay
    }

    fn slope(t: f64, decay: f64) -> f64 {
        -0.5 * decay / t.max(1e-150)
    }
}

impl Profile for Matern12 {
    const NAME: &'static str = "matern12";

    fn values(&self, squares: &mut [f64]) {
        map_decay(squares, 1.0, Self::value);
    }

    fn slopes(&self, squares: &mut [f64]) {
        map_decay(squares, 1.0, Self::slope);
    }

    fn values_and_slopes(&self, squares: &mut [f64], slopes: &mut [f64]) {
        map_decay_twice(squares, slopes, 1.0, Self::value, Self::slope);
    }

    fn process(&self, length_scale: f64, _options: &ProcessOptions) -> Option<Process> {
        Process::matern12(length_scale).ok()
    }

    fn spectral_distribution(&self, length_scales: &[f64]) -> Option<SpectralDistribution> {
        SpectralDistribution::matern(0.5, length_scales).ok()
    }
}

impl Matern32 {
    fn value(t: f64, decay: f64) -> f64 {
        at_most_one((1.0 + t) * decay)
    }

    fn slope(_t: f64, decay: f64) -> f64 {
        -1.5 * decay
    }
}

impl Profile for Matern32 {
    const NAME: &'static str = "matern32";

    fn values(&self, squares: &mut [f64]) {
        map_decay(squares, 3.0, Self::value);
    }

    fn slopes(&self, squares: &mut [f64]) {
        map_decay(squares, 3.0, Self::slope);
    }

    fn values_and_slopes(&self, squares: &mut [f64], slopes: &mut [f64]) {
        map_decay_twice(squares, slopes, 3.0, Self::value, Self::slope);
    }

    fn process(&self, length_scale: f64, _options: &ProcessOptions) -> Option<Process> {
        Process::matern32(length_scale).ok()
    }

    fn spectral_distribution(&self, length_scales: &[f64]) -> Option<SpectralDistribution> {
        SpectralDistribution::matern(1.5, length_scales).ok()
    }
}

impl Matern52 {
    fn value(t: f64, decay: f64) -> f64 {
        at_most_one((1.0 + t + t * t * (1.0 / 3.0)) * decay)
    }

    fn slope(t: f64, decay: f64) -> f64 {
        (-5.0 / 6.0) * (1.0 + t) * decay
    }
}

impl Profile for Matern52 {
    const NAME: &'static str = "matern52";

    fn values(&self, squares: &mut [f64]) {
        map_decay(squares, 5.0, Self::value);
    }

    fn slopes(&self, squares: &mut [f64]) {
        map_decay(squares, 5.0, Self::slope);
    }

    fn values_and_slopes(&self, squares: &mut [f64], slopes: &mut [f64]) {
        map_decay_twice(squares, slopes, 5.0, Self::value, Self::slope);
    }

    fn process(&self, length_scale: f64, _options: &ProcessOptions) -> Option<Process> {
        Process::matern52(length_scale).ok()
    }

    fn spectral_distribution(&self, length_scales: &[f64]) -> Option<SpectralDistribution> {
        SpectralDistribution::matern(2.5, length_scales).ok()
    }
}

impl Kernel {
    /// exp(-r/l): Matérn's kernel of order 1/2, of the Ornstein-Uhlenbeck process; continuous functions.
    ///
    /// # Errors
    /// If the length scale is not positive and finite.
    pub fn matern12(length_scale: f64) -> Result<Self, ParamError> {
        Ok(Self::new(Stationary::isotropic(Matern12, length_scale)?))
    }

    /// [`matern12`](Self::matern12) with a length scale for each coordinate.
    ///
    /// # Errors
    /// If a length scale is not positive and finite.
    pub fn matern12_ard(length_scales: &[f64]) -> Result<Self, ParamError> {
        Ok(Self::new(Stationary::with_each(Matern12, length_scales)?))
    }

    /// (1 + t) exp(-t), t = √3 r/l: Matérn's kernel of order 3/2; functions with a derivative.
    ///
    /// # Errors
    /// If the length scale is not positive and finite.
    pub fn matern32(length_scale: f64) -> Result<Self, ParamError> {
        Ok(Self::new(Stationary::isotropic(Matern32, length_scale)?))
    }

    /// [`matern32`](Self::matern32) with a length scale for each coordinate.
    ///
    /// # Errors
    /// If a length scale is not positive and finite.
    pub fn matern32_ard(length_scales: &[f64]) -> Result<Self, ParamError> {
        Ok(Self::new(Stationary::with_each(Matern32, length_scales)?))
    }

    /// (1 + t + t²/3) exp(-t), t = √5 r/l: Matérn's kernel of order 5/2; functions with two derivatives.
    ///
    /// # Errors
    /// If the length scale is not positive and finite.
    pub fn matern52(length_scale: f64) -> Result<Self, ParamError> {
        Ok(Self::new(Stationary::isotropic(Matern52, length_scale)?))
    }

    /// [`matern52`](Self::matern52) with a length scale for each coordinate.
    ///
    /// # Errors
    /// If a length scale is not positive and finite.
    pub fn matern52_ard(length_scales: &[f64]) -> Result<Self, ParamError> {
        Ok(Self::new(Stationary::with_each(Matern52, length_scales)?))
    }
}
