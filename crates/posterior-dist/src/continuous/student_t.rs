//! Student's t distribution on the real line.

mod half;
mod tail;

pub use half::HalfStudentT;

use posterior_math::special::{HALF_LN_TAU, digamma_difference, ln_pochhammer};
use rand::RngExt;
use rand::distr::StandardUniform;
use rand_distr::StandardNormal;

use crate::gamma_variate::sample_gamma;
use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::{located, standardized};

/// From here on the logarithm of the density at the centre is that of the normal distribution and -1/(4ν).
const NORMAL_FROM: f64 = 1e8;

/// The distribution of a normal variable with a random variance: what is known of a mean when the variance is
/// not. Its tails are powers.
///
/// # Density
/// p(x) = Γ((ν + 1)/2) / (Γ(ν/2) √(νπ) σ) (1 + z²/ν)^(-(ν + 1)/2), z = (x - μ) / σ
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | ν | `degrees_of_freedom`, degrees of freedom | positive | `df` (R, SciPy), `nu` (Stan) |
/// | μ | `location` | finite | `loc` (SciPy), `mu` (Stan) |
/// | σ | `scale` | positive | `scale` (SciPy), `sigma` (Stan) |
///
/// # Moments
/// mean μ (ν > 1), variance σ² ν/(ν - 2) (ν > 2; infinite for 1 < ν ≤ 2), skewness 0 (ν > 3), excess kurtosis
/// 6/(ν - 4) (ν > 4; infinite for 2 < ν ≤ 4), mode μ, entropy (ν + 1)/2 (ψ((ν + 1)/2) - ψ(ν/2)) + ln(√ν
/// B(ν/2, ½) σ)
///
/// # Numerics
/// ν may be as small as 10⁻³⁰⁰ and as large as 10³⁰⁰; from 10¹⁶ on tails are those of the normal distribution
/// at √(ν ln(1 + z²/ν)), which keeps the power far out. Tails that f64 cannot hold keep their logarithm.
///
/// # Example
/// ```
/// use posterior_dist::{Density, StudentT, Univariate};
///
/// let t = StudentT::standard(5.0)?;
/// assert!((t.ln_pdf(&1.0) + 1.5155842594365883).abs() < 1e-15);
/// assert!((t.quantile(0.975) - 2.5705818356363).abs() < 1e-12);
/// assert_eq!(t.to_string(), "student_t(5, 0, 1)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// R. Bailey, Polar generation of random variates with the t-distribution, Mathematics of Computation
/// 62, 1994.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StudentT {
    degrees_of_freedom: f64,
    location: f64,
    scale: f64,
    /// The logarithm of the density at μ, times σ.
    ln_peak: f64,
    ln_scale: f64,
}

impl StudentT {
    /// ν, μ and σ.
    ///
    /// # Errors
    /// If μ is not finite, or ν or σ not positive and finite.
    pub fn new(degrees_of_freedom: f64, location: f64, scale: f64) -> Result<Self, ParamError> {
        check::positive("StudentT", "degrees_of_freedom", degrees_of_freedom)?;
        check::finite("StudentT", "location", location)?;
        check::positive("StudentT", "scale", scale)?;
        Ok(Self {
            degrees_of_freedom,
            location,
            scale,
            ln_peak: ln_peak(degrees_of_freedom),
            ln_scale: scale.ln(),
        })
    }

    /// ν degrees of freedom, location 0 and scale 1.
    ///
    /// # Errors
    /// If ν is not positive and finite.
    pub fn standard(degrees_of_freedom: f64) -> Result<Self, ParamError> {
        Self::new(degrees_of_freedom, 0.0, 1.0)
    }

    fn standardized(&self, x: f64) -> f64 {
        standardized(x, self.location, self.scale)
    }

    /// ln |z| at x, where z is beyond f64.
    fn ln_far(&self, x: f64) -> Option<f64> {
        let far = self.standardized(x).is_infinite() && x.is_finite();
        far.then(|| (0.5 * x - 0.5 * self.location).abs().ln() + std::f64::consts::LN_2 - self.ln_scale)
    }

    /// ln P(X ≤ x), or that of the other tail, at x beyond all z of f64.
    fn ln_far_tail(&self, x: f64) -> Option<f64> {
        self.ln_far(x).map(|ln_z| {
            tail::ln_power_tail(self.degrees_of_freedom, ln_z - 0.5 * self.degrees_of_freedom.ln())
        })
    }

    /// P(X ≤ x) for `side` = 1 and P(X > x) for -1.
    fn tail(&self, x: f64, side: f64) -> f64 {
        match self.ln_far_tail(x) {
            Some(ln_tail) if side * self.standardized(x) < 0.0 => ln_tail.exp(),
            Some(ln_tail) => -ln_tail.exp_m1(),
            None => tail::below(self.degrees_of_freedom, side * self.standardized(x)),
        }
    }

    /// ln of the same.
    fn ln_tail(&self, x: f64, side: f64) -> f64 {
        match self.ln_far_tail(x) {
            Some(ln_tail) if side * self.standardized(x) < 0.0 => ln_tail,
            Some(ln_tail) => (-ln_tail.exp()).ln_1p(),
            None => tail::ln_below(self.degrees_of_freedom, side * self.standardized(x)),
        }
    }

    /// The quantile at p for `side` = 1, the upper quantile for -1.
    fn point(&self, p: f64, side: f64) -> f64 {
        let t = side * tail::quantile(self.degrees_of_freedom, p);
        if t.is_infinite() && p > 0.0 && p < 1.0 {
            let ln_deviation =
                tail::ln_power_quantile(self.degrees_of_freedom, p.min(1.0 - p)) + self.ln_scale;
            return self.location + ln_deviation.exp().copysign(t);
        }
        located(self.location, self.scale, t)
    }

    /// ln(1 + z²/ν).
    fn ln_stretch(&self, z: f64) -> f64 {
        let square = z * z;
        let ratio = if square.is_normal() {
            square / self.degrees_of_freedom
        } else {
            z / self.degrees_of_freedom * z
        };
        if ratio == f64::INFINITY { 2.0 * z.abs().ln() - self.degrees_of_freedom.ln() } else { ratio.ln_1p() }
    }
}

/// ln Γ((ν + 1)/2) - ln Γ(ν/2) - ½ ln(νπ).
fn ln_peak(degrees_of_freedom: f64) -> f64 {
    if degrees_of_freedom > NORMAL_FROM {
        return -HALF_LN_TAU - 0.25 / degrees_of_freedom;
    }
    if degrees_of_freedom < f64::MIN_POSITIVE {
        // √ν/2, of which half of ν may be no number.
        return 0.5 * degrees_of_freedom.ln() - std::f64::consts::LN_2;
    }
    ln_pochhammer(0.5 * degrees_of_freedom, 0.5) - 0.5 * (degrees_of_freedom.ln() + std::f64::consts::PI.ln())
}

parametric! { StudentT, "student_t", new:
    /// ν, the degrees of freedom.
    degrees_of_freedom: f64,
    /// The location μ.
    location: f64,
    /// σ, which is not the standard deviation.
    scale: f64,
}

impl Density for StudentT {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        let z = self.standardized(x);
        let ln_stretch = match z.is_infinite().then(|| self.ln_far(x)).flatten() {
            Some(ln_z) => 2.0 * ln_z - self.degrees_of_freedom.ln(),
            None => self.ln_stretch(z),
        };
        (self.ln_peak - self.ln_scale) - (0.5 * self.degrees_of_freedom + 0.5) * ln_stretch
    }
}

impl PointGradient for StudentT {
    fn point_gradient(&self, &x: &f64) -> f64 {
        let z = self.standardized(x);
        -(self.degrees_of_freedom + 1.0) / (z + self.degrees_of_freedom / z) / self.scale
    }
}

impl ParameterGradient for StudentT {
    type Gradient = [f64; 3];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 3] {
        let (z, degrees_of_freedom) = (self.standardized(x), self.degrees_of_freedom);
        // z² / (ν + z²)
        let proportion = (1.0 + degrees_of_freedom / z / z).recip();
        let weight = (1.0 + degrees_of_freedom.recip()) * proportion;
        let by_degrees_of_freedom = 0.5
            * (digamma_difference(0.5 * degrees_of_freedom, 0.5)
                - degrees_of_freedom.recip()
                - self.ln_stretch(z)
                + weight);
        let by_location = (degrees_of_freedom + 1.0) / (z + degrees_of_freedom / z) / self.scale;
        let by_scale = ((degrees_of_freedom + 1.0) * proportion - 1.0) / self.scale;
        [by_degrees_of_freedom, by_location, by_scale]
    }
}

impl Univariate for StudentT {
    fn cdf(&self, x: f64) -> f64 {
        self.tail(x, 1.0)
    }

    fn sf(&self, x: f64) -> f64 {
        self.tail(x, -1.0)
    }

    fn quantile(&self, p: f64) -> f64 {
        self.point(p, 1.0)
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.point(q, -1.0)
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        self.ln_tail(x, 1.0)
    }

    fn ln_sf(&self, x: f64) -> f64 {
        self.ln_tail(x, -1.0)
    }
}

impl Moments for StudentT {
    fn mean(&self) -> Option<f64> {
        (self.degrees_of_freedom > 1.0).then_some(self.location)
    }

    fn variance(&self) -> Option<f64> {
        if self.degrees_of_freedom > 2.0 {
            Some(self.scale * self.scale * (self.degrees_of_freedom / (self.degrees_of_freedom - 2.0)))
        } else {
            (self.degrees_of_freedom > 1.0).then_some(f64::INFINITY)
        }
    }
}

impl Shape for StudentT {
    fn skewness(&self) -> Option<f64> {
        (self.degrees_of_freedom > 3.0).then_some(0.0)
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        if self.degrees_of_freedom > 4.0 {
            Some(6.0 / (self.degrees_of_freedom - 4.0))
        } else {
            (self.degrees_of_freedom > 2.0).then_some(f64::INFINITY)
        }
    }
}

impl Entropy for StudentT {
    fn entropy(&self) -> f64 {
        let growth =
            (0.5 * self.degrees_of_freedom + 0.5) * digamma_difference(0.5 * self.degrees_of_freedom, 0.5);
        growth - self.ln_peak + self.ln_scale
    }
}

impl Mode for StudentT {
    fn mode(&self) -> Option<f64> {
        Some(self.location)
    }
}

impl Distribution<f64> for StudentT {
    /// A normal over the root of a mean square from ν = 1 on; below, where that root may underflow, Bailey's
    /// polar method.
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        if self.degrees_of_freedom >= 1.0 {
            let normal: f64 = StandardNormal.sample(rng);
            let half = 0.5 * self.degrees_of_freedom;
            return self.location + self.scale * (normal * (half / sample_gamma(half, rng)).sqrt());
        }
        let (abscissa, square) = point_of_disc(rng);
        let growth = -2.0 * square.ln() / self.degrees_of_freedom;
        let radius = if growth < 700.0 {
            (self.degrees_of_freedom * growth.exp_m1()).sqrt()
        } else {
            self.degrees_of_freedom.sqrt() * (0.5 * growth).exp()
        };
        self.location + self.scale * (radius * (abscissa / square.sqrt()))
    }
}

/// The abscissa and the squared radius of a point of the unit disc, never its centre.
fn point_of_disc<R: Rng + ?Sized>(rng: &mut R) -> (f64, f64) {
    loop {
        let [u, v]: [f64; 2] = rng.sample(StandardUniform);
        let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
        let square = x * x + y * y;
        if square < 1.0 && square > 0.0 {
            return (x, square);
        }
    }
}
