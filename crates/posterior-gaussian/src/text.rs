//! Distributions of vectors by name, and priors updated by data of a named likelihood.
//!
//! The grammar is that of [`posterior_dist::text`], by which every distribution of this crate is written and
//! read.
//! ```
//! use posterior_gaussian::Gaussian;
//! use posterior_gaussian::text::AnyMultivariate;
//!
//! let place: Gaussian = "multivariate_normal([0, 1], [[2, 0.5], [0.5, 1]])".parse()?;
//! assert_eq!(place.to_string(), "multivariate_normal([0, 1], [[2, 0.5], [0.5, 1]])");
//!
//! let any: AnyMultivariate = place.to_string().parse()?;
//! assert_eq!(any.mean(), Some(vec![0.0, 1.0]));
//! # Ok::<(), posterior_gaussian::dist::text::TextError>(())
//! ```
//! | item | is |
//! |---|---|
//! | [`DynMultivariate`], [`AnyMultivariate`] | a distribution of vectors behind a pointer |
//! | [`MULTIVARIATE`] | what there is, with parameters and supports |
//! | [`learn()`], [`CONJUGATE_PAIRS`] | a prior of a named likelihood, on the line or of vectors, updated by data |

pub use crate::catalogue::{
    AnyMultivariate, CONJUGATE_PAIRS, ConjugatePair, DynMultivariate, LearnError, LearnedDistribution,
    MULTIVARIATE, learn,
};
