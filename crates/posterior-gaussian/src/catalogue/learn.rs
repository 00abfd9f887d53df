//! Conjugate updates whose prior and likelihood are known at run time only.

use std::borrow::Borrow;
use std::error::Error;
use std::fmt;

use posterior_dist::text::{
    Arguments, Call, Coordinate, TextError, Value, Written, call_of, from_call, number, numbers,
};
use posterior_dist::{
    Bernoulli, Beta, Binomial, Categorical, Conjugate, Dirichlet, Exponential, Gamma, GammaKnownShape,
    Geometric, InverseGamma, NegativeBinomial, Normal, NormalGamma, NormalInverseGamma, NormalKnownMean,
    NormalKnownVariance, Poisson, Stats,
};

use crate::gaussian::{Gaussian, GaussianKnownCovariance, GaussianKnownMean};
use crate::multivariate::{InverseWishart, NormalInverseWishart, NormalWishart, Wishart};

/// What data did to a prior. The distributions are calls with named arguments.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LearnedDistribution {
    /// The distribution of the data, with what it holds fixed.
    pub likelihood: Call,
    /// The distribution of the parameters before the data.
    pub prior: Call,
    /// The distribution of the parameters after the data.
    pub posterior: Call,
    /// The distribution of the next point.
    pub predictive: Call,
    /// ln p(data), of the points in their order.
    pub ln_evidence: f64,
}

/// Why nothing was learned: which of the three texts is wrong, and where.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum LearnError {
    /// The prior.
    Prior(TextError),
    /// The likelihood, or what it holds fixed.
    Likelihood(TextError),
    /// A point.
    Point(TextError),
}

impl fmt::Display for LearnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prior(error) => write!(f, "prior: {error}"),
            Self::Likelihood(error) => write!(f, "likelihood: {error}"),
            Self::Point(error) => write!(f, "data: {error}"),
        }
    }
}

impl Error for LearnError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Prior(error) | Self::Likelihood(error) | Self::Point(error) => Some(error),
        }
    }
}

/// A likelihood and its prior.
#[derive(Debug, Clone, Copy)]
pub struct ConjugatePair {
    /// The name of the prior.
    pub prior: &'static str,
    /// The name of the likelihood.
    pub likelihood: &'static str,
    /// What the likelihood holds fixed: its arguments.
    pub fixed: &'static [&'static str],
    learn: fn(&Task<'_>) -> Result<LearnedDistribution, LearnError>,
}

impl ConjugatePair {
    /// `binomial(trials)`.
    pub fn signature(&self) -> String {
        match self.fixed {
            [] => self.likelihood.to_owned(),
            fixed => format!("{}({})", self.likelihood, fixed.join(", ")),
        }
    }
}

/// The pairs that there are. The first of a prior is the one that is meant where no likelihood is named.
pub const CONJUGATE_PAIRS: &[ConjugatePair] = &[
    pair("beta", "bernoulli", &[], |task| task.numbers::<Beta, Bernoulli>(|_| Ok(()))),
    pair("beta", "binomial", &["trials"], |task| task.numbers::<Beta, Binomial>(|_| task.whole(0))),
    pair("beta", "geometric", &[], |task| task.numbers::<Beta, Geometric>(|_| Ok(()))),
    pair("beta", "negative_binomial", &["successes"], |task| {
        task.numbers::<Beta, NegativeBinomial>(|_| task.positive(0))
    }),
    pair("dirichlet", "categorical", &[], |task| {
        task.numbers::<Dirichlet, Categorical>(|prior| Ok(prior.concentration().len()))
    }),
    pair("gamma", "poisson", &[], |task| task.numbers::<Gamma, Poisson>(|_| Ok(()))),
    pair("gamma", "exponential", &[], |task| task.numbers::<Gamma, Exponential>(|_| Ok(()))),
    pair("gamma", "gamma", &["shape"], |task| task.numbers::<Gamma, GammaKnownShape>(|_| task.positive(0))),
    pair("gamma", "normal", &["mean"], |task| {
        task.numbers::<Gamma, NormalKnownMean>(|_| task.likelihood.number(0))
    }),
    pair("inverse_gamma", "normal", &["mean"], |task| {
        task.numbers::<InverseGamma, NormalKnownMean>(|_| task.likelihood.number(0))
    }),
    pair("inverse_wishart", "multivariate_normal", &["mean"], |task| {
        task.vectors::<InverseWishart, GaussianKnownMean>(|_| task.likelihood.numbers(0))
    }),
    pair("multivariate_normal", "multivariate_normal", &["covariance"], |task| {
        task.vectors::<Gaussian, GaussianKnownCovariance>(|prior| {
            let covariance = task.likelihood.matrix(0)?;
            task.likelihood.checked(Gaussian::new(&vec![0.0; prior.dimension()], &covariance))
        })
    }),
    pair("normal", "normal", &["sd"], |task| {
        task.numbers::<Normal, NormalKnownVariance>(|_| task.positive(0).map(|sd| sd * sd))
    }),
    pair("normal_gamma", "normal", &[], |task| task.numbers::<NormalGamma, Normal>(|_| Ok(()))),
    pair("normal_inverse_gamma", "normal", &[], |task| {
        task.numbers::<NormalInverseGamma, Normal>(|_| Ok(()))
    }),
    pair("normal_inverse_wishart", "multivariate_normal", &[], |task| {
        task.vectors::<NormalInverseWishart, Gaussian>(|prior| Ok(prior.dimension()))
    }),
    pair("normal_wishart", "multivariate_normal", &[], |task| {
        task.vectors::<NormalWishart, Gaussian>(|prior| Ok(prior.dimension()))
    }),
    pair("wishart", "multivariate_normal", &["mean"], |task| {
        task.vectors::<Wishart, GaussianKnownMean>(|_| task.likelihood.numbers(0))
    }),
];

const fn pair(
    prior: &'static str,
    likelihood: &'static str,
    fixed: &'static [&'static str],
    learn: fn(&Task<'_>) -> Result<LearnedDistribution, LearnError>,
) -> ConjugatePair {
    ConjugatePair { prior, likelihood, fixed, learn }
}

/// Updates `prior` by points: numbers, or lists of numbers for a likelihood of vectors.
///
/// ```
/// use posterior_gaussian::dist::text::{Call, Value};
/// use posterior_gaussian::text::learn;
///
/// let prior: Call = "beta(1, 1)".parse()?;
/// let heads = [1.0, 1.0, 0.0].map(Value::from);
/// let fitted = learn(&prior, None, &heads)?;
/// assert_eq!(fitted.likelihood.name, "bernoulli");
/// assert_eq!(fitted.posterior.by_place().to_string(), "beta(3, 2)");
/// assert!((fitted.ln_evidence - (1.0_f64 / 12.0).ln()).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no such prior or likelihood ([`CONJUGATE_PAIRS`] are those that there are), the likelihood
/// lacks what it holds fixed, or a point is none of its sample space.
pub fn learn(
    prior: &Call,
    likelihood: Option<&Call>,
    points: &[Value],
) -> Result<LearnedDistribution, LearnError> {
    let pairs: Vec<&ConjugatePair> = CONJUGATE_PAIRS.iter().filter(|pair| pair.prior == prior.name).collect();
    let Some(&first) = pairs.first() else {
        let message = format!("{} is no conjugate prior", prior.name);
        return Err(LearnError::Prior(TextError::new(prior.column, message)));
    };
    let signatures = || pairs.iter().map(|pair| pair.signature()).collect::<Vec<_>>().join(", ");
    let (pair, likelihood) = match likelihood {
        None if first.fixed.is_empty() => {
            (first, Call { name: first.likelihood.to_owned(), column: 0, arguments: Vec::new() })
        }
        None => {
            let message = format!("{} needs its likelihood, one of: {}", prior.name, signatures());
            return Err(LearnError::Prior(TextError::new(prior.column, message)));
        }
        Some(call) => {
            let message =
                || format!("{} is no prior of {:?}, but of: {}", prior.name, call.name, signatures());
            let names: Vec<&str> = pairs.iter().map(|pair| pair.likelihood).collect();
            let unknown = || TextError::unknown(call.column, message(), &call.name, &names);
            let pair = pairs.iter().find(|pair| pair.likelihood == call.name);
            let pair = pair.ok_or_else(|| LearnError::Likelihood(unknown()))?;
            (*pair, call.clone())
        }
    };
    let likelihood = Arguments::of(&likelihood, pair.fixed).map_err(LearnError::Likelihood)?;
    (pair.learn)(&Task { prior, likelihood, points })
}

/// A prior, a likelihood and data.
struct Task<'a> {
    prior: &'a Call,
    likelihood: Arguments<'a>,
    points: &'a [Value],
}

impl Task<'_> {
    /// An argument of the likelihood that is a number of trials.
    fn whole(&self, index: usize) -> Result<u64, TextError> {
        let value = self.likelihood.number(index)?;
        let expected =
            || TextError::expected(self.likelihood.column(index), "a whole number", &value.to_string());
        u64::at(value).filter(|&trials| trials <= 1 << 53).ok_or_else(expected)
    }

    /// An argument of the likelihood that is positive.
    fn positive(&self, index: usize) -> Result<f64, TextError> {
        let value = self.likelihood.number(index)?;
        if value > 0.0 && value < f64::INFINITY {
            Ok(value)
        } else {
            let column = self.likelihood.column(index);
            Err(TextError::expected(column, "a positive number", &value.to_string()))
        }
    }

    /// Learns from points on the line.
    fn numbers<P, F>(
        &self,
        fixed: impl Fn(&P) -> Result<F::Fixed, TextError>,
    ) -> Result<LearnedDistribution, LearnError>
    where
        P: Written,
        F: Conjugate<P, Predictive: Written, Point: Coordinate>,
    {
        self.learned::<P, F, F::Point>(fixed, |value| {
            let x = number(value)?;
            let none = || format!("{x} is no point of {}", self.likelihood.call().name);
            F::Point::at(x).ok_or_else(|| TextError::new(value.column, none()))
        })
    }

    /// Learns from vectors.
    fn vectors<P, F>(
        &self,
        fixed: impl Fn(&P) -> Result<F::Fixed, TextError>,
    ) -> Result<LearnedDistribution, LearnError>
    where
        P: Written,
        F: Conjugate<P, Predictive: Written, Point = [f64]>,
    {
        self.learned::<P, F, Vec<f64>>(fixed, numbers)
    }

    fn learned<P, F, X>(
        &self,
        fixed: impl Fn(&P) -> Result<F::Fixed, TextError>,
        point: impl Fn(&Value) -> Result<X, TextError>,
    ) -> Result<LearnedDistribution, LearnError>
    where
        P: Written,
        F: Conjugate<P, Predictive: Written>,
        X: Borrow<F::Point>,
    {
        let prior = from_call(self.prior).map_err(LearnError::Prior)?;
        let mut stats = Stats::<F>::new(fixed(&prior).map_err(LearnError::Likelihood)?);
        for value in self.points {
            let refused = |error| LearnError::Point(TextError::of_parameter(value.column, error));
            stats.push(point(value).map_err(LearnError::Point)?.borrow()).map_err(refused)?;
        }
        let refused = |error| LearnError::Prior(TextError::of_parameter(self.prior.column, error));
        let posterior = F::posterior(&prior, &stats).map_err(refused)?;
        let predictive = F::predictive(&posterior, stats.fixed()).map_err(refused)?;
        Ok(LearnedDistribution {
            likelihood: self.likelihood.call().clone(),
            prior: call_of(&prior),
            posterior: call_of(&posterior),
            predictive: call_of(&predictive),
            ln_evidence: F::ln_evidence(&prior, &stats).map_err(refused)?,
        })
    }
}
