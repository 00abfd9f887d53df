//! Every law with a table beside the same law of statrs, behind one interface.

use posterior::dist::{self as ours, Density, Parametric, Univariate};
use statrs::distribution as theirs;
use statrs::distribution::{Continuous, ContinuousCDF, Discrete, DiscreteCDF};

/// What is compared of a law on the real line.
pub trait Law {
    /// ln p(x).
    fn ln_pdf(&self, x: f64) -> f64;
    /// P(X ≤ x).
    fn cdf(&self, x: f64) -> f64;
    /// P(X > x).
    fn sf(&self, x: f64) -> f64;
    /// The least x with P(X ≤ x) ≥ p.
    fn quantile(&self, p: f64) -> f64;
}

/// The law with these parameters, if it accepts them.
pub type Construct = fn(&[f64]) -> Option<Box<dyn Law>>;

/// A law: its table, ours, and that of statrs.
#[derive(Debug)]
pub struct Tabulated {
    /// The name of the table in `posterior-testkit/tables/distributions`.
    pub table: &'static str,
    /// The law of this workspace.
    pub ours: Construct,
    /// The law of statrs.
    pub statrs: Option<Construct>,
}

struct OurLine<D>(D);
struct OurCounts<D>(D);
struct TheirLine<D>(D);
struct TheirCounts<D>(D);

impl<D: Univariate + Density<Point = f64>> Law for OurLine<D> {
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

impl<D: Univariate + Density<Point = u64>> Law for OurCounts<D> {
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

impl<D: Continuous<f64, f64> + ContinuousCDF<f64, f64>> Law for TheirLine<D> {
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

impl<D: Discrete<u64, f64> + DiscreteCDF<u64, f64>> Law for TheirCounts<D> {
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

fn line<D: Parametric + Univariate + Density<Point = f64> + 'static>(v: &[f64]) -> Option<Box<dyn Law>> {
    D::from_parameters(v).ok().map(|law| Box::new(OurLine(law)) as Box<dyn Law>)
}

fn counts<D: Parametric + Univariate + Density<Point = u64> + 'static>(v: &[f64]) -> Option<Box<dyn Law>> {
    D::from_parameters(v).ok().map(|law| Box::new(OurCounts(law)) as Box<dyn Law>)
}

fn their_line<D, E>(law: Result<D, E>) -> Option<Box<dyn Law>>
where
    D: Continuous<f64, f64> + ContinuousCDF<f64, f64> + 'static,
{
    law.ok().map(|law| Box::new(TheirLine(law)) as Box<dyn Law>)
}

fn their_counts<D, E>(law: Result<D, E>) -> Option<Box<dyn Law>>
where
    D: Discrete<u64, f64> + DiscreteCDF<u64, f64> + 'static,
{
    law.ok().map(|law| Box::new(TheirCounts(law)) as Box<dyn Law>)
}

const fn law(table: &'static str, ours: Construct, statrs: Option<Construct>) -> Tabulated {
    Tabulated { table, ours, statrs }
}

/// All laws on the real line that have a table.
pub const LAWS: &[Tabulated] = &[
    law("normal", line::<ours::Normal>, Some(|v| their_line(theirs::Normal::new(v[0], v[1])))),
    law("lognormal", line::<ours::LogNormal>, Some(|v| their_line(theirs::LogNormal::new(v[0], v[1])))),
    law("half_normal", line::<ours::HalfNormal>, None),
    law("student_t", line::<ours::StudentT>, Some(|v| their_line(theirs::StudentsT::new(v[1], v[2], v[0])))),
    law("cauchy", line::<ours::Cauchy>, Some(|v| their_line(theirs::Cauchy::new(v[0], v[1])))),
    law("half_cauchy", line::<ours::HalfCauchy>, None),
    law("laplace", line::<ours::Laplace>, Some(|v| their_line(theirs::Laplace::new(v[0], v[1])))),
    law("logistic", line::<ours::Logistic>, None),
    law("gumbel", line::<ours::Gumbel>, Some(|v| their_line(theirs::Gumbel::new(v[0], v[1])))),
    law("uniform", line::<ours::Uniform>, Some(|v| their_line(theirs::Uniform::new(v[0], v[1])))),
    law("exponential", line::<ours::Exponential>, Some(|v| their_line(theirs::Exp::new(v[0])))),
    law("gamma", line::<ours::Gamma>, Some(|v| their_line(theirs::Gamma::new(v[0], v[1])))),
    law(
        "inverse_gamma",
        line::<ours::InverseGamma>,
        Some(|v| their_line(theirs::InverseGamma::new(v[0], v[1]))),
    ),
    law("chi_squared", line::<ours::ChiSquared>, Some(|v| their_line(theirs::ChiSquared::new(v[0])))),
    law("beta", line::<ours::Beta>, Some(|v| their_line(theirs::Beta::new(v[0], v[1])))),
    law("weibull", line::<ours::Weibull>, Some(|v| their_line(theirs::Weibull::new(v[0], v[1])))),
    law("pareto", line::<ours::Pareto>, Some(|v| their_line(theirs::Pareto::new(v[0], v[1])))),
    law("inverse_gaussian", line::<ours::InverseGaussian>, None),
    law("von_mises", line::<ours::VonMises>, None),
    law(
        "binomial",
        counts::<ours::Binomial>,
        Some(|v| their_counts(theirs::Binomial::new(v[1], v[0] as u64))),
    ),
    law("poisson", counts::<ours::Poisson>, Some(|v| their_counts(theirs::Poisson::new(v[0])))),
    law("geometric", counts::<ours::Geometric>, None),
    law(
        "negative_binomial",
        counts::<ours::NegativeBinomial>,
        Some(|v| their_counts(theirs::NegativeBinomial::new(v[0], v[1]))),
    ),
    law(
        "hypergeometric",
        counts::<ours::Hypergeometric>,
        Some(|v| their_counts(theirs::Hypergeometric::new(v[0] as u64, v[1] as u64, v[2] as u64))),
    ),
    law("beta_binomial", counts::<ours::BetaBinomial>, None),
];
