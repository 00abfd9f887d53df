//! Von Mises distribution of an angle.

mod arc;

use std::f64::consts::{PI, TAU};

use posterior_math::optimize::{RootOptions, find_root_newton};
use posterior_math::special::{
    bessel_i1_over_i0, inverse_bessel_ratio, ln_bessel_i0, ln_bessel_i0_scaled, ln_normal_cdf,
    normal_quantile,
};
use rand::RngExt;

use crate::grammar::parametric;
use crate::prelude::*;

/// What f64 lacks of π.
const PI_REST: f64 = 1.224_646_799_147_353_2e-16;
/// From here on tails and draws are those of the normal distribution that it tends to, folded: they differ by
/// less than rounding.
const NORMAL_FROM: f64 = 1e15;

/// The distribution of an angle around a mean direction: the normal distribution of the circle.
///
/// # Density
/// p(x) = e^(κ cos(x - μ)) / (2π I₀(κ)), for every angle x
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ | `mean_direction` | finite | `loc` (SciPy), `mu` (Stan) |
/// | κ | `concentration` | 0 (the uniform distribution) or positive | `kappa` (SciPy, Stan) |
///
/// # Moments
/// mean direction μ, mean resultant length A = I₁(κ)/I₀(κ), circular variance 1 - A, mode μ, entropy
/// ln(2π I₀(κ)) - κ A. These are the moments of a direction, and the distribution has no others here.
///
/// # Numerics
/// The density is that of the circle: x and x + 2π have the same. On the real line the distribution is on
/// [μ - π, μ + π], where the distribution function rises from 0 to 1 and draws lie. Both tails are integrals
/// by Gauss's rule on up to ten parts, with their full relative precision for every κ; quantiles are by
/// Newton's method for the logarithm of a tail. Draws are by Best and Fisher's method.
///
/// # Example
/// ```
/// use posterior_dist::{Density, Univariate, VonMises};
///
/// let distribution = VonMises::new(0.5, 2.0)?;
/// assert!((distribution.cdf(0.5) - 0.5).abs() < 1e-15);
/// assert!((distribution.ln_pdf(&0.0) - distribution.ln_pdf(&std::f64::consts::TAU)).abs() < 1e-14);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// D. J. Best, N. I. Fisher, Efficient simulation of the von Mises distribution, Applied Statistics 28
/// (1979).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VonMises {
    mean_direction: f64,
    concentration: f64,
    /// ln(2π I₀(κ) e^(-κ)).
    ln_norm: f64,
}

impl VonMises {
    /// μ = mean direction and κ = concentration.
    ///
    /// # Errors
    /// If μ is not finite, or κ is negative or not finite.
    pub fn new(mean_direction: f64, concentration: f64) -> Result<Self, ParamError> {
        check::finite("VonMises", "mean_direction", mean_direction)?;
        check::non_negative("VonMises", "concentration", concentration)?;
        Ok(Self { mean_direction, concentration, ln_norm: TAU.ln() + ln_bessel_i0_scaled(concentration) })
    }

    /// A = E cos(X - μ) = I₁(κ)/I₀(κ).
    pub fn mean_resultant_length(&self) -> f64 {
        bessel_i1_over_i0(self.concentration)
    }

    /// 1 - A, for large κ by its series in 1/κ.
    pub fn circular_variance(&self) -> f64 {
        if self.concentration < 1e3 {
            return 1.0 - self.mean_resultant_length();
        }
        let y = self.concentration.recip();
        y * (0.5 + y * (0.125 + y * (0.125 + y * (0.1953125 + y * 0.40625))))
    }

    /// (x - μ)/2, which is a number where x - μ is beyond f64.
    fn half_angle(&self, x: f64) -> f64 {
        0.5 * x - 0.5 * self.mean_direction
    }

    /// Both tails at the angle x - μ, the logarithm of the smaller one first, and whether that is the lower
    /// one.
    fn ln_tail(&self, x: f64) -> (f64, bool) {
        // x - μ with its rounding, so that the distance to the end of the arc is exact.
        let angle = x - self.mean_direction;
        let back = angle - x;
        let rest = (x - (angle - back)) - (self.mean_direction + back);
        let lower = angle < 0.0;
        let (size, rest) = if lower { (angle, rest) } else { (-angle, -rest) };
        let length = (size + PI) + (PI_REST + rest);
        let ln_tail = if !(length > 0.0) {
            f64::NEG_INFINITY
        } else if self.concentration < NORMAL_FROM {
            arc::ln_integral(size.max(-PI), length, self.concentration) - self.ln_norm
        } else {
            // κ (1 - cos t) is ½ κ s² with s = 2 sin(t/2), and dt is ds/cos(t/2), a constant where the tail
            // is.
            let (sine, cosine) = (0.5 * size.max(-PI)).sin_cos();
            ln_normal_cdf(2.0 * (self.concentration.sqrt() * sine)) - cosine.ln()
        };
        (ln_tail.min(-std::f64::consts::LN_2), lower)
    }

    /// The angle up to zero whose lower tail is `p` ≤ ½.
    fn lower_angle(&self, p: f64) -> f64 {
        if p == 0.5 {
            return 0.0;
        }
        if self.concentration >= NORMAL_FROM {
            return 2.0 * (0.5 * (normal_quantile(p) / self.concentration.sqrt())).asin();
        }
        // The excess of the logarithm of the tail, and its slope, at an angle and its distance from -π.
        let excess = |angle: f64, length: f64| {
            let ln_tail = arc::ln_integral(angle, length, self.concentration) - self.ln_norm;
            let sine = (0.5 * angle).sin();
            let ln_density = -2.0 * sine * (self.concentration * sine) - self.ln_norm;
            (ln_tail - p.ln(), (ln_density - ln_tail).exp())
        };
        let of_angle = |angle: f64| excess(angle, (angle + PI) + PI_REST);
        let of_length = |length: f64| excess(length - PI, length + PI_REST);
        let options = RootOptions::default();
        if of_angle(-f64::MIN_POSITIVE).0 <= 0.0 {
            return 0.0;
        }
        // On the half circle next to the mean by the angle itself, beyond by what is left of it.
        if of_angle(-0.5 * PI).0 < 0.0 {
            find_root_newton(of_angle, -0.5 * PI, -f64::MIN_POSITIVE, &options).point
        } else if of_length(f64::MIN_POSITIVE).0 < 0.0 {
            find_root_newton(of_length, f64::MIN_POSITIVE, 0.5 * PI, &options).point - PI
        } else {
            -PI
        }
    }
}

parametric! { VonMises, "von_mises", new:
    /// The mean direction μ.
    mean_direction: f64,
    /// The concentration κ.
    concentration: f64,
}

impl Density for VonMises {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x.is_infinite() {
            return f64::NEG_INFINITY;
        }
        let sine = self.half_angle(x).sin();
        -2.0 * sine * (self.concentration * sine) - self.ln_norm
    }
}

impl PointGradient for VonMises {
    fn point_gradient(&self, &x: &f64) -> f64 {
        let (sine, cosine) = self.half_angle(x).sin_cos();
        -2.0 * self.concentration * sine * cosine
    }
}

impl ParameterGradient for VonMises {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        let (sine, cosine) = self.half_angle(x).sin_cos();
        [2.0 * self.concentration * sine * cosine, self.circular_variance() - 2.0 * sine * sine]
    }
}

impl Univariate for VonMises {
    fn cdf(&self, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        let (ln_tail, lower) = self.ln_tail(x);
        if lower { ln_tail.exp() } else { 1.0 - ln_tail.exp() }
    }

    fn sf(&self, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        let (ln_tail, lower) = self.ln_tail(x);
        if lower { 1.0 - ln_tail.exp() } else { ln_tail.exp() }
    }

    fn quantile(&self, p: f64) -> f64 {
        match p {
            _ if !(0.0..=1.0).contains(&p) => f64::NAN,
            0.0 => self.mean_direction - PI,
            1.0 => self.mean_direction + PI,
            _ if p <= 0.5 => self.mean_direction + self.lower_angle(p),
            _ => self.mean_direction - self.lower_angle(1.0 - p),
        }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        match q {
            _ if !(0.0..=1.0).contains(&q) => f64::NAN,
            0.0 => self.mean_direction + PI,
            1.0 => self.mean_direction - PI,
            _ if q <= 0.5 => self.mean_direction - self.lower_angle(q),
            _ => self.mean_direction + self.lower_angle(1.0 - q),
        }
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        let (ln_tail, lower) = self.ln_tail(x);
        if lower { ln_tail } else { (-ln_tail.exp()).ln_1p() }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        let (ln_tail, lower) = self.ln_tail(x);
        if lower { (-ln_tail.exp()).ln_1p() } else { ln_tail }
    }
}

impl Entropy for VonMises {
    fn entropy(&self) -> f64 {
        self.ln_norm + self.concentration * self.circular_variance()
    }
}

impl Mode for VonMises {
    /// `None` for κ = 0, where the density is constant.
    fn mode(&self) -> Option<f64> {
        (self.concentration > 0.0).then_some(self.mean_direction)
    }
}

impl KlDivergence for VonMises {
    fn kl_divergence(&self, other: &Self) -> f64 {
        let sine = other.half_angle(self.mean_direction).sin();
        let turned = 2.0 * sine * (other.concentration * sine) * self.mean_resultant_length();
        let concentrated = (other.concentration - self.concentration) * self.circular_variance();
        concentrated + (other.ln_norm - self.ln_norm) + turned
    }
}

impl ExponentialFamily for VonMises {
    type Fixed = ();
    type Summary = Sums;

    fn fixed(&self) {}

    fn statistic_len((): &()) -> usize {
        2
    }

    fn check_point((): &(), &x: &f64) -> Result<(), ParamError> {
        check::finite("VonMises", "point", x).map(drop)
    }

    /// The statistic (cos x, sin x).
    fn add_statistic((): &(), &x: &f64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * x.cos();
        sum[1] += weight * x.sin();
    }

    /// The logarithm of the base measure -ln 2π.
    fn ln_base((): &(), _: &f64) -> f64 {
        -TAU.ln()
    }

    /// The log partition function ln I₀(|w|).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        ln_bessel_i0(natural.as_slice()[0].hypot(natural.as_slice()[1]))
    }

    /// The natural parameters (κ cos μ, κ sin μ).
    fn natural(&self) -> Natural<Self> {
        Natural::of(
            (),
            vec![
                self.concentration * self.mean_direction.cos(),
                self.concentration * self.mean_direction.sin(),
            ],
        )
    }

    /// With μ in [-π, π].
    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        let [x, y] = [natural.as_slice()[0], natural.as_slice()[1]];
        Self::new(y.atan2(x), x.hypot(y))
    }

    /// The expectation of the statistic (A cos μ, A sin μ).
    fn expectation(&self) -> Expectation<Self> {
        let length = self.mean_resultant_length();
        Expectation::of((), vec![length * self.mean_direction.cos(), length * self.mean_direction.sin()])
    }

    /// With μ in [-π, π].
    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let [x, y] = [expectation.as_slice()[0], expectation.as_slice()[1]];
        let length = x.hypot(y);
        check::require(length < 1.0, "VonMises", "mean resultant length", length, "below 1")?;
        Self::new(y.atan2(x), inverse_bessel_ratio(length))
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for VonMises {
    /// With the unit vectors r along μ and t across it: (1 - A/κ - A²) r rᵀ + (A/κ) t tᵀ.
    fn fisher_information(&self) -> DMatrix<f64> {
        let length = self.mean_resultant_length();
        let across = if self.concentration > 0.0 { length / self.concentration } else { 0.5 };
        let along = 1.0 - across - length * length;
        let (sine, cosine) = self.mean_direction.sin_cos();
        let off = (along - across) * sine * cosine;
        let first = along * cosine * cosine + across * sine * sine;
        let second = along * sine * sine + across * cosine * cosine;
        two_by_two([first, second], off)
    }
}

impl Distribution<f64> for VonMises {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let concentration = self.concentration;
        if concentration >= NORMAL_FROM {
            let normal: f64 = rand_distr::StandardNormal.sample(rng);
            return self.mean_direction + normal / concentration.sqrt();
        }
        if concentration < 1e-15 {
            return self.mean_direction + PI * (2.0 * rng.random::<f64>() - 1.0);
        }
        // The wrapped Cauchy envelope: with s = (ρ² + 1) / (2ρ), s - 1 and f + 1 are what does not cancel for
        // large κ.
        let root = 1.0 + (1.0 + 4.0 * concentration * concentration).sqrt();
        let rho = (root - (2.0 * root).sqrt()) / (2.0 * concentration);
        let s = if concentration < 1e-5 {
            concentration.recip() + concentration
        } else {
            (1.0 + rho * rho) / (2.0 * rho)
        };
        loop {
            let z = (PI * rng.random::<f64>()).cos();
            let f = (1.0 + s * z) / (s + z);
            let c = concentration * (s - f);
            let u: f64 = rng.random();
            if c * (2.0 - c) > u || (c / u).ln() + 1.0 >= c {
                let angle = f.clamp(-1.0, 1.0).acos();
                return if rng.random::<bool>() {
                    self.mean_direction + angle
                } else {
                    self.mean_direction - angle
                };
            }
        }
    }
}
