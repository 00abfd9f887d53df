//! Probability distributions, exponential families and conjugacy: what data do to a prior.
//!
//! | distribution | on | [`Density`] | [`Univariate`] | [`Moments`] | [`Entropy`] | [`Mode`] | [`ExponentialFamily`] | [`Conjugate`] | [`KlDivergence`] |
//! |---|---|---|---|---|---|---|---|---|---|
//! | [`Bernoulli`] | {false, true} | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | [`Beta`] | ✓ |
//! | [`Categorical`] | {0, …, K - 1} | ✓ | ✓ | | ✓ | ✓ | ✓ | [`Dirichlet`] | ✓ |
//! | [`Binomial`] | {0, …, n} | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | [`Beta`] | ✓ |
//! | [`Beta`] | (0, 1) | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | | ✓ |
//! | [`BetaPrime`] | (0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`ChiSquared`] | (0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | | ✓ |
//! | [`Exponential`] | [0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | [`Gamma`] | ✓ |
//! | [`FisherF`] | (0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`Gamma`] | (0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | | ✓ |
//! | [`GammaKnownShape`] | (0, ∞) | ✓ | | ✓ | | | ✓ | [`Gamma`] | ✓ |
//! | [`InverseGamma`] | (0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | | ✓ |
//! | [`InverseGaussian`] | (0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | | ✓ |
//! | [`Lomax`] | [0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`Pareto`] | [m, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | | ✓ |
//! | [`VonMises`] | angles | ✓ | ✓ | | ✓ | ✓ | ✓ | | ✓ |
//! | [`Weibull`] | [0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | | | ✓ |
//! | [`Multinomial`] | K counts | ✓ | | ✓ | | | ✓ | [`Dirichlet`] | |
//! | [`Dirichlet`] | K probabilities | ✓ | | ✓ | ✓ | ✓ | ✓ | | ✓ |
//! | [`NormalGamma`], [`NormalInverseGamma`] | mean and precision or variance | ✓ | | ✓ | ✓ | ✓ | | | ✓ |
//! | [`DirichletMultinomial`] | K counts | ✓ | | ✓ | | | | | |
//! | [`Uniform`] | [low, high] | ✓ | ✓ | ✓ | ✓ | ✓ | |  | ✓ |
//! | [`Normal`] | ℝ | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | [`NormalInverseGamma`], [`NormalGamma`] | ✓ |
//! | [`NormalKnownVariance`] | ℝ | ✓ | | | | | ✓ | [`Normal`] | ✓ |
//! | [`NormalKnownMean`] | ℝ | ✓ | | | | | ✓ | [`InverseGamma`], [`Gamma`] | ✓ |
//! | [`StudentT`] | ℝ | ✓ | ✓ | ✓ | ✓ | ✓ | |  | |
//! | [`Cauchy`] | ℝ | ✓ | ✓ | ✓ | ✓ | ✓ | |  | ✓ |
//! | [`Laplace`] | ℝ | ✓ | ✓ | ✓ | ✓ | ✓ | |  | ✓ |
//! | [`Logistic`] | ℝ | ✓ | ✓ | ✓ | ✓ | ✓ | |  | |
//! | [`Gumbel`] | ℝ | ✓ | ✓ | ✓ | ✓ | ✓ | |  | ✓ |
//! | [`LogNormal`] | (0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | | ✓ |
//! | [`HalfNormal`] | [0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | | ✓ |
//! | [`HalfCauchy`] | [0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | |  | ✓ |
//! | [`HalfStudentT`] | [0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`Frechet`] | (0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | | | ✓ |
//! | [`LogLogistic`] | (0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`Rayleigh`] | [0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | | ✓ |
//! | [`Triangular`] | [low, high] | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`AsymmetricLaplace`] | ℝ | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`SkewNormal`] | ℝ | ✓ | ✓ | ✓ | | ✓ | | | |
//! | [`GeneralizedExtremeValue`] | ℝ, or from or up to an end | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`GeneralizedPareto`] | [location, ∞), or up to an end | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`GeneralizedGamma`] | (0, ∞) | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`Kumaraswamy`] | [0, 1] | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`LogitNormal`] | (0, 1) | ✓ | ✓ | | | | | | |
//! | [`Poisson`] | {0, 1, 2, …} | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | [`Gamma`] | ✓ |
//! | [`Geometric`] | {0, 1, 2, …} | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | [`Beta`] | ✓ |
//! | [`NegativeBinomial`] | {0, 1, 2, …} | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | [`Beta`] | ✓ |
//! | [`Hypergeometric`] | some of {0, …, n} | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`BetaBinomial`] | {0, …, n} | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`BetaNegativeBinomial`] | {0, 1, 2, …} | ✓ | | ✓ | | | | | |
//! | [`DiscreteUniform`] | {low, …, high} | ✓ | ✓ | ✓ | ✓ | ✓ | | | ✓ |
//! | [`ZeroInflated`] | {0, 1, 2, …} | ✓ | ✓ | ✓ | ✓ | | | | |
//! | [`PoissonBinomial`] | {0, …, n} | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`Skellam`] | whole numbers | ✓ | ✓ | ✓ | ✓ | | | | |
//! | [`Zeta`] | {1, 2, …} | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`Zipf`] | {1, …, n} | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//!
//! Gaussian algebra and the distributions of vectors and matrices that have a covariance are in the crate
//! `posterior-gaussian`.
//!
//! Distributions made of distributions are [`Truncated`], [`Affine`] (location and scale), [`Transformed`]
//! (by a one-to-one map), [`ManyToOne`] (by one that takes a value at several points), [`Mixture`],
//! [`WithAtoms`] (some numbers have probabilities: hurdles, limits of a scale), [`OrderStatistic`] and
//! [`SampleRange`], [`Product`] and [`Iid`] (independent coordinates), [`PointMass`], and sums: those of
//! [`convolution`] in closed form, [`Sum`] and [`CountSum`] of any two. Of values that were seen they are
//! [`Empirical`] and [`KernelDensity`]. [`interval`] and [`highest_density`] say where a draw lies, and where
//! a distribution has no quantile, [`invert_cdf`] and, of counts, [`least_count`] find it. Events, Bayes'
//! rule, sigma-algebras and information on finite spaces are in [`finite`].
//!
//! Models of your own are written with [`formula`] and [`target::JointModel`], and differentiated.
//!
//! [`fit`] fits them to data by maximum likelihood, with standard errors and intervals, and to what is known
//! of data only by limits; [`goodness`] says whether they fit at all.
//!
//! Exchangeable processes are [`PitmanYor`] (with the Chinese restaurant process; [`PitmanYorPrior`] draws
//! its parameters given the [`Seats`] of restaurants), its [`Sticks`], and [`IndianBuffet`].
//!
//! Each implements `Distribution` of the crate `rand`, which draws. Discrete draws from weights are also
//! [`choose`], [`CumulativeTable`], [`AliasTable`] and [`gumbel_max`](gumbel_max::gumbel_max);
//! [`stream::stream`] gives every task its own reproducible random numbers.
//!
//! ```
//! use posterior_dist::{Categorical, Conjugate, Density, Dirichlet, Stats};
//!
//! let prior = Dirichlet::new(&[1.0, 2.0, 3.0])?;
//! let data: Stats<Categorical> = Stats::of(3, &[0, 2, 0])?;
//!
//! let posterior = Categorical::posterior(&prior, &data)?;
//! assert_eq!(posterior.concentration(), [3.0, 2.0, 4.0]);
//!
//! // The probability of the data with the parameters integrated out, and that of the next observation.
//! let ln_evidence = Categorical::ln_evidence(&prior, &data)?;
//! assert!((ln_evidence - (1.0_f64 / 56.0).ln()).abs() < 1e-14);
//! assert!((Categorical::predictive(&posterior, &3)?.ln_pdf(&0) - (3.0_f64 / 9.0).ln()).abs() < 1e-15);
//! # Ok::<(), posterior_dist::math::ParamError>(())
//! ```
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `linalg` | yes | what takes or returns a matrix: covariances of [`Dirichlet`] and its kin, [`FisherInformation`], [`CanonicalPrior`], [`target::HessianTarget`], matrices in [`text`] |
//! | `serde` | no | distributions and statistics as JSON and the like: named parameters, checked on reading |
//!
//! Without any of them this is the crate of univariate distributions, of [`Dirichlet`] and its kin, and of
//! their conjugacy; no matrix library is compiled.
//!
//! # Limits
//! - Constructors check their parameters; after that no call fails. There are no setters.
//! - A distribution implements a trait if the quantity has a closed form; there are no slow defaults.
//! - Hidden randomness: every draw takes the generator as an argument.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod alias;
mod catalogue;
mod choice;
mod concentration;
mod conjugate;
mod continuous;
mod coordinate;
mod count_histograms;
mod cumulative;
mod delegate;
mod density;
mod dirichlet;
mod discrete;
mod divergence;
mod empirical;
mod exponential_family;
pub mod finite;
pub mod fit;
mod fixed_quadrature;
pub mod formula;
mod gamma_divergence;
mod gamma_kernel;
mod gamma_variate;
pub mod goodness;
mod gradient;
// Public for its macros; what users need of it is in `text`.
#[doc(hidden)]
pub mod grammar;
pub mod gumbel_max;
mod interval;
mod inversion;
mod kernel_density;
mod moments;
mod multivariate;
mod prelude;
mod processes;
mod scaled;
pub mod stream;
pub mod target;
pub mod text;
mod updated;
mod wrappers;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[doc(no_inline)]
pub use {posterior_math as math, rand, rand_pcg};

pub use alias::AliasTable;
pub use choice::choose;
pub use concentration::{ConcentrationMethod, ConcentrationOptions, Symmetry};
#[cfg(feature = "linalg")]
pub use conjugate::CanonicalPrior;
pub use conjugate::{Conjugate, ExpectedDensity, PriorDensity};
pub use continuous::{
    AsymmetricLaplace, Beta, BetaPrime, Cauchy, ChiSquared, Exponential, FisherF, Frechet, Gamma,
    GammaKnownShape, GeneralizedExtremeValue, GeneralizedGamma, GeneralizedPareto, Gumbel, HalfCauchy,
    HalfNormal, HalfStudentT, InverseGamma, InverseGaussian, Kumaraswamy, Laplace, LogLogistic, LogNormal,
    Logistic, LogitNormal, Lomax, Normal, NormalKnownMean, NormalKnownVariance, Pareto, Rayleigh, SkewNormal,
    StudentT, Triangular, Uniform, VonMises, Weibull,
};
pub use coordinate::quantile_point;
pub use count_histograms::CountHistograms;
pub use cumulative::CumulativeTable;
pub use density::{Density, Univariate};
pub use dirichlet::Dirichlet;
pub use discrete::{
    Bernoulli, BetaBinomial, BetaNegativeBinomial, Binomial, Categorical, DiscreteUniform, Geometric,
    Hypergeometric, NegativeBinomial, Poisson, PoissonBinomial, Skellam, ZeroInflated, Zeta, Zipf,
    least_count,
};
pub use divergence::KlDivergence;
pub use empirical::{Empirical, QuantileType};
#[cfg(feature = "linalg")]
pub use exponential_family::FisherInformation;
pub use exponential_family::{Expectation, ExponentialFamily, Natural, Stats, Summary, Sums};
pub use gamma_variate::sample_chi;
pub use gradient::{ParameterGradient, PointGradient};
pub use grammar::Parametric;
pub use interval::{highest_density, interval};
pub use inversion::{invert_cdf, invert_sf};
pub use kernel_density::{Bandwidth, KernelDensity};
pub use moments::{Entropy, Mode, Moments, Shape};
pub use multivariate::{DirichletMultinomial, Multinomial, MultinomialSize, NormalGamma, NormalInverseGamma};
pub use processes::{IndianBuffet, PitmanYor, PitmanYorPrior, Seats, Sticks};
pub use updated::Updated;
pub use wrappers::{
    Affine, Branch, CountSum, Iid, ManyToOne, MixedMoments, Mixture, OrderStatistic, PointMass, Product,
    ProductSummary, SampleRange, Sum, Transformed, Truncated, WithAtoms, convolution,
};
