//! An exponential function over an interval: its integral, and draws under it.

use posterior_math::log_space::ln_1m_exp;
use rand::Rng;
use rand::distr::{Distribution, Open01};

/// exp(h(x)) for a linear h over (from, to), either of which may be infinite where h falls towards it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    pub(super) from: f64,
    pub(super) to: f64,
    /// The end where h is largest.
    top: f64,
    /// h there.
    height: f64,
    slope: f64,
    /// ln of the integral.
    pub(super) ln_mass: f64,
}

impl Piece {
    /// The line through (x, h) with this slope, over (from, to).
    pub(super) fn new((from, to): (f64, f64), (x, h): (f64, f64), slope: f64) -> Self {
        let top = if slope > 0.0 { to } else { from };
        let top = if top.is_finite() {
            top
        } else if slope == 0.0 {
            x
        } else {
            top
        };
        let height = if top == x { h } else { h + slope * (top - x) };
        let width = to - from;
        let steep = slope.abs();
        let fall = steep * width;
        // ∫ exp(-|s| d) over (0, w): w (1 - exp(-|s| w)) / (|s| w).
        let ln_mass = if !(width > 0.0) {
            f64::NEG_INFINITY
        } else if fall == 0.0 {
            height + width.ln()
        } else if fall == f64::INFINITY {
            height - steep.ln()
        } else {
            height + width.ln() + ln_1m_exp(-fall) - fall.ln()
        };
        Self { from, to, top, height, slope, ln_mass }
    }

    /// h at a point of the interval.
    pub(super) fn at(&self, x: f64) -> f64 {
        if x == self.top { self.height } else { self.height + self.slope * (x - self.top) }
    }

    /// A point of the interval with density ∝ exp(h).
    pub(super) fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let uniform: f64 = Open01.sample(rng);
        let width = self.to - self.from;
        let steep = self.slope.abs();
        let fall = steep * width;
        let distance = if fall == 0.0 {
            uniform * width
        } else if fall.is_finite() {
            // Of an exponential variate that is cut off at the width: -ln(1 - u (1 - exp(-|s| w))) / |s|.
            width * (-(uniform * (-fall).exp_m1()).ln_1p() / fall)
        } else {
            -uniform.ln() / steep
        };
        let x = if self.slope > 0.0 { self.top - distance } else { self.top + distance };
        x.clamp(self.from, self.to)
    }
}
