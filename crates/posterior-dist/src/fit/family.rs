//! Distributions that can be fitted, by their names.

use super::family_fit::FamilyFit;
use super::{Estimable, FitError, FitOptions, Sample, edged, fit};
use crate::catalogue::{AnyUnivariate, Coordinate};
use crate::continuous::{
    Beta, BetaPrime, Cauchy, ChiSquared, Exponential, FisherF, Frechet, Gamma, GeneralizedExtremeValue,
    GeneralizedGamma, GeneralizedPareto, Gumbel, HalfCauchy, HalfNormal, HalfStudentT, InverseGamma,
    InverseGaussian, Kumaraswamy, LogLogistic, LogNormal, Logistic, LogitNormal, Lomax, Normal, Pareto,
    Rayleigh, SkewNormal, StudentT, VonMises, Weibull,
};
use crate::discrete::{BetaBinomial, Binomial, Geometric, NegativeBinomial, Poisson, Skellam, Zeta, Zipf};
use crate::grammar::closest;

/// Every family that can be fitted by name.
pub const FAMILIES: &[EstimableFamily] = &[
    EstimableFamily::of::<Normal>(),
    EstimableFamily::of::<LogNormal>(),
    EstimableFamily::of::<StudentT>(),
    EstimableFamily::of::<Cauchy>(),
    EstimableFamily::of::<Logistic>(),
    EstimableFamily::of::<Gumbel>(),
    EstimableFamily::of::<HalfNormal>(),
    EstimableFamily::of::<HalfCauchy>(),
    EstimableFamily::of::<Rayleigh>(),
    EstimableFamily::of::<Exponential>(),
    EstimableFamily::of::<Gamma>(),
    EstimableFamily::of::<InverseGamma>(),
    EstimableFamily::of::<InverseGaussian>(),
    EstimableFamily::of::<Weibull>(),
    EstimableFamily::of::<Frechet>(),
    EstimableFamily::of::<LogLogistic>(),
    EstimableFamily::of::<Lomax>(),
    EstimableFamily::of::<Pareto>(),
    EstimableFamily::of::<Beta>(),
    EstimableFamily::of::<BetaPrime>(),
    EstimableFamily::of::<ChiSquared>(),
    EstimableFamily::of::<FisherF>(),
    EstimableFamily::of::<VonMises>(),
    EstimableFamily::of::<Poisson>(),
    EstimableFamily::of::<Geometric>(),
    EstimableFamily::of::<NegativeBinomial>(),
    EstimableFamily::of::<Binomial>(),
    EstimableFamily::of::<BetaBinomial>(),
    EstimableFamily::of::<SkewNormal>(),
    EstimableFamily::of::<GeneralizedExtremeValue>(),
    EstimableFamily::of::<GeneralizedPareto>(),
    EstimableFamily::of::<GeneralizedGamma>(),
    EstimableFamily::of::<HalfStudentT>(),
    EstimableFamily::of::<Kumaraswamy>(),
    EstimableFamily::of::<LogitNormal>(),
    EstimableFamily::of::<Skellam>(),
    EstimableFamily::of::<Zeta>(),
    EstimableFamily::of::<Zipf>(),
    EstimableFamily { name: "laplace", is_discrete: false, fit: edged::laplace },
    EstimableFamily { name: "uniform", is_discrete: false, fit: edged::uniform },
    EstimableFamily { name: "triangular", is_discrete: false, fit: edged::triangular },
];

/// A family of distributions that can be fitted, whose type is known at run time only.
///
/// ```
/// use posterior_dist::fit::{EstimableFamily, FitOptions, Sample};
///
/// let waits = Sample::of(&[0.4, 1.9, 3.1, 0.2, 5.5, 1.4])?;
/// let fitted = EstimableFamily::named("gamma")?.fit(&waits, &FitOptions::default(), 0.95)?;
/// assert!(fitted.distribution.to_string().starts_with("gamma("));
/// assert_eq!(fitted.parameters[0].name, "shape");
/// # Ok::<(), posterior_dist::fit::FitError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct EstimableFamily {
    name: &'static str,
    is_discrete: bool,
    fit: FitOf,
}

/// A fit, with intervals of a probability or without.
type FitOf = fn(&Sample, &FitOptions, Option<f64>) -> Result<FamilyFit, FitError>;

impl EstimableFamily {
    pub(super) const fn of<D: Estimable + Into<AnyUnivariate> + Clone>() -> Self {
        Self { name: D::NAME, is_discrete: <D::Point as Coordinate>::DISCRETE, fit: fit_family::<D> }
    }

    /// The family of this name.
    ///
    /// # Errors
    /// None has it.
    pub fn named(name: &str) -> Result<Self, FitError> {
        FAMILIES.iter().find(|own| own.name == name).copied().ok_or_else(|| {
            let names: Vec<&'static str> = FAMILIES.iter().map(|own| own.name).collect();
            FitError::NoDistribution { name: name.to_owned(), closest: closest(name, &names) }
        })
    }

    /// The name of its distributions: `gamma`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether it is one of counts.
    pub const fn is_discrete(&self) -> bool {
        self.is_discrete
    }

    /// The fit, with intervals of a probability.
    ///
    /// # Errors
    /// Those of [`fit()`], and a probability that is not between 0 and 1.
    pub fn fit(&self, sample: &Sample, options: &FitOptions, level: f64) -> Result<FamilyFit, FitError> {
        (self.fit)(sample, options, Some(level))
    }

    /// The fit without intervals, which take some ten times as long as the rest.
    ///
    /// # Errors
    /// Those of [`fit()`].
    pub fn fit_alone(&self, sample: &Sample, options: &FitOptions) -> Result<FamilyFit, FitError> {
        (self.fit)(sample, options, None)
    }
}

fn fit_family<D: Estimable + Into<AnyUnivariate> + Clone>(
    sample: &Sample,
    options: &FitOptions,
    level: Option<f64>,
) -> Result<FamilyFit, FitError> {
    let found = fit::<D>(sample, options)?;
    let parameters = level.map_or_else(|| Ok(found.parameters_alone()), |level| found.parameters(level))?;
    Ok(FamilyFit {
        parameters,
        ln_likelihood: found.ln_likelihood,
        aic: found.aic(),
        bic: found.bic(),
        distribution: found.distribution.into(),
    })
}
