//! One observation and a normal distribution of its latent value: the mass, the mean and the variance of
//! their product.

use std::f64::consts::TAU;

use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod_pieces};

use super::{Likelihood, LogConcave};

/// The moments of p(y | f) N(f; mean, variance) as a density of f.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tilted {
    /// ln ∫ p(y | f) N(f; mean, variance) df: what the observation is worth before it is seen.
    pub ln_mass: f64,
    /// The mean of f after it.
    pub mean: f64,
    /// The variance of f after it.
    pub variance: f64,
}

/// By so much the logarithm of the integrand has fallen where it ends: e^-50 is 2e-22.
const NEGLIGIBLE: f64 = 50.0;

/// The widest step of the trapezoidal rule: of a function that is analytic in |Im f| < π/2 its error is
/// e^(-π² / step), 5e-15.
const WIDEST_STEP: f64 = 0.3;

/// So narrow steps are too many beyond this number to a side: of a normal distribution with a variance above
/// 140 and a density that is flat.
const MOST_STEPS: f64 = 400.0;

/// Newton steps to a peak at most.
const MAX_STEPS: usize = 200;

impl Tilted {
    /// Nothing is known.
    const UNDEFINED: Self = Self { ln_mass: f64::NAN, mean: f64::NAN, variance: f64::NAN };

    /// By adaptive quadrature about the peaks of the product, to about 12 digits.
    ///
    /// Costs some hundred evaluations of the density; NaN unless the variance is positive and finite.
    pub fn by_quadrature<L: Likelihood>(likelihood: &L, output: L::Output, mean: f64, variance: f64) -> Self {
        Product::new(likelihood, output, mean, variance)
            .map_or(Self::UNDEFINED, |product| product.region().moments())
    }

    /// By the trapezoidal rule about the one peak, for a likelihood that is log-concave and an analytic
    /// function of e^f: it converges exponentially there, and has about 13 digits.
    ///
    /// Costs some forty evaluations of the density where the product is narrower than 1, and up to eight
    /// hundred; of wider products the adaptive quadrature. NaN unless the variance is positive and finite.
    pub(super) fn by_trapezoid<L: LogConcave>(
        likelihood: &L,
        output: L::Output,
        mean: f64,
        variance: f64,
    ) -> Self {
        Product::new(likelihood, output, mean, variance).map_or(Self::UNDEFINED, |product| {
            product.trapezoid().unwrap_or_else(|| product.region().moments())
        })
    }

    /// The expectation of another function of f under the product as a density, by quadrature to about 12
    /// digits of the largest values; NaN as for [`by_quadrature`](Self::by_quadrature).
    pub fn expectation<L: Likelihood>(
        likelihood: &L,
        output: L::Output,
        mean: f64,
        variance: f64,
        g: impl Fn(f64) -> f64,
    ) -> f64 {
        Product::new(likelihood, output, mean, variance)
            .map_or(f64::NAN, |product| product.region().expectation(g))
    }
}

/// ln p(y | f) - g² / (2 variance), in the coordinate g = f - mean, in which narrow distributions keep their
/// digits.
struct Product<'a, L: Likelihood> {
    likelihood: &'a L,
    output: L::Output,
    mean: f64,
    variance: f64,
}

impl<'a, L: Likelihood> Product<'a, L> {
    fn new(likelihood: &'a L, output: L::Output, mean: f64, variance: f64) -> Option<Self> {
        let valid = variance > 0.0 && variance < f64::INFINITY && mean.is_finite();
        valid.then_some(Self { likelihood, output, mean, variance })
    }

    fn ln_value(&self, g: f64) -> f64 {
        self.likelihood.ln_density(self.output, self.mean + g) - 0.5 * g * (g / self.variance)
    }

    /// The peak that Newton's method climbs to; every step goes up.
    fn peak(&self, start: f64) -> f64 {
        let mut g = start;
        let mut value = self.ln_value(g);
        for _ in 0..MAX_STEPS {
            let [slope, ..] = self.likelihood.derivatives(self.output, self.mean + g);
            let width = self.width(g);
            let mut step = (slope - g / self.variance) * width * width;
            let mut next = self.ln_value(g + step);
            while next < value || next.is_nan() {
                step *= 0.5;
                if g + step == g || step.is_nan() {
                    return g;
                }
                next = self.ln_value(g + step);
            }
            if step.abs() <= 1e-9 * width || !step.is_finite() {
                return g;
            }
            g += step;
            value = next;
        }
        g
    }

    /// The scale of g that the curvature tells; where there is none, that of the normal distribution.
    fn width(&self, g: f64) -> f64 {
        let [_, second, _] = self.likelihood.derivatives(self.output, self.mean + g);
        let precision = self.variance.recip() - second;
        if precision > 0.0 && precision.is_finite() { precision.recip().sqrt() } else { self.variance.sqrt() }
    }

    /// The moments by steps of half a width from the peak, to both sides as far as there is mass; None if
    /// that is too far.
    fn trapezoid(&self) -> Option<Tilted> {
        let center = self.peak(0.0);
        let (top, step) = (self.ln_value(center), (0.5 * self.width(center)).min(WIDEST_STEP));
        let (mut mass, mut first, mut second) = (1.0, 0.0, 0.0);
        for direction in [-1.0, 1.0] {
            let mut t = direction;
            loop {
                let fall = top - self.ln_value(center + step * t);
                if fall.is_nan() || fall > NEGLIGIBLE {
                    break;
                }
                let density = (-fall).exp();
                mass += density;
                first += t * density;
                second += t * t * density;
                t += direction;
                if t.abs() > MOST_STEPS {
                    return None;
                }
            }
        }
        let mean = first / mass;
        Some(Tilted {
            ln_mass: top + (mass * step / self.variance.sqrt()).ln() - 0.5 * TAU.ln(),
            mean: self.mean + center + step * mean,
            variance: step * step * (second / mass - mean * mean),
        })
    }

    /// Where the mass is.
    fn region(&self) -> Region<'_, L> {
        let others = self.likelihood.peaks(self.output).into_iter().map(|f| f - self.mean);
        let mut peaks: Vec<f64> = std::iter::once(0.0).chain(others).map(|start| self.peak(start)).collect();
        peaks.sort_by(f64::total_cmp);
        let top = peaks.iter().map(|&g| self.ln_value(g)).fold(f64::NEG_INFINITY, f64::max);
        let center = peaks.iter().copied().find(|&g| self.ln_value(g) == top).unwrap_or(0.0);
        let scale = self.width(center);
        let end = |from: f64, direction: f64| {
            let mut reach = self.width(from);
            while reach < f64::MAX / 4.0 && self.ln_value(from + direction * reach) > top - NEGLIGIBLE {
                reach *= 2.0;
            }
            (from + direction * reach - center) / scale
        };
        let (first, last) = (peaks[0], peaks[peaks.len() - 1]);
        let mut cuts = vec![end(first, -1.0), end(last, 1.0)];
        cuts.extend(peaks.iter().flat_map(|&g| {
            let (place, width) = ((g - center) / scale, self.width(g) / scale);
            [place - 2.0 * width, place, place + 2.0 * width]
        }));
        cuts.sort_by(f64::total_cmp);
        Region { product: self, top, center, scale, cuts }
    }
}

/// The part of the line that has the mass, in the coordinate t = (g - center) / scale.
struct Region<'a, L: Likelihood> {
    product: &'a Product<'a, L>,
    /// The largest value of the logarithm.
    top: f64,
    center: f64,
    scale: f64,
    cuts: Vec<f64>,
}

impl<L: Likelihood> Region<'_, L> {
    fn place(&self, t: f64) -> f64 {
        self.center + self.scale * t
    }

    /// ∫ g(t) e^(ln product - top) dt, to a proportion of itself or of `size`.
    fn integral(&self, size: f64, g: impl Fn(f64) -> f64) -> f64 {
        let options =
            QuadratureOptions { relative: 1e-12, max_evaluations: 10_000, ..QuadratureOptions::default() };
        let weighted = |t: f64| {
            let density = (self.product.ln_value(self.place(t)) - self.top).exp();
            if density > 0.0 { density * g(t) } else { 0.0 }
        };
        gauss_kronrod_pieces(weighted, &self.cuts, &QuadratureOptions { absolute: 1e-13 * size, ..options })
            .value
    }

    fn expectation(&self, g: impl Fn(f64) -> f64) -> f64 {
        let mass = self.integral(0.0, |_| 1.0);
        self.integral(mass, |t| g(self.product.mean + self.place(t))) / mass
    }

    fn moments(&self) -> Tilted {
        let mass = self.integral(0.0, |_| 1.0);
        let mean = self.integral(mass, |t| t) / mass;
        let spread = self.integral(mass, |t| (t - mean).powi(2)) / mass;
        let prior_sd = self.product.variance.sqrt();
        Tilted {
            ln_mass: self.top + (mass * self.scale / prior_sd).ln() - 0.5 * TAU.ln(),
            mean: self.product.mean + self.place(mean),
            variance: self.scale * self.scale * spread,
        }
    }
}
