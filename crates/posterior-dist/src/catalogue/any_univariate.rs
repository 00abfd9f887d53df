//! Univariate distributions whose type is known at run time only.

use std::sync::Arc;

use rand::Rng;
use rand::distr::Distribution;

use crate::continuous::{
    AsymmetricLaplace, Beta, BetaPrime, Cauchy, ChiSquared, Exponential, FisherF, Frechet, Gamma,
    GeneralizedExtremeValue, GeneralizedGamma, GeneralizedPareto, Gumbel, HalfCauchy, HalfNormal,
    HalfStudentT, InverseGamma, InverseGaussian, Kumaraswamy, Laplace, LogLogistic, LogNormal, Logistic,
    LogitNormal, Lomax, Normal, Pareto, Rayleigh, SkewNormal, StudentT, Triangular, Uniform, VonMises,
    Weibull,
};
use crate::coordinate::Coordinate;
use crate::delegate::delegate;
use crate::density::{Density, Univariate};
use crate::discrete::{
    Bernoulli, BetaBinomial, Binomial, Categorical, DiscreteUniform, Geometric, Hypergeometric,
    NegativeBinomial, Poisson, PoissonBinomial, Skellam, Zeta, Zipf,
};
use crate::grammar::{Described, Entry, behind_pointer};
use crate::moments::{Entropy, Mode, Moments, Shape};
use crate::wrappers::{Mixture, Truncated};

/// A univariate distribution as an object: [`Univariate`] with points as numbers, and what the distribution
/// has of the rest.
///
/// The point of a distribution that counts is its number: `false` and `true` are 0 and 1, category k is k,
/// and between the whole numbers there is no mass. What a distribution has not in closed form is `None`, as
/// is what does not exist.
pub trait DynUnivariate: Univariate {
    /// Whether the density is a probability.
    fn is_discrete(&self) -> bool;

    /// ln p(x): -∞ outside the support, NaN for NaN.
    fn ln_pdf(&self, x: f64) -> f64;

    /// The mean.
    fn mean(&self) -> Option<f64> {
        None
    }

    /// The variance.
    fn variance(&self) -> Option<f64> {
        None
    }

    /// The third standardised moment.
    fn skewness(&self) -> Option<f64> {
        None
    }

    /// The fourth standardised moment less 3.
    fn excess_kurtosis(&self) -> Option<f64> {
        None
    }

    /// The entropy in nats.
    fn entropy(&self) -> Option<f64> {
        None
    }

    /// The point of the largest density.
    fn mode(&self) -> Option<f64> {
        None
    }

    /// A draw.
    fn sample(&self, rng: &mut dyn Rng) -> f64;

    /// The ends of the support.
    fn ends(&self) -> (f64, f64) {
        (self.quantile(0.0), self.upper_quantile(0.0))
    }
}

/// A univariate distribution as an object that has a text.
pub trait NamedUnivariate: DynUnivariate + Described {}

impl<L: DynUnivariate + Described> NamedUnivariate for L {}

/// A univariate distribution, of any type: made from a text or from a distribution.
///
/// It is a distribution itself ([`Density`] with points in f64, [`Univariate`], `Distribution<f64>`), and has
/// the methods of [`DynUnivariate`] and [`Described`]. Copies share the distribution. Of a distribution of
/// counts, whole numbers below 2⁶⁴ have a probability.
/// ```
/// use posterior_dist::text::AnyUnivariate;
/// use posterior_dist::{Exponential, Univariate};
///
/// let distribution: AnyUnivariate = "exponential(rate = 2)".parse()?;
/// assert_eq!(distribution.cdf(0.0), 0.0);
/// assert_eq!(distribution.variance(), Some(0.25));
/// assert_eq!(distribution, AnyUnivariate::from(Exponential::new(2.0)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct AnyUnivariate {
    distribution: Arc<dyn NamedUnivariate>,
}

behind_pointer!(AnyUnivariate, NamedUnivariate, UNIVARIATE);
delegate!(AnyUnivariate, distribution: Univariate Moments Shape);

impl Density for AnyUnivariate {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        self.distribution.ln_pdf(x)
    }
}

impl Distribution<f64> for AnyUnivariate {
    fn sample<R: Rng + ?Sized>(&self, mut rng: &mut R) -> f64 {
        self.distribution.sample(&mut rng)
    }
}

/// The density of a distribution at a number; counts from 2⁶⁴ on have none.
fn ln_pdf_at<L: Density<Point: Coordinate>>(distribution: &L, x: f64) -> f64 {
    if x.is_nan() {
        x
    } else {
        L::Point::at(x).map_or(f64::NEG_INFINITY, |point| distribution.ln_pdf(&point))
    }
}

/// A draw as a number.
fn draw<L: Density<Point: Coordinate> + Distribution<L::Point>>(distribution: &L, rng: &mut dyn Rng) -> f64 {
    distribution.sample(rng).coordinate()
}

/// The summaries that a distribution has: all of them, or those that are named.
macro_rules! summaries {
    () => {
        summaries!([moments shape entropy mode]);
    };
    ([$($summary:ident)*]) => {
        $(summaries!($summary);)*
    };
    (moments) => {
        fn mean(&self) -> Option<f64> {
            Moments::mean(self)
        }

        fn variance(&self) -> Option<f64> {
            Moments::variance(self)
        }
    };
    (shape) => {
        fn skewness(&self) -> Option<f64> {
            Shape::skewness(self)
        }

        fn excess_kurtosis(&self) -> Option<f64> {
            Shape::excess_kurtosis(self)
        }
    };
    (entropy) => {
        fn entropy(&self) -> Option<f64> {
            Some(Entropy::entropy(self))
        }
    };
    (mode) => {
        fn mode(&self) -> Option<f64> {
            Mode::mode(self).map(Coordinate::coordinate)
        }
    };
}

/// The table of distributions and what makes each a `DynUnivariate`.
macro_rules! univariate_distributions {
    ($($distribution:ty, $support:literal $(, $summaries:tt)?;)+) => {
        /// Every univariate distribution that there is, by name.
        pub const UNIVARIATE: &[Entry<AnyUnivariate>] = &[$(Entry::of::<$distribution>($support)),+];

        $(impl DynUnivariate for $distribution {
            fn is_discrete(&self) -> bool {
                <<Self as Density>::Point as Coordinate>::DISCRETE
            }

            fn ln_pdf(&self, x: f64) -> f64 {
                ln_pdf_at(self, x)
            }

            summaries!($($summaries)?);

            fn sample(&self, rng: &mut dyn Rng) -> f64 {
                draw(self, rng)
            }
        })+
    };
}

// One line a distribution, by name; with the summaries that it has, where it lacks some.
univariate_distributions! {
    AsymmetricLaplace, "ℝ";
    Bernoulli, "{0, 1}";
    Beta, "[0, 1]";
    BetaBinomial, "{0, …, n}";
    BetaPrime, "(0, ∞)";
    Binomial, "{0, …, n}";
    Categorical, "{0, …, K - 1}", [entropy mode];
    Cauchy, "ℝ";
    ChiSquared, "(0, ∞)";
    DiscreteUniform, "{low, …, high}";
    Exponential, "[0, ∞)";
    FisherF, "(0, ∞)";
    Frechet, "(0, ∞)";
    Gamma, "(0, ∞)";
    GeneralizedExtremeValue, "where 1 + shape (x - location)/scale > 0";
    GeneralizedGamma, "(0, ∞)";
    GeneralizedPareto, "[location, ∞), or up to location - scale/shape";
    Geometric, "{0, 1, …}";
    Gumbel, "ℝ";
    HalfCauchy, "[0, ∞)";
    HalfNormal, "[0, ∞)";
    HalfStudentT, "[0, ∞)";
    Hypergeometric, "{max(0, n + K - N), …, min(n, K)}";
    InverseGamma, "(0, ∞)";
    InverseGaussian, "(0, ∞)";
    Kumaraswamy, "[0, 1]";
    Laplace, "ℝ";
    LogLogistic, "(0, ∞)";
    Logistic, "ℝ";
    LogitNormal, "(0, 1)", [];
    LogNormal, "(0, ∞)";
    Lomax, "[0, ∞)";
    Mixture<AnyUnivariate>, "those of the components", [moments shape];
    NegativeBinomial, "{0, 1, …}";
    Normal, "ℝ";
    Pareto, "[scale, ∞)";
    Poisson, "{0, 1, …}";
    PoissonBinomial, "{0, …, n}";
    Rayleigh, "[0, ∞)";
    Skellam, "{…, -1, 0, 1, …}", [moments shape entropy];
    SkewNormal, "ℝ", [moments shape mode];
    StudentT, "ℝ";
    Triangular, "[low, high]";
    Truncated<AnyUnivariate>, "[low, high]", [];
    Uniform, "[low, high]";
    VonMises, "[μ - π, μ + π]", [entropy mode];
    Weibull, "[0, ∞)";
    Zeta, "{1, 2, …}";
    Zipf, "{1, …, n}";
}
