//! The distributions that there are by name, and what some of them have besides: divergences, derivatives.

use posterior_dist::text::{AnyUnivariate, Call, Entry, TextError, UNIVARIATE, Written, call_of, from_call};
use posterior_dist::{
    AsymmetricLaplace, Bernoulli, Beta, BetaPrime, Binomial, Categorical, Cauchy, Dirichlet, DiscreteUniform,
    Exponential, Frechet, Gamma, GeneralizedExtremeValue, GeneralizedGamma, GeneralizedPareto, Geometric,
    Gumbel, HalfCauchy, HalfNormal, HalfStudentT, InverseGamma, InverseGaussian, KlDivergence, Kumaraswamy,
    Laplace, LogNormal, Logistic, LogitNormal, Lomax, NegativeBinomial, Normal, NormalGamma,
    NormalInverseGamma, Pareto, PointGradient, Poisson, Rayleigh, SkewNormal, StudentT, Triangular, Uniform,
    VonMises, Weibull,
};
use posterior_gaussian::text::{AnyMultivariate, MULTIVARIATE};
use posterior_gaussian::{
    Gaussian, InverseWishart, NormalInverseWishart, NormalWishart, VonMisesFisher, Wishart,
};
use pyo3::prelude::*;

/// A distribution of any kind.
#[derive(Debug, Clone)]
pub(crate) enum Any {
    OnTheLine(AnyUnivariate),
    OfVectors(AnyMultivariate),
    Prior(Call),
}

impl Any {
    /// The distribution that a call names.
    pub(crate) fn read(call: &Call) -> Result<Self, TextError> {
        if MULTIVARIATE.iter().any(|entry| entry.name == call.name) {
            return AnyMultivariate::try_from(call).map(Self::OfVectors);
        }
        match PRIORS.iter().find(|entry| entry.name == call.name) {
            Some(entry) => entry.read(call).map(|Prior(call)| Self::Prior(call)),
            None => AnyUnivariate::try_from(call).map(Self::OnTheLine),
        }
    }

    /// The call with named arguments.
    pub(crate) fn call(&self) -> Call {
        match self {
            Self::OnTheLine(distribution) => distribution.call(),
            Self::OfVectors(distribution) => distribution.call(),
            Self::Prior(call) => call.clone(),
        }
    }
}

/// A prior of matrices or of several parameters: its text only.
pub(crate) struct Prior(Call);

impl<L: Written> From<L> for Prior {
    fn from(distribution: L) -> Self {
        Self(call_of(&distribution))
    }
}

/// Priors that have no class of their own.
const PRIORS: &[Entry<Prior>] = &[
    Entry::of::<InverseWishart>("covariance matrices"),
    Entry::of::<NormalGamma>("mean in ℝ and precision in (0, ∞)"),
    Entry::of::<NormalInverseGamma>("mean in ℝ and variance in (0, ∞)"),
    Entry::of::<NormalInverseWishart>("mean in ℝⁿ and covariance matrix"),
    Entry::of::<NormalWishart>("mean in ℝⁿ and precision matrix"),
    Entry::of::<Wishart>("precision matrices"),
];

/// Rows of name, parameters, support and kind.
type Rows = Vec<(&'static str, Vec<&'static str>, &'static str, &'static str)>;

/// Every distribution: name, parameters, support, and the class that it is of.
#[pyfunction]
pub(crate) fn catalogue() -> Rows {
    fn rows<A>(table: &[Entry<A>], kind: &'static str) -> Rows {
        table.iter().map(|entry| (entry.name, entry.parameters.to_vec(), entry.support, kind)).collect()
    }
    let kinds =
        [rows(UNIVARIATE, "Univariate"), rows(MULTIVARIATE, "Multivariate"), rows(PRIORS, "Distribution")];
    kinds.concat()
}

/// Whether arrays of parameters make arrays of distributions.
pub(crate) fn has_numbers_only(name: &str) -> bool {
    UNIVARIATE.iter().any(|entry| entry.name == name && entry.numbers_only)
}

/// What a table has for a name.
pub(crate) fn row<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(own, _)| *own == name).map(|&(_, value)| value)
}

type Divergence = fn(&Call, &Call) -> Result<f64, TextError>;

const fn kl<L: Written + KlDivergence>() -> (&'static str, Divergence) {
    (L::NAME, |p, q| Ok(from_call::<L>(p)?.kl_divergence(&from_call(q)?)))
}

/// The families with a divergence in closed form.
pub(crate) const DIVERGENCES: &[(&str, Divergence)] = &[
    kl::<Bernoulli>(),
    kl::<Beta>(),
    kl::<Binomial>(),
    kl::<Categorical>(),
    kl::<Cauchy>(),
    kl::<Dirichlet>(),
    kl::<DiscreteUniform>(),
    kl::<Exponential>(),
    kl::<Frechet>(),
    kl::<Gamma>(),
    kl::<Gaussian>(),
    kl::<Geometric>(),
    kl::<Gumbel>(),
    kl::<HalfCauchy>(),
    kl::<HalfNormal>(),
    kl::<InverseGamma>(),
    kl::<InverseGaussian>(),
    kl::<InverseWishart>(),
    kl::<Laplace>(),
    kl::<LogNormal>(),
    kl::<NegativeBinomial>(),
    kl::<Normal>(),
    kl::<NormalGamma>(),
    kl::<NormalInverseGamma>(),
    kl::<NormalInverseWishart>(),
    kl::<NormalWishart>(),
    kl::<Pareto>(),
    kl::<Poisson>(),
    kl::<Rayleigh>(),
    kl::<Uniform>(),
    kl::<VonMises>(),
    kl::<VonMisesFisher>(),
    kl::<Weibull>(),
    kl::<Wishart>(),
];

/// A function of a point.
pub(crate) type OfPoint = Box<dyn Fn(f64) -> f64 + Send + Sync>;

type Derivative = fn(&Call) -> Result<OfPoint, TextError>;

const fn derivative<L>() -> (&'static str, Derivative)
where
    L: Written + PointGradient<Point = f64> + Send + Sync + 'static,
{
    (L::NAME, |call| {
        let distribution = from_call::<L>(call)?;
        Ok(Box::new(move |x| distribution.point_gradient(&x)))
    })
}

/// The families with a derivative of the log density in closed form.
pub(crate) const DERIVATIVES: &[(&str, Derivative)] = &[
    derivative::<AsymmetricLaplace>(),
    derivative::<Beta>(),
    derivative::<BetaPrime>(),
    derivative::<Cauchy>(),
    derivative::<Exponential>(),
    derivative::<Frechet>(),
    derivative::<Gamma>(),
    derivative::<GeneralizedExtremeValue>(),
    derivative::<GeneralizedGamma>(),
    derivative::<GeneralizedPareto>(),
    derivative::<Gumbel>(),
    derivative::<HalfCauchy>(),
    derivative::<HalfNormal>(),
    derivative::<HalfStudentT>(),
    derivative::<InverseGamma>(),
    derivative::<InverseGaussian>(),
    derivative::<Kumaraswamy>(),
    derivative::<Laplace>(),
    derivative::<LogNormal>(),
    derivative::<Logistic>(),
    derivative::<LogitNormal>(),
    derivative::<Lomax>(),
    derivative::<Normal>(),
    derivative::<Pareto>(),
    derivative::<Rayleigh>(),
    derivative::<SkewNormal>(),
    derivative::<StudentT>(),
    derivative::<Triangular>(),
    derivative::<Uniform>(),
    derivative::<VonMises>(),
    derivative::<Weibull>(),
];
