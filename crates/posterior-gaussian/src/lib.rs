//! Gaussian algebra: inference as linear algebra, and distributions of vectors and matrices.
//!
//! A [`Gaussian`] stays one under everything that is linear: sums, predictions, conditioning, Bayes' rule. It
//! comes in three forms, and [`LinearGaussian`], the distribution of y given x, leads from one Gaussian to
//! the next.
//!
//! ```
//! use posterior_gaussian::math::linalg::DMatrix;
//! use posterior_gaussian::{Gaussian, LinearGaussian};
//!
//! // Two numbers, a priori related; their sum is measured with variance 0.5.
//! let prior = Gaussian::new(&[0.0, 0.0], &DMatrix::from_row_slice(2, 2, &[1.0, 0.5, 0.5, 2.0]))?;
//! let sum = DMatrix::from_row_slice(1, 2, &[1.0, 1.0]);
//! let measurement = LinearGaussian::new(&sum, &[0.0], &DMatrix::from_element(1, 1, 0.5))?;
//!
//! let updated = prior.bayes(&measurement, &[4.5])?;
//! // Gains cov(x, sum) / var(y) = (1.5, 2.5) / 4.5.
//! assert!((updated.posterior.mean()[0] - 1.5).abs() < 1e-14);
//! assert!((updated.posterior.mean()[1] - 2.5).abs() < 1e-14);
//! # Ok::<(), posterior_gaussian::math::ParamError>(())
//! ```
//!
//! | you have | look at |
//! |---|---|
//! | vectors with a mean and a covariance | [`Gaussian`]: positive definite, factored, with a density |
//! | covariances that may be singular | [`MomentGaussian`]: mean and covariance, nothing factored |
//! | precisions that add up, or nothing known of a direction | [`InformationGaussian`] |
//! | a linear measurement or a linear step | [`LinearGaussian`], with [`BayesForm`] for its arithmetic |
//! | a sparse precision: random walks, maps of areas, Matérn fields | [`GaussianMarkovField`], with [`MaternSpde`] |
//! | many draws of one Gaussian | [`GaussianSampler`] |
//! | the probability of a box, a distribution function, vectors that are known to lie in a box | [`Gaussian::box_probability`], [`TruncatedGaussian`] |
//! | vectors of unknown mean and covariance | [`NormalInverseWishart`], [`NormalWishart`]: priors of a [`Gaussian`] |
//! | an unknown mean alone, or an unknown covariance alone | [`GaussianKnownCovariance`] with the prior [`Gaussian`]; [`GaussianKnownMean`] with [`InverseWishart`] or [`Wishart`] |
//! | vectors with heavy tails | [`MultivariateT`] |
//! | directions | [`VonMisesFisher`] |
//! | dependent numbers with margins of your own | [`GaussianCopula`], [`TCopula`] |
//! | a matrix of coefficients | [`MatrixNormal`]; with heavy tails [`MatrixT`] |
//! | a random covariance, precision or correlation matrix | [`InverseWishart`], [`Wishart`], [`Lkj`] |
//! | the name of a distribution, or of a prior with data | [`text`] |
//!
//! The traits are those of [`dist`]:
//!
//! | distribution | on | `Density` | `Moments` | `Entropy` | `Mode` | `ExponentialFamily` | `Conjugate` | `KlDivergence` |
//! |---|---|---|---|---|---|---|---|---|
//! | [`Gaussian`] | ℝⁿ | ✓ | ✓ | ✓ | ✓ | ✓ | [`NormalInverseWishart`], [`NormalWishart`] | ✓ |
//! | [`GaussianMarkovField`] | ℝⁿ | ✓ | | ✓ | ✓ | | | |
//! | [`GaussianKnownCovariance`] | ℝⁿ | ✓ | | | | ✓ | [`Gaussian`] | |
//! | [`GaussianKnownMean`] | ℝⁿ | ✓ | | | | ✓ | [`Wishart`], [`InverseWishart`] | |
//! | [`MultivariateT`] | ℝⁿ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`VonMisesFisher`] | directions in ℝᵖ | ✓ | ✓ | ✓ | ✓ | | | ✓ |
//! | [`MatrixNormal`] | ℝⁿˣᵖ | ✓ | ✓ | ✓ | ✓ | | | ✓ |
//! | [`MatrixT`] | ℝⁿˣᵖ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`TruncatedGaussian`] | a box in ℝⁿ | ✓ | | | | | | |
//! | [`GaussianCopula`], [`TCopula`] | the unit cube | ✓ | | | | | | |
//! | [`Wishart`], [`InverseWishart`] | positive definite p × p | ✓ | ✓ | ✓ | ✓ | ✓ | | ✓ |
//! | [`Lkj`] | correlation matrices | ✓ | ✓ | ✓ | ✓ | ✓ | | ✓ |
//! | [`NormalWishart`], [`NormalInverseWishart`] | a [`Gaussian`] | ✓ | | ✓ | ✓ | | | ✓ |
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `serde` | no | distributions as JSON and the like: named parameters, checked on reading |

#![cfg_attr(docsrs, feature(doc_cfg))]

mod catalogue;
mod conjugate;
mod gaussian;
mod markov_field;
mod matrix_check;
mod multivariate;
mod packed;
mod prelude;
pub mod text;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[doc(no_inline)]
pub use {posterior_dist as dist, posterior_math as math};

pub use gaussian::{
    BayesForm, BoxOptions, BoxProbability, Gaussian, GaussianKnownCovariance, GaussianKnownMean,
    GaussianSampler, InformationGaussian, LinearGaussian, MomentGaussian, TruncatedGaussian,
    TruncatedMoments,
};
pub use markov_field::{FiniteElements, GaussianMarkovField, ImproperMarkovField, MaternSpde};
pub use multivariate::{
    GaussianCopula, InverseWishart, Lkj, MatrixNormal, MatrixT, MultivariateT, NormalInverseWishart,
    NormalWishart, TCopula, VonMisesFisher, Wishart,
};
