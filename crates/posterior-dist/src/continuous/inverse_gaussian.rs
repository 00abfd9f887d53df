//! Inverse Gaussian distribution on (0, ∞).

mod tails;

use std::f64::consts::{EULER_GAMMA, LN_2, SQRT_2, TAU};

use posterior_math::optimize::{RootOptions, find_root_newton};
use posterior_math::special::{erf_inv, normal_ln_quantile, normal_quantile, normal_upper_quantile};
use rand::RngExt;

use crate::grammar::parametric;
use crate::prelude::*;
use tails::Point;

/// What rounding may take from the ends between which a quantile is.
const WIDENED: f64 = 1e-14;

/// Below this the root of the ratio of shape and mean is near the smallest number: 2⁻⁶⁰⁰.
const TINY: f64 = 2.409_919_865_102_884e-181;

/// From here on nothing is left of 1 beside the ratio of mean and shape.
const FAR: f64 = 1e16;

/// The distribution of the time at which a Brownian motion with drift reaches a level (Wald's distribution).
///
/// # Density
/// p(x) = √(λ / (2π x³)) exp(-λ (x - μ)² / (2 μ² x))
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ | `mean` | positive | `mean` (R's statmod), `mu` · `scale` (SciPy) |
/// | λ | `shape` | positive | `shape` (R's statmod), `scale` (SciPy) |
///
/// # Moments
/// mean μ, variance μ³/λ, skewness 3 √(μ/λ), excess kurtosis 15 μ/λ, E 1/X = 1/μ + 1/λ, mode μ (√(1 + c²) -
/// c) with c = 3μ/(2λ), entropy ½ ln(2πe μ³/λ) - (3/2) e^z E₁(z) with z = 2λ/μ and the exponential integral
/// E₁
///
/// # Numerics
/// The upper tail is a difference of two terms that are nearly equal far out: it is an integral of positive
/// terms there (Gauss's rule, 64 nodes). Quantiles are by Newton's method for the logarithm of a tail, in a =
/// √(λ/x) (x/μ - 1), which is nearly normal for large λ/μ; from λ/μ = 10³² on f64 has less than one number
/// per standard deviation next to the mean. Draws are by Michael, Schucany and Haas's method, with the
/// smaller root in a form that does not cancel.
///
/// # Example
/// ```
/// use posterior_dist::{InverseGaussian, Univariate};
///
/// let distribution = InverseGaussian::new(1.0, 1.0)?;
/// assert!((distribution.cdf(1.0) - 0.6681020012231707).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// J. R. Michael, W. R. Schucany, R. W. Haas, Generating random variates using transformations with multiple
/// roots, The American Statistician 30 (1976). G. Giner, G. K. Smyth, statmod: probability calculations for
/// the inverse Gaussian distribution, R Journal 8 (2016).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InverseGaussian {
    mean: f64,
    shape: f64,
}

impl InverseGaussian {
    /// μ = mean and λ = shape.
    ///
    /// # Errors
    /// If one of them is not positive and finite.
    pub fn new(mean: f64, shape: f64) -> Result<Self, ParamError> {
        check::positive("InverseGaussian", "mean", mean)?;
        check::positive("InverseGaussian", "shape", shape)?;
        Ok(Self { mean, shape })
    }

    /// The shape λ.
    pub const fn shape(&self) -> f64 {
        self.shape
    }

    /// λ (x - μ)² / (2 μ² x).
    fn exponent(&self, x: f64) -> f64 {
        let a = Point::new(x, self.mean, self.shape).a();
        0.5 * a * a
    }

    /// The x at which the lower tail is p ≤ ½: it is at least Φ(a), and at most 2 Φ(a) for a < 0.
    fn lower_point(&self, p: f64) -> f64 {
        let ends = [normal_ln_quantile(p.ln() - LN_2), normal_quantile(p)];
        self.solve(ends, p.ln(), |point| (point.ln_lower(), 1.0))
    }

    /// The x at which the upper tail is q ≤ ½: it is at most Φ(-a), and at least 1 - 2 Φ(a).
    fn upper_point(&self, q: f64) -> f64 {
        let ends = if Point::at(0.0, self.root()).ln_upper() > q.ln() {
            [f64::MIN_POSITIVE, normal_upper_quantile(q) + WIDENED]
        } else {
            [-SQRT_2 * erf_inv(q), -f64::MIN_POSITIVE]
        };
        self.solve(ends, q.ln(), |point| (point.ln_upper(), -1.0))
    }

    /// √(λ/μ).
    fn root(&self) -> f64 {
        self.shape.sqrt() / self.mean.sqrt()
    }

    /// The x at which the logarithm of a tail has a value, by Newton's method in a between two ends;
    /// `ln_tail` also gives the sign of its slope.
    fn solve(&self, [low, high]: [f64; 2], target: f64, ln_tail: impl Fn(&Point) -> (f64, f64)) -> f64 {
        let root = self.root();
        // Of numbers near the smallest one a root is not found to all digits.
        let unit = if root < TINY { TINY } else { 1.0 };
        let excess = |part: f64| {
            let point = Point::at(part * unit, root);
            let (value, sign) = ln_tail(&point);
            (sign * (value - target), unit * point.slope(value))
        };
        let (low, high) = (low / unit, high / unit);
        let (low, high) = (low - WIDENED * low.abs(), high + WIDENED * high.abs());
        let a = find_root_newton(excess, low, high, &RootOptions { relative: 0.0, ..RootOptions::default() })
            .point;
        Point::at(a * unit, root).x(root, self.mean, self.shape)
    }
}

parametric!(InverseGaussian, "inverse_gaussian", new[mean, shape]);

impl Density for InverseGaussian {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x > 0.0 && x < f64::INFINITY {
            0.5 * (self.shape.ln() - TAU.ln() - 3.0 * x.ln()) - self.exponent(x)
        } else if x.is_nan() {
            x
        } else {
            f64::NEG_INFINITY
        }
    }
}

impl PointGradient for InverseGaussian {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if x > 0.0 {
            let drift = (self.mean - x) / x * ((self.mean + x) / self.mean) * (self.shape / self.mean);
            (0.5 * drift - 1.5) / x
        } else {
            f64::NAN
        }
    }
}

impl ParameterGradient for InverseGaussian {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        if x > 0.0 {
            let distance = (x - self.mean) / self.mean;
            [self.shape / self.mean * (distance / self.mean), (0.5 - self.exponent(x)) / self.shape]
        } else {
            [f64::NAN; 2]
        }
    }
}

impl Univariate for InverseGaussian {
    fn cdf(&self, x: f64) -> f64 {
        self.tail(x, 0.0, 1.0, Point::lower)
    }

    fn sf(&self, x: f64) -> f64 {
        self.tail(x, 1.0, 0.0, Point::upper)
    }

    fn quantile(&self, p: f64) -> f64 {
        match p {
            _ if !(0.0..=1.0).contains(&p) => f64::NAN,
            0.0 => 0.0,
            1.0 => f64::INFINITY,
            _ if p < 0.5 => self.lower_point(p),
            _ => self.upper_point(1.0 - p),
        }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        match q {
            _ if !(0.0..=1.0).contains(&q) => f64::NAN,
            0.0 => f64::INFINITY,
            1.0 => 0.0,
            _ if q < 0.5 => self.upper_point(q),
            _ => self.lower_point(1.0 - q),
        }
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        self.tail(x, f64::NEG_INFINITY, 0.0, Point::ln_lower)
    }

    fn ln_sf(&self, x: f64) -> f64 {
        self.tail(x, 0.0, f64::NEG_INFINITY, Point::ln_upper)
    }
}

impl InverseGaussian {
    /// A tail inside of the support, and its values at both ends.
    fn tail(&self, x: f64, at_zero: f64, at_infinity: f64, inside: impl Fn(&Point) -> f64) -> f64 {
        if x.is_nan() {
            x
        } else if x <= 0.0 {
            at_zero
        } else if x == f64::INFINITY {
            at_infinity
        } else {
            inside(&Point::new(x, self.mean, self.shape))
        }
    }
}

impl Moments for InverseGaussian {
    fn mean(&self) -> Option<f64> {
        Some(self.mean)
    }

    fn variance(&self) -> Option<f64> {
        Some(self.mean * (self.mean * (self.mean / self.shape)))
    }
}

impl Shape for InverseGaussian {
    fn skewness(&self) -> Option<f64> {
        Some(3.0 * (self.mean / self.shape).sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        Some(15.0 * (self.mean / self.shape))
    }
}

impl Entropy for InverseGaussian {
    fn entropy(&self) -> f64 {
        let integral = scaled_exponential_integral(2.0 * self.shape / self.mean);
        let ln_variance = 3.0 * self.mean.ln() - self.shape.ln();
        0.5 * (TAU.ln() + 1.0 + ln_variance) - 1.5 * integral
    }
}

/// e^z E₁(z) = e^z ∫_z^∞ e^(-t)/t dt for z > 0: by its power series up to 1 and its continued fraction
/// beyond.
fn scaled_exponential_integral(z: f64) -> f64 {
    if z <= 1.0 {
        let mut power = -1.0;
        let mut sum = -EULER_GAMMA - z.max(f64::MIN_POSITIVE).ln();
        for k in 1..25 {
            let order = f64::from(k);
            power *= -z / order;
            sum += power / order;
        }
        return z.exp() * sum;
    }
    // 1 / (z + 1 - 1² / (z + 3 - 2² / (z + 5 - …))), from the end that is far enough.
    let terms = 20 + (600.0 / z) as u32;
    let mut fraction = 0.0;
    for k in (1..=terms).rev() {
        let order = f64::from(k);
        fraction = order * order / (z + 2.0 * order + 1.0 - fraction);
    }
    (z + 1.0 - fraction).recip()
}

impl Mode for InverseGaussian {
    fn mode(&self) -> Option<f64> {
        let c = 1.5 * (self.mean / self.shape);
        Some(if c < FAR { self.mean / (1.0_f64.hypot(c) + c) } else { self.shape / 3.0 })
    }
}

impl KlDivergence for InverseGaussian {
    fn kl_divergence(&self, other: &Self) -> f64 {
        let excess = (other.shape - self.shape) / self.shape;
        let distance = (self.mean - other.mean) / other.mean;
        0.5 * (excess - excess.ln_1p()) + 0.5 * (other.shape / self.mean) * distance * distance
    }
}

impl ExponentialFamily for InverseGaussian {
    type Fixed = ();
    type Summary = Sums;

    fn fixed(&self) {}

    fn statistic_len((): &()) -> usize {
        2
    }

    fn check_point((): &(), &x: &f64) -> Result<(), ParamError> {
        check::positive("InverseGaussian", "point", x)?;
        check::positive("InverseGaussian", "reciprocal of the point", x.recip()).map(drop)
    }

    /// The statistic (x, 1/x).
    fn add_statistic((): &(), &x: &f64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * x;
        sum[1] += weight / x;
    }

    /// The logarithm of the base measure -½ ln(2π x³).
    fn ln_base((): &(), &x: &f64) -> f64 {
        -0.5 * (TAU.ln() + 3.0 * x.ln())
    }

    /// The log partition function -½ ln(-2 w₂) - 2 √(w₁ w₂).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let [w, v] = [natural.as_slice()[0], natural.as_slice()[1]];
        if w < 0.0 && v < 0.0 { -0.5 * (-2.0 * v).ln() - 2.0 * ((-w).sqrt() * (-v).sqrt()) } else { f64::NAN }
    }

    /// The natural parameters (-λ/(2μ²), -λ/2).
    fn natural(&self) -> Natural<Self> {
        Natural::of((), vec![-0.5 * (self.shape / self.mean / self.mean), -0.5 * self.shape])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        let [w, v] = [natural.as_slice()[0], natural.as_slice()[1]];
        Self::new((v / w).sqrt(), -2.0 * v)
    }

    /// The expectation of the statistic (μ, 1/μ + 1/λ).
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of((), vec![self.mean, self.mean.recip() + self.shape.recip()])
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let [mean, mean_reciprocal] = [expectation.as_slice()[0], expectation.as_slice()[1]];
        let inverse = mean_reciprocal - mean.recip();
        check::positive("InverseGaussian", "mean of reciprocals minus reciprocal of the mean", inverse)?;
        Self::new(mean, inverse.recip())
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for InverseGaussian {
    /// The Fisher information ((μ³/λ, -μ/λ), (-μ/λ, 1/(λμ) + 2/λ²)).
    fn fisher_information(&self) -> DMatrix<f64> {
        let ratio = self.mean / self.shape;
        let corner = (self.mean.recip() + 2.0 / self.shape) / self.shape;
        two_by_two([self.mean * self.mean * ratio, corner], -ratio)
    }
}

impl Distribution<f64> for InverseGaussian {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let normal: f64 = rand_distr::StandardNormal.sample(rng);
        let square = normal * normal;
        let w = 0.5 * square * (self.mean / self.shape);
        if w > FAR {
            // The smaller root. The larger one comes with a probability of 1/w.
            return self.shape / square;
        }
        // The smaller of the two roots in units of the mean, whose product is 1.
        let root = (1.0 + w + (w * (w + 2.0)).sqrt()).recip();
        if rng.random::<f64>() * (1.0 + root) <= 1.0 { self.mean * root } else { self.mean / root }
    }
}
