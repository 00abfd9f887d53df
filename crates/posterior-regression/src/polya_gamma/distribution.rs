//! The distribution.

use posterior_dist::{Density, Moments};
use posterior_math::check::{self, ParamError};
use rand::Rng;
use rand::distr::Distribution;

use super::density::ln_pdf;
use super::draw::draw_one;

/// The Pólya-Gamma distribution PG(b, c) on (0, ∞): of an infinite sum of gamma variates, Σ gₖ / (2π² ((k -
/// ½)² + c²/(4π²))) with gₖ ~ gamma(b, 1).
///
/// # Density
/// By its Laplace transform, E exp(-t ω) = cosh(c/2)ᵇ / cosh(√((c²/2 + t) / 2))ᵇ
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | b | `shape` | 1, 2, 3, … |
/// | c | `tilt` | real; only its size matters |
///
/// # Moments
/// mean b tanh(c/2) / (2c), variance b (sinh c - c) / (4 c³ cosh²(c/2)); b/4 and b/24 for c = 0
///
/// # Numerics
/// The density is an integral around the poles of the transform through its saddle point, by the trapezoidal
/// rule until it does not change: for all x, to about 10⁻¹³ (1 + b c) in the logarithm. Draws are exact: sums
/// of b draws of Devroye's method by an alternating series, with about one proposal each.
///
/// # References
/// N. Polson, J. Scott, J. Windle, Bayesian inference for logistic models using Pólya-Gamma latent variables,
/// JASA 108, 2013. L. Devroye, On exact simulation algorithms for some distributions related to Jacobi theta
/// functions, Statistics & Probability Letters 79, 2009.
///
/// ```
/// use posterior_dist::Moments;
/// use posterior_regression::polya_gamma::PolyaGamma;
///
/// let distribution = PolyaGamma::new(1, 2.0)?;
/// assert!((distribution.mean().unwrap() - 1_f64.tanh() / 4.0).abs() < 1e-16);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PolyaGamma {
    shape: u32,
    tilt: f64,
}

impl PolyaGamma {
    /// PG(shape, tilt).
    ///
    /// # Errors
    /// A shape of 0; a tilt that is not finite.
    pub fn new(shape: u32, tilt: f64) -> Result<Self, ParamError> {
        check::require(shape > 0, "PolyaGamma", "shape", f64::from(shape), "1, 2, 3, …")?;
        check::finite("PolyaGamma", "tilt", tilt)?;
        Ok(Self { shape, tilt: tilt.abs() })
    }

    /// The shape b.
    pub const fn shape(&self) -> u32 {
        self.shape
    }

    /// The size |c| of the tilt.
    pub const fn tilt(&self) -> f64 {
        self.tilt
    }

    /// ln E exp(-t ω), for t ≥ 0; NaN for others.
    pub fn ln_laplace_transform(&self, t: f64) -> f64 {
        if !(t >= 0.0) {
            return f64::NAN;
        }
        let half = 0.5 * self.tilt;
        let root = half.hypot((0.5 * t).sqrt());
        // ln cosh a - ln cosh b = a - b + ln((1 + e^-2a) / (1 + e^-2b)).
        let difference = if root > 0.0 { 0.5 * t / (root + half) } else { 0.0 };
        let tails = (-2.0 * half).exp().ln_1p() - (-2.0 * root).exp().ln_1p();
        f64::from(self.shape) * (tails - difference)
    }
}

impl Density for PolyaGamma {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x > 0.0 && x < f64::INFINITY {
            ln_pdf(f64::from(self.shape), self.tilt, x)
        } else if x.is_nan() {
            x
        } else {
            f64::NEG_INFINITY
        }
    }
}

impl Moments for PolyaGamma {
    fn mean(&self) -> Option<f64> {
        let (b, half) = (f64::from(self.shape), 0.5 * self.tilt);
        // tanh x / x near 0 is 1 - x²/3.
        let ratio = if half < 1e-5 { 1.0 - half * half / 3.0 } else { half.tanh() / half };
        Some(0.25 * b * ratio)
    }

    fn variance(&self) -> Option<f64> {
        let (b, c) = (f64::from(self.shape), self.tilt);
        let cosh = (0.5 * c).cosh();
        Some(if c < 1.0 {
            // (sinh c - c) / c³ = 1/3! + c²/5! + c⁴/7! + ….
            let (mut term, mut sum) = (1.0 / 6.0, 1.0 / 6.0);
            for k in 2..9 {
                let order = f64::from(2 * k + 1);
                term *= c * c / (order * (order - 1.0));
                sum += term;
            }
            0.25 * b * sum / (cosh * cosh)
        } else {
            let fall = if cosh.is_finite() { c / cosh / cosh } else { 0.0 };
            0.25 * b * (2.0 * (0.5 * c).tanh() - fall) / c / c / c
        })
    }
}

impl Distribution<f64> for PolyaGamma {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        (0..self.shape).map(|_| draw_one(self.tilt, rng)).sum()
    }
}
