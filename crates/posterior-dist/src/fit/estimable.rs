//! The distributions that can be fitted, and where the search for each begins.

use std::f64::consts::{EULER_GAMMA, PI};

use posterior_math::log_space::logit;

use super::Outline;
use crate::catalogue::Coordinate;
use crate::continuous::{
    Beta, BetaPrime, Cauchy, ChiSquared, Exponential, FisherF, Frechet, Gamma, GeneralizedExtremeValue,
    GeneralizedGamma, GeneralizedPareto, Gumbel, HalfCauchy, HalfNormal, HalfStudentT, InverseGamma,
    InverseGaussian, Kumaraswamy, LogLogistic, LogNormal, Logistic, LogitNormal, Lomax, Normal, Pareto,
    Rayleigh, SkewNormal, StudentT, VonMises, Weibull,
};
use crate::density::Univariate;
use crate::discrete::{BetaBinomial, Binomial, Geometric, NegativeBinomial, Poisson, Skellam, Zeta, Zipf};
use crate::gradient::ParameterGradient;
use crate::grammar::Parametric;

/// How the search treats a parameter, and where it begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FirstGuess {
    /// Any number, in steps of `unit`.
    Line {
        /// The first guess.
        at: f64,
        /// A difference that matters.
        unit: f64,
    },
    /// A positive number, from this on.
    Positive(f64),
    /// A number between 0 and 1, from this on.
    Proportion(f64),
    /// Not estimated: this, unless another value is given.
    Fixed(f64),
    /// Not estimated: the value has to be given.
    Wanted,
}

/// A distribution that can be fitted to a sample: its log-density is smooth in the parameters.
///
/// # For a distribution of your own
/// Besides this, [`Parametric`], [`ParameterGradient`] and [`Univariate`] are all that a fit needs.
/// ```
/// use posterior_dist::fit::{FirstGuess, Estimable, Outline};
/// # use posterior_dist::{Density, ParameterGradient, Parametric, Univariate};
/// # use posterior_math::{ParamError, check};
/// # struct Power { a: f64 }
/// # impl Density for Power {
/// #     type Point = f64;
/// #     fn ln_pdf(&self, &x: &f64) -> f64 { self.a.ln() + (self.a - 1.0) * x.ln() }
/// # }
/// # impl ParameterGradient for Power {
/// #     type Gradient = [f64; 1];
/// #     fn parameter_gradient(&self, &x: &f64) -> [f64; 1] { [1.0 / self.a + x.ln()] }
/// # }
/// # impl Univariate for Power {
/// #     fn cdf(&self, x: f64) -> f64 { x.clamp(0.0, 1.0).powf(self.a) }
/// #     fn sf(&self, x: f64) -> f64 { 1.0 - self.cdf(x) }
/// #     fn quantile(&self, p: f64) -> f64 { p.powf(1.0 / self.a) }
/// #     fn upper_quantile(&self, q: f64) -> f64 { (1.0 - q).powf(1.0 / self.a) }
/// #     fn ln_cdf(&self, x: f64) -> f64 { self.cdf(x).ln() }
/// #     fn ln_sf(&self, x: f64) -> f64 { self.sf(x).ln() }
/// # }
/// # impl Parametric for Power {
/// #     const NAME: &'static str = "power";
/// #     const PARAMETERS: &'static [&'static str] = &["a"];
/// #     fn parameters(&self) -> Vec<f64> { vec![self.a] }
/// #     fn from_parameters(p: &[f64]) -> Result<Self, ParamError> {
/// #         Ok(Self { a: check::positive("Power", "a", p[0])? })
/// #     }
/// # }
///
/// /// p(x) = a x^(a - 1) on [0, 1].
/// impl Estimable for Power {
///     fn begin(sample: &Outline) -> Vec<FirstGuess> {
///         vec![FirstGuess::Positive(sample.mean / (1.0 - sample.mean))]
///     }
/// }
/// ```
pub trait Estimable: Parametric + ParameterGradient<Point: Coordinate> + Univariate {
    /// Where the search begins, for each parameter in its order.
    fn begin(sample: &Outline) -> Vec<FirstGuess>;

    /// Why standard errors and intervals do not hold at these parameters; `None`, as by default, if they do.
    fn irregular(&self) -> Option<&'static str> {
        None
    }
}

/// The standard deviation of the logarithm of a standard exponential variable.
const LN_EXPONENTIAL_SD: f64 = 1.282_549_830_161_864;

/// The quartile of the standard normal distribution.
const QUARTILE: f64 = 0.674_489_750_196_081_7;

use FirstGuess::{Fixed, Line, Positive, Proportion, Wanted};

/// A distribution a line.
macro_rules! estimable {
    ($($distribution:ty, |$own:ident| $begin:expr $(, $irregular:path)?;)+) => {
        $(impl Estimable for $distribution {
            fn begin($own: &Outline) -> Vec<FirstGuess> {
                $begin.to_vec()
            }

            $(fn irregular(&self) -> Option<&'static str> {
                $irregular(self.shape())
            })?
        })+
    };
}

/// From a shape of -½ down the largest value says more of the end of the support than a curvature can (R. L.
/// Smith, Maximum likelihood estimation in a class of nonregular cases, Biometrika 72, 1985).
fn end_near(shape: f64) -> Option<&'static str> {
    (shape <= -0.5).then_some(
        "the shape is -1/2 or less: the support ends at the largest value, where no standard error holds",
    )
}

estimable! {
    Normal, |own| [Line { at: own.mean, unit: own.sd }, Positive(own.sd)];
    LogNormal, |own| [Line { at: own.ln_mean, unit: own.ln_sd }, Positive(own.ln_sd)];
    StudentT, |own| [Positive(5.0), Line { at: own.median, unit: own.half_width }, Positive(own.half_width / QUARTILE)];
    Cauchy, |own| [Line { at: own.median, unit: own.half_width }, Positive(own.half_width)];
    Logistic, |own| [Line { at: own.mean, unit: own.sd }, Positive(own.sd * 3_f64.sqrt() / PI)];
    Gumbel, |own| {
        let scale = own.sd / LN_EXPONENTIAL_SD;
        [Line { at: own.mean - EULER_GAMMA * scale, unit: scale }, Positive(scale)]
    };
    HalfNormal, |own| [Positive(own.mean.hypot(own.sd))];
    HalfCauchy, |own| [Positive(own.median)];
    Rayleigh, |own| [Positive(own.mean.hypot(own.sd) / 2_f64.sqrt())];
    Exponential, |own| [Positive(own.mean.recip())];
    Gamma, |own| [Positive((own.mean / own.sd).powi(2)), Positive(own.mean / (own.sd * own.sd))];
    InverseGamma, |own| {
        let shape = own.ln_sd.powi(-2) + 0.5;
        [Positive(shape), Positive(shape * own.ln_mean.exp())]
    };
    InverseGaussian, |own| [Positive(own.mean), Positive(own.mean * (own.mean / own.sd).powi(2))];
    Weibull, |own| {
        let shape = LN_EXPONENTIAL_SD / own.ln_sd;
        [Positive(shape), Positive((own.ln_mean + EULER_GAMMA / shape).exp())]
    };
    Frechet, |own| {
        let shape = LN_EXPONENTIAL_SD / own.ln_sd;
        [Positive(shape), Positive((own.ln_mean - EULER_GAMMA / shape).exp())]
    };
    LogLogistic, |own| [Positive(PI / (3_f64.sqrt() * own.ln_sd)), Positive(own.ln_mean.exp())];
    Lomax, |own| [Positive(3.0), Positive(2.0 * own.mean)];
    Pareto, |own| [Positive((own.ln_mean - own.smallest.ln()).recip()), Fixed(own.smallest)];
    Beta, |own| {
        let total = (own.mean * (1.0 - own.mean) / (own.sd * own.sd) - 1.0).max(0.1);
        [Positive(own.mean * total), Positive((1.0 - own.mean) * total)]
    };
    BetaPrime, |own| [Positive(2.0), Positive(2.0), Positive(own.median)];
    ChiSquared, |own| [Positive(own.mean)];
    FisherF, |own| [Positive(4.0 / (own.ln_sd * own.ln_sd)), Positive(4.0 / (own.ln_sd * own.ln_sd))];
    VonMises, |own| {
        let (cos, sin) = own.direction;
        let length = cos.hypot(sin).min(0.999_999);
        let concentration = length * (2.0 - length * length) / (1.0 - length * length);
        [Line { at: sin.atan2(cos), unit: 1.0 }, Positive(concentration)]
    };
    Poisson, |own| [Positive(own.mean)];
    Geometric, |own| [Proportion((1.0 + own.mean).recip())];
    NegativeBinomial, |own| {
        let excess = (own.sd * own.sd - own.mean).max(0.1 * own.mean);
        let successes = own.mean * own.mean / excess;
        [Positive(successes), Proportion(successes / (successes + own.mean))]
    };
    Binomial, |_own| [Wanted, Proportion(0.5)];
    BetaBinomial, |_own| [Wanted, Positive(1.0), Positive(1.0)];
    SkewNormal, |own| {
        // E Z is 0.71 at the shape 2.
        let (lean, scale) = (if own.mean < own.median { -1.0 } else { 1.0 }, own.sd / 0.7);
        [
            Line { at: own.mean - 0.71 * lean * scale, unit: scale },
            Positive(scale),
            Line { at: 2.0 * lean, unit: 1.0 },
        ]
    };
    GeneralizedExtremeValue, |own| {
        let scale = own.sd / LN_EXPONENTIAL_SD;
        let location = own.mean - EULER_GAMMA * scale;
        [Line { at: location, unit: scale }, Positive(scale), Line { at: 0.0, unit: 0.2 }]
    }, end_near;
    GeneralizedPareto, |own| [Fixed(0.0), Positive(own.mean), Line { at: 0.0, unit: 0.2 }], end_near;
    GeneralizedGamma, |own| {
        let power = LN_EXPONENTIAL_SD / own.ln_sd;
        [Positive(1.0), Positive(power), Positive((own.ln_mean + EULER_GAMMA / power).exp())]
    };
    HalfStudentT, |own| [Positive(5.0), Positive(0.8 * own.mean.hypot(own.sd))];
    Kumaraswamy, |own| {
        let total = (own.mean * (1.0 - own.mean) / (own.sd * own.sd) - 1.0).max(0.1);
        [Positive(own.mean * total), Positive((1.0 - own.mean) * total)]
    };
    LogitNormal, |own| {
        let slope = own.median * (1.0 - own.median);
        let width = own.half_width / QUARTILE / slope;
        [Line { at: logit(own.median), unit: width }, Positive(width)]
    };
    Skellam, |own| {
        let variance = own.sd * own.sd;
        let half = |mean: f64| Positive((0.5 * (variance + mean)).max(0.1 * variance));
        [half(own.mean), half(-own.mean)]
    };
    Zeta, |own| {
        let rate = (own.ln_mean + 0.4).recip();
        [Line { at: 1.0 + rate, unit: 0.3 * rate }]
    };
    Zipf, |_own| [Positive(1.0), Wanted];
}
