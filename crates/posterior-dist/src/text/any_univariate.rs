//! Univariate distributions whose type is known at run time only.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use rand::Rng;
use rand::distr::Distribution;

use super::error::TextError;
use super::probe::{
    Coordinate, HasEntropy, HasMode, HasMoments, HasShape, LacksEntropy, LacksMode, LacksMoments, LacksShape,
    Probe,
};
use super::syntax::{Call, Value};
use super::written::{Entry, Written, call_of, find, from_call};
use crate::continuous::{
    Beta, BetaPrime, Cauchy, ChiSquared, Exponential, FisherF, Frechet, Gamma, Gumbel, HalfCauchy,
    HalfNormal, InverseGamma, InverseGaussian, Laplace, LogLogistic, LogNormal, Logistic, Lomax, Normal,
    Pareto, Rayleigh, StudentT, Triangular, Uniform, VonMises, Weibull,
};
use crate::density::{Density, Univariate};
use crate::discrete::{
    Bernoulli, BetaBinomial, Binomial, Categorical, DiscreteUniform, Geometric, Hypergeometric,
    NegativeBinomial, Poisson,
};
use crate::moments::{Moments, Shape};
use crate::wrappers::{Mixture, Truncated};

/// A univariate distribution, behind a pointer: [`Univariate`] with points as numbers, and what the
/// distribution has of the rest.
///
/// The point of a distribution that counts is its number: `false` and `true` are 0 and 1, category k is k,
/// and between the whole numbers there is no mass. What a distribution has not in closed form is `None`, as
/// is what does not exist.
pub trait DynUnivariate: fmt::Debug + fmt::Display + Send + Sync {
    /// The distribution's name.
    fn name(&self) -> &'static str;

    /// The names of the parameters, in order.
    fn parameter_names(&self) -> &'static [&'static str];

    /// The parameters, in order.
    fn parameters(&self) -> Vec<Value>;

    /// The distribution as a call, every argument by name.
    fn call(&self) -> Call;

    /// Whether the density is a probability.
    fn is_discrete(&self) -> bool;

    /// ln p(x): -∞ outside the support, NaN for NaN.
    fn ln_pdf(&self, x: f64) -> f64;

    /// [`Univariate::cdf`].
    fn cdf(&self, x: f64) -> f64;

    /// [`Univariate::sf`].
    fn sf(&self, x: f64) -> f64;

    /// [`Univariate::ln_cdf`].
    fn ln_cdf(&self, x: f64) -> f64;

    /// [`Univariate::ln_sf`].
    fn ln_sf(&self, x: f64) -> f64;

    /// [`Univariate::quantile`].
    fn quantile(&self, p: f64) -> f64;

    /// [`Univariate::upper_quantile`].
    fn upper_quantile(&self, q: f64) -> f64;

    /// The mean.
    fn mean(&self) -> Option<f64>;

    /// The variance.
    fn variance(&self) -> Option<f64>;

    /// The third standardised moment.
    fn skewness(&self) -> Option<f64>;

    /// The fourth standardised moment less 3.
    fn excess_kurtosis(&self) -> Option<f64>;

    /// The entropy in nats.
    fn entropy(&self) -> Option<f64>;

    /// The point of the largest density.
    fn mode(&self) -> Option<f64>;

    /// A draw.
    fn sample(&self, rng: &mut dyn Rng) -> f64;

    /// The ends of the support.
    fn ends(&self) -> (f64, f64) {
        (self.quantile(0.0), self.upper_quantile(0.0))
    }
}

/// A univariate distribution, of any type: made from a text or from a distribution.
///
/// It is a distribution itself ([`Density`] with points in f64, [`Univariate`], `Distribution<f64>`), and
/// lends the rest through [`distribution`](Self::distribution). Copies share the distribution. Of a
/// distribution of counts, whole numbers below 2⁶⁴ have a probability.
/// ```
/// use posterior_dist::text::AnyUnivariate;
/// use posterior_dist::{Exponential, Univariate};
///
/// let distribution: AnyUnivariate = "exponential(rate = 2)".parse()?;
/// assert_eq!(distribution.cdf(0.0), 0.0);
/// assert_eq!(distribution.distribution().variance(), Some(0.25));
/// assert_eq!(distribution, AnyUnivariate::from(Exponential::new(2.0)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct AnyUnivariate {
    distribution: Arc<dyn DynUnivariate>,
}

impl AnyUnivariate {
    /// The distribution.
    pub fn distribution(&self) -> &dyn DynUnivariate {
        self.distribution.as_ref()
    }
}

impl<L: DynUnivariate + 'static> From<L> for AnyUnivariate {
    fn from(distribution: L) -> Self {
        Self { distribution: Arc::new(distribution) }
    }
}

/// Two distributions are one if name and parameters are.
impl PartialEq for AnyUnivariate {
    fn eq(&self, other: &Self) -> bool {
        self.distribution.name() == other.distribution.name()
            && self.distribution.parameters() == other.distribution.parameters()
    }
}

impl fmt::Display for AnyUnivariate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.distribution.fmt(f)
    }
}

impl FromStr for AnyUnivariate {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::try_from(&text.parse::<Call>()?)
    }
}

impl TryFrom<&Call> for AnyUnivariate {
    type Error = TextError;

    fn try_from(call: &Call) -> Result<Self, TextError> {
        find(UNIVARIATE, call)
    }
}

impl Density for AnyUnivariate {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        self.distribution.ln_pdf(x)
    }
}

impl Univariate for AnyUnivariate {
    fn cdf(&self, x: f64) -> f64 {
        self.distribution.cdf(x)
    }

    fn sf(&self, x: f64) -> f64 {
        self.distribution.sf(x)
    }

    fn quantile(&self, p: f64) -> f64 {
        self.distribution.quantile(p)
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.distribution.upper_quantile(q)
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        self.distribution.ln_cdf(x)
    }

    fn ln_sf(&self, x: f64) -> f64 {
        self.distribution.ln_sf(x)
    }
}

/// `None` also where the distribution has no closed form.
impl Moments for AnyUnivariate {
    type Mean = f64;
    type Variance = f64;

    fn mean(&self) -> Option<f64> {
        self.distribution.mean()
    }

    fn variance(&self) -> Option<f64> {
        self.distribution.variance()
    }
}

/// `None` also where the distribution has no closed form.
impl Shape for AnyUnivariate {
    fn skewness(&self) -> Option<f64> {
        self.distribution.skewness()
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        self.distribution.excess_kurtosis()
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

/// A row of the table.
const fn entry<L: DynUnivariate + Written + 'static>(support: &'static str) -> Entry<AnyUnivariate> {
    Entry {
        name: L::NAME,
        parameters: L::PARAMETERS,
        support,
        read: |call| from_call::<L>(call).map(AnyUnivariate::from),
    }
}

/// The table of distributions and what makes each a `DynUnivariate`: a macro, because [`Probe`] must see the
/// type.
macro_rules! univariate_distributions {
    ($($distribution:ty, $support:literal;)+) => {
        /// Every univariate distribution that there is, by name.
        pub const UNIVARIATE: &[Entry<AnyUnivariate>] = &[$(entry::<$distribution>($support)),+];

        $(impl DynUnivariate for $distribution {
            fn name(&self) -> &'static str {
                <Self as Written>::NAME
            }

            fn parameter_names(&self) -> &'static [&'static str] {
                <Self as Written>::PARAMETERS
            }

            fn parameters(&self) -> Vec<Value> {
                self.values()
            }

            fn call(&self) -> Call {
                call_of(self)
            }

            fn is_discrete(&self) -> bool {
                <<Self as Density>::Point as Coordinate>::DISCRETE
            }

            fn ln_pdf(&self, x: f64) -> f64 {
                ln_pdf_at(self, x)
            }

            fn cdf(&self, x: f64) -> f64 {
                Univariate::cdf(self, x)
            }

            fn sf(&self, x: f64) -> f64 {
                Univariate::sf(self, x)
            }

            fn ln_cdf(&self, x: f64) -> f64 {
                Univariate::ln_cdf(self, x)
            }

            fn ln_sf(&self, x: f64) -> f64 {
                Univariate::ln_sf(self, x)
            }

            fn quantile(&self, p: f64) -> f64 {
                Univariate::quantile(self, p)
            }

            fn upper_quantile(&self, q: f64) -> f64 {
                Univariate::upper_quantile(self, q)
            }

            fn mean(&self) -> Option<f64> {
                (&Probe(self)).mean()
            }

            fn variance(&self) -> Option<f64> {
                (&Probe(self)).variance()
            }

            fn skewness(&self) -> Option<f64> {
                (&Probe(self)).skewness()
            }

            fn excess_kurtosis(&self) -> Option<f64> {
                (&Probe(self)).excess_kurtosis()
            }

            fn entropy(&self) -> Option<f64> {
                (&Probe(self)).entropy()
            }

            fn mode(&self) -> Option<f64> {
                let mode: Option<<Self as Density>::Point> = (&Probe(self)).mode();
                mode.map(Coordinate::coordinate)
            }

            fn sample(&self, rng: &mut dyn Rng) -> f64 {
                draw(self, rng)
            }
        })+
    };
}

// One line a distribution, by name.
univariate_distributions! {
    Bernoulli, "{0, 1}";
    Beta, "[0, 1]";
    BetaBinomial, "{0, …, n}";
    BetaPrime, "(0, ∞)";
    Binomial, "{0, …, n}";
    Categorical, "{0, …, K - 1}";
    Cauchy, "ℝ";
    ChiSquared, "(0, ∞)";
    DiscreteUniform, "{low, …, high}";
    Exponential, "[0, ∞)";
    FisherF, "(0, ∞)";
    Frechet, "(0, ∞)";
    Gamma, "(0, ∞)";
    Geometric, "{0, 1, …}";
    Gumbel, "ℝ";
    HalfCauchy, "[0, ∞)";
    HalfNormal, "[0, ∞)";
    Hypergeometric, "{max(0, n + K - N), …, min(n, K)}";
    InverseGamma, "(0, ∞)";
    InverseGaussian, "(0, ∞)";
    Laplace, "ℝ";
    LogLogistic, "(0, ∞)";
    Logistic, "ℝ";
    LogNormal, "(0, ∞)";
    Lomax, "[0, ∞)";
    Mixture<AnyUnivariate>, "those of the components";
    NegativeBinomial, "{0, 1, …}";
    Normal, "ℝ";
    Pareto, "[m, ∞)";
    Poisson, "{0, 1, …}";
    Rayleigh, "[0, ∞)";
    StudentT, "ℝ";
    Triangular, "[low, high]";
    Truncated<AnyUnivariate>, "[low, high]";
    Uniform, "[low, high]";
    VonMises, "[μ - π, μ + π]";
    Weibull, "[0, ∞)";
}
