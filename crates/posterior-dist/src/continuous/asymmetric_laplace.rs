//! Asymmetric Laplace distribution on the real line.

use std::f64::consts::LN_2;

use crate::grammar::parametric;
use crate::inversion::from_end_to_end;
use crate::prelude::*;
use crate::scaled::{located, standardized};

/// The distribution of the difference of two waiting times of different rates; its log-density is the check
/// loss of quantile regression, whose location is the quantile at τ.
///
/// # Density
/// p(x) = 2 τ (1 - τ) / σ · e^(2 (1 - τ) z) below μ and e^(-2 τ z) above it, z = (x - μ) / σ
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ | `location` | finite | `loc` (SciPy's `laplace_asymmetric`), `mu` (Stan's `skew_double_exponential`) |
/// | σ | `scale` | positive | `sigma` (Stan); σ / (2 √(τ(1 - τ))) is SciPy's `scale` |
/// | τ | `proportion`, P(X ≤ μ) | (0, 1) | `tau` (Stan); κ²/(1 + κ²) of SciPy's κ |
///
/// At τ = ½ it is the Laplace distribution of the same location and scale.
///
/// # Moments
/// With the scales b = σ/(2(1 - τ)) below and a = σ/(2τ) above: mean μ + a - b, variance a² + b², skewness 2
/// (a³ - b³) / (a² + b²)^(3/2), excess kurtosis 6 (a⁴ + b⁴) / (a² + b²)²; mode μ, entropy 1 + ln(a + b)
///
/// # Example
/// ```
/// use posterior_dist::{AsymmetricLaplace, Univariate};
///
/// let error = AsymmetricLaplace::new(3.0, 1.0, 0.9)?;
/// assert_eq!(error.cdf(3.0), 0.9);
/// assert_eq!(error.to_string(), "asymmetric_laplace(3, 1, 0.9)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AsymmetricLaplace {
    location: f64,
    scale: f64,
    proportion: f64,
    /// -ln(2 τ (1 - τ) / σ)
    ln_normalizer: f64,
}

impl AsymmetricLaplace {
    /// μ, σ and τ.
    ///
    /// # Errors
    /// If μ is not finite, σ not positive and finite, τ not between 0 and 1, or σ/τ not below 10³⁰⁰.
    pub fn new(location: f64, scale: f64, proportion: f64) -> Result<Self, ParamError> {
        check::finite("AsymmetricLaplace", "location", location)?;
        check::positive("AsymmetricLaplace", "scale", scale)?;
        check::open_probability("AsymmetricLaplace", "proportion", proportion)?;
        // Draws beyond f64 are none.
        let longest = scale / (2.0 * proportion);
        let requirement = "so large that scale / proportion is below 1e300";
        check::require(longest < 5e299, "AsymmetricLaplace", "proportion", proportion, requirement)?;
        let ln_normalizer = scale.ln() - LN_2 - proportion.ln() - (-proportion).ln_1p();
        Ok(Self { location, scale, proportion, ln_normalizer })
    }

    /// How fast the density falls below and above the location, in units of 1/σ.
    fn rates(&self) -> [f64; 2] {
        [2.0 * (1.0 - self.proportion), 2.0 * self.proportion]
    }

    fn standardized(&self, x: f64) -> f64 {
        standardized(x, self.location, self.scale)
    }

    /// The exponent at z, which is at most 0.
    fn exponent(&self, z: f64) -> f64 {
        let [below, above] = self.rates();
        if z < 0.0 { below * z } else { -above * z }
    }

    /// ln of the tail beyond x on its side.
    fn ln_outer(&self, z: f64) -> f64 {
        let part = if z < 0.0 { self.proportion.ln() } else { (-self.proportion).ln_1p() };
        part + self.exponent(z)
    }

    /// The scales above and below, of which the larger one is 1, and that larger one in units of σ.
    fn relative_scales(&self) -> ([f64; 2], f64) {
        let [below, above] = self.rates().map(f64::recip);
        let largest = below.max(above);
        ([above / largest, below / largest], largest)
    }
}

parametric! { AsymmetricLaplace, "asymmetric_laplace", new:
    /// The location μ.
    location: f64,
    /// The scale σ.
    scale: f64,
    /// The proportion τ below the location.
    proportion: f64,
}

impl Density for AsymmetricLaplace {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        self.exponent(self.standardized(x)) - self.ln_normalizer
    }
}

impl PointGradient for AsymmetricLaplace {
    /// NaN at the kink.
    fn point_gradient(&self, &x: &f64) -> f64 {
        let ([below, above], z) = (self.rates(), self.standardized(x));
        if z < 0.0 {
            below / self.scale
        } else if z > 0.0 {
            -above / self.scale
        } else {
            f64::NAN
        }
    }
}

impl ParameterGradient for AsymmetricLaplace {
    type Gradient = [f64; 3];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 3] {
        let z = self.standardized(x);
        let by_proportion = self.proportion.recip() - (1.0 - self.proportion).recip() - 2.0 * z;
        [-self.point_gradient(&x), (-1.0 - self.exponent(z)) / self.scale, by_proportion]
    }
}

/// What the tail `part` eᵈ of the other side leaves, with `own` on this side: from the smaller one of the
/// two.
fn beside(part: f64, own: f64, decay: f64) -> f64 {
    let tail = part * decay.exp();
    if tail < 0.5 { 1.0 - tail } else { own - part * decay.exp_m1() }
}

/// ln((1 - p)/(1 - `part`)) for p > `part`, where the one or the other is small.
fn ln_left(p: f64, part: f64) -> f64 {
    if p < 0.5 { (-(p - part) / (1.0 - part)).ln_1p() } else { ((1.0 - p) / (1.0 - part)).ln() }
}

/// The logarithm of a tail, from the smaller one of the two.
fn ln_of(tail: f64, other: f64) -> f64 {
    if other < 0.5 { (-other).ln_1p() } else { tail.ln() }
}

impl Univariate for AsymmetricLaplace {
    fn cdf(&self, x: f64) -> f64 {
        let z = self.standardized(x);
        let decay = self.exponent(z);
        let (tail, rest) = (self.proportion, 1.0 - self.proportion);
        if z < 0.0 { tail * decay.exp() } else { beside(rest, tail, decay) }
    }

    fn sf(&self, x: f64) -> f64 {
        let z = self.standardized(x);
        let decay = self.exponent(z);
        let (rest, tail) = (self.proportion, 1.0 - self.proportion);
        if z < 0.0 { beside(rest, tail, decay) } else { tail * decay.exp() }
    }

    fn quantile(&self, p: f64) -> f64 {
        from_end_to_end(p, [f64::NEG_INFINITY, f64::INFINITY], || {
            let ([below, above], part) = (self.rates(), self.proportion);
            let z = if p <= part { (p / part).ln() / below } else { -ln_left(p, part) / above };
            located(self.location, self.scale, z)
        })
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        from_end_to_end(q, [f64::INFINITY, f64::NEG_INFINITY], || {
            let ([below, above], part) = (self.rates(), 1.0 - self.proportion);
            let z = if q <= part { -(q / part).ln() / above } else { ln_left(q, part) / below };
            located(self.location, self.scale, z)
        })
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        let z = self.standardized(x);
        if z < 0.0 { self.ln_outer(z) } else { ln_of(self.cdf(x), self.sf(x)) }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        let z = self.standardized(x);
        if z < 0.0 { ln_of(self.sf(x), self.cdf(x)) } else { self.ln_outer(z) }
    }
}

impl Moments for AsymmetricLaplace {
    fn mean(&self) -> Option<f64> {
        // 1/(2τ) - 1/(2(1 - τ))
        let tau = self.proportion;
        Some(located(self.location, self.scale, (0.5 - tau) / tau / (1.0 - tau)))
    }

    fn variance(&self) -> Option<f64> {
        let ([above, below], largest) = self.relative_scales();
        let sd = self.scale * largest;
        Some(sd * sd * (above * above + below * below))
    }
}

impl Shape for AsymmetricLaplace {
    fn skewness(&self) -> Option<f64> {
        let ([above, below], _) = self.relative_scales();
        let square = above * above + below * below;
        // a³ - b³ = (a - b) (a² + ab + b²)
        Some(2.0 * (above - below) * (square + above * below) / square.powf(1.5))
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let ([above, below], _) = self.relative_scales();
        let square = above * above + below * below;
        Some(6.0 * (above.powi(4) + below.powi(4)) / (square * square))
    }
}

impl Entropy for AsymmetricLaplace {
    fn entropy(&self) -> f64 {
        1.0 + self.ln_normalizer
    }
}

impl Mode for AsymmetricLaplace {
    fn mode(&self) -> Option<f64> {
        Some(self.location)
    }
}

impl Distribution<f64> for AsymmetricLaplace {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let [below, above] = self.rates();
        let [up, down]: [f64; 2] = [rand_distr::Exp1.sample(rng), rand_distr::Exp1.sample(rng)];
        self.location + self.scale * (up / above - down / below)
    }
}
