//! One response, and the Gaussian of its predictor without it.

use std::f64::consts::TAU;

use posterior_math::quadrature::{QuadratureOptions, trapezoid};

use crate::Error;
use crate::glm::ResponseDistribution;

/// Steps of the search for the largest value.
const STEPS: usize = 200;

/// p(y | η + offset) to the power of a weight, without its constant.
pub(super) struct Factor<'a, L> {
    pub(super) distribution: &'a L,
    pub(super) y: f64,
    pub(super) offset: f64,
    pub(super) weight: f64,
}

impl<L: ResponseDistribution> Factor<'_, L> {
    /// The logarithm at a predictor without its offset.
    pub(super) fn at(&self, predictor: f64) -> f64 {
        self.weight * self.distribution.term(self.y, predictor + self.offset).ln_likelihood
    }

    /// ln of the mass, mean and variance of the factor times N(mean, variance), by the trapezoidal rule about
    /// the largest value.
    pub(super) fn moments(&self, [mean, variance]: [f64; 2]) -> Result<[f64; 3], Error> {
        let ln_product = |x: f64| self.at(x) - 0.5 * (x - mean) * (x - mean) / variance;
        let (top, scale) = self.top(mean, variance);
        let largest = ln_product(top);
        let moment = |power: i32| {
            let integrand = |x: f64| {
                let density = (ln_product(x) - largest).exp();
                if density > 0.0 { density * ((x - top) / scale).powi(power) } else { 0.0 }
            };
            let options = QuadratureOptions::default();
            trapezoid(integrand, top, scale, &options).value
        };
        let [mass, first, second] = [0, 1, 2].map(moment);
        let shift = first / mass;
        let moments = [
            mass.ln() + largest - 0.5 * (TAU * variance).ln(),
            top + scale * shift,
            scale * scale * (second / mass - shift * shift),
        ];
        if moments.iter().all(|moment| moment.is_finite()) && moments[2] > 0.0 {
            return Ok(moments);
        }
        Err(Error::NoFit { why: "expectation propagation: the moments of a response are not finite" })
    }

    /// Where the product is largest, and a standard deviation there.
    fn top(&self, mean: f64, variance: f64) -> (f64, f64) {
        let ln_product = |x: f64| self.at(x) - 0.5 * (x - mean) * (x - mean) / variance;
        let start = self.distribution.start(self.y) - self.offset;
        let mut x = if ln_product(mean).is_finite() { mean } else { start };
        let mut value = ln_product(x);
        for _ in 0..STEPS {
            let term = self.distribution.term(self.y, x + self.offset);
            let slope = self.weight * term.slope - (x - mean) / variance;
            let curvature = self.weight * term.observed.max(term.expected).max(0.0) + variance.recip();
            let mut step = slope / curvature;
            while ln_product(x + step) < value && step.abs() > f64::EPSILON * x.abs() {
                step *= 0.5;
            }
            let next = ln_product(x + step);
            if !(next > value) || step.abs() <= 1e-10 * variance.sqrt() {
                break;
            }
            (x, value) = (x + step, next);
        }
        let term = self.distribution.term(self.y, x + self.offset);
        let curvature = self.weight * term.observed.max(0.0) + variance.recip();
        (x, curvature.sqrt().recip())
    }
}
