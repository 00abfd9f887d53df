//! Every distribution with a table beside that of statrs, behind one interface.

use posterior::dist::{self as ours, Density, Parametric, Univariate};
use statrs::distribution as theirs;
use statrs::distribution::{Continuous, ContinuousCDF, Discrete, DiscreteCDF};

/// What is compared of a univariate distribution.
pub trait Subject {
    /// ln p(x).
    fn ln_pdf(&self, x: f64) -> f64;
    /// P(X ≤ x).
    fn cdf(&self, x: f64) -> f64;
    /// P(X > x).
    fn sf(&self, x: f64) -> f64;
    /// The least x with P(X ≤ x) ≥ p.
    fn quantile(&self, p: f64) -> f64;
}

/// The distribution with these parameters, if it accepts them.
pub type Construct = fn(&[f64]) -> Option<Box<dyn Subject>>;

/// A distribution: its table, ours, and that of statrs.
#[derive(Debug)]
pub struct Tabulated {
    /// The name of the table in `posterior-testkit/tables/distributions`.
    pub table: &'static str,
    /// The distribution of this workspace.
    pub ours: Construct,
    /// The distribution of statrs.
    pub statrs: Option<Construct>,
}

struct OurLine<D>(D);
struct OurCounts<D>(D);
struct TheirLine<D>(D);
struct TheirCounts<D>(D);

impl<D: Univariate + Density<Point = f64>> Subject for OurLine<D> {
    fn ln_pdf(&self, x: f64) -> f64 {
        self.0.ln_pdf(&x)
    }
    fn cdf(&self, x: f64) -> f64 {
        self.0.cdf(x)
    }
    fn sf(&self, x: f64) -> f64 {
        self.0.sf(x)
    }
    fn quantile(&self, p: f64) -> f64 {
        self.0.quantile(p)
    }
}

impl<D: Univariate + Density<Point = u64>> Subject for OurCounts<D> {
    fn ln_pdf(&self, x: f64) -> f64 {
        self.0.ln_pdf(&(x as u64))
    }
    fn cdf(&self, x: f64) -> f64 {
        self.0.cdf(x)
    }
    fn sf(&self, x: f64) -> f64 {
        self.0.sf(x)
    }
    fn quantile(&self, p: f64) -> f64 {
        self.0.quantile(p)
    }
}

impl<D: Continuous<f64, f64> + ContinuousCDF<f64, f64>> Subject for TheirLine<D> {
    fn ln_pdf(&self, x: f64) -> f64 {
        self.0.ln_pdf(x)
    }
    fn cdf(&self, x: f64) -> f64 {
        self.0.cdf(x)
    }
    fn sf(&self, x: f64) -> f64 {
        self.0.sf(x)
    }
    fn quantile(&self, p: f64) -> f64 {
        self.0.inverse_cdf(p)
    }
}

impl<D: Discrete<u64, f64> + DiscreteCDF<u64, f64>> Subject for TheirCounts<D> {
    fn ln_pdf(&self, x: f64) -> f64 {
        self.0.ln_pmf(x as u64)
    }
    fn cdf(&self, x: f64) -> f64 {
        self.0.cdf(x as u64)
    }
    fn sf(&self, x: f64) -> f64 {
        self.0.sf(x as u64)
    }
    fn quantile(&self, p: f64) -> f64 {
        self.0.inverse_cdf(p) as f64
    }
}

fn line<D: Parametric + Univariate + Density<Point = f64> + 'static>(v: &[f64]) -> Option<Box<dyn Subject>> {
    D::from_parameters(v).ok().map(|distribution| Box::new(OurLine(distribution)) as Box<dyn Subject>)
}

fn counts<D: Parametric + Univariate + Density<Point = u64> + 'static>(
    v: &[f64],
) -> Option<Box<dyn Subject>> {
    D::from_parameters(v).ok().map(|distribution| Box::new(OurCounts(distribution)) as Box<dyn Subject>)
}

fn their_line<D, E>(distribution: Result<D, E>) -> Option<Box<dyn Subject>>
where
    D: Continuous<f64, f64> + ContinuousCDF<f64, f64> + 'static,
{
    distribution.ok().map(|distribution| Box::new(TheirLine(distribution)) as Box<dyn Subject>)
}

fn their_counts<D, E>(distribution: Result<D, E>) -> Option<Box<dyn Subject>>
where
    D: Discrete<u64, f64> + DiscreteCDF<u64, f64> + 'static,
{
    distribution.ok().map(|distribution| Box::new(TheirCounts(distribution)) as Box<dyn Subject>)
}

const fn distribution(table: &'static str, ours: Construct, statrs: Option<Construct>) -> Tabulated {
    Tabulated { table, ours, statrs }
}

/// All univariate distributions that have a table.
pub const DISTRIBUTIONS: &[Tabulated] = &[
    distribution("normal", line::<ours::Normal>, Some(|v| their_line(theirs::Normal::new(v[0], v[1])))),
    distribution(
        "lognormal",
        line::<ours::LogNormal>,
        Some(|v| their_line(theirs::LogNormal::new(v[0], v[1]))),
    ),
    distribution("half_normal", line::<ours::HalfNormal>, None),
    distribution(
        "student_t",
        line::<ours::StudentT>,
        Some(|v| their_line(theirs::StudentsT::new(v[1], v[2], v[0]))),
    ),
    distribution("cauchy", line::<ours::Cauchy>, Some(|v| their_line(theirs::Cauchy::new(v[0], v[1])))),
    distribution("half_cauchy", line::<ours::HalfCauchy>, None),
    distribution("laplace", line::<ours::Laplace>, Some(|v| their_line(theirs::Laplace::new(v[0], v[1])))),
    distribution("logistic", line::<ours::Logistic>, None),
    distribution("gumbel", line::<ours::Gumbel>, Some(|v| their_line(theirs::Gumbel::new(v[0], v[1])))),
    distribution("uniform", line::<ours::Uniform>, Some(|v| their_line(theirs::Uniform::new(v[0], v[1])))),
    distribution("exponential", line::<ours::Exponential>, Some(|v| their_line(theirs::Exp::new(v[0])))),
    distribution("gamma", line::<ours::Gamma>, Some(|v| their_line(theirs::Gamma::new(v[0], v[1])))),
    distribution(
        "inverse_gamma",
        line::<ours::InverseGamma>,
        Some(|v| their_line(theirs::InverseGamma::new(v[0], v[1]))),
    ),
    distribution(
        "chi_squared",
        line::<ours::ChiSquared>,
        Some(|v| their_line(theirs::ChiSquared::new(v[0]))),
    ),
    distribution("beta", line::<ours::Beta>, Some(|v| their_line(theirs::Beta::new(v[0], v[1])))),
    distribution("weibull", line::<ours::Weibull>, Some(|v| their_line(theirs::Weibull::new(v[0], v[1])))),
    distribution("pareto", line::<ours::Pareto>, Some(|v| their_line(theirs::Pareto::new(v[1], v[0])))),
    distribution("inverse_gaussian", line::<ours::InverseGaussian>, None),
    distribution("von_mises", line::<ours::VonMises>, None),
    distribution(
        "binomial",
        counts::<ours::Binomial>,
        Some(|v| their_counts(theirs::Binomial::new(v[1], v[0] as u64))),
    ),
    distribution("poisson", counts::<ours::Poisson>, Some(|v| their_counts(theirs::Poisson::new(v[0])))),
    distribution("geometric", counts::<ours::Geometric>, None),
    distribution(
        "negative_binomial",
        counts::<ours::NegativeBinomial>,
        Some(|v| their_counts(theirs::NegativeBinomial::new(v[0], v[1]))),
    ),
    distribution(
        "hypergeometric",
        counts::<ours::Hypergeometric>,
        Some(|v| their_counts(theirs::Hypergeometric::new(v[0] as u64, v[1] as u64, v[2] as u64))),
    ),
    distribution("beta_binomial", counts::<ours::BetaBinomial>, None),
];
