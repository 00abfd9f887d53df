//! Half-Student-t distribution on [0, ∞).

use std::f64::consts::LN_2;

use super::{StudentT, tail};
use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::{apart, ln_ratio};

/// The distribution of |X| for a Student t variable X about 0: a prior of a scale between half-Cauchy (ν = 1)
/// and half-normal (ν → ∞).
///
/// # Density
/// p(x) = 2 Γ((ν + 1)/2) / (Γ(ν/2) √(νπ) σ) (1 + x²/(νσ²))^(-(ν + 1)/2)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | ν | `degrees_of_freedom` | positive | `nu` (Stan, truncated), `df` (R's extraDistr) |
/// | σ | `scale`, of the t distribution | positive | `sigma` (Stan, R's extraDistr) |
///
/// # Moments
/// With the density p₀ at 0: mean p₀ σ² ν/(ν - 1), variance σ² ν/(ν - 2) less the square of the mean,
/// skewness for ν > 3, excess kurtosis for ν > 4, mode 0, entropy that of Student's t less ln 2. A mean or
/// variance that diverges is infinite.
///
/// # Numerics
/// Both tails have full relative precision; ν as of [`StudentT`].
///
/// # Example
/// ```
/// use posterior_dist::{HalfStudentT, Univariate};
///
/// let scale = HalfStudentT::new(3.0, 2.5)?;
/// assert!((scale.sf(10.0) - 0.028008456010146167).abs() < 1e-15);
/// assert_eq!(scale.to_string(), "half_student_t(3, 2.5)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfStudentT {
    student: StudentT,
}

impl HalfStudentT {
    /// ν and σ.
    ///
    /// # Errors
    /// If one of them is not positive and finite.
    pub fn new(degrees_of_freedom: f64, scale: f64) -> Result<Self, ParamError> {
        check::positive("HalfStudentT", "degrees_of_freedom", degrees_of_freedom)?;
        check::positive("HalfStudentT", "scale", scale)?;
        Ok(Self { student: StudentT::new(degrees_of_freedom, 0.0, scale)? })
    }

    /// ν, the degrees of freedom.
    pub const fn degrees_of_freedom(&self) -> f64 {
        self.student.degrees_of_freedom
    }

    /// σ, the scale of the t distribution.
    pub const fn scale(&self) -> f64 {
        self.student.scale
    }

    /// The raw moments 1 to 4 in units of σ, infinite where they do not exist.
    fn raw(&self) -> [f64; 4] {
        let nu = self.student.degrees_of_freedom;
        let peak = 2.0 * self.student.ln_peak.exp();
        let over = |order: f64| if nu > order { nu / (nu - order) } else { f64::INFINITY };
        let (first, second) = (peak * over(1.0), over(2.0));
        [first, second, 2.0 * first * over(3.0), 3.0 * second * over(4.0)]
    }
}

parametric!(HalfStudentT, "half_student_t", new(degrees_of_freedom, scale));

impl Density for HalfStudentT {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x < 0.0 { f64::NEG_INFINITY } else { self.student.ln_pdf(&x) + LN_2 }
    }
}

impl PointGradient for HalfStudentT {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if x > 0.0 { self.student.point_gradient(&x) } else { f64::NAN }
    }
}

impl ParameterGradient for HalfStudentT {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        if !(x >= 0.0) {
            return [f64::NAN; 2];
        }
        let [by_degrees_of_freedom, _, by_scale] = self.student.parameter_gradient(&x);
        [by_degrees_of_freedom, by_scale]
    }
}

impl HalfStudentT {
    /// P(X ≤ x) and its logarithm next to 0, where the density is constant and the square of x/σ has few
    /// digits or none.
    fn near(&self, x: f64) -> Option<(f64, f64)> {
        let (distance, scale) = apart(x, 0.0, self.student.scale);
        let ratio = distance / scale;
        (ratio / self.student.degrees_of_freedom.sqrt() < tail::LINEAR_BELOW).then(|| {
            let ln_peak = LN_2 + self.student.ln_peak;
            (ln_peak.exp() * ratio, ln_peak + ln_ratio(distance, scale))
        })
    }
}

impl Univariate for HalfStudentT {
    fn cdf(&self, x: f64) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        match self.near(x) {
            Some((lower, _)) => lower,
            None if self.student.standardized(x).is_infinite() => 1.0 - self.sf(x),
            None => tail::within(self.student.degrees_of_freedom, self.student.standardized(x)),
        }
    }

    fn sf(&self, x: f64) -> f64 {
        if x <= 0.0 { 1.0 } else { 2.0 * self.student.sf(x) }
    }

    fn quantile(&self, p: f64) -> f64 {
        if !(p > 0.0 && p <= 1.0) {
            return if p == 0.0 { 0.0 } else { f64::NAN };
        }
        if p > 0.5 {
            return self.upper_quantile(1.0 - p);
        }
        let (nu, scale) = (self.student.degrees_of_freedom, self.student.scale);
        let linear = p / (2.0 * self.student.ln_peak.exp());
        if linear / nu.sqrt() < tail::LINEAR_BELOW {
            return scale * linear;
        }
        tail::within_quantile(nu, p).map_or_else(|| self.upper_quantile(1.0 - p), |t| scale * t)
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if !(q < 1.0) {
            return if q == 1.0 { 0.0 } else { f64::NAN };
        }
        // Half of the smallest number is none.
        self.student.upper_quantile(if q > 0.0 { (0.5 * q).max(5e-324) } else { q })
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        if x <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let upper = self.sf(x);
        if upper < 0.5 {
            (-upper).ln_1p()
        } else {
            self.near(x).map_or_else(|| self.cdf(x).ln(), |(_, ln)| ln)
        }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        let lower = self.cdf(x);
        if lower < 0.5 { (-lower).ln_1p() } else { LN_2 + self.student.ln_sf(x) }
    }
}

impl Moments for HalfStudentT {
    fn mean(&self) -> Option<f64> {
        Some(self.student.scale * self.raw()[0])
    }

    fn variance(&self) -> Option<f64> {
        let [first, second, ..] = self.raw();
        let variance = if second.is_infinite() { second } else { second - first * first };
        Some(self.student.scale * self.student.scale * variance)
    }
}

impl Shape for HalfStudentT {
    fn skewness(&self) -> Option<f64> {
        let [first, second, third, _] = self.raw();
        let variance = second - first * first;
        let central = third - 3.0 * first * second + 2.0 * first.powi(3);
        third.is_finite().then(|| central / variance.powf(1.5))
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let [first, second, third, fourth] = self.raw();
        let square = first * first;
        let variance = second - square;
        let central = fourth - 4.0 * first * third + 6.0 * square * second - 3.0 * square * square;
        fourth.is_finite().then(|| central / (variance * variance) - 3.0)
    }
}

impl Entropy for HalfStudentT {
    fn entropy(&self) -> f64 {
        self.student.entropy() - LN_2
    }
}

impl Mode for HalfStudentT {
    fn mode(&self) -> Option<f64> {
        Some(0.0)
    }
}

impl Distribution<f64> for HalfStudentT {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        self.student.sample(rng).abs()
    }
}
