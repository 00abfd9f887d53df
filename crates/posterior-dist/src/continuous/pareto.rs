//! Pareto distribution on [m, ∞).

use posterior_math::log_space::ln_1m_exp;
use posterior_math::special::ratio_power;

use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::{ln_ratio, times_exp};

/// The distribution with a power for its tail: m e^Y for an exponential variable Y with rate α.
///
/// # Density
/// p(x) = α m^α / x^(α+1)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | α | `shape` | positive | `b` (SciPy), `alpha` (Stan) |
/// | m | `scale` | positive | `scale` (SciPy), `y_min` (Stan) |
///
/// # Moments
/// mean αm/(α - 1) for α > 1, variance α m²/((α - 1)² (α - 2)) for α > 2, skewness for α > 3, excess kurtosis
/// for α > 4, mode m, entropy ln(m/α) + 1 + 1/α. A mean or variance that diverges is infinite; there is no
/// variance without a finite mean.
///
/// # Numerics
/// ln(x/m) is computed from x - m, which keeps all digits of the distribution function next to m. As an
/// exponential family the distribution has a known scale.
///
/// # Example
/// ```
/// use posterior_dist::{Pareto, Univariate};
///
/// let distribution = Pareto::new(2.0, 1.0)?;
/// assert!((distribution.sf(10.0) - 0.01).abs() < 1e-16);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pareto {
    scale: f64,
    shape: f64,
}

impl Pareto {
    /// The distribution with shape α from the scale m on.
    ///
    /// # Errors
    /// If one of them is not positive and finite.
    pub fn new(shape: f64, scale: f64) -> Result<Self, ParamError> {
        check::positive("Pareto", "shape", shape)?;
        check::positive("Pareto", "scale", scale)?;
        Ok(Self { scale, shape })
    }
}

parametric! { Pareto, "pareto", new:
    /// The shape α.
    shape: f64,
    /// The scale m.
    scale: f64,
}

impl Density for Pareto {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x < self.scale {
            f64::NEG_INFINITY
        } else {
            self.shape.ln() - x.ln() - self.shape * ln_ratio(x, self.scale)
        }
    }
}

impl PointGradient for Pareto {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if x > self.scale { -(self.shape + 1.0) / x } else { f64::NAN }
    }
}

impl ParameterGradient for Pareto {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        if x >= self.scale {
            // At the scale itself the density has an edge in the scale alone.
            let of_scale = if x > self.scale { self.shape / self.scale } else { f64::NAN };
            [self.shape.recip() - ln_ratio(x, self.scale), of_scale]
        } else {
            [f64::NAN; 2]
        }
    }
}

impl Univariate for Pareto {
    fn cdf(&self, x: f64) -> f64 {
        if x < self.scale { 0.0 } else { -(-self.shape * ln_ratio(x, self.scale)).exp_m1() }
    }

    fn sf(&self, x: f64) -> f64 {
        if x < self.scale { 1.0 } else { ratio_power(self.scale, x, self.shape) }
    }

    fn quantile(&self, p: f64) -> f64 {
        if (0.0..=1.0).contains(&p) { times_exp(self.scale, -(-p).ln_1p() / self.shape) } else { f64::NAN }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if (0.0..=1.0).contains(&q) { times_exp(self.scale, -(q.abs().ln() / self.shape)) } else { f64::NAN }
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        if x <= self.scale {
            return f64::NEG_INFINITY;
        }
        let growth = ln_ratio(x, self.scale);
        let hazard = self.shape * growth;
        if hazard < f64::MIN_POSITIVE { self.shape.ln() + growth.ln() } else { ln_1m_exp(-hazard) }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        if x < self.scale { 0.0 } else { 0.0 - self.shape * ln_ratio(x, self.scale) }
    }
}

impl Moments for Pareto {
    fn mean(&self) -> Option<f64> {
        let a = self.shape;
        Some(if a > 1.0 { self.scale * (a / (a - 1.0)) } else { f64::INFINITY })
    }

    fn variance(&self) -> Option<f64> {
        let a = self.shape;
        let step = (a > 1.0).then(|| self.scale / (a - 1.0))?;
        Some(if a > 2.0 { step * step * (a / (a - 2.0)) } else { f64::INFINITY })
    }
}

impl Shape for Pareto {
    fn skewness(&self) -> Option<f64> {
        let a = self.shape;
        (a > 3.0).then(|| 2.0 * ((1.0 + a) / (a - 3.0)) * ((a - 2.0) / a).sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let a = self.shape;
        let numerator = ((a + 1.0) * a - 6.0) * a - 2.0;
        (a > 4.0).then(|| 6.0 * (numerator / a / (a - 3.0) / (a - 4.0)))
    }
}

impl Entropy for Pareto {
    fn entropy(&self) -> f64 {
        self.scale.ln() - self.shape.ln() + 1.0 + self.shape.recip()
    }
}

impl Mode for Pareto {
    fn mode(&self) -> Option<f64> {
        Some(self.scale)
    }
}

impl KlDivergence for Pareto {
    fn kl_divergence(&self, other: &Self) -> f64 {
        if self.scale < other.scale {
            return f64::INFINITY;
        }
        let excess = (other.shape - self.shape) / self.shape;
        excess - excess.ln_1p() + other.shape * ln_ratio(self.scale, other.scale)
    }
}

impl ExponentialFamily for Pareto {
    /// The scale.
    type Fixed = f64;
    type Summary = Sums;

    fn fixed(&self) -> f64 {
        self.scale
    }

    fn statistic_len(_: &f64) -> usize {
        1
    }

    fn check_point(&scale: &f64, &x: &f64) -> Result<(), ParamError> {
        check::require(
            x >= scale && x < f64::INFINITY,
            "Pareto",
            "point",
            x,
            "at least the scale, and finite",
        )
        .map(drop)
    }

    /// The statistic ln(x/m).
    fn add_statistic(&scale: &f64, &x: &f64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * ln_ratio(x, scale);
    }

    /// The logarithm of the base measure -ln x.
    fn ln_base(_: &f64, &x: &f64) -> f64 {
        -x.ln()
    }

    /// The log partition function -ln(-w).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        -(-natural.as_slice()[0]).ln()
    }

    /// The natural parameter -α.
    fn natural(&self) -> Natural<Self> {
        Natural::of(self.scale, vec![-self.shape])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::new(-natural.as_slice()[0], *natural.fixed())
    }

    /// The expectation of the statistic 1/α.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of(self.scale, vec![self.shape.recip()])
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        Self::new(expectation.as_slice()[0].recip(), *expectation.fixed())
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for Pareto {
    /// The Fisher information 1/α².
    fn fisher_information(&self) -> DMatrix<f64> {
        DMatrix::from_element(1, 1, self.shape.powi(-2))
    }
}

impl Distribution<f64> for Pareto {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let standard: f64 = rand_distr::Exp1.sample(rng);
        times_exp(self.scale, standard / self.shape)
    }
}
